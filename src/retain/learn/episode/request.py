"""The arguments of ``write_episode``, checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from retain.domain.episode import (
    LONGEST_CONTENT,
    LONGEST_INTENT,
    MOST_ENTITIES,
    Domain,
    Emotion,
    Episode,
)
from retain.domain.instant import parse_instant
from retain.domain.plain import plain_key, plain_metadata, plain_share, plain_text, shown
from retain.domain.scope import Scope
from retain.domain.use import Outcome
from retain.errors import InvalidInput, InvalidScope, TooLarge

CALLER = "caller"


@dataclass(frozen=True, slots=True)
class EpisodeRequest:
    """One call of ``write_episode``. ``given`` holds the fields of an ``Episode`` that the caller
    stated himself."""

    scope: Scope
    content: str
    outcome: Outcome
    said_at: int
    metadata: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None

    def digest(self) -> str:
        """What an idempotency key stands for: the same key for another content is a mistake."""
        whole = [self.content, self.outcome, dict(self.metadata), dict(self.given)]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    @property
    def is_described(self) -> bool:
        """Whether the caller stated everything: then nothing has to be parsed."""
        return self.given.keys() >= {"intent", "domain", "emotion", "importance", "entities"}

    def over(self, parsed: Episode) -> Episode:
        """What was parsed, under what the caller stated."""
        by = CALLER if self.is_described else parsed.parsed_by
        return replace(parsed, **self.given, parsed_by=by)


def read_episode_request(
    content: object,
    *,
    scope: Scope,
    now: int,
    outcome: object,
    metadata: object,
    timestamp: object,
    idempotency_key: object,
    described: Mapping[str, object],
) -> EpisodeRequest:
    """Check the arguments of ``write_episode``.

    Args:
        described: ``intent``, ``domain``, ``emotion``, ``importance`` and ``entities``, None where
            the caller did not state them.

    Raises:
        InvalidInput: an argument is unusable; it is named with its value.
    """
    if scope.agent_id is None:
        raise InvalidScope("write_episode needs an agent_id: whose experience it was")
    text = plain_text(content, "content")
    if not text:
        raise InvalidInput("content is empty: an episode has at least one character")
    size = len(text.encode("utf-8"))
    if size > LONGEST_CONTENT:
        raise TooLarge(f"content has {size} bytes, the limit is {LONGEST_CONTENT}")
    return EpisodeRequest(
        scope=scope,
        content=text,
        outcome=Outcome(one_of(Outcome, outcome, "outcome")),
        said_at=now if timestamp is None else _instant(timestamp),
        metadata=plain_metadata(metadata),
        given={name: _GIVEN[name](value) for name, value in described.items() if value is not None},
        idempotency_key=plain_key(idempotency_key),
    )


def one_of(known: type[StrEnum], value: object, name: str) -> str:
    """A word of an enumeration.

    Raises:
        InvalidInput: it is none.
    """
    words = [one.value for one in known]
    if value not in words:
        raise InvalidInput(f"Invalid {name}: {shown(value)}. Use one of: {', '.join(words)}")
    return str(value)


def _intent(value: object) -> str:
    text = plain_text(value, "intent")
    if len(text) > LONGEST_INTENT:
        raise InvalidInput(f"intent has {len(text)} characters, the limit is {LONGEST_INTENT}")
    return text


def _importance(value: object) -> float:
    return plain_share(value, "importance")


def _entities(value: object) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidInput(f"entities must be a list of texts, got {shown(value)}")
    if len(value) > MOST_ENTITIES:
        raise InvalidInput(f"entities are {len(value)}, the limit is {MOST_ENTITIES}")
    return tuple(plain_text(one, "entities") for one in value)


def _domain(value: object) -> str:
    return one_of(Domain, value, "domain")


def _emotion(value: object) -> str:
    return one_of(Emotion, value, "emotion")


_GIVEN: Mapping[str, Callable[[object], Any]] = {
    "intent": _intent,
    "importance": _importance,
    "entities": _entities,
    "domain": _domain,
    "emotion": _emotion,
}


def _instant(value: object) -> int:
    try:
        return parse_instant(value, "timestamp")
    except ValueError as error:
        raise InvalidInput(str(error)) from error
