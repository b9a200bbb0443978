"""The write path as its recipe: read, prepare, commit."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from retain.analysis.entities import EntityFinder
from retain.clock import Clock
from retain.domain.instant import parse_expiration, parse_instant
from retain.domain.job import JobStatus
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.plain import (
    dropped_identities,
    plain_flag,
    plain_key,
    plain_metadata,
    plain_text,
    shown,
)
from retain.domain.scope import Scope
from retain.errors import ConfigError, Incomplete, InvalidInput, InvalidScope, RetainError
from retain.learn.background import Background
from retain.learn.commit import Batch
from retain.learn.messages import read_messages
from retain.learn.prepare import Prepared, Request, prepare
from retain.learn.settle import Outcomes
from retain.learn.with_model import ModelLearner
from retain.ledger.port import Ledger
from retain.models.base import Embedder
from retain.notices import RetainWarning

BATCH = 256  # calls of add_many in one transaction
PROCEDURAL = "procedural_memory"
ITEM_KEYS = frozenset(
    "messages user_id agent_id run_id metadata timestamp expiration_date infer memory_type "
    "prompt idempotency_key".split()
)


class Learner:
    """Takes in messages: keeps them, and learns what they state, by rules or with a model."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        clock: Clock,
        session_gap: int,
        model: ModelLearner | None = None,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._clock = clock
        self._session_gap = session_gap
        self._model = model
        self._background = None if model is None else Background(model)

    def add(self, messages: object, *, wait: object = True, **arguments: Any) -> dict[str, Any]:
        """One call: keep the turns and learn their facts; by rules in one transaction."""
        request = read_request(messages, now=self._clock(), **arguments)
        waits = plain_flag(wait, "wait")
        if self._model is None or not request.infer:
            return self._write(self._prepare([request]))[0]
        return self._learn(self._model, request, waits)

    def work(self, limit: int | None) -> dict[str, int]:
        """Do the jobs that are due, in this thread."""
        return self._with_model("work").work(limit)

    def retry(self, job_id: str) -> dict[str, Any]:
        """Do a job that failed, or that is not done yet, now."""
        model = self._with_model("retry")
        job = model.job(job_id)
        learned = model.outcomes_of(job_id) if job.status is JobStatus.DONE else model.learn(job)
        return _answer(learned)

    def close(self) -> None:
        """Let the background finish what it is at, as far as it takes little time."""
        if self._background is not None:
            self._background.stop()

    def _with_model(self, verb: str) -> ModelLearner:
        if self._model is None:
            raise ConfigError(f"{verb} needs a chat model: set Settings(llm=...)", field="llm")
        return self._model

    def _learn(self, model: ModelLearner, request: Request, wait: bool) -> dict[str, Any]:
        kept, job = model.keep(request)
        if job is None:
            return _answer(kept)
        if job.status is JobStatus.DONE:
            learned = model.outcomes_of(job.id)
        elif wait:
            learned = model.learn(job)
        else:
            assert self._background is not None  # made with the model
            self._background.wake()
            return {**_answer(kept), "job_id": job.id, "status": job.status.value}
        rows = learned.rows + kept.rows if request.procedure else kept.rows + learned.rows
        return _answer(Outcomes(rows))

    def add_many(
        self,
        items: Iterable[Mapping[str, Any]],
        *,
        scope_of: Callable[[object, object, object], Scope],
        progress: Callable[[int, int | None], None] | None,
    ) -> list[dict[str, Any]]:
        """Many calls, a batch a transaction; all are checked before the first is written."""
        if not isinstance(items, Iterable) or isinstance(items, str | bytes | Mapping):
            raise InvalidInput(
                f"items must be a list of dicts with add's arguments, got {type(items).__name__}"
            )
        now = self._clock()
        scopes = _Scopes(scope_of)
        requests = [_read_item(item, index, now, scopes) for index, item in enumerate(items)]
        if self._model is not None and any(request.infer for request in requests):
            return self._learn_many(self._model, requests, progress)
        answers: list[dict[str, Any]] = []
        for start in range(0, len(requests), BATCH):
            try:
                prepared = prepare(
                    requests[start : start + BATCH], self._embedder, self._find_mentions
                )
                answers.extend(self._write(prepared))
            except RetainError as error:
                raise _incomplete(answers, len(requests), error) from error
            if progress is not None:
                progress(len(answers), len(requests))
        return answers

    def _learn_many(
        self,
        model: ModelLearner,
        requests: Sequence[Request],
        progress: Callable[[int, int | None], None] | None,
    ) -> list[dict[str, Any]]:
        """One by one, for a model reads one call at a time."""
        answers: list[dict[str, Any]] = []
        for request in requests:
            try:
                if request.infer:
                    answers.append(self._learn(model, request, True))
                else:
                    answers.extend(self._write(self._prepare([request])))
            except RetainError as error:
                raise _incomplete(answers, len(requests), error) from error
            if progress is not None:
                progress(len(answers), len(requests))
        return answers

    def _prepare(self, requests: Sequence[Request]) -> list[Prepared]:
        return prepare(requests, self._embedder, self._find_mentions)

    def _write(self, prepared: Sequence[Prepared]) -> list[dict[str, Any]]:
        worth = [one for one in prepared if one.messages]
        if not worth:
            return [{"results": []} for _ in prepared]
        with self._ledger.write() as tx:
            batch = Batch(tx, self._clock(), self._session_gap)
            done = {id(one): batch.take(one) for one in worth}
            batch.flush()
        return [_answer(done.get(id(one))) for one in prepared]


