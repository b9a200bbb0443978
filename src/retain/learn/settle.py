"""What becomes of grounded candidates, written in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from retain.domain.candidate import Relation
from retain.domain.derivation import REJECTED, Decision
from retain.domain.evidence import Evidence
from retain.domain.ids import new_id
from retain.domain.kind import Action, LinkType, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.learn.prepare import Finding
from retain.learn.reconcile import Outcome, Reconciled, opposite_attributes, reconcile
from retain.ledger.port import NewMemory, WriteTx
from retain.ledger.standing import event_of, replaced, supersede


@dataclass(slots=True)
class Outcomes:
    """What a write did, in the order in which it is told: memory and event."""

    rows: list[tuple[MemoryRecord, str]] = field(default_factory=list)

    def add(self, record: MemoryRecord, event: str) -> None:
        """Tell one more."""
        self.rows.append((record, event))


@dataclass(frozen=True, slots=True)
class Setting:
    """What all findings of one derivation share: whose they are, and how they are kept."""

    scope: Scope
    derivation_id: str
    now: int
    metadata: Mapping[str, Any]
    expires_at: int | None


def settle(
    tx: WriteTx,
    setting: Setting,
    finding: Finding,
    turns: Sequence[MemoryRecord | None],
    outcomes: Outcomes,
) -> Decision:
    """Keep, reconcile or set aside one candidate; ``Quote.turn`` counts ``turns``."""
    candidate, verdict = finding.candidate, finding.verdict
    sources = [
        turn
        for quote in candidate.quotes
        if 0 <= quote.turn < len(turns) and (turn := turns[quote.turn]) is not None
    ]
    record = _record(setting, finding, sources)
    if not verdict.ok:
        stored = _store(tx, replace(record, status=Status.CANDIDATE), finding, setting.now)
        _support(tx, stored.id, finding, turns, setting.now)
        return _decision(finding, REJECTED, verdict.reason, stored.id)
    settled = reconcile(
        candidate,
        [
            known
            for known in tx.facts_with_text(setting.scope, candidate.statement)
            if known.status is Status.ACCEPTED
        ],
        _slot(tx, setting.scope, candidate.subject, candidate.attribute),
        record.created_at,
        finding.opinion,
    )
    if settled.outcome is Outcome.IGNORE:
        return _decision(finding, REJECTED, settled.reason, None)
    if settled.outcome is Outcome.EVIDENCE:
        assert settled.of is not None
        stored = settled.of
        _support(tx, stored.id, finding, turns, setting.now)
        tx.add_events([event_of(stored, Action.EVIDENCE, setting.now, stored.text, stored.text)])
        outcomes.add(stored, "NONE")
    else:
        stored = _store(tx, _standing(record, settled, setting.now), finding, setting.now)
        _support(tx, stored.id, finding, turns, setting.now)
        outcomes.add(stored, _event_of(settled.outcome))
    for old in settled.old:
        supersede(tx, old, stored, setting.now, settled.reason, settled.ended_at)
        outcomes.add(old, Action.SUPERSEDE.value)
    _link(tx, setting, finding, settled, stored)
    return _decision(finding, settled.outcome.value, settled.reason, stored.id)


def _record(setting: Setting, finding: Finding, sources: Sequence[MemoryRecord]) -> MemoryRecord:
    candidate = finding.candidate
    said_at = max((source.created_at for source in sources), default=setting.now)
    return MemoryRecord(
        id=new_id(),
        scope=setting.scope,
        kind=candidate.kind,
        text=candidate.statement,
        created_at=said_at,
        updated_at=said_at,
        recorded_at=setting.now,
        actor=candidate.actor,
        attributed_to=candidate.attributed_to,
        metadata={**setting.metadata, **candidate.metadata},
        expires_at=setting.expires_at,
        valid_from=said_at if candidate.valid_from is None else min(candidate.valid_from, said_at),
        valid_until=candidate.valid_until,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        single=candidate.single,
        derivation_id=setting.derivation_id,
    )


def _slot(
    tx: WriteTx, scope: Scope, subject: str | None, attribute: str | None
) -> list[MemoryRecord]:
    if subject is None or attribute is None:
        return []
    found: list[MemoryRecord] = []
    for name in (attribute, *opposite_attributes(attribute)):
        found.extend(tx.slot(scope, subject, name))
    return found


def _standing(record: MemoryRecord, settled: Reconciled, now: int) -> MemoryRecord:
    """The new memory as the outcome places it in time; a late arrival is already superseded."""
    begins = record.valid_from if settled.valid_from is None else settled.valid_from
    placed = replace(
        record,
        valid_from=begins if begins is None else min(begins, record.created_at),
    )
    if settled.outcome is Outcome.BACKFILL and settled.of is not None:
        return replaced(placed, settled.of.id, now, settled.valid_until)
    status = Status.DISPUTED if settled.outcome is Outcome.DISPUTE else record.status
    return replace(placed, status=status, valid_until=settled.valid_until)


def _store(tx: WriteTx, record: MemoryRecord, finding: Finding, now: int) -> MemoryRecord:
    described = finding.described
    stored = tx.add_memories([NewMemory(record, described.features, described.mentions)])[0]
    tx.add_events([event_of(stored, Action.ADD, now, None, stored.text)])
    return stored


def _support(
    tx: WriteTx,
    memory_id: str,
    finding: Finding,
    turns: Sequence[MemoryRecord | None],
    now: int,
) -> None:
    """Keep the quotes that were found where they were said to be."""
    verdict = finding.verdict
    found = [
        (quote, turn)
        for quote in verdict.quotes or finding.candidate.quotes
        if quote.start >= 0
        and 0 <= quote.turn < len(turns)
        and (turn := turns[quote.turn]) is not None
    ]
    tx.add_evidence(
        [
            Evidence(
                memory_id=memory_id,
                source_id=turn.id,
                quote=quote.text,
                start=quote.start,
                end=quote.end,
                check=verdict.check,
                score=verdict.score,
                recorded_at=now,
            )
            for quote, turn in found
        ]
    )


def _link(
    tx: WriteTx, setting: Setting, finding: Finding, settled: Reconciled, stored: MemoryRecord
) -> None:
    """Draw the edges that the outcome and the model's opinion call for."""
    opinion = finding.opinion
    edges: list[tuple[LinkType, MemoryRecord, str | None]] = []
    if settled.outcome is Outcome.BACKFILL and settled.of is not None:
        late = Link(settled.of.id, LinkType.SUPERSEDES, stored.id, setting.now, settled.reason)
        tx.add_links([late])
    if settled.outcome is Outcome.DISPUTE and settled.of is not None:
        edges.append((LinkType.CONTRADICTS, settled.of, settled.reason))
        told = event_of(
            settled.of, Action.DISPUTE, setting.now, settled.of.text, settled.of.text,
            f"{stored.text!r} was set aside: {settled.reason}",
        )  # fmt: skip
        tx.add_events([told])
    if opinion is not None:
        if opinion.relation is Relation.EXTENDS and opinion.of is not None:
            edges.append((LinkType.EXTENDS, opinion.of, opinion.reason))
        edges += [(LinkType.RELATED, other, opinion.reason) for other in opinion.related]
    tx.add_links(
        [
            Link(stored.id, kind, other.id, setting.now, reason)
            for kind, other, reason in edges
            if other.id != stored.id and tx.memory(other.id) is not None
        ]
    )


def _event_of(outcome: Outcome) -> str:
    return Action.DISPUTE.value if outcome is Outcome.DISPUTE else Action.ADD.value


def _decision(finding: Finding, verdict: str, reason: str, memory_id: str | None) -> Decision:
    opinion, ground = finding.opinion, finding.verdict
    return Decision(
        statement=finding.candidate.statement,
        verdict=verdict,
        reason=reason,
        memory_id=memory_id,
        support=ground.support.value,
        score=ground.score,
        relation=None if opinion is None else opinion.relation.value,
        of_id=None if opinion is None or opinion.of is None else opinion.of.id,
    )
