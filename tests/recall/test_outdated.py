"""What turns said that no longer holds: which turn, and at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from retain import Memory
from retain.domain.evidence import Evidence
from retain.domain.kind import Kind, Status
from retain.domain.scope import Scope
from retain.ledger.port import ReadTx
from retain.ledger.reference import ReferenceLedger
from retain.recall.outdated import derived_from, mark_outdated, newer_first
from retain.testing.conformance.rows import NOW, SEEN, keep, record, say

ANN = Scope(user_id="ann")


class Counted:
    """A transaction that counts what it is asked."""

    def __init__(self, tx: ReadTx) -> None:
        self._tx = tx
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        self.asked[name] += 1
        found: Callable[..., Any] = getattr(self._tx, name)
        return found


def homes(count: int) -> ReferenceLedger:
    """So many turns, each with the fact drawn from it, each replaced by the next."""
    ledger = ReferenceLedger()
    with ledger.write() as tx:
        for at in range(count):
            say(tx, f"t{at}", position=at)
            last = at == count - 1
            keep(
                tx,
                record(
                    f"f{at}",
                    ANN,
                    status=Status.ACCEPTED if last else Status.SUPERSEDED,
                    superseded_by=None if last else f"f{at + 1}",
                    valid_until=None if last else NOW,
                ),
            )
        tx.add_evidence([
            Evidence(f"f{at}", f"t{at}", "words", 0, 5, recorded_at=NOW) for at in range(count)
        ])  # fmt: skip
    return ledger


def item(name: str, score: float) -> dict[str, Any]:
    kind = Kind.MESSAGE if name.startswith("t") else Kind.FACT
    return {"id": name, "kind": kind.value, "score": score}


def test_each_turn_has_its_own_facts() -> None:
    with homes(4).read() as tx:
        derived = derived_from(tx, ["t3", "t0", "unknown"], SEEN)
    assert list(derived) == ["t3", "t0", "unknown"]
    assert [fact.id for fact in derived["t3"].holding] == ["f3"]
    assert [fact.id for fact in derived["t0"].replaced] == ["f0"]
    assert derived["t0"].holding == derived["t3"].replaced == derived["unknown"].holding == []


def test_what_replaced_the_replacement_is_followed_to_what_was_found() -> None:
    with homes(6).read() as tx:
        found = newer_first(tx, [item("t0", 0.9), item("f5", 0.4), item("t4", 0.3)], SEEN)
    assert [(one["id"], one["score"]) for one in found] == [("f5", 0.9), ("t0", 0.9), ("t4", 0.3)]


def test_the_statements_do_not_grow_with_the_turns() -> None:
    asked = []
    for count in (4, 30):
        with homes(count).read() as reading:
            tx: Any = Counted(reading)
            turns = [item(f"t{at}", 0.5) for at in range(count)]
            mark_outdated(tx, turns, SEEN)
            assert ["no_longer" in turn for turn in turns] == [True] * (count - 1) + [False]
            asked.append(tx.asked)
    assert asked[0] == asked[1]


def test_a_memory_marks_turns_of_several_scopes(memory: Memory) -> None:
    for run in ("r1", "r2"):
        memory.add("I live in Oslo.", user_id="u", run_id=run, timestamp="2025-01-01")
    memory.add("I live in Rome now.", user_id="u", timestamp="2025-06-01")
    recall = memory.recall("Where do I live?", user_id="u")
    marked = {one["memory"]: one["no_longer"] for one in recall.memories if "no_longer" in one}
    assert marked == {"I live in Oslo.": ["User lives in Oslo."]}
