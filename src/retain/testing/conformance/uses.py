"""How memories are used, and what came of it."""

from __future__ import annotations

import pytest

from retain.domain.use import Judged, Outcome, Recalled, Use
from retain.errors import NotFound
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import ANN, BEN, NOW, keep, record
from retain.testing.conformance.suite import LedgerSuite


class Uses(LedgerSuite):
    """How memories are used, and what came of it."""

    def test_a_use_is_counted_with_the_next_write_and_seen_by_a_scan(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"))
        with ledger.read() as reading:
            (partition,) = reading.coverage(ANN).parts
            revision = reading.partition_state(partition).revision
        ledger.note_recall(Recalled("r1", ["a", "nobody"], NOW + 5))
        ledger.note_recall(Recalled("r2", ["a"], NOW + 3))
        with ledger.read() as reading:
            assert list(reading.scan(partition, revision, revision)) == []
            assert reading.recalled("r1") is None
        with pytest.raises(RuntimeError), ledger.write():
            raise RuntimeError
        with ledger.write() as tx:
            keep(tx, record("c", BEN))
        with ledger.read() as reading:
            rows = list(reading.scan(partition, revision, revision))
            assert [(row.id, row.uses) for row in rows] == [("a", 2)]
            assert reading.uses(["a", "b", "nobody"]) == {"a": Use(2, NOW + 5), "b": Use()}
            assert reading.recalled("r1") == ["a"]
        with ledger.write() as tx:
            keep(tx, record("d", BEN))
        with ledger.read() as reading:
            assert {row.uses for row in reading.scan(partition, 0, 0)} == {0, 2}

    def test_an_outcome_counts_for_what_was_used_and_can_be_said_anew(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c"))
        ledger.note_recall(Recalled("r1", ["a", "b"], NOW))
        ledger.note_recall(Recalled("r2", ["b"], NOW))
        with ledger.write():
            pass
        with ledger.write() as tx:
            tx.judge(Judged("r1", Outcome.SUCCESS, NOW + 1, "it worked"))
            tx.judge(Judged("r2", Outcome.PARTIAL, NOW + 2))
        with ledger.read() as reading:
            found = reading.uses(["a", "b", "c"])
            assert [(one.helped, one.hurt) for one in found.values()] == [(1, 0), (1, 0), (0, 0)]
            (partition,) = reading.coverage(ANN).parts
            revision = reading.partition_state(partition).revision
            assert {row.id: row.worth for row in reading.scan(partition, 0, 0)} == {
                "a": 200, "b": 200, "c": 0,
            }  # fmt: skip
        with ledger.write() as tx:
            tx.judge(Judged("r1", Outcome.FAILURE, NOW + 3))
        with ledger.read() as reading:
            assert [(row.id, row.worth) for row in reading.scan(partition, revision, revision)] == [
                ("a", -200), ("b", -200),
            ]  # fmt: skip
            assert [one.outcome for one in reading.judgements("b")] == ["partial", "failure"]
            assert reading.judgements("c") == []
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.judge(Judged("nobody", Outcome.SUCCESS, NOW))

    def test_an_erased_memory_takes_the_notes_on_it_along(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"))
        ledger.note_recall(Recalled("both", ["a", "b"], NOW))
        ledger.note_recall(Recalled("alone", ["a"], NOW))
        with ledger.write():
            pass
        with ledger.write() as tx:
            tx.judge(Judged("both", Outcome.SUCCESS, NOW, "about a"))
        with ledger.write() as tx:
            assert tx.erase(["a"])["recall"] == 2
        with ledger.read() as reading:
            assert reading.judgements("b") == [Judged("both", Outcome.SUCCESS, NOW, None)]
            assert reading.recalled("both") == ["b"]
            assert reading.recalled("alone") is None
        assert ledger.check(repair=False).problems == []
