"""The ledger on SQLite, from the standard library."""

from retain.ledger.sqlite.ledger import SqliteLedger, open_sqlite

__all__ = ["SqliteLedger", "open_sqlite"]
