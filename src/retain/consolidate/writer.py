"""Keeping what consolidation found, each insight in a transaction of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.consolidate.compare import Change, Verdict
from retain.consolidate.judge import domain_of, type_of
from retain.consolidate.recurring import Group
from retain.consolidate.statement import Statement
from retain.consolidate.wording import Extractive, Worded, Wording, middle_first
from retain.domain.derivation import Decision, Derivation
from retain.domain.evidence import Evidence
from retain.domain.ids import new_id
from retain.domain.insight import Insight, confidence_of
from retain.domain.kind import Action, Kind, LinkType, Stance, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.port import Ledger, NewMemory, ReadTx, WriteTx
from retain.ledger.rescore import rescored
from retain.ledger.standing import event_of, supersede
from retain.models.base import Embedder

METHOD: Final = "consolidation@1"


class InsightWriter:
    """Writes insights, and what they do to those that are known."""

    def __init__(
        self, ledger: Ledger, embedder: Embedder, find_mentions: EntityFinder, clock: Clock
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._clock = clock

    def reinforce(self, verdict: Verdict, members: Sequence[Statement]) -> MemoryRecord | None:
        """Give a known insight more evidence; None if it, or all of that, is gone meanwhile."""
        assert verdict.of is not None  # what is reinforced is known
        with self._ledger.write() as tx:
            held = _standing(tx, members)
            insight = tx.memory(verdict.of.id)
            if insight is None or insight.status is not Status.ACCEPTED or not held:
                return None
            now = self._clock()
            tx.add_evidence(list(_evidence(insight.id, held, Stance.SUPPORTS, now)))
            after = replace(rescored(tx, insight), updated_at=now)
            tx.change(after)
            reason = verdict.reason
            tx.add_events([event_of(after, Action.EVIDENCE, now, after.text, after.text, reason)])
            decision = _decided(verdict, after.text, after)
            tx.add_derivation(_derivation(after.scope, new_id(), now, held, [decision], None))
            return after

    def add(
        self,
        scope: Scope,
        verdict: Verdict,
        wording: Wording | None,
        worded: Worded,
        least: int,
    ) -> MemoryRecord | None:
        """Add an insight; None if its episodes are gone meanwhile, it is there already, or (without
        a wording) a model found none, which is kept on record."""
        described = None
        if wording is not None:
            described = describe([wording.text], [None], self._embedder)[0]
        with self._ledger.write() as tx:
            now = self._clock()
            if worded.method is not None:
                tx.add_method(worded.method)
            if wording is None or described is None:
                cited = worded.shown
                if worded.refused and cited:
                    tx.add_derivation(
                        _derivation(scope, new_id(), now, cited, worded.refused, worded)
                    )
                return None
            members = _standing(tx, wording.members)
            if len({one.source.id for one in members}) < min(least, len(wording.members)):
                return None
            replaced = None if verdict.of is None else verdict.of.id
            known = [one for one in tx.insights(scope) if one.id != replaced]
            if _is_there(tx, known, wording, members, by_model=worded.method is not None):
                return None  # another run was faster
            record = _record(scope, wording, members, now)
            mentions = self._find_mentions(wording.text)
            (stored,) = tx.add_memories([NewMemory(record, described, mentions)])
            tx.add_events([event_of(stored, Action.ADD, now, None, stored.text, verdict.reason)])
            tx.add_evidence(list(_evidence(stored.id, members, Stance.SUPPORTS, now)))
            other = None if verdict.of is None else tx.memory(verdict.of.id)
            if other is not None and other.status is Status.ACCEPTED:
                stored = _against(tx, stored, other, members, verdict, now)
            decisions = [_decided(verdict, stored.text, stored), *worded.refused]
            made = stored.derivation_id or new_id()
            tx.add_derivation(_derivation(scope, made, now, members, decisions, worded))
            return stored


def row_of(verdict: Verdict, kept: MemoryRecord, members: Sequence[Statement]) -> dict[str, Any]:
    """A change, as a report tells it."""
    row: dict[str, Any] = {
        "change": verdict.change.value,
        "id": kept.id,
        "insight": kept.text,
        "episodes": [one.source.id for one in members],
        "reason": verdict.reason,
    }
    if isinstance(kept.details, Insight):
        row |= {
            "insight_type": kept.details.insight_type.value,
            "confidence": kept.details.confidence,
            "supports": kept.details.supports,
        }
    if verdict.of is not None and verdict.change is not Change.REINFORCE:
        row["of"] = verdict.of.id
    return row


def preview_of(verdict: Verdict, group: Group) -> dict[str, Any]:
    """A change that a dry run would make, in the words of the episodes."""
    members = middle_first(group, verdict.fresh or group.members)
    (wording,) = Extractive().word(members).wordings
    known = verdict.of if verdict.change is Change.REINFORCE else None
    row: dict[str, Any] = {
        "change": verdict.change.value,
        "id": None if known is None else known.id,
        "insight": wording.text if known is None else known.said.text,
        "insight_type": type_of(group.members).value,
        "episodes": [one.source.id for one in members],
        "reason": verdict.reason,
    }
    if verdict.of is not None and known is None:
        row["of"] = verdict.of.id
    return row


def _is_there(
    tx: ReadTx,
    known: Sequence[MemoryRecord],
    wording: Wording,
    members: Sequence[Statement],
    *,
    by_model: bool,
) -> bool:
    """Whether an insight with these words is held, or, but for a model's, of which several may rest
    on one sentence, one that rests on one of these sentences."""
    held = {one.id: one for one in known if one.status is Status.ACCEPTED}
    if any(one.text == wording.text for one in held.values()):
        return True
    said = {(one.source.id, one.start) for one in members}
    return not by_model and any(
        one.stance is Stance.SUPPORTS and (one.source_id, one.start) in said
        for one in tx.evidence(list(held))
    )


def _record(scope: Scope, wording: Wording, members: Sequence[Statement], now: int) -> MemoryRecord:
    supports = len({one.source.id for one in members})
    said_at = max(one.source.at for one in members)
    return MemoryRecord(
        id=new_id(),
        scope=scope,
        kind=Kind.INSIGHT,
        text=wording.text,
        created_at=said_at,
        updated_at=said_at,
        recorded_at=now,
        valid_from=min(one.source.at for one in members),
        derivation_id=new_id(),
        details=Insight(
            insight_type=wording.insight_type,
            confidence=confidence_of(supports, 0),
            supports=supports,
            domain=domain_of(members),
        ),
    )


def _against(
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


def _decided(verdict: Verdict, text: str, insight: MemoryRecord) -> Decision:
    details = insight.details
    return Decision(
        text,
        verdict.change.value,
        verdict.reason,
        insight.id,
        score=details.confidence if isinstance(details, Insight) else None,
        of_id=None if verdict.of is None else verdict.of.id,
    )


def _derivation(
    scope: Scope,
    derivation_id: str,
    now: int,
    members: Sequence[Statement],
    decisions: Sequence[Decision],
    worded: Worded | None,
) -> Derivation:
    by = worded or Worded([])
    return Derivation(
        id=derivation_id,
        method=METHOD if by.method is None else by.method.id,
        at=now,
        input_ids=list(dict.fromkeys(one.source.id for one in members)),
        decisions=decisions,
        scope=scope,
        model=by.model,
        raw=by.raw,
        parameters=by.parameters,
        usage=by.usage,
    )


def _standing(tx: ReadTx, members: Iterable[Statement]) -> list[Statement]:
    """The sentences whose episodes are still held."""
    given = list(members)
    records = tx.named(sorted({one.source.id for one in given}))
    held = {record.id for record in records if record.status is Status.ACCEPTED}
    return [one for one in given if one.source.id in held]


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
