"""`retain jobs`, `retry`, `worker`: what a chat model has learned from, and has yet to."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Annotated, Any, Final

import typer

from retain.cli.hold import print_added
from retain.cli.place import Place, placed
from retain.cli.read import TopK
from retain.errors import InvalidInput, ModelError
from retain.memory import Memory

_PAUSE: Final = 1.0  # seconds between looks at the ledger, which other processes write

JobId = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    for name, command in (("jobs", jobs), ("retry", retry), ("worker", worker)):
        app.command(name)(placed(command))


def jobs(
    place: Place,
    status: Annotated[
        str | None, typer.Option(help="Only: pending, running, done or failed.")
    ] = None,
    top_k: TopK = 20,
) -> None:
    """List what a chat model learned from, or has yet to, newest first.

    Prints one a line: time, status, kind, attempts, error, id.
    """
    with place.open() as memory:
        found = memory.jobs(**place.ids, status=status, top_k=top_k)
    out = place.out
    if out.wants_json:
        out.json(found)
        return
    out.rows(
        [
            (
                job["created_at"],
                job["status"],
                job["kind"],
                job["attempts"],
                job["error"],
                job["id"],
            )
            for job in found
        ]
    )
    if not found:
        out.note("No jobs here.")


def retry(place: Place, job_id: JobId) -> None:
    """Do a job that failed or waits, now.

    Prints what was learned, as `add` does.
    """
    with place.open() as memory:
        result = memory.retry(job_id)
    print_added(place.out, result)


def worker(
    place: Place,
    once: Annotated[bool, typer.Option("--once", help="End when nothing is due.")] = False,
    limit: Annotated[int | None, typer.Option(help="End after so many jobs.")] = None,
    consolidate_after: Annotated[
        int | None,
        typer.Option(help="Also draw insights, whenever so many new episodes wait."),
    ] = None,
) -> None:
    """Do the jobs of the project that are due, until it is stopped.

    The first interrupt (or SIGTERM) lets the job at hand be finished, the second puts it back.
    Prints how many were done and failed; the exit code is 9 if any failed.
    """
    if limit is not None and limit < 1:
        raise InvalidInput(f"--limit must be 1 or more, got {limit}")
    if consolidate_after is not None and consolidate_after < 1:
        raise InvalidInput(f"--consolidate-after must be 1 or more, got {consolidate_after}")
    total = {"done": 0, "failed": 0}
    with_model = consolidate_after is None or place.settings().llm is not None
    with place.open() as memory, _stoppable() as stop:
        while limit is None or sum(total.values()) < limit:
            worked = _worked(memory, consolidate_after, with_model=with_model)
            for name, count in worked.items():
                total[name] += count
            idle = not any(worked.values())
            if (idle and once) or _was_stopped(stop, _PAUSE if idle else 0):
                break
    if place.json:
        place.out.json(total)
    else:
        place.out.pairs(total)
    if total["failed"]:
        place.out.note("See: retain jobs --status failed")
        raise typer.Exit(ModelError.exit_code)


def _worked(memory: Memory, consolidate_after: int | None, *, with_model: bool) -> dict[str, int]:
    """Consolidate, if enough episodes wait; else do one job that is due, if there is one."""
    if consolidate_after is not None:
        waiting = memory.stats()["consolidation"]["waiting"]
        if waiting >= consolidate_after:
            memory.consolidate()
            return {"done": 1, "failed": 0}
    return memory.work(limit=1) if with_model else {"done": 0, "failed": 0}


@contextmanager
def _stoppable() -> Iterator[SimpleQueue[int]]:
    """A queue that gets the signal that asks to stop; a second one interrupts.

    Not an ``Event``: setting one from a signal's handler can lock up with the wait that it breaks
    into, while a ``SimpleQueue`` is made for that.
    """
    asked: SimpleQueue[int] = SimpleQueue()

    def ask(number: int, _frame: Any) -> None:
        if not asked.empty():
            raise KeyboardInterrupt
        asked.put(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _was_stopped(asked: SimpleQueue[int], seconds: float) -> bool:
    try:
        asked.get(block=seconds > 0, timeout=seconds or None)
    except Empty:
        return False
    return True
