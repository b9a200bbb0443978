"""Derived data is made anew beside that in use, and taken over when it is whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from retain.domain.entity import Mention
from retain.errors import Conflict
from retain.ledger.port import EmbedderIdentity, Ledger, NewMemory, ReadTx
from retain.testing.conformance.rows import ANN, BEN, SEEN, features, keep, names, record
from retain.testing.conformance.suite import LedgerSuite

OLD, NEW = EmbedderIdentity("old@1", 8), EmbedderIdentity("new@1", 8)


def marks(tx: ReadTx) -> dict[str, int]:
    """The mark of the features in use, by memory."""
    return {
        row.id: -1 if row.features is None else row.features.cues
        for partition in (*tx.coverage(ANN).parts, *tx.coverage(BEN).parts)
        for row in tx.scan(partition, 0, 0)
    }


def rebuild(ledger: Ledger, identity: EmbedderIdentity, chosen: Sequence[str], mark: int) -> None:
    """Make the features of memories anew."""
    with ledger.write() as tx:
        made = tx.named(chosen)
        tx.rebuild(identity, [NewMemory(one, features(mark)) for one in made])


class Rebuilding(LedgerSuite):
    """Derived data is made anew beside that in use, and taken over when it is whole."""

    @pytest.fixture
    def filled(self, ledger: Ledger) -> Ledger:
        """Two memories of one owner and one of another, made with the old embedder."""
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c", BEN))
            tx.set_embedder(OLD)
        return ledger

    def test_what_was_rebuilt_is_in_use_all_at_once(self, filled: Ledger) -> None:
        with filled.read() as reading:
            states = [reading.partition_state(p) for p in reading.coverage(ANN).parts]
        with filled.write() as tx:
            assert tx.begin_rebuild(NEW) == 0
            assert names(tx.unrebuilt(0, 2)) == ["a", "b"]
        rebuild(filled, NEW, ["a", "b"], 5)
        with filled.write() as tx:
            assert tx.finish_rebuild(NEW) is None
        with filled.read() as reading:
            assert names(reading.unrebuilt(0, 9)) == ["c"]
            assert marks(reading) == {"a": 0, "b": 0, "c": 0}
        assert filled.embedder() == OLD
        rebuild(filled, NEW, ["c"], 6)
        with filled.write() as tx:
            assert tx.finish_rebuild(NEW) == 3
        assert filled.embedder() == NEW
        with filled.read() as reading:
            assert marks(reading) == {"a": 5, "b": 5, "c": 6}
            for partition, before in zip(reading.coverage(ANN).parts, states, strict=True):
                assert reading.partition_state(partition).epoch > before.epoch

    def test_it_goes_on_where_it_was_but_not_for_another_embedder(self, filled: Ledger) -> None:
        with filled.write() as tx:
            tx.begin_rebuild(NEW)
        rebuild(filled, NEW, ["a"], 5)
        with filled.write() as tx:
            assert tx.begin_rebuild(NEW) == 1
            assert names(tx.unrebuilt(0, 9)) == ["b", "c"]
            assert tx.begin_rebuild(OLD) == 0
        with pytest.raises(Conflict):
            rebuild(filled, NEW, ["b"], 5)
        with pytest.raises(Conflict), filled.write() as tx:
            tx.finish_rebuild(NEW)

    def test_what_changed_meanwhile_is_left_out(self, filled: Ledger) -> None:
        with filled.write() as tx:
            tx.begin_rebuild(OLD)
            before = {one.id: one for one in tx.named(["a", "b", "c"])}
        rebuild(filled, OLD, ["a"], 5)
        with filled.write() as tx:
            for name in ("a", "b"):
                tx.change(replace(before[name], text="new"), features=features(9))
            tx.erase(["c"])
            made = [NewMemory(before[name], features(5)) for name in ("b", "c")]
            tx.rebuild(OLD, made)
            assert names(tx.unrebuilt(0, 9)) == ["a", "b"]
            keep(tx, record("d"))
            assert tx.finish_rebuild(OLD) == 0  # theirs are of the same embedder already
        with filled.read() as reading:
            assert marks(reading) == {"a": 9, "b": 9, "d": 0}

    def test_names_are_put_in_use_with_each_batch(self, filled: Ledger) -> None:
        with filled.write() as tx:
            tx.begin_rebuild(OLD)
            (a,) = tx.named(["a"])
            tx.rebuild(OLD, [NewMemory(a, features(), [Mention("Rex", 0, 3)])])
        with filled.read() as reading:
            found = reading.entities(reading.coverage(ANN), SEEN, 9)
            assert [(one.name, one.mentions) for one in found] == [("Rex", 1)]
            assert reading.mentions("a") == [Mention("Rex", 0, 3)]
