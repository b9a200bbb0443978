"""Uses: counted by recall, kept without a write on the read path, seen by the ``rem`` ranking."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from retain import Memory

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
