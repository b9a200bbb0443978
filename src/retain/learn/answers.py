"""What a write answered under an idempotency key, so that the same call again writes nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from retain.domain.job import Job
from retain.domain.scope import Scope
from retain.errors import Conflict
from retain.learn.settle import Outcomes
from retain.ledger.port import ReadTx, WriteTx


class Earlier(Enum):
    """How an earlier write under a key stands."""

    NONE = auto()  # there was none
    KEPT = auto()  # its turns are kept, and a job to learn from them is open
    DONE = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an earlier write changed, as far as it is still there, and the job that it left."""

    outcomes: Outcomes
    job: Job | None = None


class Keyed(Protocol):
    """A call that may have an idempotency key."""

    @property
    def scope(self) -> Scope:
        """Whose memories it writes."""

    @property
    def idempotency_key(self) -> str | None:
        """The key, if it has one."""

    def digest(self) -> str:
        """What the key stands for: the same key for another content is a mistake."""


def keep_answer(tx: WriteTx, request: Keyed, outcomes: Outcomes, job: Job | None = None) -> None:
    """Keep what a write answers under the key of its request, if it has one."""
    if request.idempotency_key is None:
        return
    answer: dict[str, Any] = {
        "digest": request.digest(),
        "results": [[record.id, event] for record, event in outcomes.rows],
    }
    if job is not None:
        answer["job"] = job.id
    tx.remember(request.scope, request.idempotency_key, json.dumps(answer))


def earlier_answer(tx: ReadTx, request: Keyed) -> Answer | None:
    """What an earlier write under the key of this request answered.

    Raises:
        Conflict: the key was used for something else.
    """
    if request.idempotency_key is None:
        return None
    stored = tx.idempotent(request.scope, request.idempotency_key)
    if stored is None:
        return None
    answer: dict[str, Any] = json.loads(stored)
    if answer["digest"] != request.digest():
        raise Conflict(
            f"idempotency_key {request.idempotency_key!r} was used in this scope for another "
            "content: use a new key for a new write"
        )
    outcomes = Outcomes()
    for memory_id, event in answer["results"]:
        record = tx.memory(memory_id)
        if record is not None:
            outcomes.add(record, event)
    return Answer(outcomes, _job(tx, answer))


def earlier_write(tx: ReadTx, scope: Scope, key: str) -> Earlier:
    """How an earlier write under a key stands."""
    stored = tx.idempotent(scope, key)
    if stored is None:
        return Earlier.NONE
    job = _job(tx, json.loads(stored))
    return Earlier.KEPT if job is not None and job.is_open else Earlier.DONE


def _job(tx: ReadTx, answer: dict[str, Any]) -> Job | None:
    job_id = answer.get("job")
    return None if job_id is None else tx.job(job_id)
