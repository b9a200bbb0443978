"""How a memory stands after it was withdrawn and restored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retain.domain.derivation import REJECTED, Decision, Derivation
from retain.domain.features import Features
from retain.domain.kind import Action, Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.port import NewMemory
from retain.ledger.reference import ReferenceLedger
from retain.ledger.standing import event_of, restore, supersede, withdraw

SCOPE = Scope(user_id="u")
NOTHING = Features(b"", b"", 0, b"", b"", 0, 0)


def fact(name: str, status: Status = Status.ACCEPTED) -> MemoryRecord:
    return MemoryRecord(
        id=name,
        scope=SCOPE,
        kind=Kind.FACT,
        text=f"statement {name}",
        created_at=1,
        updated_at=1,
        recorded_at=1,
        status=status,
        derivation_id="d",
    )


@pytest.fixture
def ledger() -> ReferenceLedger:
    """One accepted fact, one rejected candidate, and the derivation that says so."""
    ledger = ReferenceLedger()
    with ledger.write() as tx:
        tx.add_memories(
            [NewMemory(one, NOTHING) for one in (fact("a"), fact("b"), fact("c", Status.CANDIDATE))]
        )
        tx.add_events([event_of(fact(name), Action.ADD, 1, None, "x") for name in "abc"])
        decisions = [
            Decision("statement a", "add", "not known yet", "a"),
            Decision("statement c", REJECTED, "the quotes do not support it", "c"),
        ]
        tx.add_derivation(Derivation("d", "rules@1", 1, (), decisions))
    return ledger


def held(ledger: ReferenceLedger, name: str) -> MemoryRecord:
    with ledger.read() as tx:
        record = tx.memory(name)
    assert record is not None
    return record


@pytest.mark.parametrize(("name", "stood"), [("a", Status.ACCEPTED), ("c", Status.CANDIDATE)])
def test_what_was_withdrawn_stands_again_as_it_stood(
    ledger: ReferenceLedger, name: str, stood: Status
) -> None:
    with ledger.write() as tx:
        withdraw(tx, [held(ledger, name)], at=2)
    assert held(ledger, name).status is Status.WITHDRAWN
    with ledger.write() as tx:
        restore(tx, held(ledger, name), at=3, reason=None)
    assert held(ledger, name).status is stood


def test_what_was_replaced_and_withdrawn_is_replaced_again_first(ledger: ReferenceLedger) -> None:
    with ledger.write() as tx:
        supersede(tx, held(ledger, "a"), held(ledger, "b"), at=2, reason="newer")
    replaced = held(ledger, "a")
    with ledger.write() as tx:
        withdraw(tx, [replaced], at=3)
    with ledger.write() as tx:
        restore(tx, held(ledger, "a"), at=4, reason=None)
    assert held(ledger, "a") == replaced
    with ledger.write() as tx:
        restore(tx, held(ledger, "a"), at=5, reason=None)
    assert held(ledger, "a") == replace(fact("a"), key=replaced.key)
    with ledger.read() as tx:
        assert tx.links("a") == []
