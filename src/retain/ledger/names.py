"""Under which form the names of things are compared."""

from __future__ import annotations


def fold(name: str) -> str:
    """A name without case and with single spaces: equal forms name the same thing."""
    return " ".join(name.casefold().split())
