"""Insights after their episodes came or went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from retain.domain.insight import Insight, confidence_of
from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx, WriteTx

_COUNTED = (Status.ACCEPTED, Status.SUPERSEDED, Status.ARCHIVED, Status.DISPUTED)


def rescored(tx: ReadTx, insight: MemoryRecord) -> MemoryRecord:
    """An insight with the counts and the confidence of the episodes that are held."""
    if not isinstance(insight.details, Insight):
        return insight
    evidence = tx.evidence([insight.id])
    held = {
        one.id
        for one in tx.named(sorted({one.source_id for one in evidence}))
        if one.status in _COUNTED
    }

    def count(stance: Stance) -> int:
        return len({one.source_id for one in evidence if one.stance is stance} & held)

    supports, contradictions = count(Stance.SUPPORTS), count(Stance.CONTRADICTS)
    details = replace(
        insight.details,
        supports=supports,
        contradictions=contradictions,
        confidence=confidence_of(supports, contradictions),
    )
    return replace(insight, details=details)


def resting_insights(tx: ReadTx, source_ids: Sequence[str]) -> list[str]:
    """The insights that rest on, or are contradicted by, these memories."""
    named = sorted({one.memory_id for one in tx.supported_by(*source_ids)})
    return [one.id for one in tx.named(named) if one.kind is Kind.INSIGHT]


def rescore(tx: WriteTx, insight_ids: Iterable[str]) -> None:
    """Count anew; of those that are no longer there nothing."""
    for insight in tx.named(list(insight_ids)):
        after = rescored(tx, insight)
        if after != insight:
            tx.change(after)
