"""The ledger as a whole: embedder, integrity, backup, figures, closing."""

from __future__ import annotations

from pathlib import Path

import pytest

from retain.errors import Closed, Conflict, EmbedderMismatch
from retain.ledger.port import EmbedderIdentity, Ledger, NewMemory
from retain.testing.conformance.rows import (
    features,
    fill,
    record,
)
from retain.testing.conformance.suite import LedgerSuite


class Upkeep(LedgerSuite):
    """The ledger as a whole: embedder, integrity, backup, figures, closing."""

    def test_the_embedder_is_remembered(self, ledger: Ledger) -> None:
        assert ledger.embedder() is None
        with ledger.write() as tx:
            tx.set_embedder(EmbedderIdentity("static@1", 256))
        assert ledger.embedder() == EmbedderIdentity("static@1", 256)

    def test_another_embedder_is_refused(self, ledger: Ledger) -> None:
        old, new = EmbedderIdentity("old@1", 256), EmbedderIdentity("new@1", 64)
        ledger.use_embedder(old)
        assert ledger.embedder() == old
        fill(ledger)
        with pytest.raises(EmbedderMismatch, match="new@1"):
            ledger.use_embedder(new)
        with ledger.write() as tx:
            tx.set_embedder(new)  # as another instance would
        with pytest.raises(EmbedderMismatch), ledger.read():
            pass
        with pytest.raises(EmbedderMismatch), ledger.write():
            pass
        ledger.use_embedder(new)
        with ledger.read() as reading:
            assert reading.total() == 4

    def test_a_sound_ledger_checks_clean(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.write() as tx:
            tx.erase(["turn1"])
        assert list(ledger.check(repair=False).problems) == []
        assert list(ledger.check(repair=True).problems) == []

    def test_a_memory_without_history_is_found(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.add_memories([NewMemory(record("a"), features())])
        assert any("history" in problem for problem in ledger.check(repair=False).problems)

    def test_a_backup_never_replaces_a_file(self, ledger: Ledger, tmp_path: Path) -> None:
        target = tmp_path / "copy.db"
        ledger.backup(target)
        size = target.stat().st_size
        with pytest.raises(Conflict):
            ledger.backup(target)
        assert target.stat().st_size == size > 0

    def test_stats_count(self, ledger: Ledger) -> None:
        fill(ledger)
        found = ledger.stats()
        assert found["kinds"] == {"message": 2, "fact": 2}
        assert found["statuses"] == {"accepted": 4}
        assert found["tables"]["memory"] == 4

    def test_a_closed_ledger_refuses_everything(self, ledger: Ledger) -> None:
        ledger.close()
        ledger.close()
        with pytest.raises(Closed), ledger.write():
            pass
        with pytest.raises(Closed), ledger.read():
            pass
        with pytest.raises(Closed):
            ledger.embedder()
