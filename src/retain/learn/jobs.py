"""Work that outlives a call: taken by one worker at a time, finished once, tried again after a
failure or a crash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from retain.clock import Clock
from retain.domain.ids import new_id
from retain.domain.instant import MICROS
from retain.domain.job import Job, JobStatus
from retain.domain.plain import shown
from retain.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, RetainError
from retain.ledger.port import Ledger, ReadTx, WriteTx

LEASE: Final = 15 * 60 * MICROS  # a worker that is silent for longer is taken to be dead
MOST_ATTEMPTS: Final = 5  # of a job in the background, before it is given up
_FIRST_WAIT: Final = 2 * MICROS  # before the second attempt; doubled each time
_LONGEST_ERROR: Final = 2000  # characters


class Jobs:
    """The jobs of one project: claim, finish, fail."""

    def __init__(self, ledger: Ledger, project: str, clock: Clock) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock

    def get(self, job_id: str) -> Job:
        """One job of this project.

        Raises:
            NotFound: there is none.
        """
        with self._ledger.read() as tx:
            return self._find(tx, job_id)

    def any_waiting(self) -> bool:
        """Whether a job waits to be done, now or later."""
        with self._ledger.read() as tx:
            counted = tx.job_counts(self._project)
        return any(counted.get(one.value) for one in (JobStatus.PENDING, JobStatus.RUNNING))

    def claim_due(self) -> Job | None:
        """Take the oldest job that is due, if there is one."""
        now = self._clock()
        with self._ledger.read() as tx:
            if tx.due_job(self._project, now) is None:
                return None
        with self._ledger.write() as tx:
            job = tx.due_job(self._project, now)
            return None if job is None else _taken(tx, job, now)

    def claim(self, job_id: str) -> Job:
        """Take one job, whenever it would be due; a failed one too.

        Raises:
            NotFound: there is no such job in this project.
            Conflict: it is done, or another worker is at it.
        """
        now = self._clock()
        with self._ledger.write() as tx:
            job = self._find(tx, job_id)
            if job.status is JobStatus.DONE:
                raise Conflict(f"Job with id {job_id} is done")
            if job.status is JobStatus.RUNNING and (job.lease_until or 0) > now:
                raise Conflict(f"Job with id {job_id} is being worked on")
            return _taken(tx, job, now)

    def _find(self, tx: ReadTx, job_id: object) -> Job:
        if not isinstance(job_id, str):
            raise InvalidInput(f"job_id must be a text, got {shown(job_id)}")
        job = tx.job(job_id)
        if job is None or job.scope.project != self._project:
            raise NotFound(f"Job with id {job_id} not found")
        return job

    def hold(self, tx: WriteTx, job: Job) -> None:
        """Make sure, before anything is written, that a job is still this worker's.

        Raises:
            Conflict: another has taken or finished it, or it was erased with its memories.
        """
        if not _is_still_ours(tx, job):
            raise Conflict(
                f"Job with id {job.id} was taken over or erased in the meantime; nothing was kept"
            )

    def finish(self, tx: WriteTx, job: Job, outcomes: list[tuple[str, str]]) -> None:
        """Mark a job that is still held as done, in the transaction that writes what it did."""
        tx.save_job(
            replace(
                job,
                status=JobStatus.DONE,
                updated_at=self._clock(),
                lease=None,
                lease_until=None,
                error=None,
                outcomes=outcomes,
            )
        )

    def fail(self, job: Job, error: RetainError, *, retry: bool) -> None:
        """Put a job back: to be tried again later where that may help, else as failed."""
        now = self._clock()
        again = retry and isinstance(error, ModelUnavailable) and job.attempts < MOST_ATTEMPTS
        asked = error.details.get("retry_after")
        wait = _FIRST_WAIT << job.attempts - 1
        if isinstance(asked, int | float):
            wait = max(wait, round(asked * MICROS))
        with self._ledger.write() as tx:
            if _is_still_ours(tx, job):
                tx.save_job(
                    replace(
                        job,
                        status=JobStatus.PENDING if again else JobStatus.FAILED,
                        due_at=now + wait if again else job.due_at,
                        updated_at=now,
                        lease=None,
                        lease_until=None,
                        error=f"{type(error).__name__}: {error.message}"[:_LONGEST_ERROR],
                    )
                )

    def release(self, job: Job) -> None:
        """Put a job back as it was: its worker was stopped."""
        with self._ledger.write() as tx:
            if _is_still_ours(tx, job):
                tx.save_job(replace(job, status=JobStatus.PENDING, lease=None, lease_until=None))

    def run(self, job: Job, work: Callable[[Job], None], *, retry: bool) -> None:
        """Do a claimed job; a failure is kept with it and raised."""
        try:
            work(job)
        except RetainError as error:
            self.fail(job, error, retry=retry)
            raise
        except BaseException:  # an interrupt must not leave the job taken until its lease ends
            self.release(job)
            raise


def _taken(tx: WriteTx, job: Job, now: int) -> Job:
    taken = replace(
        job,
        status=JobStatus.RUNNING,
        attempts=job.attempts + 1,
        updated_at=now,
        lease=new_id(),
        lease_until=now + LEASE,
    )
    tx.save_job(taken)
    return taken


def _is_still_ours(tx: WriteTx, job: Job) -> bool:
    held = tx.job(job.id)
    return held is not None and held.status is JobStatus.RUNNING and held.lease == job.lease
