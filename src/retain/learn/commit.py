"""The last step: a prepared request, written in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from retain.domain.derivation import Derivation
from retain.domain.ids import new_id
from retain.domain.kind import Action, Kind
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.errors import Conflict
from retain.learn.answers import earlier_answer, keep_answer
from retain.learn.place import place_turns
from retain.learn.prepare import Prepared, Request
from retain.learn.settle import Outcomes, Setting, settle
from retain.ledger.port import NewMemory, Turn, WriteTx
from retain.ledger.standing import event_of

METHOD = "rules@1"


class Batch:
    """Plain turns of many requests, written together: a row at a time is half of a bulk load.

    Plain are turns that nothing else has to be looked up for: without ids of the caller's, without
    an idempotency key, and with nothing learned from them.
    """

    def __init__(self, tx: WriteTx, now: int, session_gap: int) -> None:
        self._tx = tx
        self._now = now
        self._gap = session_gap
        self._last: dict[Scope, Turn | None] = {}
        self._messages: dict[Scope, list[Message]] = {}
        self._memories: list[NewMemory] = []

    def take(self, prepared: Prepared) -> Outcomes:
        """Write a prepared request, now or with the next ``flush``."""
        request = prepared.request
        if (
            request.procedure
            or prepared.findings
            or request.idempotency_key is not None
            or any(message.external_id is not None for message in prepared.messages)
        ):
            self.flush()
            self._last.pop(request.scope, None)
            return commit(self._tx, prepared, self._now, self._gap)
        scope = request.scope
        if scope not in self._last:
            self._last[scope] = self._tx.last_turn(scope)
        placed = _placed(request, prepared.messages, self._last[scope], self._gap)
        last = placed[-1]
        self._last[scope] = Turn(last.session, last.position, last.occurred_at)
        self._messages.setdefault(scope, []).extend(placed)
        outcomes = Outcomes()
        for message, described in zip(placed, prepared.turns, strict=True):
            record = _turn_record(request, message, self._now)
            self._memories.append(NewMemory(record, described.features, described.mentions))
            outcomes.add(record, Action.ADD.value)
        return outcomes

    def flush(self) -> None:
        """Write what is waiting."""
        if not self._memories:
            return
        for scope, messages in self._messages.items():
            self._tx.add_messages(scope, messages)
        self._tx.add_memories(self._memories)
        self._tx.add_events(
            [
                event_of(one.record, Action.ADD, self._now, None, one.record.text)
                for one in self._memories
            ]
        )
        self._messages.clear()
        self._memories.clear()


def commit(tx: WriteTx, prepared: Prepared, now: int, session_gap: int) -> Outcomes:
    """Write a prepared request, or return what it wrote the first time."""
    request = prepared.request
    earlier = earlier_answer(tx, request)
    if earlier is not None:
        return earlier.outcomes
    outcomes = Outcomes()
    if request.procedure:
        _add_procedure(tx, prepared, now, outcomes)
    else:
        turns = add_turns(tx, prepared, now, session_gap, outcomes)
        _add_findings(tx, prepared, turns, now, outcomes)
    keep_answer(tx, request, outcomes)
    return outcomes


def add_turns(
    tx: WriteTx, prepared: Prepared, now: int, session_gap: int, outcomes: Outcomes
) -> list[MemoryRecord | None]:
    """Keep the turns that are new; the memory of each turn, None for one already kept."""
    request = prepared.request
    kept: list[MemoryRecord | None] = []
    fresh: list[tuple[Message, int]] = []
    seen: dict[str, str] = {}
    for index, message in enumerate(prepared.messages):
        known = _known_turn(tx, request, message, seen)
        if known is not None:
            outcomes.add(known, "NONE")
        elif message.external_id is None or message.external_id not in seen:
            fresh.append((message, index))
        if message.external_id is not None:
            seen[message.external_id] = message.content
        kept.append(None)
    if not fresh:
        return kept
    messages = [message for message, _ in fresh]
    placed = _placed(request, messages, tx.last_turn(request.scope), session_gap)
    tx.add_messages(request.scope, placed)
    stored = tx.add_memories(
        [
            NewMemory(
                _turn_record(request, message, now),
                prepared.turns[index].features,
                prepared.turns[index].mentions,
            )
            for message, (_, index) in zip(placed, fresh, strict=True)
        ]
    )
    tx.add_events([event_of(one, Action.ADD, now, None, one.text) for one in stored])
    for record, (_, index) in zip(stored, fresh, strict=True):
        kept[index] = record
        outcomes.add(record, Action.ADD.value)
    return kept


def _placed(
    request: Request, messages: Sequence[Message], last: Turn | None, session_gap: int
) -> list[Message]:
    in_run = request.scope.run_id is not None
    return place_turns(
        last,
        messages,
        note=request.conversation.note and not in_run,
        gap=None if in_run else session_gap,
    )


def _known_turn(
    tx: WriteTx, request: Request, message: Message, seen: dict[str, str]
) -> MemoryRecord | None:
    if message.external_id is None:
        return None
    known = tx.turn_by_external_id(request.scope, message.external_id)
    source = None if known is None or known.message_id is None else tx.message(known.message_id)
    content = seen.get(message.external_id) if source is None else source.content
    if content is not None and content != message.content:
        raise Conflict(
            f"message id {message.external_id!r} was already kept with another content: use a new "
            "id for a new turn, or update(memory_id, text) to correct it"
        )
    return known


def _turn_record(request: Request, message: Message, now: int) -> MemoryRecord:
    return MemoryRecord(
        id=new_id(),
        scope=request.scope,
        kind=Kind.MESSAGE,
        text=message.content,
        created_at=message.occurred_at,
        updated_at=message.occurred_at,
        recorded_at=now,
        role=message.role,
        actor=message.actor,
        metadata=message.metadata,
        expires_at=request.expires_at,
        message_id=message.id,
        external_id=message.external_id,
        session=message.session,
        position=message.position,
    )


def _add_procedure(tx: WriteTx, prepared: Prepared, now: int, outcomes: Outcomes) -> None:
    request = prepared.request
    described = prepared.turns[0]
    record = MemoryRecord(
        id=new_id(),
        scope=request.scope,
        kind=Kind.PROCEDURE,
        text=described.text,
        created_at=request.said_at,
        updated_at=request.said_at,
        recorded_at=now,
        metadata={**request.metadata, "memory_type": "procedural_memory"},
        expires_at=request.expires_at,
    )
    stored = tx.add_memories([NewMemory(record, described.features, described.mentions)])[0]
    tx.add_events([event_of(stored, Action.ADD, now, None, stored.text)])
    outcomes.add(stored, Action.ADD.value)


def _add_findings(
    tx: WriteTx,
    prepared: Prepared,
    turns: Sequence[MemoryRecord | None],
    now: int,
    outcomes: Outcomes,
) -> None:
    """Ground, reconcile and keep the candidates of new turns, with the record of how."""
    findings = [
        finding
        for finding in prepared.findings
        if all(turns[quote.turn] is not None for quote in finding.candidate.quotes)
    ]
    if not findings:
        return
    request = prepared.request
    setting = Setting(request.scope, new_id(), now, request.metadata, request.expires_at)
    decisions = [settle(tx, setting, finding, turns, outcomes) for finding in findings]
    inputs = [turn.id for turn in turns if turn is not None]
    tx.add_derivation(
        Derivation(setting.derivation_id, METHOD, now, inputs, decisions, scope=request.scope)
    )
