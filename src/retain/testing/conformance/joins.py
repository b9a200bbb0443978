"""What hangs on memories: evidence, edges, history, names, derivations, answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retain.domain.derivation import Decision, Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.kind import Action, LinkType, Stance
from retain.domain.link import Link
from retain.errors import Conflict
from retain.ledger.port import Ledger, NewMemory
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    SEEN,
    features,
    keep,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite


class Joins(LedgerSuite):
    """What hangs on memories: evidence, edges, history, names, derivations, answers."""

    def test_the_same_evidence_counts_once(self, ledger: Ledger) -> None:
        first = Evidence("fact", "turn", "words", 0, 5, Stance.SUPPORTS, "exact", 0.5, NOW)
        second = Evidence("fact", "turn", "of", 6, 8, Stance.CONTRADICTS, "rule", 1.0, NOW + 1)
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("fact"), record("other"))
            tx.add_evidence([first, second])
            tx.add_evidence([replace(first, quote="again", recorded_at=NOW + 5)])
            tx.add_evidence([replace(first, memory_id="other", recorded_at=NOW + 2)])
        with ledger.read() as reading:
            assert reading.evidence(["fact"]) == [first, second]
            assert [one.memory_id for one in reading.supported_by("turn")] == [
                "fact", "fact", "other",
            ]  # fmt: skip
            assert len(reading.evidence(["fact", "other", "nobody"])) == 3
            assert reading.supported_by("fact") == []
            assert reading.supported_by("turn", "fact", "nobody") == (reading.supported_by("turn"))

    def test_edges_are_drawn_once_and_seen_from_both_ends(self, ledger: Ledger) -> None:
        edge = Link("b", LinkType.SUPERSEDES, "a", NOW, "newer")
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c"))
            tx.add_links([edge, edge, replace(edge, reason="again")])
            tx.add_links([Link("c", LinkType.SUPERSEDES, "b", NOW + 1)])
        with ledger.read() as reading:
            assert reading.links("a") == [edge]
            assert reading.links("b") == [edge, Link("c", LinkType.SUPERSEDES, "b", NOW + 1)]
            assert reading.links("nobody") == []
            assert reading.links_of(["a", "b", "c"]) == reading.links("b")
        with ledger.write() as tx:
            tx.remove_links("b", "a")
        with ledger.read() as reading:
            assert reading.links("a") == []
            assert len(reading.links("b")) == 1

    def test_history_is_in_the_order_of_writing(self, ledger: Ledger) -> None:
        given = [
            Event(f"e{n}", "a", action, "old", "new", NOW, NOW - n, "Ann", "user", f"why {n}")
            for n, action in enumerate(Action)
        ]
        with ledger.write() as tx:
            tx.add_memories([NewMemory(record("a"), features())])
            tx.add_events(given[:2])
            tx.add_events(given[2:3])
        with ledger.write() as tx:
            tx.add_events(given[3:])
        with ledger.read() as reading:
            assert reading.history("a") == given
            assert reading.history("nobody") == []
            assert reading.histories(["nobody", "a"]) == {"a": given}

    def test_names_are_compared_without_case(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), mentions=[Mention("Rex", 0, 3, "pet"), Mention("REX", 9, 12)])
            keep(tx, record("b"), mentions=[Mention("rex", 0, 3), Mention("Straße", 5, 11)])
            keep(tx, record("c", BEN), mentions=[Mention("Rex", 0, 3)])
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            found = reading.entities(covered, SEEN, 9)
            assert [(one.name, one.type, one.mentions) for one in found] == [
                ("Rex", "pet", 2), ("Straße", "thing", 1),
            ]  # fmt: skip
            assert len(reading.entities(covered, SEEN, 1)) == 1
            assert reading.mentions("a") == [Mention("Rex", 0, 3, "pet"), Mention("REX", 9, 12)]

    def test_a_changed_text_changes_its_names(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), mentions=[Mention("Rex", 0, 3)])
            a = tx.memory("a")
            assert a is not None
            tx.change(replace(a, text="Tom"), mentions=[Mention("Tom", 0, 3)])
        with ledger.read() as reading:
            found = reading.entities(reading.coverage(ANN), SEEN, 9)
            assert [one.name for one in found] == ["Tom"]

    def test_derivations_come_back(self, ledger: Ledger) -> None:
        given = Derivation(
            "d", "rules@1", NOW, ("turn",), (Decision("Ann has a dog", "added", "new", "fact"),),
            "model", "raw", {"t": 0},
        )  # fmt: skip
        with ledger.write() as tx:
            tx.add_derivation(given)
        with ledger.read() as reading:
            assert reading.derivation("d") == given
            assert reading.derivation("e") is None

    def test_answers_belong_to_the_exact_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.remember(ANN, "k", '["a"]')
        with ledger.read() as reading:
            assert reading.idempotent(ANN, "k") == '["a"]'
            assert reading.idempotent(ANN_AT_WORK, "k") is None
            assert reading.idempotent(ANN, "l") is None
        with pytest.raises(Conflict), ledger.write() as tx:
            tx.remember(ANN, "k", '["b"]')
