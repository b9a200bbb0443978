"""Consolidation as its recipe: read, find what recurs, compare with what is known, keep.

What recurs is looked for among the latest episodes of one holder, so that a wish told once a month
is found as well as one told thrice a day. Each group is kept in a transaction of its own; a run
that is stopped is completed by the next one, which finds what was kept and adds nothing to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.consolidate.compare import Change, Held, Verdict, compare
from retain.consolidate.judge import domain_of, type_of
from retain.consolidate.recurring import Group, groups, weights_of
from retain.consolidate.statement import Statement, Told, statement, statements_of
from retain.domain.derivation import Decision, Derivation
from retain.domain.episode import Episode
from retain.domain.evidence import Evidence
from retain.domain.ids import new_id
from retain.domain.insight import LONGEST_INSIGHT, Insight, confidence_of
from retain.domain.kind import Action, Kind, LinkType, Stance, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.port import Ledger, NewMemory, ReadTx, Wanted, WriteTx
from retain.ledger.rescore import rescored
from retain.ledger.standing import event_of, supersede
from retain.ledger.visibility import Visibility
from retain.models.base import Embedder

METHOD: Final = "consolidation@1"
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
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._clock = clock

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
                kept = self._kept(found, group, verdict, least, dry_run=dry_run)
                if kept is not None:
                    rows.append(kept)
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
        self, found: Found, group: Group, verdict: Verdict, least: int, *, dry_run: bool
    ) -> dict[str, Any] | None:
        members = list(verdict.fresh or group.members)
        if dry_run:
            return _row(verdict, None, group, members)
        with self._ledger.write() as tx:
            held = {record.id for record in _standing(tx, members)}
            members = [one for one in members if one.source.id in held]
            if verdict.change is Change.REINFORCE and verdict.of is not None:
                kept = self._reinforce(tx, verdict, members)
            elif len(members) >= least:
                kept = self._add(tx, found, group, members, verdict)
            else:  # they were deleted meanwhile
                kept = None
        if kept is None:
            return None
        self._remember(found, group, members, verdict, kept)
        return _row(verdict, kept, group, members)

    def _reinforce(
        self, tx: WriteTx, verdict: Verdict, members: Sequence[Statement]
    ) -> MemoryRecord | None:
        assert verdict.of is not None
        insight = tx.memory(verdict.of.id)
        if insight is None or insight.status is not Status.ACCEPTED or not members:
            return None
        now = self._clock()
        tx.add_evidence(list(_evidence(insight.id, members, Stance.SUPPORTS, now)))
        after = rescored(tx, insight)
        tx.change(replace(after, updated_at=now))
        reason = verdict.reason
        tx.add_events([event_of(after, Action.EVIDENCE, now, after.text, after.text, reason)])
        self._record(tx, after, members, verdict, now)
        return after

    def _add(
        self,
        tx: WriteTx,
        found: Found,
        group: Group,
        members: Sequence[Statement],
        verdict: Verdict,
    ) -> MemoryRecord | None:
        now = self._clock()
        text = _worded(group, members)
        if any(
            one.text == text and one.status is Status.ACCEPTED for one in tx.insights(found.scope)
        ):
            return None  # another run was faster
        details = Insight(
            insight_type=type_of(members),
            confidence=confidence_of(len({one.source.id for one in members}), 0),
            supports=len({one.source.id for one in members}),
            domain=domain_of(members),
        )
        said_at = max(one.source.at for one in members)
        record = MemoryRecord(
            id=new_id(),
            scope=found.scope,
            kind=Kind.INSIGHT,
            text=text,
            created_at=said_at,
            updated_at=said_at,
            recorded_at=now,
            valid_from=min(one.source.at for one in members),
            derivation_id=new_id(),
            details=details,
        )
        features = describe([text], [None], self._embedder)[0]
        (stored,) = tx.add_memories([NewMemory(record, features, self._find_mentions(text))])
        tx.add_events([event_of(stored, Action.ADD, now, None, text, verdict.reason)])
        tx.add_evidence(list(_evidence(stored.id, members, Stance.SUPPORTS, now)))
        if verdict.of is not None:
            other = tx.memory(verdict.of.id)
            if other is not None and other.status is Status.ACCEPTED:
                stored = self._against(tx, stored, other, members, verdict, now)
        self._record(tx, stored, members, verdict, now)
        return stored

    def _against(
        self,
        tx: WriteTx,
        new: MemoryRecord,
        old: MemoryRecord,
        members: Sequence[Statement],
        verdict: Verdict,
        now: int,
    ) -> MemoryRecord:
        """Let what replaces or contradicts an insight do so; the new one as it then stands."""
        if verdict.change is Change.SUPERSEDE:
            supersede(tx, old, new, now, verdict.reason, ended_at=new.valid_from)
            return new
        theirs = [one for one in tx.evidence([old.id]) if one.stance is Stance.SUPPORTS]
        tx.add_links([Link(new.id, LinkType.CONTRADICTS, old.id, now, verdict.reason)])
        tx.add_evidence(list(_evidence(old.id, members, Stance.CONTRADICTS, now)))
        tx.add_evidence(
            [
                replace(one, memory_id=new.id, stance=Stance.CONTRADICTS, recorded_at=now)
                for one in theirs
            ]
        )
        tx.add_events([event_of(old, Action.DISPUTE, now, old.text, old.text, verdict.reason)])
        tx.change(rescored(tx, old))
        after = rescored(tx, new)
        tx.change(after)
        return after

    def _record(
        self,
        tx: WriteTx,
        insight: MemoryRecord,
        members: Sequence[Statement],
        verdict: Verdict,
        now: int,
    ) -> None:
        added = verdict.change is not Change.REINFORCE
        details = insight.details
        score = details.confidence if isinstance(details, Insight) else None
        tx.add_derivation(
            Derivation(
                id=insight.derivation_id if added and insight.derivation_id else new_id(),
                method=METHOD,
                at=now,
                input_ids=list(dict.fromkeys(one.source.id for one in members)),
                decisions=[
                    Decision(
                        insight.text,
                        verdict.change.value,
                        verdict.reason,
                        insight.id,
                        score=score,
                        of_id=None if verdict.of is None else verdict.of.id,
                    )
                ],
                scope=insight.scope,
            )
        )

    def _remember(
        self,
        found: Found,
        group: Group,
        members: Sequence[Statement],
        verdict: Verdict,
        kept: MemoryRecord,
    ) -> None:
        """For the groups that follow in this run."""
        if verdict.change is Change.REINFORCE and verdict.of is not None:
            verdict.of.evidence.extend(members)
            return
        if verdict.change is Change.SUPERSEDE and verdict.of is not None:
            verdict.of.status = Status.SUPERSEDED
            verdict.of.changed_at = self._clock()
        found.known.append(
            Held(
                kept.id, Status.ACCEPTED, group.middle, found.vectors[id(group.middle)],
                list(members), kept.recorded_at,
            )
        )  # fmt: skip

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


def _standing(tx: ReadTx, members: Iterable[Statement]) -> list[MemoryRecord]:
    records = tx.named(sorted({one.source.id for one in members}))
    return [record for record in records if record.status is Status.ACCEPTED]


def _worded(group: Group, members: Sequence[Statement]) -> str:
    """The wording in the middle, if its episode is among the members, else the first of theirs."""
    held = {one.source.id for one in members}
    middle = group.middle if group.middle.source.id in held else members[0]
    text = " ".join(middle.text.split())
    return text if len(text) <= LONGEST_INSIGHT else text[: LONGEST_INSIGHT - 1].rstrip() + "…"


def _evidence(
    insight_id: str, members: Iterable[Statement], stance: Stance, now: int
) -> Iterator[Evidence]:
    for one in members:
        yield Evidence(
            memory_id=insight_id,
            source_id=one.source.id,
            quote=one.source.text[one.start : one.end],
            start=one.start,
            end=one.end,
            stance=stance,
            check="exact",
            recorded_at=now,
        )


def _row(
    verdict: Verdict, kept: MemoryRecord | None, group: Group, members: Sequence[Statement]
) -> dict[str, Any]:
    details = None if kept is None else kept.details
    known = verdict.of if verdict.change is Change.REINFORCE else None
    row: dict[str, Any] = {
        "change": verdict.change.value,
        "id": kept.id if kept is not None else (known.id if known else None),
        "insight": kept.text if kept else (known.said.text if known else _worded(group, members)),
        "insight_type": type_of(group.members).value,
        "episodes": [one.source.id for one in members],
        "reason": verdict.reason,
    }
    if isinstance(details, Insight):
        row |= {"insight_type": details.insight_type.value, "confidence": details.confidence,
                "supports": details.supports}  # fmt: skip
    if verdict.of is not None and verdict.change in (Change.SUPERSEDE, Change.CONTRADICT):
        row["of"] = verdict.of.id
    return row
