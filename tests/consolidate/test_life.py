"""The life of an agent: what recurs becomes insights, one-offs do not, and it stays true."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.testing.clock import FakeClock
from tests.consolidate.life import FIRST, GERMAN, SECOND, SPANISH, THIRD, Life, Told

LIVES = {"first": FIRST, "second": SECOND, "third": THIRD, "german": GERMAN, "spanish": SPANISH}
ROOT = Path(__file__).resolve().parents[2]
LENGTHS = {"first": 60, "second": 60, "third": 60, "german": 20, "spanish": 20}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "life.db", clock=FakeClock()) as opened:
        yield opened


def live(memory: Memory, told: list[Told]) -> dict[str, frozenset[str]]:
    """Write a life; by episode, the keys of what recurs in it."""
    return {
        memory.write_episode(one.content, agent_id="a", timestamp=one.at, outcome=one.outcome)[
            "id"
        ]: one.holds
        for one in told
    }


def key_of(sources: list[str], holds: dict[str, frozenset[str]]) -> str | None:
    """What most of an insight's episodes hold, if nearly all do."""
    keys = [key for source in sources for key in holds[source]]
    best = max(set(keys), key=keys.count, default=None)
    return best if best is not None and keys.count(best) >= 0.8 * len(sources) else None


def insights(memory: Memory, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memory.insights(agent_id="a", **options)["insights"]
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", LIVES)
def test_what_recurs_is_found_and_what_does_not_is_left(
    memory: Memory, name: str, seed: int
) -> None:
    life: Life = LIVES[name]
    holds = live(memory, life.episodes(seed, LENGTHS[name]))
    report = memory.consolidate(agent_id="a")
    assert report["episodes"] == LENGTHS[name]
    found = insights(memory, include_superseded=True)
    keys = [key_of(one["sources"], holds) for one in found]
    right = {key for key in keys if key is not None}
    assert sum(key is not None for key in keys) / len(keys) >= 0.9
    assert len(right) / len(life.recurring) >= 0.9
    present = {key_of(one["sources"], holds) for one in insights(memory)}
    for old, new in life.replaced_by.items():
        assert new in present
        assert old not in present
        assert old in right
    assert memory.check().problems == []


def test_types_confidence_and_evidence(memory: Memory) -> None:
    holds = live(memory, FIRST.episodes(1))
    memory.consolidate(agent_id="a")
    found = {key_of(one["sources"], holds): one for one in insights(memory)}
    assert found["migration"]["insight_type"] == "warning"
    assert found["cache"]["insight_type"] == "skill"
    assert found["window seat"]["insight_type"] == "preference"
    assert found["short answers"]["insight_type"] == "preference"
    assert found["invoice"]["insight_type"] == "rule"
    for one in found.values():
        assert one["supports"] == len(one["sources"]) >= 3
        assert one["confidence"] == (one["supports"] + 1) / (one["supports"] + 2)
        why = memory.why(one["id"])
        assert why["derivation"]["method"] == "consolidation@1"
        for evidence in why["evidence"]:
            assert evidence["source"][evidence["start"] : evidence["end"]] == evidence["quote"]
            assert evidence["stance"] == "supports"
    context = memory.recall("deploy", agent_id="a").context
    assert "insight, since" in context and "warning, " in context and " episodes)" in context


def test_again_it_changes_nothing_and_day_by_day_it_comes_to_the_same(
    memory: Memory, tmp_path: Path
) -> None:
    told = SECOND.episodes(2)
    holds = live(memory, told)
    dry = memory.consolidate(agent_id="a", dry_run=True)
    assert insights(memory) == []
    assert memory.episodes(agent_id="a", consolidated=True)["total"] == 0
    report = memory.consolidate(agent_id="a")
    assert [row["insight"] for row in report["insights"]] == [
        row["insight"] for row in dry["insights"]
    ]
    before = insights(memory, include_superseded=True)
    assert memory.consolidate(agent_id="a") == {"episodes": 0, "insights": []}
    assert insights(memory, include_superseded=True) == before
    assert memory.episodes(agent_id="a", consolidated=False)["total"] == 0
    with Memory(tmp_path / "daily.db", clock=FakeClock()) as daily:
        daily_holds: dict[str, frozenset[str]] = {}
        for start in range(0, 60, 7):
            daily_holds |= live(daily, told[start : start + 7])
            daily.consolidate(agent_id="a")
        once = {key_of(one["sources"], holds) for one in insights(memory)}
        grown = {key_of(one["sources"], daily_holds) for one in insights(daily)}
        assert grown == once
        assert daily.check().problems == []


def test_insights_follow_their_episodes(memory: Memory) -> None:
    holds = live(memory, FIRST.episodes(3))
    memory.consolidate(agent_id="a")
    (warning,) = insights(memory, insight_type="warning")
    first = warning["sources"][0]
    memory.delete(first)
    after = memory.get(warning["id"])
    assert after is not None
    assert after["supports"] == warning["supports"] - 1
    assert after["confidence"] < warning["confidence"]
    memory.restore(first)
    again = memory.get(warning["id"])
    assert again is not None and again["confidence"] == warning["confidence"]
    for source in warning["sources"]:
        memory.delete(source)
    assert memory.get(warning["id"]) is None
    memory.restore(first)
    assert memory.get(warning["id"]) is not None
    assert holds[first] == {"migration"}
    assert memory.check().problems == []


def test_an_insight_in_the_words_of_an_erased_episode_is_worded_anew(
    memory: Memory, tmp_path: Path
) -> None:
    live(memory, FIRST.episodes(1))
    memory.consolidate(agent_id="a")
    (warning,) = insights(memory, insight_type="warning")
    why = memory.why(warning["id"])["evidence"]
    worded_by = [one["source_id"] for one in why if one["quote"] == warning["memory"]]
    for source in worded_by:
        memory.erase(source)
    (after,) = insights(memory, insight_type="warning")
    assert after["memory"] != warning["memory"]
    assert after["supports"] == warning["supports"] - len(worded_by)
    assert set(after["sources"]) == set(warning["sources"]) - set(worded_by)
    assert memory.check().problems == []
    memory.close()
    text = warning["memory"].encode()
    assert not any(text in file.read_bytes() for file in tmp_path.glob("life.db*"))


def test_a_deleted_insight_does_not_come_back_from_the_same_episodes(memory: Memory) -> None:
    told = FIRST.episodes(1)
    live(memory, told[:50])
    memory.consolidate(agent_id="a")
    (warning,) = insights(memory, insight_type="warning")
    memory.delete(warning["id"])
    live(memory, told[50:])
    memory.consolidate(agent_id="a")
    assert insights(memory, insight_type="warning") == []


def test_users_are_kept_apart(memory: Memory) -> None:
    told = FIRST.episodes(1)
    for number, one in enumerate(told):
        memory.write_episode(
            one.content, agent_id="a", user_id=f"u{number % 30}", timestamp=one.at,
            outcome=one.outcome,
        )  # fmt: skip
    assert memory.consolidate(agent_id="a")["insights"] == []
    for one in told:
        memory.write_episode(one.content, agent_id="b", user_id="v", timestamp=one.at)
    memory.consolidate()
    assert memory.insights(agent_id="a")["total"] == 0
    assert memory.insights(agent_id="b", user_id="v")["total"] >= 5
    assert memory.insights(user_id="u1")["total"] == 0


def test_strangers_that_begin_alike_are_not_joined(memory: Memory) -> None:
    for what in (
        "a birthday card", "the opening hours of the museum", "a recipe for soup",
        "help with a tax form", "directions to the harbour", "a rhyme for orange",
    ):  # fmt: skip
        memory.write_episode(f"The user asked me for {what}. I did it.", agent_id="a")
    assert memory.consolidate(agent_id="a")["insights"] == []


def test_enough_episodes_start_it_in_the_background(tmp_path: Path) -> None:
    settings = Settings(path=tmp_path / "m.db", consolidate_after=3)
    with Memory(settings) as memory:
        for number in range(3):
            assert memory.stats()["consolidation"] == {"waiting": number, "last_error": None}
            memory.write_episode("Ana prefers aisle seats on trains.", agent_id="a")
    with Memory(tmp_path / "m.db") as memory:  # closing waited for the run
        assert [one["memory"] for one in insights(memory)] == ["Ana prefers aisle seats on trains."]
        assert memory.stats()["consolidation"]["waiting"] == 0


CONSOLIDATE = """
import sys
from retain import Memory
from tests.consolidate.life import FIRST
with Memory(sys.argv[1]) as memory:
    for number, one in enumerate(FIRST.episodes(1)):
        if number % 4 == int(sys.argv[2]):
            memory.write_episode(
                one.content, agent_id="a", timestamp=one.at, outcome=one.outcome,
                metadata={"holds": sorted(one.holds)},
            )
            if number % 3 == 0:
                memory.consolidate(agent_id="a")
"""


def test_runs_beside_each_other_make_each_insight_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    Memory(path).close()
    running = [
        subprocess.Popen([sys.executable, "-c", CONSOLIDATE, path, str(number)], cwd=ROOT)
        for number in range(4)
    ]
    assert [one.wait() for one in running] == [0] * 4
    with Memory(path) as memory:
        memory.consolidate(agent_id="a")
        told = memory.episodes(agent_id="a", limit=100)["episodes"]
        holds = {one["id"]: frozenset(one["metadata"]["holds"]) for one in told}
        assert len(told) == 60
        found = [key_of(one["sources"], holds) for one in insights(memory)]
        named = [key for key in found if key is not None]
        assert len(named) == len(set(named)) >= 4
        cited = [
            (one["source_id"], one["start"])
            for insight in insights(memory)
            for one in memory.why(insight["id"])["evidence"]
        ]
        assert len(cited) == len(set(cited))
        assert memory.check().problems == []