class _Scopes:
    """Scopes of many items: few differ, and one object for each is also found sooner."""

    def __init__(self, scope_of: Callable[[object, object, object], Scope]) -> None:
        self._scope_of = scope_of
        self._known: dict[tuple[object, ...], Scope] = {}

    def __call__(self, *ids: object) -> Scope:
        if not all(one is None or type(one) is str for one in ids):
            return self._scope_of(*ids)  # 1 and True are the same key, and no list is one
        scope = self._known.get(ids)
        if scope is None:
            scope = self._known[ids] = self._scope_of(*ids)
        return scope


def read_request(
    messages: object,
    *,
    scope: Scope,
    now: int,
    metadata: object = None,
    timestamp: object = None,
    expiration_date: object = None,
    infer: object = True,
    memory_type: object = None,
    prompt: object = None,
    idempotency_key: object = None,
) -> Request:
    """Check the arguments of ``add``.

    Raises:
        InvalidInput: an argument is unusable; it is named with its value.
    """
    if scope.is_empty:
        raise InvalidScope("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
    if memory_type is not None and memory_type != PROCEDURAL:
        raise InvalidInput(
            f"Invalid 'memory_type'. Please pass {PROCEDURAL} to create procedural memories, "
            f"got {shown(memory_type)}"
        )
    own = None if prompt is None else plain_text(prompt, "prompt")
    dropped = dropped_identities(metadata)
    if dropped:
        warnings.warn(
            f"metadata never sets identity: {', '.join(dropped)} left out; pass identities as "
            "arguments",
            RetainWarning,
            stacklevel=4,
        )
    return Request(
        scope=scope,
        conversation=read_messages(messages),
        metadata=plain_metadata(metadata),
        said_at=now if timestamp is None else _checked(parse_instant, timestamp, "timestamp"),
        expires_at=None
        if expiration_date is None
        else _checked(parse_expiration, expiration_date, "expiration_date"),
        infer=plain_flag(infer, "infer"),
        # As in Mem0, a procedure is an agent's; without one the messages are kept as they are.
        procedure=memory_type == PROCEDURAL and scope.agent_id is not None,
        idempotency_key=plain_key(idempotency_key),
        prompt=own,
    )


def _read_item(
    item: object, index: int, now: int, scope_of: Callable[[object, object, object], Scope]
) -> Request:
    if not isinstance(item, Mapping):
        raise InvalidInput(f"items[{index}] must be a dict of add's arguments, got {shown(item)}")
    if not item.keys() <= ITEM_KEYS or "messages" not in item:
        unknown = sorted(str(key) for key in item.keys() - ITEM_KEYS)
        known = ", ".join(sorted(ITEM_KEYS))
        problem = f"has unknown keys {unknown}" if unknown else "has no 'messages'"
        raise InvalidInput(f"items[{index}] {problem}: an item holds add's arguments ({known})")
    arguments = dict(item)
    messages = arguments.pop("messages")
    try:
        scope = scope_of(
            arguments.pop("user_id", None),
            arguments.pop("agent_id", None),
            arguments.pop("run_id", None),
        )
        return read_request(messages, scope=scope, now=now, **arguments)
    except InvalidInput as error:
        raise type(error)(f"items[{index}]: {error.message}", **error.details) from error


def _incomplete(answers: list[dict[str, Any]], total: int, error: RetainError) -> Incomplete:
    return Incomplete(
        f"add_many stopped after {len(answers)} of {total} items, which are kept: {error}. Give "
        "the items an idempotency_key or their messages ids, and send them all again",
        kept=len(answers),
        total=total,
        answers=answers,
    )


def _checked(read: Callable[[object, str], int], value: object, name: str) -> int:
    try:
        return read(value, name)
    except ValueError as error:
        raise InvalidInput(str(error)) from error


def _answer(outcomes: Outcomes | None) -> dict[str, Any]:
    rows = [] if outcomes is None else outcomes.rows
    return {"results": [_result(record, event) for record, event in rows]}


def _result(record: MemoryRecord, event: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "id": record.id,
        "memory": record.text,
        "event": event,
        "kind": record.kind.value,
    }
    if record.kind is Kind.MESSAGE:
        result["actor_id"] = record.actor
        result["role"] = record.role
        if record.external_id is not None:
            result["message_id"] = record.external_id
    return result
