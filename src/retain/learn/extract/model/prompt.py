"""What a model is shown: the method, what is known, what was said before, what is new.

Messages and memories are data. Each begins with its label on a line of its own, and no later line
of it can begin like a label or a heading, since it is indented.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retain.domain.instant import from_micros
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.learn.extract.model.windows import Part, Window
from retain.models.base import ChatMessage

SHOWN_OF_EARLIER: Final = 300  # characters of a turn before the new ones
_NONE: Final = "(none)"


def message_label(turn: int) -> str:
    """How a message of the input is named to the model; ``turn`` counts from 0."""
    return f"m{turn + 1}"


def memory_label(number: int) -> str:
    """How a memory of the context is named to the model; ``number`` counts from 0."""
    return f"n{number + 1}"


def extraction_prompt(
    method: str,
    window: Window,
    messages: Sequence[Message],
    earlier: Sequence[MemoryRecord],
    known: Sequence[MemoryRecord],
    instructions: str | None,
) -> list[ChatMessage]:
    """The messages of one extraction call.

    Args:
        method: the instruction text.
        window: the parts of the input that this call reads.
        messages: the whole input, which the parts count into.
        earlier: the last turns before the input, oldest first; shown shortened.
        known: memories to compare with.
        instructions: the caller's own, which the method gives way to.
    """
    observed = max(messages[part.turn].occurred_at for part in window.new)
    before = [_said(record.role, record.actor, _cut(record.text)) for record in earlier]
    before += [_labelled(part, messages) for part in window.seen]
    sections = [
        ("Existing Memories", [_known(n, record) for n, record in enumerate(known)]),
        ("Last Messages", before),
        ("New Messages", [_labelled(part, messages) for part in window.new]),
        ("Observation Date", [_day(observed)]),
    ]
    if instructions:
        sections.append(("Custom Instructions", [instructions]))
    body = "\n\n".join(
        f"## {title}\n" + ("\n".join(lines) if lines else _NONE) for title, lines in sections
    )
    return [ChatMessage("system", method), ChatMessage("user", body)]


def procedure_prompt(method: str, messages: Sequence[Message]) -> list[ChatMessage]:
    """The messages of one call that summarises an agent's work."""
    said = "\n".join(_said(one.role, one.actor, one.content) for one in messages)
    return [ChatMessage("system", method), ChatMessage("user", f"## Messages\n{said}")]


def _labelled(part: Part, messages: Sequence[Message]) -> str:
    message = messages[part.turn]
    moment = from_micros(message.occurred_at)
    note = "" if part.whole else ", a part of it"
    head = f"[{message_label(part.turn)}] {moment:%A} {moment:%Y-%m-%d %H:%M}{note}"
    return f"{head}\n{_said(message.role, message.actor, part.text)}"


def _known(number: int, record: MemoryRecord) -> str:
    return f"[{memory_label(number)}] ({_day(record.begins_at)}) {_indented(record.text)}"


def _said(role: str | None, actor: str | None, text: str) -> str:
    named = f"{actor}: " if actor else ""
    return f"{role or 'user'}: {named}{_indented(text)}"


def _indented(text: str) -> str:
    return "\n  ".join(text.splitlines())


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_OF_EARLIER else text[:SHOWN_OF_EARLIER].rstrip() + " ..."


def _day(micros: int) -> str:
    return f"{from_micros(micros):%Y-%m-%d}"
