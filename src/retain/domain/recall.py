"""The answer to a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Citation:
    """What one numbered line of a context stands on."""

    number: int
    memory_id: str
    kind: str
    text: str
    occurred_at: str
    sources: tuple[str, ...]  # ids of the messages or memories it was derived from


@dataclass(frozen=True, slots=True)
class Recall:
    """Ranked memories, and a context text that fits the budget.

    ``memories`` are items as ``search`` returns them, best first; a turn that states facts which
    were replaced since has their texts under ``no_longer``. ``context`` is ready to put into
    a prompt: fenced, dated, attributed, every line numbered after ``citations``; ``tokens`` is its
    size as counted by the configured counter, never above ``budget_tokens``. ``id`` is what
    ``record_outcome`` takes, once it is known what came of it.
    """

    id: str
    query: str
    memories: Sequence[dict[str, Any]]
    context: str
    citations: Sequence[Citation]
    tokens: int
    budget_tokens: int
