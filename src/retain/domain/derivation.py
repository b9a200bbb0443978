"""How derived text came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

REJECTED: Final = "rejected"  # the verdict on a candidate that is not held


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one candidate of a derivation, and why."""

    statement: str
    verdict: str  # add, evidence, supersede, end, backfill, or REJECTED
    reason: str
    memory_id: str | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """One extraction, summary or consolidation: inputs, method, raw output, decisions."""

    id: str
    method: str  # name@version, as "rules@1"
    at: int
    input_ids: Sequence[str]  # memories of kind message (or episode) that were read
    decisions: Sequence[Decision] = ()
    model: str | None = None
    raw: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
