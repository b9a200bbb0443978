"""Every ledger of the package passes the suite that is shipped for others."""

from __future__ import annotations

from pathlib import Path

from retain.ledger.port import Ledger
from retain.ledger.reference import ReferenceLedger
from retain.ledger.sqlite import open_sqlite
from retain.testing.conformance import LedgerConformance


class TestReference(LedgerConformance):
    def make_ledger(self, folder: Path) -> Ledger:  # noqa: ARG002 - it needs no folder
        return ReferenceLedger()


class TestSqliteFile(LedgerConformance):
    def make_ledger(self, folder: Path) -> Ledger:
        return open_sqlite(str(folder / "ledger.db"), busy_timeout=5)


class TestSqliteMemory(LedgerConformance):
    def make_ledger(self, folder: Path) -> Ledger:  # noqa: ARG002 - it needs no folder
        return open_sqlite(":memory:", busy_timeout=5)
