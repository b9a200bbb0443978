"""Finding facts by slot and by text, and changing them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from retain.domain.event import Event
from retain.domain.kind import Action, Status
from retain.domain.scope import Scope
from retain.errors import Conflict, NotFound
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    keep,
    names,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite


class Facts(LedgerSuite):
    """Finding facts by slot and by text, and changing them."""

    def test_slots_belong_to_the_holder_in_any_run(self, ledger: Ledger) -> None:
        home: dict[str, Any] = {"subject": "user", "attribute": "home"}
        desk = Scope(user_id="ann", agent_id="desk")
        with ledger.write() as tx:
            keep(tx, record("plain", ANN, **home))
            keep(tx, record("r1", replace(desk, run_id="r1"), **home))
            keep(tx, record("r2", replace(desk, run_id="r2"), **home))
            keep(tx, record("other", desk, subject="user", attribute="work"))
            keep(tx, record("old", desk, status=Status.SUPERSEDED, **home))
            keep(tx, record("run1", Scope(run_id="r1"), **home))
            keep(tx, record("run2", Scope(run_id="r2"), **home))
            keep(tx, record("elsewhere", Scope("p2", "ann", "desk"), **home))
        with ledger.read() as reading:
            assert names(reading.slot(ANN, "user", "home")) == ["plain"]
            assert names(reading.slot(desk, "user", "home")) == ["r1", "r2"]
            assert names(reading.slot(replace(desk, run_id="r9"), "user", "home")) == ["r1", "r2"]
            assert names(reading.slot(Scope(run_id="r1"), "user", "home")) == ["run1"]
            assert reading.slot(BEN, "user", "home") == []

    def test_facts_are_found_by_their_exact_text(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a", text="Ann has a dog"))
            keep(tx, record("b", text="Ann has a dog", status=Status.SUPERSEDED))
            keep(tx, record("c", text="Ann has a dog", status=Status.WITHDRAWN))
            keep(tx, record("d", text="ann has a dog"))
            keep(tx, record("e", ANN_AT_WORK, text="Ann has a dog"))
        with ledger.read() as reading:
            assert names(reading.facts_with_text(ANN, "Ann has a dog")) == ["a", "b"]
            assert names(reading.facts_with_text(ANN_AT_WORK, "Ann has a dog")) == ["e"]
        with ledger.write() as tx:
            a = tx.memory("a")
            assert a is not None
            tx.change(replace(a, text="Ann has a cat"))
        with ledger.read() as reading:
            assert names(reading.facts_with_text(ANN, "Ann has a dog")) == ["b"]
            assert names(reading.facts_with_text(ANN, "Ann has a cat")) == ["a"]

    def test_a_changed_turn_keeps_its_message(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
        with ledger.write() as tx:
            turn = tx.memory("turn")
            assert turn is not None
            tx.change(replace(turn, text="corrected", metadata={"n": 1}, updated_at=NOW + 1))
            update = Event("u", "turn", Action.UPDATE, turn.text, "corrected", NOW, NOW + 1)
            tx.add_events([update])
        with ledger.read() as reading:
            changed = reading.memory("turn")
            message = reading.message("m-turn")
            assert changed is not None and message is not None
            assert (changed.text, changed.metadata) == ("corrected", {"n": 1})
            assert message.content == "words of turn"
            assert [one.new_text for one in reading.history("turn")] == [
                "words of turn",
                "corrected",
            ]
            assert reading.history("turn")[1] == update

    def test_changing_what_is_not_there_is_refused(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"))
            a = tx.memory("a")
        assert a is not None
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.change(replace(a, id="b", key=a.key + 100))

    def test_a_memory_moves_to_another_run_of_its_holder(self, ledger: Ledger) -> None:
        first, second = replace(ANN, run_id="r1"), replace(ANN, run_id="r2")
        with ledger.write() as tx:
            keep(tx, record("f", first))
        with ledger.read() as reading:
            key = reading.named(["f"])[0].key
            before = reading.partition_state(key >> 32).revision
        with ledger.write() as tx:
            tx.move("f", second)
        with ledger.read() as reading:
            moved = reading.memory("f")
            assert moved is not None and moved.scope == second and moved.key == key
            (row,) = reading.scan(key >> 32, before, before)
            assert reading.coverage(second).parts == {key >> 32: frozenset({row.scope_id})}
            assert reading.coverage(first).parts != reading.coverage(second).parts
        with ledger.write() as tx:
            tx.erase_scope(tx.coverage(first))
        with ledger.read() as reading:
            assert reading.memory("f") is not None

    def test_a_memory_moves_to_no_other_holder(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("f", ANN))
        for scope in (BEN, ANN_AT_WORK, Scope("p2", user_id="ann")):
            with pytest.raises(Conflict), ledger.write() as tx:
                tx.move("f", scope)
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.move("nobody", ANN)
