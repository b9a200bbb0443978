"""Work that was accepted and is not done yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from retain.domain.scope import Scope


class JobKind(StrEnum):
    """What a job does."""

    LEARN = "learn"  # derive facts from turns that are kept
    PROCEDURE = "procedure"  # summarise an agent's work


class JobStatus(StrEnum):
    """How a job stands."""

    PENDING = "pending"  # to be done, from ``due_at`` on
    RUNNING = "running"  # taken by a worker, until ``lease_until``
    DONE = "done"
    FAILED = "failed"  # given up; ``error`` says why, and it can be tried again


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work on memories that are in the ledger. Times are microseconds since 1970.

    ``input_ids`` are the memories it works on, in order. ``lease`` names the worker that has taken
    it: whoever finishes it must still hold it. ``outcomes`` are pairs of memory id and event.
    """

    id: str
    scope: Scope
    kind: JobKind
    input_ids: Sequence[str]
    created_at: int
    updated_at: int
    status: JobStatus = JobStatus.PENDING
    due_at: int = 0
    attempts: int = 0
    lease: str | None = None
    lease_until: int | None = None
    error: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    outcomes: Sequence[tuple[str, str]] = ()

    @property
    def is_open(self) -> bool:
        """Whether there is still something to be done."""
        return self.status is not JobStatus.DONE

    def memory_ids(self) -> list[str]:
        """Every memory that it names, as input or outcome."""
        return list(dict.fromkeys([*self.input_ids, *(one for one, _ in self.outcomes)]))
