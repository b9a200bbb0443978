"""Turns in their order, and where a conversation goes on."""

from __future__ import annotations

from retain.domain.kind import Status
from retain.ledger.port import Ledger, Turn
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    keep,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite


class Conversations(LedgerSuite):
    """Turns in their order, and where a conversation goes on."""

    def test_a_conversation_goes_on_in_its_exact_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for n in range(5):
                say(tx, f"t{n}", position=n)
            say(tx, "elsewhere", ANN_AT_WORK, 9)
            say(tx, "t5", position=0, session=1)
            say(tx, "hidden", position=1, session=1, status=Status.WITHDRAWN)
            keep(tx, record("fact"))
        with ledger.read() as reading:
            assert reading.last_turn(ANN) == Turn(1, 1, NOW)
            assert reading.last_turn(ANN_AT_WORK) == Turn(0, 9, NOW)

    def test_an_older_turn_does_not_move_the_conversation_back(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "new", position=3, session=2)
            say(tx, "old", position=9, session=1)
            assert tx.last_turn(ANN) == Turn(2, 3, NOW)

    def test_a_turn_is_found_by_the_callers_id(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "a", external_id="x")
            say(tx, "b", ANN_AT_WORK, external_id="y")
        with ledger.read() as reading:
            found = reading.turn_by_external_id(ANN, "x")
            assert found is not None and found.id == "a"
            assert reading.turn_by_external_id(ANN, "y") is None
            assert reading.turn_by_external_id(BEN, "x") is None
