"""Asking a chat model for data, and reading what it answers.

An answer is read strictly first; then without a fence or prose around it; then repaired. What still
cannot be used is shown to the model once, with the reason, and after that it is an error that keeps
every raw answer. Of a second answer that stops in the middle, the whole items are taken, and that
it was cut is told; nothing is completed by guessing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from retain.errors import ModelAnswerInvalid
from retain.models.base import ChatAnswer, ChatMessage, ChatModel, ChatRequest

_OPENERS: Final = "{["
_MOST_STARTS: Final = 200  # brackets in prose at which data are looked for
_SHOWN: Final = 2000  # characters of a bad answer that the model is shown again
REFUSED: Final = ("content_filter", "refusal")
CUT: Final = "length"


@dataclass(frozen=True, slots=True)
class Structured:
    """Data from a model. ``raw`` is the answer they were read from; counts are of all attempts.

    ``cut`` says that the answer stopped in the middle, and that what it would have gone on with is
    not there.
    """

    value: Any
    raw: str
    attempts: int = 1
    repaired: bool = False
    cut: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0


class Unusable(ValueError):
    """An answer that cannot be read as what was asked for; the text says why."""


class Cut(Unusable):
    """An answer that stops in the middle."""


def ask_structured(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    schema: Mapping[str, Any],
    *,
    schema_name: str,
    max_tokens: int | None = None,
    check: Callable[[Any], Any] | None = None,
) -> Structured:
    """Ask a model for data that meet a schema.

    Args:
        model: whom to ask.
        messages: the prompt.
        schema: a JSON schema, which the model is held to where it can be.
        schema_name: its name there.
        max_tokens: the most that it may answer.
        check: looks at the parsed data, and raises ``ValueError`` with the reason where they are
            not what was asked for.

    Raises:
        ModelAnswerInvalid: the second answer was no better; ``details["raw"]`` holds both.
        ModelUnavailable: the model did not answer.
    """
    asked = list(messages)
    raws: list[str] = []
    spent = _Spent()
    problem: Unusable = Unusable("")
    for attempt in (1, 2):
        answer = spent.add(model, ChatRequest(tuple(asked), schema, schema_name, max_tokens))
        raws.append(answer.text)
        try:
            value, repaired = read_data(answer, check)
        except Unusable as error:
            problem = error
            asked = [*messages, *_correction(answer.text, str(error))]
            continue
        return Structured(
            value, answer.text, attempt, repaired, False, spent.input, spent.output, spent.seconds
        )
    whole = _whole_items(raws[-1], check) if isinstance(problem, Cut) else None
    if whole is not None:
        return Structured(
            whole, raws[-1], len(raws), True, True, spent.input, spent.output, spent.seconds
        )
    raise ModelAnswerInvalid(
        f"model {model.name!r} answered twice in a form that cannot be used: {problem}",
        model=model.name,
        raw="\n---\n".join(raws),
    )


def read_data(answer: ChatAnswer, check: Callable[[Any], Any] | None = None) -> tuple[Any, bool]:
    """The data in an answer, and whether it had to be repaired.

    Raises:
        Unusable: there are none, or ``check`` refuses them.
    """
    if answer.finish in REFUSED:
        raise Unusable(f"the model refused to answer ({answer.finish})")
    if answer.finish == CUT:
        raise Cut("the answer was cut off at the limit of its length: say less")
    text = answer.text.strip()
    if not text:
        raise Unusable("the answer is empty")
    reason = "there is no JSON in the answer"
    if _stops_in_the_middle(text):  # a whole item of a list that is cut is not the answer
        raise Cut("the answer stops in the middle of the JSON")
    for value in _values(text):
        try:
            if check is not None:
                check(value)
        except ValueError as error:
            reason = str(error)
            continue
        return value, False
    return _repaired(text, check, reason), True


def _values(text: str) -> Iterator[Any]:
    """Whole JSON values in a text: the text itself, then what stands in it, longest first."""
    try:
        yield json.loads(text)
        return
    except ValueError:
        pass
    decoder = json.JSONDecoder()
    found: list[tuple[int, int, Any]] = []
    starts = [at for at, letter in enumerate(text) if letter in _OPENERS][:_MOST_STARTS]
    end = 0
    for start in starts:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            continue
        found.append((end - start, start, value))
    for _, _, value in sorted(found, key=lambda one: (-one[0], one[1])):
        yield value


def _repaired(text: str, check: Callable[[Any], Any] | None, reason: str) -> Any:
    from json_repair import repair_json

    starts = [at for at in map(text.find, _OPENERS) if at >= 0]
    if not starts:
        raise Unusable(reason)
    try:
        value = repair_json(text[min(starts) :], return_objects=True, skip_json_loads=True)
        if check is not None:
            check(value)
    except (ValueError, RecursionError) as error:
        raise Unusable(str(error) or reason) from error
    if not isinstance(value, dict | list):
        raise Unusable(reason)
    return value


def _whole_items(text: str, check: Callable[[Any], Any] | None) -> Any | None:
    """Of an answer that was cut, the list without its last item; None where nothing is whole."""
    try:
        value = _repaired(text, check, "")
    except Unusable:
        return None
    lists = (
        [value]
        if isinstance(value, list)
        else [one for one in value.values() if isinstance(one, list)]
    )
    if len(lists) != 1 or len(lists[0]) < 2:
        return None
    lists[0].pop()
    return value


def _stops_in_the_middle(text: str) -> bool:
    """Whether a bracket that was opened, or a text in quotation marks, is never closed."""
    depth, quoted, escaped = 0, False, False
    for letter in text:
        if quoted:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == '"':
                quoted = False
        elif letter == '"':
            quoted = depth > 0
        elif letter in _OPENERS:
            depth += 1
        elif letter in "}]":
            depth = max(0, depth - 1)
    return depth > 0


def _correction(answer: str, problem: str) -> list[ChatMessage]:
    return [
        ChatMessage("assistant", answer[:_SHOWN] or "(nothing)"),
        ChatMessage(
            "user",
            f"That answer cannot be used: {problem}. Answer again with the JSON object alone, "
            "complete, and nothing before or after it.",
        ),
    ]


class _Spent:
    """What the attempts cost together; None where a model does not say."""

    def __init__(self) -> None:
        self.input: int | None = None
        self.output: int | None = None
        self.seconds = 0.0

    def add(self, model: ChatModel, request: ChatRequest) -> ChatAnswer:
        """Ask, and count."""
        started = time.monotonic()
        answer = model.complete(request)
        self.seconds += answer.seconds or time.monotonic() - started
        if answer.input_tokens is not None:
            self.input = (self.input or 0) + answer.input_tokens
        if answer.output_tokens is not None:
            self.output = (self.output or 0) + answer.output_tokens
        return answer
