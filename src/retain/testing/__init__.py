"""What users need to test with it; each name loads on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE = {"LedgerConformance": "retain.testing.conformance"}

__all__ = ["LedgerConformance"]  # given by __getattr__, so that pytest stays optional


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
