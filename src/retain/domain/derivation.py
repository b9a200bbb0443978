"""How derived text came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from retain.domain.scope import Scope

REJECTED: Final = "rejected"  # the verdict on a candidate that is not held
MALFORMED: Final = "malformed"  # the verdict on an item of an answer that says nothing usable


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one candidate of a derivation, and why.

    ``support`` and ``score`` (0..1) are what grounding found. ``relation`` is how the model said
    that it stands to ``of_id``, a memory that was known before.
    """

    statement: str
    verdict: str  # add, evidence, supersede, end, backfill, dispute, REJECTED or MALFORMED
    reason: str
    memory_id: str | None = None
    support: str | None = None
    score: float | None = None
    relation: str | None = None
    of_id: str | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """One extraction, summary or consolidation: inputs, method, raw output, decisions.

    ``context_ids`` are the memories that were shown beside the inputs, in the order of their
    labels. ``usage`` holds what it cost: ``input_tokens``, ``output_tokens``, ``seconds``,
    ``attempts``, where known.
    """

    id: str
    method: str  # name@version, as "rules@1"; several joined by "+"
    at: int
    input_ids: Sequence[str]  # memories of kind message (or episode) that were read
    decisions: Sequence[Decision] = ()
    model: str | None = None
    raw: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scope: Scope | None = None
    context_ids: Sequence[str] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)

    def memory_ids(self) -> list[str]:
        """Every memory that it names: read, shown, or in a decision."""
        named = dict.fromkeys((*self.input_ids, *self.context_ids))
        for decision in self.decisions:
            named.update(dict.fromkeys(one for one in (decision.memory_id, decision.of_id) if one))
        return list(named)
