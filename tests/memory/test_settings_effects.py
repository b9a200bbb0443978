"""What each setting changes, seen through Memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.errors import LedgerUnavailable
from retain.ledger.sqlite import open_sqlite
from retain.notices import RetainWarning
from retain.testing.embedders import HashEmbedder
from retain.testing.rerankers import FakeReranker, HangingReranker

TEXTS = ["the violin is in the attic", "the ferry leaves at seven", "a violin needs new strings"]


def opened(**settings: Any) -> Memory:
    return Memory(Settings(**{"path": ":memory:", **settings}))


def fill(memory: Memory) -> None:
    for text in TEXTS:
        memory.add(text, user_id="u", infer=False)


def sessions(memory: Memory, target: Path) -> list[tuple[int, int]]:
    memory.export(target)
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    return [(line["session"], line["position"]) for line in lines if line.get("line") == "memory"]


@pytest.mark.parametrize(("gap", "places"), [(3600, [(0, 0), (1, 0)]), (7200, [(0, 0), (0, 1)])])
def test_session_gap_says_when_a_conversation_is_another(
    gap: float, places: list[tuple[int, int]], tmp_path: Path
) -> None:
    with opened(session_gap=gap) as memory:
        for moment in ("2026-01-01T10:00:00Z", "2026-01-01T11:30:00Z"):
            turn = {"role": "user", "content": "hello there", "timestamp": moment}
            memory.add([turn], user_id="u", infer=False)
        assert sessions(memory, tmp_path / "out.jsonl") == places


def test_profile_is_the_ranking_of_every_search() -> None:
    def details(memory: Memory, **asked: Any) -> set[str]:
        fill(memory)
        found = memory.search("violin", user_id="u", explain=True, **asked)["results"]
        return set(found[0]["score_details"])

    with opened() as plain_asked, opened(profile="plain") as plain_set, opened() as default:
        assert details(plain_set) == details(plain_asked, profile="plain")
        assert details(plain_set) != details(default)


def test_embedder_makes_the_vectors() -> None:
    with opened(embedder=HashEmbedder(24)) as memory:
        fill(memory)
        assert memory.stats()["embedder"] == {"name": "hash:24", "dimension": 24}


def test_reranker_orders_what_rerank_asks_for() -> None:
    judge = FakeReranker(lambda _, text: 1.0 if "strings" in text else 0.1)
    with opened(reranker=judge) as memory:
        fill(memory)
        plain = memory.search("violin attic", user_id="u")["results"]
        assert plain[0]["memory"] == TEXTS[0]
        assert judge.asked == []
        ordered = memory.search("violin attic", user_id="u", rerank=True)["results"]
        assert ordered[0]["memory"] == TEXTS[2]
        assert ordered[0]["rerank_score"] == 1.0


def test_rerank_timeout_bounds_the_wait() -> None:
    judge = HangingReranker()
    with opened(reranker=judge, rerank_timeout=0.01) as memory:
        fill(memory)
        try:
            with pytest.warns(RetainWarning, match=r"within 0\.01 s"):
                found = memory.search("violin attic", user_id="u", rerank=True)["results"]
        finally:
            judge.release.set()
        assert found[0]["memory"] == TEXTS[0]
        assert "rerank_score" not in found[0]


def test_busy_timeout_bounds_the_wait_for_another_writer(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Memory(Settings(path=path, busy_timeout=0.05)) as memory:
        other = open_sqlite(str(path))
        with other.write(), pytest.raises(LedgerUnavailable, match="busy_timeout"):
            memory.add("x", user_id="u")
        other.close()
        assert memory.add("x", user_id="u", infer=False)["results"][0]["event"] == "ADD"


def test_a_cache_of_no_size_answers_the_same() -> None:
    with opened(cache_megabytes=0) as without, opened() as with_cache:
        answers = []
        for memory in (without, with_cache):
            fill(memory)
            for user in ("v", "w"):
                memory.add("a violin of another", user_id=user, infer=False)
            answers.append(
                [
                    [item["memory"] for item in memory.search("violin", user_id=user)["results"]]
                    for user in ("u", "v", "w", "u")
                ]
            )
        assert answers[0] == answers[1]
        assert answers[0][0] == answers[0][3]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"custom_instructions": "only hobbies"}, "custom_instructions"),
    ],
)
def test_a_setting_without_effect_yet_says_so(settings: dict[str, Any], said: str) -> None:
    with pytest.warns(RetainWarning, match=said):
        opened(**settings).close()


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_a_notice_points_at_the_callers_line(memory: Memory, verb: str) -> None:
    with pytest.warns(RetainWarning, match="rerank=True") as caught:
        getattr(memory, verb)("violin", user_id="u", rerank=True)
    assert [notice.filename for notice in caught] == [__file__]
