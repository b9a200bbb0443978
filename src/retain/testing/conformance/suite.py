"""What every part of the suite starts from: a ledger of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retain.ledger.port import Ledger


class LedgerSuite:
    """Tests that each get a new ledger."""

    def make_ledger(self, folder: Path) -> Ledger:
        """A new, empty ledger; files may go into ``folder``."""
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Iterator[Ledger]:
        """The ledger under test."""
        made = self.make_ledger(tmp_path)
        yield made
        made.close()
