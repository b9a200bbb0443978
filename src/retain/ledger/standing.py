"""Changes of how a memory stands, each with its edge and its line of history.

An edge ``supersedes`` records that one memory replaced another, and is removed only when that is
taken back. What is superseded now follows from the edges: a memory is replaced by the nearest held
one along them. When that one goes, what it replaced is replaced by the next, or stands again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from retain.domain.derivation import REJECTED
from retain.domain.event import Event
from retain.domain.ids import new_id
from retain.domain.kind import Action, LinkType, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx, WriteTx
from retain.ledger.rescore import rescore, resting_insights
from retain.ledger.resting import resting_on, still_said

_PUT_AWAY: Final = (Status.WITHDRAWN, Status.ARCHIVED)
_MOVED: Final = "the run that said it first is gone, and another says it too"


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


def replaced(
    record: MemoryRecord, successor_id: str, at: int, ended_at: int | None
) -> MemoryRecord:
    """A memory as it stands once another one replaced it: true until ``ended_at``, or until the end
    that it had of its own if that is earlier."""
    ends = [end for end in (record.valid_until, ended_at) if end is not None]
    return replace(
        record,
        status=record.status if record.status in _PUT_AWAY else Status.SUPERSEDED,
        superseded_at=at,
        superseded_by=successor_id,
        valid_until=min(ends, default=None),
        own_until=record.valid_until,
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
    _cut(tx, old)
    tx.change(replaced(old, new.id, at, new.begins_at if ended_at is None else ended_at))
    tx.add_links([Link(new.id, LinkType.SUPERSEDES, old.id, at, reason)])
    tx.add_events([event_of(old, Action.SUPERSEDE, at, old.text, old.text, reason)])


def withdraw(
    tx: WriteTx, records: Sequence[MemoryRecord], at: int, reason: str | None = None
) -> None:
    """No longer hold memories; derived ones that rest on them alone go along.

    What a withdrawn memory had replaced is held again, or replaced by what replaced that one.
    """
    going = [(record, reason) for record in records]
    going += [
        (derived, _because_of(source)) for derived, source in resting_on(tx, records, is_held)
    ]
    for record, _ in going:
        tx.change(replace(record, status=Status.WITHDRAWN))
    tx.add_events(
        [event_of(record, Action.DELETE, at, record.text, None, why) for record, why in going]
    )
    _settle_below(tx, [record.id for record, _ in going], at, "what replaced it, {}, was withdrawn")
    rescore(tx, resting_insights(tx, [record.id for record, _ in going]))


def archive(tx: WriteTx, records: Sequence[tuple[MemoryRecord, str]], at: int) -> None:
    """Set memories aside, each for its reason. They still count as sources of what rests on them
    and as what replaced others: nothing else changes its standing."""
    for record, _ in records:
        tx.change(replace(record, status=Status.ARCHIVED))
    tx.add_events(
        [event_of(record, Action.ARCHIVE, at, record.text, None, why) for record, why in records]
    )


def move_on(tx: WriteTx, chosen: Sequence[MemoryRecord], at: int) -> list[MemoryRecord]:
    """Before the memories of a scope go: what another run of the same holder says too, moves there.

    Returns:
        The memories that still go.
    """
    going = {record.id: record for record in chosen}
    for record, source in still_said(tx, chosen, is_held):
        if is_held(record):
            del going[record.id]
            tx.move(record.id, source.scope)
            tx.add_events([event_of(record, Action.UPDATE, at, record.text, record.text, _MOVED)])
    return list(going.values())


def lose_ground(tx: WriteTx, going: Sequence[MemoryRecord], at: int) -> None:
    """Before memories are erased: what rests on withdrawn sources alone then is withdrawn too."""
    gone = {record.id for record in going}
    for record, _ in list(resting_on(tx, going, is_held)):
        if record.id in gone:
            continue
        left = next(one for one in tx.evidence([record.id]) if one.source_id not in gone)
        withdraw(tx, [record], at, _because_of(left.source_id))


def restore(tx: WriteTx, record: MemoryRecord, at: int, reason: str | None) -> None:
    """Hold a memory again. A withdrawn one returns to how it stood; a superseded one is current.

    Facts that were withdrawn for want of a source return with it, and what it had replaced until it
    was withdrawn is replaced again.
    """
    if record.status in _PUT_AWAY and record.superseded_by is not None:
        stands = replace(record, status=Status.SUPERSEDED)
    elif record.status is Status.WITHDRAWN and _was_rejected(tx, record):
        stands = replace(record, status=Status.CANDIDATE)
    elif record.status in _PUT_AWAY:
        stands = replace(record, status=Status.ACCEPTED)
    else:
        _cut(tx, record)
        stands = replace(_unreplaced(record), status=Status.ACCEPTED)
    tx.change(stands)
    tx.add_events([event_of(record, Action.RESTORE, at, None, record.text, reason)])
    if record.status is not Status.WITHDRAWN:
        return
    _settle_below(tx, [record.id], at, "what replaced it, {}, was restored")
    derived = {evidence.memory_id for evidence in tx.supported_by(record.id)}
    for one in tx.named(sorted(derived)):
        last = tx.history(one.id)[-1]
        if (
            one.status is Status.WITHDRAWN
            and last.action is Action.DELETE
            and last.reason in {_because_of(source.source_id) for source in tx.evidence([one.id])}
        ):
            restore(tx, one, at, f"its source {record.id} was restored")
    rescore(tx, resting_insights(tx, [record.id]))


def pass_on(tx: WriteTx, going: Sequence[str], at: int) -> None:
    """Before memories are erased: what they had replaced stands as if they had never been."""
    gone = set(going)
    edges = [one for one in tx.links_of(going) if one.type is LinkType.SUPERSEDES]
    above = {one.target_id: one.source_id for one in edges if one.target_id in gone}
    below = [one for one in edges if one.source_id in gone and one.target_id not in gone]
    for edge in below:
        heir = above.get(edge.source_id)
        while heir in gone:
            heir = above.get(heir)
        tx.remove_links(edge.source_id, edge.target_id)
        if heir is not None:
            tx.add_links([Link(heir, LinkType.SUPERSEDES, edge.target_id, edge.at)])
    # The reason names nothing: of what is erased, no id stays in the history of others.
    reason = "what replaced it was erased"
    targets = tx.named(list(dict.fromkeys(edge.target_id for edge in below)))
    heirs = _heirs(tx, [target.id for target in targets])
    for target in targets:
        _settle(tx, target, heirs[target.id], at, reason)
    passing = [one.id for one in targets if not is_held(one)]
    _settle_below(tx, passing, at, reason)


def _settle_below(tx: WriteTx, changed: Iterable[str], at: int, reason: str) -> None:
    """After memories were withdrawn or are held again: how those stand that they had replaced.

    ``{}`` in the reason becomes the id of the changed memory.
    """
    level = {memory_id: memory_id for memory_id in changed}
    seen: set[str] = set()
    while level:
        cause = {
            link.target_id: level[link.source_id]
            for link in tx.links_of(list(level))
            if link.type is LinkType.SUPERSEDES and link.source_id in level
        }
        seen |= level.keys()
        level = {}
        heirs = _heirs(tx, cause)
        for record in tx.named(list(cause)):
            _settle(tx, record, heirs[record.id], at, reason.format(cause[record.id]))
            if not is_held(record) and record.id not in seen:
                level[record.id] = cause[record.id]


def _settle(
    tx: WriteTx, record: MemoryRecord, heir: MemoryRecord | None, at: int, reason: str
) -> None:
    """Let a memory stand as replaced by its heir, or by nothing; on the record if it is held."""
    if (None if heir is None else heir.id) == record.superseded_by:
        return
    plain = _unreplaced(record)
    if heir is None:
        action, stands = Action.RESTORE, plain
    else:
        action = Action.SUPERSEDE
        stands = replaced(plain, heir.id, at, max(heir.begins_at, record.begins_at))
    tx.change(stands)
    if is_held(record):
        old_text = None if heir is None else record.text
        tx.add_events([event_of(record, action, at, old_text, record.text, reason)])


def _heirs(tx: ReadTx, memory_ids: Iterable[str]) -> dict[str, MemoryRecord | None]:
    """The nearest held memory above each, along the edges that say what replaced what."""
    above: dict[str, str] = {}
    known: dict[str, MemoryRecord] = {}
    asked = list(memory_ids)
    level = asked
    while level:
        edges = _edges_above(tx, level)
        above |= edges
        found = tx.named(sorted(set(edges.values()) - known.keys()))
        known |= {one.id: one for one in found}
        level = [one.id for one in found if not is_held(one) and one.id not in above]
    heirs: dict[str, MemoryRecord | None] = {}
    for memory_id in asked:
        passed: dict[str, None] = {}
        current, heir = memory_id, None
        while current not in passed:  # a file of somebody's making may hold a circle
            passed[current] = None
            source = known.get(above.get(current, ""))
            if source is None or is_held(source) or source.id in heirs:
                heir = heirs.get(source.id, source) if source is not None else None
                break
            current = source.id
        heirs |= dict.fromkeys(passed, heir)
    return heirs


def _edges_above(tx: ReadTx, memory_ids: Sequence[str]) -> dict[str, str]:
    """What replaced each of these memories, by an edge; a memory has one at most."""
    wanted = set(memory_ids)
    return {
        link.target_id: link.source_id
        for link in tx.links_of(memory_ids)
        if link.type is LinkType.SUPERSEDES and link.target_id in wanted
    }


def _cut(tx: WriteTx, record: MemoryRecord) -> None:
    """Forget what replaced a memory."""
    for target, source in _edges_above(tx, [record.id]).items():
        tx.remove_links(source, target)


def _unreplaced(record: MemoryRecord) -> MemoryRecord:
    """A memory as it stood before it was replaced; a withdrawn one stays withdrawn."""
    if record.superseded_at is None:
        return record
    return replace(
        record,
        status=Status.ACCEPTED if record.status is Status.SUPERSEDED else record.status,
        superseded_at=None,
        superseded_by=None,
        valid_until=record.own_until,
        own_until=None,
    )


def _was_rejected(tx: ReadTx, record: MemoryRecord) -> bool:
    """Whether it was kept as a candidate that its quotes do not support."""
    derivation = None if record.derivation_id is None else tx.derivation(record.derivation_id)
    return derivation is not None and any(
        decision.memory_id == record.id and decision.verdict == REJECTED
        for decision in derivation.decisions
    )


def is_held(record: MemoryRecord) -> bool:
    """Whether it was not withdrawn."""
    return record.status is not Status.WITHDRAWN


def _because_of(source_id: str) -> str:
    return f"its only source {source_id} was withdrawn"
