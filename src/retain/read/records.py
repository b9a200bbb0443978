"""How the records of learning are shown: derivations, jobs, and what waits for a decision."""

from __future__ import annotations

from typing import Any

from retain.domain.derivation import Derivation
from retain.domain.job import JobStatus
from retain.domain.memory import MemoryRecord
from retain.domain.plain import shown
from retain.domain.scope import Scope
from retain.errors import InvalidInput, InvalidScope, NotFound
from retain.ledger.port import Ledger, ReadTx
from retain.read.item import derivation_item, job_item
from retain.read.reader import is_of_project, items_of

_LONGEST_LIST = 10_000


class Records:
    """Reads of one project's records of learning."""

    def __init__(self, ledger: Ledger, project: str) -> None:
        self._ledger = ledger
        self._project = project

    def candidates(self, scope: Scope, top_k: object) -> list[dict[str, Any]]:
        """What is set aside, newest first: candidates and disputed memories, each with the reason
        and, where it is disputed, with what it contradicts."""
        _named(scope, "candidates")
        with self._ledger.read() as tx:
            records = tx.unsettled(tx.coverage(scope), _limit(top_k))
            return [
                {**item, "status": record.status.value, **self._why_set_aside(tx, record)}
                for record, item in zip(records, items_of(tx, records), strict=True)
            ]

    def derivations(self, scope: Scope, memory_id: object, top_k: object) -> list[dict[str, Any]]:
        """The derivations of a scope, or those that name a memory; newest first."""
        if memory_id is None:
            _named(scope, "derivations")
        with self._ledger.read() as tx:
            if memory_id is None:
                return [
                    derivation_item(one)
                    for one in tx.derivations(tx.coverage(scope), _limit(top_k))
                ]
            record = tx.memory(_text(memory_id, "memory_id"))
            if record is None or record.scope.project != self._project:
                raise NotFound(f"Memory with id {memory_id} not found")
            naming = [
                one
                for one in tx.derivations_naming(record.id)[::-1]
                if is_of_project(tx, one, self._project)
            ]
            return [derivation_item(one) for one in naming[: _limit(top_k)]]

    def derivation(self, derivation_id: object) -> dict[str, Any]:
        """One derivation, with the texts of its methods."""
        with self._ledger.read() as tx:
            found = self.find(tx, derivation_id)
            followed = [tx.method(one) for one in found.method.split("+")]
        methods = {one.id: one.text for one in followed if one is not None}
        return {**derivation_item(found), "methods": methods}

    def find(self, tx: ReadTx, derivation_id: object) -> Derivation:
        """A derivation of this project.

        Raises:
            NotFound: there is none.
        """
        found = tx.derivation(_text(derivation_id, "derivation_id"))
        if found is None or not is_of_project(tx, found, self._project):
            raise NotFound(f"Derivation with id {derivation_id} not found")
        return found

    def jobs(self, scope: Scope, status: object, top_k: object) -> list[dict[str, Any]]:
        """The jobs of a scope, newest first."""
        _named(scope, "jobs")
        with self._ledger.read() as tx:
            found = tx.jobs(tx.coverage(scope), _status(status), _limit(top_k))
        return [job_item(job) for job in found]

    def job(self, job_id: object) -> dict[str, Any]:
        """One job."""
        with self._ledger.read() as tx:
            job = tx.job(_text(job_id, "job_id"))
        if job is None or job.scope.project != self._project:
            raise NotFound(f"Job with id {job_id} not found")
        return job_item(job)

    def _why_set_aside(self, tx: ReadTx, record: MemoryRecord) -> dict[str, Any]:
        made = None if record.derivation_id is None else tx.derivation(record.derivation_id)
        for decision in () if made is None else made.decisions:
            if decision.memory_id == record.id:
                shown: dict[str, Any] = {"reason": decision.reason, "score": decision.score}
                if decision.of_id is not None:
                    shown |= {"relation": decision.relation, "relates_to": decision.of_id}
                return shown
        return {"reason": None}


def _named(scope: Scope, verb: str) -> None:
    if scope.is_empty:
        raise InvalidScope(f"{verb} needs at least one of: user_id, agent_id, run_id")


def _limit(top_k: object) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 0 <= top_k <= _LONGEST_LIST:
        raise InvalidInput(
            f"Invalid top_k: {shown(top_k)}. Must be an integer from 0 to {_LONGEST_LIST}."
        )
    return top_k


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text, got {shown(value)}")
    return value


def _status(value: object) -> JobStatus | None:
    if value is None:
        return None
    for status in JobStatus:
        if status.value == value:
            return status
    known = ", ".join(status.value for status in JobStatus)
    raise InvalidInput(f"Invalid status: {shown(value)}. Use one of: {known}")
