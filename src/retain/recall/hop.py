"""One hop from experiences to what they came to: the insights that rest on the best episodes.

An insight has few words and may share none with the question, while the episodes that it was drawn
from answer to it. So it comes with them, and before them where it replaced what they say.
"""

from __future__ import annotations

from typing import Any, Final

from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.ledger.filters import matches
from retain.ledger.port import ReadTx
from retain.read.ask import Ask
from retain.read.reader import items_of

LOOKED_AT: Final = 5  # episodes, best first
OF_ITS_SEED: Final = 0.8  # of an episode's score, that an insight of it has at least
LONGEST_CHAIN: Final = 50  # replacements that are followed

Item = dict[str, Any]


def with_insights(tx: ReadTx, items: list[Item], ask: Ask) -> list[Item]:
    """Items with the visible insights that rest on the best episodes among them, best first.

    What was replaced is followed to what replaced it, which takes the episode's own score.
    """
    seeds = [one for one in items if one["kind"] == Kind.EPISODE.value][:LOOKED_AT]
    if not seeds:
        return items
    scores: dict[str, float] = {}
    lifted: set[str] = set()
    for record, seed, replaced in _insights(tx, seeds, ask):
        score = seed if replaced else OF_ITS_SEED * seed
        scores[record.id] = max(score, scores.get(record.id, 0.0))
        if replaced:
            lifted.add(record.id)
    known = {one["id"] for one in items}
    fresh = tx.named([name for name in scores if name not in known])
    added = [one for one in items_of(tx, fresh) if matches(ask.tree, one)]
    raised = [
        {**one, "score": max(one.get("score", 0.0), scores.get(one["id"], 0.0))}
        for one in (*items, *added)
    ]
    return sorted(raised, key=lambda one: (-one["score"], one["id"] not in lifted))


def _insights(tx: ReadTx, seeds: list[Item], ask: Ask) -> list[tuple[MemoryRecord, float, bool]]:
    """Each insight with its episode's score, and whether it replaced what the episode says."""
    of_seed = {one["id"]: float(one["score"]) for one in seeds}
    supports = [
        one
        for one in tx.supported_by(*of_seed)
        if one.stance is Stance.SUPPORTS and one.source_id in of_seed
    ]
    records = {one.id: one for one in tx.named(sorted({one.memory_id for one in supports}))}
    found = []
    for evidence in supports:
        record = records.get(evidence.memory_id)
        if record is None or record.kind is not Kind.INSIGHT:
            continue
        standing = _standing(tx, record)
        if (
            standing is not None
            and ask.visibility.shows(standing)
            and ask.scope.covers(standing.scope)
        ):
            found.append((standing, of_seed[evidence.source_id], standing.id != record.id))
    return found


def _standing(tx: ReadTx, insight: MemoryRecord) -> MemoryRecord | None:
    """An insight, or what replaced it."""
    current: MemoryRecord | None = insight
    for _ in range(LONGEST_CHAIN):
        if current is None or current.status is not Status.SUPERSEDED:
            return current
        current = None if current.superseded_by is None else tx.memory(current.superseded_by)
    return None
