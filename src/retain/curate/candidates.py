"""What a caller decides about statements that were set aside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from retain.clock import Clock
from retain.domain.candidate import Candidate
from retain.domain.evidence import Evidence
from retain.domain.kind import Action, LinkType, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.plain import optional_text, shown
from retain.errors import Conflict, InvalidInput, NotFound
from retain.learn.reconcile import Outcome, Reconciled, reconcile
from retain.ledger.port import Ledger, WriteTx
from retain.ledger.standing import event_of, replaced, supersede, withdraw

_SET_ASIDE = (Status.CANDIDATE, Status.DISPUTED)


class Reviewer:
    """Accepts and rejects candidates and disputed statements of one project."""

    def __init__(self, ledger: Ledger, project: str, clock: Clock) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock

    def accept(self, memory_id: object, reason: object) -> dict[str, Any]:
        """Hold a statement that was set aside; what it contradicts is superseded."""
        why = optional_text(reason, "reason") or "accepted by the caller"
        with self._ledger.write() as tx:
            record = self._set_aside(tx, memory_id)
            now = self._clock()
            settled = self._settled(tx, record)
            if settled.outcome is Outcome.EVIDENCE and settled.of is not None:
                self._pass_on(tx, record, settled.of, now, why)
                return {"message": "Memory accepted successfully!", "id": settled.of.id}
            held = replace(record, status=Status.ACCEPTED, updated_at=now)
            if settled.outcome is Outcome.BACKFILL and settled.of is not None:
                held = replaced(held, settled.of.id, now, settled.valid_until)
                newer = Link(settled.of.id, LinkType.SUPERSEDES, held.id, now, settled.reason)
                tx.add_links([newer])
            tx.change(held)
            tx.add_events([event_of(held, Action.ACCEPT, now, None, held.text, why)])
            self._support(tx, record, now)
            ended = {one.id: one for one in (*settled.old, *self._contradicted(tx, record))}
            for old in ended.values():
                supersede(tx, old, held, now, why, settled.ended_at)
        return {"message": "Memory accepted successfully!", "id": record.id}

    def reject(self, memory_id: object, reason: object) -> dict[str, Any]:
        """Withdraw a statement that was set aside."""
        why = optional_text(reason, "reason") or "rejected by the caller"
        with self._ledger.write() as tx:
            withdraw(tx, [self._set_aside(tx, memory_id)], self._clock(), why)
        return {"message": "Memory rejected successfully!"}

    def _set_aside(self, tx: WriteTx, memory_id: object) -> MemoryRecord:
        if not isinstance(memory_id, str):
            raise InvalidInput(f"memory_id must be a text, got {shown(memory_id)}")
        record = tx.memory(memory_id)
        if record is None or record.scope.project != self._project:
            raise NotFound(f"Memory with id {memory_id} not found")
        if record.status not in _SET_ASIDE:
            raise Conflict(
                f"Memory with id {memory_id} is {record.status.value}: only a candidate or a "
                "disputed memory can be accepted or rejected"
            )
        return record

    def _settled(self, tx: WriteTx, record: MemoryRecord) -> Reconciled:
        candidate = Candidate(
            statement=record.text,
            quotes=(),
            kind=record.kind,
            subject=record.subject,
            attribute=record.attribute,
            value=record.value,
            single=record.single,
            valid_from=record.valid_from,
            valid_until=record.valid_until,
        )
        same = [
            one
            for one in tx.facts_with_text(record.scope, record.text)
            if one.status is Status.ACCEPTED
        ]
        slot = (
            []
            if record.subject is None or record.attribute is None
            else tx.slot(record.scope, record.subject, record.attribute)
        )
        return reconcile(candidate, same, slot, record.created_at)

    def _contradicted(self, tx: WriteTx, record: MemoryRecord) -> list[MemoryRecord]:
        found = (
            tx.memory(link.target_id)
            for link in tx.links(record.id)
            if link.type is LinkType.CONTRADICTS and link.source_id == record.id
        )
        return [one for one in found if one is not None and one.status is Status.ACCEPTED]

    def _support(self, tx: WriteTx, record: MemoryRecord, now: int) -> None:
        """Evidence that the caller vouches for, where none was found."""
        if tx.evidence([record.id]) or record.derivation_id is None:
            return
        made = tx.derivation(record.derivation_id)
        inputs = () if made is None else made.input_ids
        sources = (tx.memory(one) for one in inputs)
        tx.add_evidence(
            [
                Evidence(
                    memory_id=record.id,
                    source_id=source.id,
                    quote=source.text,
                    start=0,
                    end=len(source.text),
                    check="caller",
                    recorded_at=now,
                )
                for source in sources
                if source is not None
            ]
        )

    def _pass_on(
        self, tx: WriteTx, record: MemoryRecord, to: MemoryRecord, now: int, reason: str
    ) -> None:
        """What speaks for a statement that is held already speaks for that one."""
        tx.add_evidence(
            [
                replace(evidence, memory_id=to.id, check="caller", recorded_at=now)
                for evidence in tx.evidence([record.id])
            ]
        )
        tx.add_events([event_of(to, Action.EVIDENCE, now, to.text, to.text, reason)])
        withdraw(tx, [record], now, f"says the same as {to.id}")
