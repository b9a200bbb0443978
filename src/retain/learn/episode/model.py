"""An account described by a chat model, as far as its answer can be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from retain.domain.episode import LONGEST_INTENT, MOST_ENTITIES, Domain, Emotion, Episode
from retain.domain.method import Method
from retain.domain.use import Outcome
from retain.learn.episode.rules import shortened
from retain.learn.extract.methods import EPISODE, shipped
from retain.models.base import ChatMessage, ChatModel, TokenCounter
from retain.models.chat.structured import Structured, ask_structured

ANSWER_SHARE: Final = 4  # a quarter of the model's window is left for its answer

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "intent": {"type": "string"},
        "entities": {"type": "array", "maxItems": MOST_ENTITIES, "items": {"type": "string"}},
        "domain": {"type": "string", "enum": [one.value for one in Domain]},
        "emotion": {"type": "string", "enum": [one.value for one in Emotion]},
        "importance": {"type": "number"},
        "outcome": {"type": "string", "enum": [one.value for one in Outcome]},
    },
    "required": ["intent", "entities", "domain", "emotion", "importance", "outcome"],
    "additionalProperties": False,
}


def ask(model: ChatModel, counter: TokenCounter, content: str) -> tuple[Method, Structured]:
    """Let a model describe an account; of a long one it reads the beginning and the end.

    Raises:
        ModelError: it did not answer, or twice with what is no object.
    """
    method = shipped(EPISODE)
    room = model.window - model.window // ANSWER_SHARE - counter.count(method.text) - 100
    shown = _fitting(content, max(200, room), counter)
    body = ChatMessage("user", f"## Account\n{shown}")
    answer = ask_structured(
        model,
        [ChatMessage("system", method.text), body],
        SCHEMA,
        schema_name="episode",
        max_tokens=model.window // ANSWER_SHARE,
        check=_is_object,
    )
    return method, answer


def described(
    given: Mapping[str, Any], content: str, by_rules: Episode, outcome: Outcome, method: Method
) -> tuple[Episode, list[str]]:
    """What of an answer can be used, over what the rules say, and why the rest cannot.

    A number out of range, a word that is not one of the known ones, and a name that the account
    does not hold are left out; what the caller said of the outcome stands.
    """
    problems: list[str] = []

    def word(name: str, known: type[Domain] | type[Emotion] | type[Outcome], other: str) -> str:
        value = str(given.get(name, "")).strip().casefold()
        if value in [one.value for one in known]:
            return value
        problems.append(f"{name} {value!r:.60} is not one of the known ones")
        return other

    told = Outcome(word("outcome", Outcome, by_rules.outcome.value))
    if outcome is not Outcome.UNKNOWN:
        told = outcome
    elif told is Outcome.UNKNOWN:
        told = by_rules.outcome
    importance = given.get("importance")
    is_number = isinstance(importance, int | float) and not isinstance(importance, bool)
    if not is_number or not 0.0 <= importance <= 1.0:  # type: ignore[operator]  # a number by now
        problems.append(f"importance {importance!r:.60} is no number from 0 to 1")
        importance = by_rules.importance
    intent = given.get("intent")
    if not isinstance(intent, str) or not intent.strip():
        problems.append(f"intent {intent!r:.60} is no text")
        intent = by_rules.intent
    episode = replace(
        by_rules,
        outcome=told,
        importance=float(importance),  # type: ignore[arg-type]  # a number by now
        domain=word("domain", Domain, by_rules.domain),
        emotion=word("emotion", Emotion, by_rules.emotion),
        intent=shortened(intent, LONGEST_INTENT),
        entities=_entities(given.get("entities"), content, by_rules, problems),
        parsed_by=method.id,
    )
    return episode, problems


def _entities(
    given: object, content: str, by_rules: Episode, problems: list[str]
) -> tuple[str, ...]:
    if not isinstance(given, list):
        problems.append(f"entities {given!r:.60} are no list")
        return tuple(by_rules.entities)
    folded = content.casefold()
    names = [one.strip() for one in given if isinstance(one, str) and one.strip()]
    there = [name for name in names if name.casefold() in folded]
    problems += [f"the account does not name {name!r:.60}" for name in names if name not in there]
    return tuple(dict.fromkeys(there))[:MOST_ENTITIES]


def _is_object(value: Any) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"there is no object in the answer, only {type(value).__name__}")


def _fitting(content: str, room: int, counter: TokenCounter) -> str:
    """A text, or its beginning and its end with a mark between."""
    if counter.count(content) <= room:
        return content
    size = len(content)
    while size > 100:
        size = size * 2 // 3
        cut = f"{content[: size * 2 // 3]}\n[...]\n{content[-(size // 3) :]}"
        if counter.count(cut) <= room:
            return cut
    return content[:100]
