"""The write path with a chat model: the turns are kept first, what they state is learned after.

Keeping and learning are two transactions, since a model may take minutes and may fail: a job in
the ledger stands between them, so that nothing is lost and nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from retain.analysis.entities import EntityFinder
from retain.clock import Clock
from retain.domain.ids import new_id
from retain.domain.job import Job, JobKind
from retain.domain.memory import MemoryRecord
from retain.errors import Conflict, ModelError, RetainError
from retain.learn.answers import earlier_answer, keep_answer
from retain.learn.commit import add_turns
from retain.learn.derive import Deriver
from retain.learn.jobs import Jobs
from retain.learn.prepare import Request, prepare
from retain.learn.settle import Outcomes
from retain.learn.summarise import Summariser
from retain.ledger.port import Ledger, WriteTx
from retain.models.base import Embedder


class ModelLearner:
    """Keeps turns, and learns from them with a model, at once or in the background."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        jobs: Jobs,
        deriver: Deriver,
        summariser: Summariser,
        clock: Clock,
        session_gap: int,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._jobs = jobs
        self._workers = {JobKind.LEARN: deriver.work, JobKind.PROCEDURE: summariser.work}
        self._clock = clock
        self._session_gap = session_gap

    def keep(self, request: Request) -> tuple[Outcomes, Job | None]:
        """Keep the turns of a request, and the job of learning from them; None if there is none.

        The same request sent again (the same idempotency key, or turns with the same ids) finds
        what is there: its job goes on where it stopped.
        """
        prepared = prepare([request], self._embedder, self._find_mentions, rules=False)[0]
        if not prepared.messages:
            return Outcomes(), None
        with self._ledger.write() as tx:
            earlier = earlier_answer(tx, request)
            if earlier is not None:
                return earlier.outcomes, earlier.job
            outcomes = Outcomes()
            turns = add_turns(tx, prepared, self._clock(), self._session_gap, outcomes)
            job = self._job(tx, request, [turn for turn in turns if turn is not None], outcomes)
            keep_answer(tx, request, outcomes, job)
        return outcomes, job

    def learn(self, job: Job, *, retry: bool = False) -> Outcomes:
        """Do a job now; what it changed.

        Raises:
            ModelError: the model failed. The turns are kept, and the job can be done again.
        """
        claimed = self._jobs.claim(job.id)
        try:
            self._jobs.run(claimed, self._workers[claimed.kind], retry=retry)
        except ModelError as error:
            raise _failed(error, claimed) from error
        return self.outcomes_of(job.id)

    def work(self, limit: int | None) -> dict[str, int]:
        """Do what is due, in this thread; how many jobs were done and how many failed."""
        done = failed = 0
        while limit is None or done + failed < limit:
            job = self._jobs.claim_due()
            if job is None:
                break
            try:
                self._jobs.run(job, self._workers[job.kind], retry=True)
                done += 1
            except Conflict:
                continue  # taken over by another worker, whose work counts
            except RetainError:  # kept with the job; the next one may go better
                failed += 1
        return {"done": done, "failed": failed}

    def job(self, job_id: str) -> Job:
        """One job of this project.

        Raises:
            NotFound: there is none.
        """
        return self._jobs.get(job_id)

    def has_open_jobs(self) -> bool:
        """Whether something waits to be done, now or later."""
        return self._jobs.any_waiting()

    def outcomes_of(self, job_id: str) -> Outcomes:
        """What a job changed, as far as it is still there."""
        outcomes = Outcomes()
        with self._ledger.read() as tx:
            job = tx.job(job_id)
            for memory_id, event in () if job is None else job.outcomes:
                record = tx.memory(memory_id)
                if record is not None:
                    outcomes.add(record, event)
        return outcomes

    def _job(
        self,
        tx: WriteTx,
        request: Request,
        fresh: Sequence[MemoryRecord],
        outcomes: Outcomes,
    ) -> Job | None:
        if not fresh:
            # The same turns again: nothing new to learn, but an earlier attempt may have failed.
            known = (tx.open_job_for(record.id) for record, _ in outcomes.rows)
            return next((job for job in known if job is not None), None)
        now = self._clock()
        job = Job(
            id=new_id(),
            scope=request.scope,
            kind=JobKind.PROCEDURE if request.procedure else JobKind.LEARN,
            input_ids=[record.id for record in fresh],
            created_at=now,
            updated_at=now,
            due_at=now,
            arguments={
                "prompt": request.prompt,
                "metadata": dict(request.metadata),
                "expires_at": request.expires_at,
            },
        )
        tx.save_job(job)
        return job


def _failed(error: ModelError, job: Job) -> ModelError:
    kept = len(job.input_ids)
    return type(error)(
        f"{error.message}. The {kept} message{'s are' if kept != 1 else ' is'} kept; send the call "
        f"again with the same idempotency_key, or call retry({job.id!r}), to learn from "
        f"{'them' if kept != 1 else 'it'}",
        **{**error.details, "job_id": job.id, "kept": list(job.input_ids)},
    )
