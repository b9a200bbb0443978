"""Consolidation as its recipe: read, find what recurs, compare with what is known, keep.

What recurs is looked for among the latest episodes of one holder, so that a wish told once a month
is found as well as one told thrice a day. Each group is kept in a transaction of its own; a run
that is stopped is completed by the next one, which finds what was kept and adds nothing to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retain.analysis.entities import EntityFinder
from retain.clock import Clock
from retain.consolidate.compare import Change, Held, Verdict, compare
from retain.consolidate.recurring import Group, groups, weights_of
from retain.consolidate.statement import Told, statement, statements_of
from retain.consolidate.wording import Extractive, Generaliser, Wording, middle_first
from retain.consolidate.writer import InsightWriter, preview_of, row_of
from retain.domain.episode import Episode
from retain.domain.evidence import Evidence
from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.port import Ledger, ReadTx, Wanted
from retain.ledger.visibility import Visibility
from retain.models.base import Embedder

POOL: Final = 2_000  # of the latest episodes of a holder, among which a statement must recur
MOST_NEW: Final = 10_000  # episodes that one run takes in
MARKED: Final = 500  # episodes a transaction

Vectors = dict[int, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found of one holder."""

    scope: Scope
    new: Sequence[MemoryRecord]  # episodes that were not taken in before
    groups: Sequence[Group]
    known: list[Held]
    vectors: Vectors
    weights: dict[int, float]


class Consolidator:
    """Draws insights from the episodes of one project."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        clock: Clock,
        generaliser: Generaliser | None = None,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._clock = clock
        self._generaliser = generaliser or Extractive()
        self._writer = InsightWriter(ledger, embedder, find_mentions, clock)

    def consolidate(self, scope: Scope, *, least: int, dry_run: bool) -> dict[str, Any]:
        """Take in the episodes of a scope that are new, holder by holder."""
        rows: list[dict[str, Any]] = []
        taken = 0
        for holder, new in self._new(scope).items():
            found = self._found(holder, new, least)
            taken += len(new)
            for group in found.groups:
                verdict = compare(group, found.vectors, found.known, found.weights, least)
                if verdict.change is Change.NOTHING:
                    continue
                if dry_run:
                    rows.append(preview_of(verdict, group))
                else:
                    rows += self._kept(found, group, verdict, least)
            if not dry_run:
                self._mark(new)
        return {"episodes": taken, "insights": rows}

    # -- reading -----------------------------------------------------------------------------

    def _new(self, scope: Scope) -> dict[Scope, list[MemoryRecord]]:
        """The episodes that were not taken in, oldest first, by holder."""
        with self._ledger.read() as tx:
            records, _ = tx.episodes(
                tx.coverage(scope), self._seen(), Wanted(consolidated=False), MOST_NEW, 0
            )
        by_holder: dict[Scope, list[MemoryRecord]] = {}
        for record in reversed(records):
            by_holder.setdefault(record.scope.holder, []).append(record)
        return by_holder

    def _found(self, holder: Scope, new: Sequence[MemoryRecord], least: int) -> Found:
        with self._ledger.read() as tx:
            pool, _ = tx.episodes(tx.coverage(holder), self._seen(), Wanted(), POOL, 0)
            known = self._known(tx, holder)
        pooled = {record.id: record for record in (*pool, *new) if record.scope.holder == holder}
        sentences = [one for record in pooled.values() for one in statements_of(_told(record))]
        vectors = self._embedded([one.text for one in (*sentences, *(held.said for held in known))])
        for held, vector in zip(known, vectors[len(sentences) :], strict=True):
            held.vector = vector
        weights = weights_of(sentences)
        recurring = groups(sentences, vectors[: len(sentences)], weights, least)
        # The older first, so that what replaced it finds it.
        recurring.sort(
            key=lambda group: (max(one.source.at for one in group.members), group.middle.text)
        )
        by_object = {id(one): vector for one, vector in zip(sentences, vectors, strict=False)}
        return Found(holder, new, recurring, known, by_object, weights)

    def _known(self, tx: ReadTx, holder: Scope) -> list[Held]:
        insights = tx.insights(holder)
        evidence: dict[str, list[Evidence]] = {}
        for one in tx.evidence([insight.id for insight in insights]):
            if one.stance is Stance.SUPPORTS:
                evidence.setdefault(one.memory_id, []).append(one)
        ids = {one.source_id for found in evidence.values() for one in found}
        sources = {record.id: record for record in tx.named(sorted(ids))}
        return [
            Held(
                id=insight.id,
                status=insight.status,
                said=statement(_told(insight), insight.text),
                vector=np.empty(0, np.float32),
                evidence=[
                    statement(_told(sources[one.source_id]), one.quote, one.start)
                    for one in evidence.get(insight.id, ())
                    if one.source_id in sources
                ],
                changed_at=tx.history(insight.id)[-1].at,
            )
            for insight in insights
        ]

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self._embedder.dimension), np.float32)
        found = np.asarray(self._embedder.embed_documents(list(texts)), np.float32)
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        unit: NDArray[np.float32] = found / np.maximum(norms, 1e-9)
        return unit

    def _seen(self) -> Visibility:
        return Visibility(now=self._clock(), kinds=frozenset({Kind.EPISODE}))

    # -- keeping -----------------------------------------------------------------------------

    def _kept(
        self, found: Found, group: Group, verdict: Verdict, least: int
    ) -> list[dict[str, Any]]:
        members = middle_first(group, verdict.fresh or group.members)
        if verdict.change is Change.REINFORCE:
            kept = self._writer.reinforce(verdict, members)
            if kept is None or verdict.of is None:
                return []
            verdict.of.evidence.extend(members)
            return [row_of(verdict, kept, members)]
        worded = self._generaliser.word(members)
        rows = []
        for number, wording in enumerate(worded.wordings or [None]):
            one = verdict if number == 0 else replace(verdict, change=Change.ADD, of=None)
            added = self._writer.add(found.scope, one, wording, worded, least)
            if added is not None and wording is not None:
                self._remember(found, wording, one, added)
                rows.append(row_of(one, added, wording.members))
        return rows

    def _remember(
        self, found: Found, wording: Wording, verdict: Verdict, kept: MemoryRecord
    ) -> None:
        """For the groups that follow in this run."""
        if verdict.change is Change.SUPERSEDE and verdict.of is not None:
            verdict.of.status = Status.SUPERSEDED
            verdict.of.changed_at = self._clock()
        said = statement(_told(kept), kept.text)
        (vector,) = self._embedded([kept.text])
        found.known.append(
            Held(kept.id, Status.ACCEPTED, said, vector, list(wording.members), kept.recorded_at)
        )

    def _mark(self, episodes: Sequence[MemoryRecord]) -> None:
        """Note that episodes were taken in."""
        now = self._clock()
        for start in range(0, len(episodes), MARKED):
            with self._ledger.write() as tx:
                for record in tx.named([one.id for one in episodes[start : start + MARKED]]):
                    if isinstance(record.details, Episode):
                        details = replace(record.details, consolidated_at=now)
                        tx.change(replace(record, details=details))


def _told(record: MemoryRecord) -> Told:
    details = record.details if isinstance(record.details, Episode) else Episode()
    return Told(record.id, record.text, record.created_at, details.outcome, details.domain)
