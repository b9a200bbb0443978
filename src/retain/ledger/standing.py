"""Changes of how a memory stands, each with its edge and its line of history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retain.domain.derivation import REJECTED
from retain.domain.event import Event
from retain.domain.ids import new_id
from retain.domain.kind import Action, Kind, LinkType, Stance, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx, WriteTx


def event_of(
    record: MemoryRecord,
    action: Action,
    at: int,
    old_text: str | None,
    new_text: str | None,
    reason: str | None = None,
) -> Event:
    """The line of history for a change of ``record``."""
    return Event(
        id=new_id(),
        memory_id=record.id,
        action=action,
        old_text=old_text,
        new_text=new_text,
        created_at=record.created_at,
        at=at,
        actor=record.actor,
        role=record.role,
        reason=reason,
    )


def supersede(
    tx: WriteTx,
    old: MemoryRecord,
    new: MemoryRecord,
    at: int,
    reason: str | None,
    ended_at: int | None = None,
) -> None:
    """Mark ``old`` as replaced by ``new``, from ``ended_at`` or from when the new one is true."""
    tx.change(
        replace(
            old,
            status=Status.SUPERSEDED,
            superseded_at=at,
            superseded_by=new.id,
            valid_until=new.begins_at if ended_at is None else ended_at,
        )
    )
    tx.add_links([Link(new.id, LinkType.SUPERSEDES, old.id, at, reason)])
    tx.add_events([event_of(old, Action.SUPERSEDE, at, old.text, old.text, reason)])


def withdraw(
    tx: WriteTx, records: Sequence[MemoryRecord], at: int, reason: str | None = None
) -> None:
    """No longer hold memories; derived ones that rest on them alone go along."""
    queue = [(record, reason) for record in records]
    gone: set[str] = set()
    for record, _ in queue:
        gone.add(record.id)
    while queue:
        record, why = queue.pop()
        tx.change(replace(record, status=Status.WITHDRAWN))
        tx.add_events([event_of(record, Action.DELETE, at, record.text, None, why)])
        for derived in resting_on(tx, record, gone):
            gone.add(derived.id)
            queue.append((derived, _because_of(record.id)))


def restore(tx: WriteTx, record: MemoryRecord, at: int, reason: str | None) -> None:
    """Hold a memory again. A withdrawn one returns to how it stood; a superseded one is current.

    Facts that were withdrawn because of it return with it.
    """
    if record.status is Status.WITHDRAWN and record.superseded_by is not None:
        restored = replace(record, status=Status.SUPERSEDED)
    elif record.status is Status.WITHDRAWN and _was_rejected(tx, record):
        restored = replace(record, status=Status.CANDIDATE)
    else:
        if record.superseded_by is not None:
            tx.remove_links(record.superseded_by, record.id)
        restored = replace(
            record,
            status=Status.ACCEPTED,
            superseded_at=None,
            superseded_by=None,
            valid_until=None if record.status is Status.SUPERSEDED else record.valid_until,
        )
    tx.change(restored)
    tx.add_events([event_of(record, Action.RESTORE, at, None, record.text, reason)])
    if record.status is not Status.WITHDRAWN:
        return
    for evidence in tx.supported_by(record.id):
        derived = tx.memory(evidence.memory_id)
        if derived is None or derived.status is not Status.WITHDRAWN:
            continue
        last = tx.history(derived.id)[-1]
        if last.action is Action.DELETE and last.reason == _because_of(record.id):
            restore(tx, derived, at, f"its source {record.id} was restored")


def resting_on(tx: ReadTx, source: MemoryRecord, gone: set[str]) -> list[MemoryRecord]:
    """Derived memories that no source outside ``gone`` supports any more."""
    if source.kind not in (Kind.MESSAGE, Kind.EPISODE, Kind.FACT):
        return []
    found = []
    for evidence in tx.supported_by(source.id):
        derived = tx.memory(evidence.memory_id)
        if derived is None or derived.id in gone or derived.status is Status.WITHDRAWN:
            continue
        others = (
            other.source_id
            for other in tx.evidence([derived.id])
            if other.stance is Stance.SUPPORTS and other.source_id not in gone
        )
        if not any(_held(tx, other) for other in others):
            found.append(derived)
    return list({one.id: one for one in found}.values())


def _was_rejected(tx: ReadTx, record: MemoryRecord) -> bool:
    """Whether it was kept as a candidate that its quotes do not support."""
    derivation = None if record.derivation_id is None else tx.derivation(record.derivation_id)
    return derivation is not None and any(
        decision.memory_id == record.id and decision.verdict == REJECTED
        for decision in derivation.decisions
    )


def _held(tx: ReadTx, memory_id: str) -> bool:
    record = tx.memory(memory_id)
    return record is not None and record.status is not Status.WITHDRAWN


def _because_of(source_id: str) -> str:
    return f"its only source {source_id} was withdrawn"
