"""What a search reads, and how it notices what changed."""

from __future__ import annotations

from dataclasses import replace

from retain.domain.kind import Status
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    features,
    keep,
    record,
)
from retain.testing.conformance.suite import LedgerSuite


class Scans(LedgerSuite):
    """What a search reads, and how it notices what changed."""

    def test_a_scan_gives_what_changed_since(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c"))
        with ledger.read() as reading:
            (partition,) = reading.coverage(ANN).parts
            at = reading.partition_state(partition)
            rows = list(reading.scan(partition, 0, 0))
            assert [row.id for row in rows] == ["a", "b", "c"]
            assert all(row.features == features() for row in rows)
            assert [row.key for row in rows] == sorted(row.key for row in rows)
            assert list(reading.scan(partition, at.revision, at.revision)) == []
            a, b = reading.memory("a"), reading.memory("b")
        assert a is not None and b is not None
        with ledger.write() as tx:
            tx.change(replace(a, status=Status.WITHDRAWN))
            tx.change(replace(b, text="new"), features=features(9))
            keep(tx, record("d"))
        with ledger.read() as reading:
            assert reading.partition_state(partition).epoch == at.epoch
            assert reading.partition_state(partition).revision > at.revision
            changed = {row.id: row for row in reading.scan(partition, at.revision, at.revision)}
            assert list(changed) == ["a", "b", "d"]
            assert changed["a"].status == 4
            assert changed["a"].features is None
            assert changed["b"].features == features(9)
            assert changed["d"].features == features()
            rows = list(reading.scan(partition, at.revision, 0))
            assert all(row.features is not None for row in rows)
            assert len(list(reading.scan(partition, 0, 0))) == 4

    def test_each_write_moves_only_the_partitions_it_touches(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b", BEN))
        with ledger.read() as reading:
            (ann,), (ben,) = (list(reading.coverage(who).parts) for who in (ANN, BEN))
            before = reading.partition_state(ann), reading.partition_state(ben)
        with ledger.write() as tx:
            keep(tx, record("c", ANN_AT_WORK))
        with ledger.read() as reading:
            assert reading.partition_state(ann).revision > before[0].revision
            assert reading.partition_state(ben) == before[1]
