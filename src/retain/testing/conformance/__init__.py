"""What every ledger must do: run this suite against yours.

    class TestMyLedger(LedgerConformance):
        def make_ledger(self, folder):
            return open_my_ledger(folder)

Needs pytest. Each test gets a ledger of its own.
"""

from __future__ import annotations

from retain.testing.conformance.conversations import Conversations
from retain.testing.conformance.episodes import Episodes
from retain.testing.conformance.erasure import Erasure
from retain.testing.conformance.facts import Facts
from retain.testing.conformance.filters import Filters
from retain.testing.conformance.joins import Joins
from retain.testing.conformance.learning import Learning
from retain.testing.conformance.pages import Pages
from retain.testing.conformance.rebuilding import Rebuilding
from retain.testing.conformance.scans import Scans
from retain.testing.conformance.scopes import Scopes
from retain.testing.conformance.transactions import Transactions
from retain.testing.conformance.upkeep import Upkeep
from retain.testing.conformance.uses import Uses

__all__ = ["LedgerConformance"]


class LedgerConformance(
    Transactions,
    Scopes,
    Pages,
    Filters,
    Scans,
    Conversations,
    Facts,
    Joins,
    Learning,
    Episodes,
    Erasure,
    Rebuilding,
    Upkeep,
    Uses,
):
    """The contract of ``retain.ledger.port.Ledger``, as tests."""
