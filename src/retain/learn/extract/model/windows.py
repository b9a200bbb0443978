"""Long inputs, cut into parts that a model can read at once. Nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from retain.domain.message import Message

OVERLAP: Final = 2  # messages that a window repeats of the one before it, if there is room
LABEL: Final = 16  # tokens, at most, of a label, a role and a time
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?。！？…\n])\s*")
_LEAST_PART: Final = 200  # characters


@dataclass(frozen=True, slots=True)
class Part:
    """A message, or a span of a long one: ``turn`` counts the messages of the input."""

    turn: int
    text: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Window:
    """What one call of the model reads: ``seen`` was in the window before, ``new`` was not."""

    seen: tuple[Part, ...]
    new: tuple[Part, ...]

    @property
    def turns(self) -> list[int]:
        """The messages that a part of it is of, new ones first, each once."""
        return list(dict.fromkeys(part.turn for part in (*self.new, *self.seen)))


def windows(messages: Sequence[Message], budget: int, count: Callable[[str], int]) -> list[Window]:
    """Cut messages into windows of at most ``budget`` tokens each.

    Args:
        messages: the input, in order.
        budget: tokens of message text that one window may hold; at least a hundred or so.
        count: tokens of a text.

    Returns:
        Windows whose ``new`` parts together are the whole input, in order, each once. A message
        that is longer than half a window is cut, at the ends of sentences where there are any.
    """
    parts = [
        part
        for turn, message in enumerate(messages)
        for part in _parts(turn, message.content, max(1, budget // 2), count)
    ]
    found: list[Window] = []
    start = 0
    while start < len(parts):
        seen = _overlap(parts[:start], budget // 4, count)
        spare = budget - sum(_cost(part, count) for part in seen)
        end = start
        while end < len(parts) and (spare := spare - _cost(parts[end], count)) >= 0:
            end += 1
        end = max(end, start + 1)
        found.append(Window(tuple(seen), tuple(parts[start:end])))
        start = end
    return found


def _overlap(before: Sequence[Part], budget: int, count: Callable[[str], int]) -> list[Part]:
    kept: list[Part] = []
    for part in reversed(before[-OVERLAP:]):
        budget -= _cost(part, count)
        if budget < 0:
            break
        kept.insert(0, part)
    return kept


def _cost(part: Part, count: Callable[[str], int]) -> int:
    return count(part.text) + LABEL


def _parts(turn: int, text: str, most: int, count: Callable[[str], int]) -> list[Part]:
    if count(text) <= most:
        return [Part(turn, text)]
    pieces = [""]
    for sentence in _SENTENCE_ENDS.split(text):
        for span in _spans(sentence, most, count):
            joined = f"{pieces[-1]} {span}" if pieces[-1] else span
            if count(joined) <= most:
                pieces[-1] = joined
            else:
                pieces.append(span)
    return [Part(turn, piece, whole=False) for piece in pieces if piece]


def _spans(sentence: str, most: int, count: Callable[[str], int]) -> list[str]:
    """A sentence in halves until each fits."""
    if count(sentence) <= most or len(sentence) <= _LEAST_PART:
        return [sentence]
    middle = len(sentence) // 2
    at = sentence.rfind(" ", 0, middle)
    at = middle if at < middle // 2 else at
    return [*_spans(sentence[:at], most, count), *_spans(sentence[at:].strip(), most, count)]
