"""A dearer model's opinion of a pool, within a time limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import Any, Final

from retain.errors import ModelAnswerInvalid, ModelUnavailable, RetainError
from retain.models.base import Reranker

# Calls that ran out of time go on in the background until their model answers; this many at
# most, so that a model which hangs cannot fill the process with threads.
MOST_AT_ONCE: Final = 16
_SLOTS: Final = BoundedSemaphore(MOST_AT_ONCE)
_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Reranked:
    """What a reranker made of a pool.

    Attributes:
        scores: one relevance for each text, 0..1; None if time ran out.
        timed_out: whether it did; the order is then the one before reranking.
        seconds: how long it was waited for.
    """

    scores: tuple[float, ...] | None
    timed_out: bool
    seconds: float


def rerank_pool(reranker: Reranker, query: str, texts: Sequence[str], timeout: float) -> Reranked:
    """Ask a reranker for the relevance of texts, and wait no longer than the time limit.

    Args:
        reranker: the model.
        query: what is asked.
        texts: the pool, in any order.
        timeout: seconds. A call that takes longer is left behind, not awaited.

    Returns:
        A ``Reranked``.

    Raises:
        ModelUnavailable: the model failed; the cause is attached.
        ModelAnswerInvalid: it did not answer one relevance from 0 to 1 for each text.
    """
    started = monotonic()
    if not texts:
        return Reranked((), timed_out=False, seconds=0.0)
    if not _SLOTS.acquire(timeout=max(timeout, 0.0)):
        return Reranked(None, timed_out=True, seconds=monotonic() - started)
    answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put((reranker.rerank(query, texts), None))
        except Exception as error:  # noqa: BLE001 - it is raised again by the caller's thread
            answers.put((None, error))
        finally:
            _SLOTS.release()

    # A daemon: a call that was left behind must not hold up the end of the process.
    Thread(target=ask, name="retain-rerank", daemon=True).start()
    try:
        answer, error = answers.get(timeout=max(timeout - (monotonic() - started), 0.0))
    except Empty:
        return Reranked(None, timed_out=True, seconds=monotonic() - started)
    if isinstance(error, RetainError):
        raise error
    if error is not None:
        raise ModelUnavailable(
            f"reranker {reranker.name!r} failed: {type(error).__name__}: {error}",
            model=reranker.name,
        ) from error
    scores = _checked(answer, len(texts), reranker.name)
    return Reranked(scores, timed_out=False, seconds=monotonic() - started)


def _checked(answer: Any, count: int, name: str) -> tuple[float, ...]:
    try:
        scores = [float(score) for score in answer]
    except (TypeError, ValueError) as error:
        raise _invalid(name, "did not answer numbers", answer) from error
    if len(scores) != count:
        raise _invalid(name, f"answered {len(scores)} relevances to {count} texts", answer)
    for score in scores:
        if not math.isfinite(score) or not -_ROUNDING <= score <= 1.0 + _ROUNDING:
            raise _invalid(name, f"answered the relevance {score!r}, outside 0..1", answer)
    return tuple(min(max(score, 0.0), 1.0) for score in scores)


def _invalid(name: str, what: str, answer: Any) -> ModelAnswerInvalid:
    return ModelAnswerInvalid(f"reranker {name!r} {what}", model=name, raw=repr(answer)[:500])
