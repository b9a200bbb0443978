"""Plain conversations from a file, as arguments of ``Memory.add``.

Read are, in JSON or JSON Lines, gzipped or not: a list of messages ``{role, content, ...}``; an
object with ``messages`` and optionally ``user_id``, ``agent_id``, ``run_id``, ``metadata``,
``timestamp``; a list or lines of either; a list under ``conversations``; the result of Mem0's
``get_all`` (``{"results": [...]}``); and LoCoMo's form (``conversation`` with ``session_1`` ...).
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from retain.domain.plain import shown
from retain.errors import InvalidInput, TooLarge
from retain.transfer.locomo import read_sessions
from retain.transfer.shape import Shape

Item = dict[str, Any]
MOST_BYTES = 1024 * 1024 * 1024  # of a file, unpacked
_IDS = ("user_id", "agent_id", "run_id")
_KEPT = (*_IDS, "metadata", "timestamp", "expiration_date", "infer", "idempotency_key")


def read_text(path: Path) -> str:
    """The text of a file, gunzipped where needed.

    Raises:
        InvalidInput: it is missing, no file, or not UTF-8.
        TooLarge: it holds more than ``MOST_BYTES``.
    """
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            with gzip.open(path) as packed:
                raw = packed.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise TooLarge(f"{str(path)!r} holds more than {MOST_BYTES} bytes: import it in parts")
        return raw.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(path)!r} is not UTF-8 text: {error}") from error


def read_values(text: str, name: str) -> list[Any]:
    """The JSON values of a text: one, or one a line."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError) as whole:  # also a number of too many digits
        values = []
        lines = [line for line in text.split("\n") if line.strip()]
        for number, line in enumerate(lines, start=1):
            try:
                values.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                fault = whole if len(lines) == 1 or number == 1 else error
                raise InvalidInput(
                    f"{name} is neither JSON nor JSON Lines: line {number}: {fault}"
                ) from error
        if not values:
            raise InvalidInput(f"{name} is empty: it holds no JSON") from whole
        return values


def read_conversations(values: list[Any], name: str) -> list[Item]:
    """Every conversation of a file's values, in order.

    Raises:
        InvalidInput: a value is of no form that is read; it is named by its place.
    """
    if values and all(_is_message(value) for value in values):
        return [{"messages": values}]
    items: list[Item] = []
    for number, value in enumerate(values):
        items.extend(_items(value, name if len(values) == 1 else f"{name} line {number + 1}"))
    return items


def _items(value: Any, where: str) -> Iterator[Item]:
    if isinstance(value, list):
        if value and all(_is_message(one) for one in value):
            yield {"messages": value}
            return
        for number, one in enumerate(value):
            yield from _items(one, f"{where}[{number}]")
        return
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{where} is no conversation but {type(value).__name__}: {shown(value)}")
    if "messages" in value:
        yield {key: value[key] for key in ("messages", *_KEPT) if key in value}
    elif "conversations" in value:
        yield from _items(value["conversations"], f"{where}['conversations']")
    elif "results" in value:
        yield from _mem0_items(value["results"], f"{where}['results']")
    elif isinstance(value.get("conversation"), Mapping):
        yield from _locomo_items(value, where)
    elif _is_message(value):
        yield {"messages": [value]}
    elif "memory" in value:
        yield _mem0_item(value, where)
    else:
        raise InvalidInput(
            f"{where} has none of 'messages', 'conversations', 'conversation', 'results', 'role' "
            f"and 'content'; it has {sorted(value)[:8]}"
        )


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value and "content" in value


def _mem0_items(values: Any, where: str) -> Iterator[Item]:
    if not isinstance(values, list):
        raise InvalidInput(f"{where} must be a list, got {shown(values)}")
    for number, value in enumerate(values):
        yield _mem0_item(value, f"{where}[{number}]")


def _mem0_item(value: Any, where: str) -> Item:
    if not isinstance(value, Mapping) or not isinstance(value.get("memory"), str):
        raise InvalidInput(f"{where} is no memory of Mem0: it has no text under 'memory'")
    message = {"role": value.get("role") or "user", "content": value["memory"]}
    if value.get("actor_id"):
        message["name"] = value["actor_id"]
    if value.get("id"):
        message["id"] = value["id"]
    item: Item = {"messages": [message], "infer": False}
    item.update(
        {key: value[key] for key in (*_IDS, "metadata", "expiration_date") if value.get(key)}
    )
    if value.get("created_at"):
        item["timestamp"] = value["created_at"]
    return item


def _locomo_items(value: Mapping[str, Any], where: str) -> Iterator[Item]:
    name = str(value.get("sample_id", where))
    for session in read_sessions(Shape("LoCoMo", where), value["conversation"], "conversation"):
        messages = [
            {
                "role": turn.role,
                "name": turn.speaker,
                "content": turn.text,
                "id": turn.id,
                "timestamp": turn.at,
            }
            for turn in session.turns
        ]
        yield {"messages": messages, "user_id": name, "run_id": session.id}
