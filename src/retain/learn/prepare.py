"""The second step: everything about a call that needs no ledger, for many calls at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.domain.candidate import Candidate, Opinion
from retain.domain.entity import Mention
from retain.domain.features import Features
from retain.domain.ids import new_id
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.learn.ground import Verdict, ground
from retain.learn.messages import Conversation
from retain.models.base import Embedder


@dataclass(frozen=True, slots=True)
class Request:
    """One call of ``add``, its arguments checked."""

    scope: Scope
    conversation: Conversation
    metadata: Mapping[str, Any]
    said_at: int
    expires_at: int | None
    infer: bool
    procedure: bool
    idempotency_key: str | None
    prompt: str | None = None

    def digest(self) -> str:
        """What an idempotency key stands for: the same key for another content is a mistake."""
        turns = [
            [turn.role, turn.content, turn.actor, turn.external_id]
            for turn in self.conversation.turns
        ]
        whole = json.dumps([turns, dict(self.metadata), self.infer, self.procedure], sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Described:
    """A text with all that is derived from it alone."""

    text: str
    features: Features
    mentions: Sequence[Mention]


@dataclass(frozen=True, slots=True)
class Finding:
    """A candidate, checked against the turns that it quotes, with a model's opinion of it."""

    candidate: Candidate
    verdict: Verdict
    described: Described
    opinion: Opinion | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request with its turns described and its candidates grounded, ready to be written."""

    request: Request
    messages: Sequence[Message]
    turns: Sequence[Described]
    findings: Sequence[Finding]


def prepare(
    requests: Sequence[Request],
    embedder: Embedder,
    find_mentions: EntityFinder,
    *,
    rules: bool = True,
) -> list[Prepared]:
    """Describe the turns of all requests in one batch, and extract and ground candidates.

    ``rules`` False leaves extraction, also that of procedures, to a model.
    """
    messages = [_messages(request) for request in requests]
    if not rules:
        requests = [replace(request, infer=False, procedure=False) for request in requests]
    found = [_candidates(request, turns) for request, turns in zip(requests, messages, strict=True)]
    bodies = [_bodies(request, turns) for request, turns in zip(requests, messages, strict=True)]
    texts: list[str] = []
    speakers: list[str | None] = []
    for said, candidates in zip(bodies, found, strict=True):
        for text, speaker in said:
            texts.append(text)
            speakers.append(speaker)
        for candidate in candidates:
            texts.append(candidate.statement)
            speakers.append(candidate.actor)
    described = iter(
        [
            Described(text, features, find_mentions(text))
            for text, features in zip(texts, describe(texts, speakers, embedder), strict=True)
        ]
    )
    return [
        Prepared(
            request,
            turns,
            [next(described) for _ in said],
            [
                Finding(candidate, ground(candidate, turns), next(described))
                for candidate in candidates
            ],
        )
        for request, turns, said, candidates in zip(requests, messages, bodies, found, strict=True)
    ]


def _bodies(request: Request, turns: Sequence[Message]) -> list[tuple[str, str | None]]:
    """The texts to describe, each with who said it."""
    if request.procedure:
        return [(procedure_text(turns), None)]
    return [(turn.content, turn.actor) for turn in turns]


def _candidates(request: Request, turns: Sequence[Message]) -> list[Candidate]:
    if not request.infer or request.procedure:
        return []
    # The rules compile some hundred patterns: only where they are used, so that opening is quick.
    from retain.learn.extract.rules import extract

    return extract(turns)


def procedure_text(turns: Sequence[Message]) -> str:
    """The steps of a procedure as given: one turn a paragraph, said by whom."""
    if len(turns) == 1:
        return turns[0].content
    return "\n".join(f"{turn.actor or turn.role}: {turn.content}" for turn in turns)


def _messages(request: Request) -> list[Message]:
    return [
        Message(
            id=new_id(),
            role=turn.role,
            content=turn.content,
            occurred_at=request.said_at if turn.said_at is None else turn.said_at,
            actor=turn.actor,
            external_id=turn.external_id,
            metadata={**request.metadata, **turn.metadata},
        )
        for turn in request.conversation.turns
    ]
