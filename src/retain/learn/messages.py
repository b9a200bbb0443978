"""The first step: what the caller passed, as turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retain.domain.instant import parse_instant
from retain.domain.plain import plain_metadata, plain_text, shown
from retain.errors import InvalidInput, InvalidMessages

MAX_ID = 512


@dataclass(frozen=True, slots=True)
class Incoming:
    """One turn as passed, checked: not yet placed in a conversation."""

    role: str
    content: str
    actor: str | None
    said_at: int | None
    metadata: Mapping[str, Any]
    external_id: str | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of one call. A bare text is a ``note``: it continues nothing."""

    turns: tuple[Incoming, ...]
    note: bool


def read_messages(messages: object) -> Conversation:
    """Check and read ``messages`` as ``Memory.add`` takes them.

    System messages, and messages with no role or no content, hold nothing to remember and are left
    out, as Mem0 does.

    Raises:
        InvalidMessages: of another type or shape; nothing was done.
    """
    if isinstance(messages, str):
        turn = Incoming("user", _text(messages, "messages"), None, None, {}, None)
        return Conversation((turn,) if messages.strip() else (), note=True)
    if isinstance(messages, Mapping):
        messages = [messages]
    if not isinstance(messages, Sequence) or isinstance(messages, bytes | bytearray):
        raise InvalidMessages(
            f"messages must be str, dict, or list[dict], got {type(messages).__name__}"
        )
    turns = [_read_message(message, index) for index, message in enumerate(messages)]
    return Conversation(tuple(turn for turn in turns if turn is not None), note=False)


def _read_message(message: object, index: int) -> Incoming | None:
    where = f"messages[{index}]"
    if not isinstance(message, Mapping):
        raise InvalidMessages(
            f"messages must be str, dict, or list[dict]; {where} is {type(message).__name__}: "
            f"{shown(message)}"
        )
    role = message.get("role")
    content = message.get("content")
    if role is None or content is None:
        return None
    if not isinstance(role, str):
        raise InvalidMessages(f"{where}['role'] must be a text, got {shown(role)}")
    text = _content(content, f"{where}['content']")
    if role == "system" or not role or not text.strip():
        return None
    return Incoming(
        role=_text(role, f"{where}['role']"),
        content=text,
        actor=_optional_text(message.get("name"), f"{where}['name']"),
        said_at=_instant(message.get("timestamp"), f"{where}['timestamp']"),
        metadata=plain_metadata(message.get("metadata"), f"{where}['metadata']"),
        external_id=_external_id(message.get("id"), f"{where}['id']"),
    )


def _content(content: object, where: str) -> str:
    if isinstance(content, str):
        return _text(content, where)
    if isinstance(content, Mapping):
        content = [content]
    if isinstance(content, Sequence) and not isinstance(content, bytes | bytearray):
        parts = [
            part for part in content if isinstance(part, Mapping) and part.get("type") == "text"
        ]
        return "\n".join(_text(part.get("text"), f"{where} text part") for part in parts)
    raise InvalidMessages(
        f"{where} must be a text or a list of parts, got {type(content).__name__}: {shown(content)}"
    )


def _text(value: object, where: str) -> str:
    try:
        return plain_text(value, where)
    except InvalidInput as error:
        if type(error) is not InvalidInput:
            raise
        raise InvalidMessages(error.message) from error


def _optional_text(value: object, where: str) -> str | None:
    if value is None:
        return None
    text = _text(value, where).strip()
    return text or None


def _instant(value: object, where: str) -> int | None:
    if value is None:
        return None
    try:
        return parse_instant(value, where)
    except ValueError as error:
        raise InvalidMessages(str(error)) from error


def _external_id(value: object, where: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**MAX_ID:
        value = str(value)
    text = _text(value, where).strip()
    if not text or len(text) > MAX_ID:
        raise InvalidMessages(f"{where} must have 1 to {MAX_ID} characters, got {shown(value)}")
    return text
