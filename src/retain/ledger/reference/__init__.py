"""A ledger in plain dicts: the simplest thing that is right, to test the others against."""

from retain.ledger.reference.ledger import ReferenceLedger

__all__ = ["ReferenceLedger"]
