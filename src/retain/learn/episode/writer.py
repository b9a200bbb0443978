"""Keeping an episode: described, linked to the one before it, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.domain.derivation import Decision, Derivation
from retain.domain.episode import Episode
from retain.domain.ids import new_id
from retain.domain.kind import Action, Kind, LinkType
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.method import Method
from retain.domain.scope import Scope
from retain.errors import ModelError
from retain.learn.answers import earlier_answer, keep_answer
from retain.learn.episode.model import ask, described
from retain.learn.episode.request import EpisodeRequest, read_episode_request
from retain.learn.episode.rules import parse
from retain.learn.settle import Outcomes
from retain.ledger.port import Ledger, NewMemory
from retain.ledger.standing import event_of
from retain.models.base import ChatModel, Embedder, TokenCounter
from retain.models.chat.structured import Structured


@dataclass(frozen=True, slots=True)
class _Parsed:
    """How an account is described, by which answer of a model, and what was wrong with that."""

    episode: Episode
    method: Method | None = None
    answer: Structured | None = None
    problems: tuple[str, ...] = ()


class EpisodeWriter:
    """Writes the episodes of one project."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        clock: Clock,
        counter: TokenCounter,
        model: ChatModel | None = None,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._clock = clock
        self._counter = counter
        self._model = model

    def write(self, content: object, *, scope: Scope, **arguments: Any) -> MemoryRecord:
        """Keep an episode; the same call under the same key keeps it once."""
        request = read_episode_request(content, scope=scope, now=self._clock(), **arguments)
        earlier = self._earlier(request)
        if earlier is not None:
            return earlier
        parsed = self._parsed(request)
        features = describe([request.content], [None], self._embedder)[0]
        mentions = self._find_mentions(request.content)
        with self._ledger.write() as tx:
            known = earlier_answer(tx, request)
            if known is not None and known.outcomes.rows:
                return known.outcomes.rows[0][0]
            now = self._clock()
            before = tx.last_episode(request.scope)
            derivation_id = None if parsed.answer is None else new_id()
            record = MemoryRecord(
                id=new_id(),
                scope=request.scope,
                kind=Kind.EPISODE,
                text=request.content,
                created_at=request.said_at,
                updated_at=request.said_at,
                recorded_at=now,
                metadata=request.metadata,
                derivation_id=derivation_id,
                details=parsed.episode,
            )
            (stored,) = tx.add_memories([NewMemory(record, features, mentions)])
            tx.add_events([event_of(stored, Action.ADD, now, None, stored.text)])
            if before is not None:
                tx.add_links([Link(stored.id, LinkType.FOLLOWS, before.id, now)])
            if derivation_id is not None and parsed.method and parsed.answer and self._model:
                tx.add_method(parsed.method)
                tx.add_derivation(
                    _derivation(derivation_id, stored, parsed.method, parsed, self._model, now)
                )
            outcomes = Outcomes()
            outcomes.add(stored, Action.ADD.value)
            keep_answer(tx, request, outcomes)
        return stored

    def _earlier(self, request: EpisodeRequest) -> MemoryRecord | None:
        if request.idempotency_key is None:
            return None
        with self._ledger.read() as tx:
            known = earlier_answer(tx, request)
        return None if known is None or not known.outcomes.rows else known.outcomes.rows[0][0]

    def _parsed(self, request: EpisodeRequest) -> _Parsed:
        by_rules = parse(request.content, request.outcome, self._find_mentions)
        if self._model is None or request.is_described:
            return _Parsed(request.over(by_rules))
        try:
            method, answer = ask(self._model, self._counter, request.content)
        except ModelError as error:  # the account is kept, and says by what it is described
            failed = f"{by_rules.parsed_by}, for the model failed: {error.message:.300}"
            return _Parsed(request.over(replace(by_rules, parsed_by=failed)))
        episode, problems = described(
            answer.value, request.content, by_rules, request.outcome, method
        )
        return _Parsed(request.over(episode), method, answer, tuple(problems))


def _derivation(
    derivation_id: str,
    record: MemoryRecord,
    method: Method,
    parsed: _Parsed,
    model: ChatModel,
    now: int,
) -> Derivation:
    answer = parsed.answer
    assert answer is not None  # a derivation is that of an answer
    reason = "; ".join(parsed.problems) or "described as answered"
    return Derivation(
        id=derivation_id,
        method=method.id,
        at=now,
        input_ids=[record.id],
        decisions=[Decision(parsed.episode.intent, "describe", reason, record.id)],
        model=model.name,
        raw=answer.raw,
        parameters=model.parameters,
        scope=record.scope,
        usage={
            "input_tokens": answer.input_tokens,
            "output_tokens": answer.output_tokens,
            "seconds": round(answer.seconds, 3),
            "attempts": answer.attempts,
        },
    )
