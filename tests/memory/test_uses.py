"""Uses: counted by recall, kept without a write on the read path, seen by the ``rem`` ranking."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from retain import Memory, Settings
from retain.errors import InvalidInput, NotFound

OPENED = Callable[[], Memory]


def use_of(memory: Memory, query: str) -> float:
    """The term of the first answer under the ``rem`` ranking."""
    found = memory.search(query, user_id="u", profile="rem", explain=True, threshold=None)
    return float(found["results"][0]["score_details"]["use"])


@pytest.fixture
def memory(open_memory: OPENED) -> Memory:
    """Two notes, opened."""
    memory = open_memory()
    for text in ("the violin is in the attic", "the ferry leaves at seven"):
        memory.add(text, user_id="u", infer=False)
    return memory


def test_a_recall_raises_the_use_of_what_it_packed(memory: Memory, open_memory: OPENED) -> None:
    for _ in range(2):
        memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
    memory.close()
    again = open_memory()
    assert use_of(again, "the ferry") == pytest.approx(0.1)
    assert use_of(again, "the violin") == 0
    assert again.check().problems == []


def test_the_next_write_carries_the_uses(memory: Memory, open_memory: OPENED) -> None:
    other = open_memory()
    memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
    assert use_of(other, "the ferry") == 0
    memory.add("something else", user_id="v", infer=False)
    assert use_of(other, "the ferry") == use_of(memory, "the ferry") == pytest.approx(0.05)


def test_a_search_is_no_use_and_what_did_not_fit_was_not_used(memory: Memory) -> None:
    memory.search("the ferry", user_id="u")
    memory.recall("the ferry", user_id="u", budget_tokens=0, threshold=None)
    memory.add("something else", user_id="v", infer=False)
    assert use_of(memory, "the ferry") == 0


def test_a_recall_needs_no_lock_and_closing_does_not_wait_for_one(
    memory: Memory, tmp_path: Path
) -> None:
    db = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
    db.execute("BEGIN IMMEDIATE")  # another process in the middle of a write
    memory.recall("the ferry", user_id="u", threshold=None)
    memory.close()
    db.execute("ROLLBACK")
    db.close()


def test_uses_of_what_was_erased_are_forgotten(memory: Memory) -> None:
    memory.recall("the ferry", user_id="u", threshold=None)
    memory.erase(user_id="u")
    assert memory.check().problems == []


def test_outcomes_move_what_was_used_and_no_further_than_a_quarter(
    memory: Memory, open_memory: OPENED
) -> None:
    def score() -> float:
        found = memory.search("timetable of the ferry and prices", user_id="u", threshold=None)[
            "results"
        ]
        return float(next(one["score"] for one in found if "ferry" in one["memory"]))

    before = score()
    recalled = memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
    told = memory.record_outcome(recalled.id, "success", "we caught it")
    assert told["memories"] == [recalled.citations[0].memory_id]
    raised = score()
    assert before < raised <= 1.25 * before
    use = memory.why(told["memories"][0])["use"]
    assert (use["count"], use["helped"], use["hurt"]) == (1, 1, 0)
    assert [(one["outcome"], one["note"]) for one in use["outcomes"]] == [
        ("success", "we caught it")
    ]
    memory.record_outcome(recalled.id, "unknown")
    assert score() == pytest.approx(before)
    memory.record_outcome(recalled.id, "failure")
    memory.record_outcome(recalled.id, "failure")  # said twice is said once
    assert 0.75 * before <= score() < before
    for _ in range(60):
        again = memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
        memory.record_outcome(again.id, "failure")
    assert 0.75 * before <= score()
    assert memory.why(told["memories"][0])["use"]["hurt"] == 61
    assert open_memory().check().problems == []


def test_an_outcome_of_a_recall_of_another_process_counts(
    memory: Memory, open_memory: OPENED
) -> None:
    recalled = memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
    memory.close()
    other = open_memory()
    assert other.record_outcome(recalled.id, "success")["memories"]
    with pytest.raises(NotFound, match="only the latest recalls"):
        other.record_outcome("no such recall", "success")


@pytest.mark.parametrize("wrong", ["great", "", None, 1])
def test_an_outcome_that_is_none_is_refused(memory: Memory, wrong: object) -> None:
    recalled = memory.recall("the ferry", user_id="u")
    with pytest.raises(InvalidInput, match="Invalid outcome"):
        memory.record_outcome(recalled.id, wrong)  # type: ignore[arg-type]


def test_an_outcome_does_not_reach_another_project(memory: Memory, tmp_path: Path) -> None:
    recalled = memory.recall("the ferry", user_id="u", threshold=None)
    memory.close()
    with (
        Memory(Settings(path=tmp_path / "ledger.db", project="other")) as other,
        pytest.raises(NotFound),
    ):
        other.record_outcome(recalled.id, "success")


def test_a_note_on_what_was_erased_is_erased(memory: Memory, tmp_path: Path) -> None:
    recalled = memory.recall("the ferry", user_id="u", threshold=None)
    memory.record_outcome(recalled.id, "failure", "XYZZY said so")
    memory.erase(user_id="u")
    memory.close()
    files = list(tmp_path.glob("ledger.db*"))
    assert files
    assert not any(b"XYZZY" in one.read_bytes() for one in files)
