"""What stands when a newer value is taken back: the older one, as it stood."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from retain import Memory

OSLO, ROME, LIMA = "I live in Oslo.", "I moved to Rome.", "I moved to Lima."
Taking = Callable[[Memory, str, str], Any]


def say(memory: Memory, text: str, day: str, **ids: str) -> tuple[str, str]:
    """The ids of a turn and of its fact."""
    added = memory.add(text, timestamp=day, **{"user_id": "u", **ids})["results"]  # type: ignore[arg-type]
    return added[0]["id"], next(row["id"] for row in added if row["kind"] == "fact")


def homes(memory: Memory, **asked: Any) -> list[str]:
    found = memory.get_all(user_id="u", kinds=["fact"], **asked)["results"]
    return sorted(item["memory"] for item in found)


def events(memory: Memory, memory_id: str) -> list[str]:
    return [row["event"] for row in memory.history(memory_id)]


TAKING_BACK: dict[str, Taking] = {
    "delete the fact": lambda memory, turn, fact: memory.delete(fact),  # noqa: ARG005
    "delete the turn": lambda memory, turn, fact: memory.delete(turn),  # noqa: ARG005
    "correct the turn": lambda memory, turn, fact: memory.update(turn, "Nothing."),  # noqa: ARG005
    "delete its run": lambda memory, turn, fact: memory.delete_all(run_id="r2"),  # noqa: ARG005
    "erase the fact": lambda memory, turn, fact: memory.erase(fact),  # noqa: ARG005
    "erase the turn": lambda memory, turn, fact: memory.erase(turn),  # noqa: ARG005
    "erase its run": lambda memory, turn, fact: memory.erase(run_id="r2"),  # noqa: ARG005
}


@pytest.mark.parametrize("take_back", TAKING_BACK.values(), ids=TAKING_BACK)
def test_without_the_newer_value_the_older_is_current_again(
    memory: Memory, take_back: Taking
) -> None:
    _, oslo = say(memory, OSLO, "2025-01-01", run_id="r1")
    before = memory.get(oslo)
    turn, rome = say(memory, ROME, "2025-06-01", run_id="r2")
    assert memory.get(oslo) is None
    take_back(memory, turn, rome)
    assert memory.get(oslo) == before
    assert memory.get(rome) is None
    assert events(memory, oslo) == ["ADD", "SUPERSEDE", "RESTORE"]
    assert "what replaced it" in memory.history(oslo)[-1]["reason"]
    assert memory.check().problems == []


@pytest.mark.parametrize("of", ["turn", "fact"])
def test_restoring_what_was_deleted_replaces_the_older_value_again(memory: Memory, of: str) -> None:
    _, oslo = say(memory, OSLO, "2025-01-01")
    turn, rome = say(memory, ROME, "2025-06-01")
    before = memory.get_all(user_id="u", include_superseded=True)
    memory.delete(turn if of == "turn" else rome)
    assert memory.get(oslo) is not None
    memory.restore(turn if of == "turn" else rome)
    assert homes(memory) == ["User lives in Rome."]
    after = memory.get_all(user_id="u", include_superseded=True)
    dated = "superseded_at"
    assert [{**item, dated: None} for item in after["results"]] == [
        {**item, dated: None} for item in before["results"]
    ]


@pytest.mark.parametrize("erase", [False, True])
def test_what_stood_between_two_values_leaves_the_older_replaced_by_the_newer(
    memory: Memory, erase: bool
) -> None:
    _, oslo = say(memory, OSLO, "2025-01-01")
    _, rome = say(memory, ROME, "2025-06-01")
    _, lima = say(memory, LIMA, "2025-09-01")
    if erase:
        memory.erase(rome)
    else:
        memory.delete(rome)
    assert homes(memory) == ["User lives in Lima."]
    assert memory.why(oslo)["memory"]["superseded_by"] == lima
    assert homes(memory, as_of="2025-07-01") == ["User lives in Oslo."]
    memory.delete(lima)
    assert homes(memory) == ["User lives in Oslo."]


def test_a_chain_that_is_deleted_whole_is_restored_link_by_link(memory: Memory) -> None:
    _, oslo = say(memory, OSLO, "2025-01-01")
    _, rome = say(memory, ROME, "2025-06-01")
    _, lima = say(memory, LIMA, "2025-09-01")
    memory.delete_all(user_id="u")
    memory.restore(oslo)
    assert homes(memory) == ["User lives in Oslo."]
    memory.restore(lima)
    assert homes(memory) == ["User lives in Lima."]
    memory.restore(rome)
    assert homes(memory) == ["User lives in Lima."]
    assert memory.why(oslo)["memory"]["superseded_by"] == rome


def test_a_value_that_arrived_late_stands_once_the_newer_one_is_gone(memory: Memory) -> None:
    _, rome = say(memory, ROME, "2025-06-01")
    _, oslo = say(memory, OSLO, "2025-01-01")
    assert memory.get(oslo) is None
    memory.delete(rome)
    assert homes(memory) == ["User lives in Oslo."]


def test_what_the_user_restored_is_not_replaced_again(memory: Memory) -> None:
    _, oslo = say(memory, OSLO, "2025-01-01")
    _, rome = say(memory, ROME, "2025-06-01")
    memory.restore(oslo)
    memory.delete(rome)
    memory.restore(rome)
    assert homes(memory) == ["User lives in Oslo.", "User lives in Rome."]


@pytest.fixture
def ending(memory: Memory, tmp_path: Path) -> str:
    """A memory with an end of its own, and its id."""
    said = memory.add("The garage is let", user_id="u", infer=False, timestamp="2025-01-01")
    memory.export(tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    lines[1]["valid_until"] = "2025-03-01T00:00:00+00:00"
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    memory.erase(user_id="u")
    memory.import_file(tmp_path / "in.jsonl")
    return str(said["results"][0]["id"])


@pytest.mark.parametrize("newer", ["2025-02-01", "2025-06-01"])
@pytest.mark.parametrize("back", ["restore", "delete", "erase"])
def test_an_end_of_its_own_outlives_a_supersession(
    memory: Memory, ending: str, newer: str, back: str
) -> None:
    before = memory.get_all(user_id="u", include_superseded=True)["results"]
    later = memory.add("The garage is sold", user_id="u", infer=False, timestamp=newer)
    by = later["results"][0]["id"]
    memory.supersede(ending, by=by)

    def held(day: str) -> bool:
        found = memory.get_all(user_id="u", as_of=day)["results"]
        return ending in [item["id"] for item in found]

    assert held("2025-01-20")
    assert held("2025-02-20") is (newer > "2025-02-20")
    assert not held("2025-03-20")
    if back == "restore":
        memory.restore(ending)
        memory.delete(by)
    elif back == "delete":
        memory.delete(by)
    else:
        memory.erase(by)
    assert memory.get_all(user_id="u", include_superseded=True)["results"] == before
    assert held("2025-02-20")
    assert not held("2025-03-20")
    assert memory.get(ending) is None  # its own time is over


def test_a_ledger_of_the_first_schema_learns_what_stands_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Memory(path) as memory:
        turn, _ = say(memory, ROME, "2025-06-01")
        _, oslo = say(memory, OSLO, "2025-01-01")
    db = sqlite3.connect(path)
    db.executescript(
        "DROP TABLE rebuilt; ALTER TABLE ledger DROP COLUMN rebuilding;"
        "ALTER TABLE ledger DROP COLUMN rebuilding_dimension;"
        "DROP TABLE job_memory; DROP TABLE job; DROP TABLE method; DROP INDEX memory_unsettled;"
        "DROP INDEX derivation_scope; ALTER TABLE derivation DROP COLUMN scope;"
        "ALTER TABLE derivation DROP COLUMN usage; ALTER TABLE derivation DROP COLUMN context;"
        "DROP INDEX memory_episode; DROP INDEX memory_insight; DROP INDEX memory_unconsolidated;"
        "ALTER TABLE memory DROP COLUMN details;"
        "DROP TABLE recall_memory; DROP TABLE recall; ALTER TABLE memory DROP COLUMN used_at;"
        "ALTER TABLE memory DROP COLUMN helped; ALTER TABLE memory DROP COLUMN hurt;"
        "ALTER TABLE memory DROP COLUMN own_until; DELETE FROM link; PRAGMA user_version = 1;"
    )
    db.close()
    with Memory(path) as memory:
        assert memory.check().problems == []
        assert homes(memory) == ["User lives in Rome."]
        memory.delete(turn)
        assert homes(memory) == ["User lives in Oslo."]
        assert [link["target_id"] for link in memory.why(oslo)["links"]] == [oslo]


@pytest.mark.parametrize("erased", [False, True])
def test_what_another_run_says_too_outlives_its_first_run(memory: Memory, erased: bool) -> None:
    first, oslo = say(memory, OSLO, "2025-01-01", run_id="r1")
    second, again = say(memory, OSLO, "2025-02-01", run_id="r2")
    say(memory, "My dog is called Rex.", "2025-01-01", run_id="r1")
    assert again == oslo
    gone = memory.erase(run_id="r1").memory_ids if erased else memory.delete_all(run_id="r1") and ()
    assert oslo not in gone
    assert homes(memory) == homes(memory, run_id="r2") == ["User lives in Oslo."]
    assert homes(memory, run_id="r1") == []
    held = [row["memory"] for row in memory.search("Oslo", user_id="u", run_id="r2")["results"]]
    assert sorted(held) == [OSLO, "User lives in Oslo."]
    assert memory.history(oslo)[-1]["event"] == "UPDATE"
    assert "another says it" in memory.history(oslo)[-1]["reason"]
    memory.delete(second)
    assert homes(memory) == []
    memory.restore(second)
    assert homes(memory) == ["User lives in Oslo."]
    if not erased:
        memory.delete(second)
        memory.restore(first)
        assert homes(memory) == ["User lives in Oslo."]
    assert memory.check().problems == []


def test_erasing_the_last_held_source_withdraws_what_only_a_deleted_one_says(
    memory: Memory,
) -> None:
    first, oslo = say(memory, OSLO, "2025-01-01")
    second, _ = say(memory, OSLO, "2025-02-01")
    memory.delete(second)
    assert homes(memory) == ["User lives in Oslo."]
    memory.erase(first)
    assert homes(memory) == []
    assert memory.get_all(user_id="u")["results"] == []
    memory.restore(second)
    assert homes(memory) == ["User lives in Oslo."]
    assert events(memory, oslo)[-2:] == ["DELETE", "RESTORE"]
    assert memory.check().problems == []
