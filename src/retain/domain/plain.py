"""What may be kept: plain text, and plain values beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from retain.errors import InvalidInput, TooLarge

MAX_TEXT = 10 * 1024 * 1024  # characters of one message or memory
MAX_DEPTH = 64  # of lists and dicts in metadata
MAX_KEY = 512  # characters of an idempotency key
MAX_METADATA = 1024 * 1024  # characters of one metadata object, as JSON
IDENTITIES = ("user_id", "agent_id", "run_id", "actor_id")


def shown(value: object, most: int = 80) -> str:
    """A value as an error shows it: its beginning, whatever it is."""
    try:
        return repr(value)[:most]
    except (ValueError, RecursionError):  # a number of too many digits, a structure too deep
        return f"a {type(value).__name__} too large to show"


def plain_text(text: object, name: str) -> str:
    """A text that every store can keep, unchanged.

    Raises:
        InvalidInput: no string, or one with a lone surrogate or a NUL character.
        TooLarge: longer than ``MAX_TEXT`` characters.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be a text, got {type(text).__name__}: {shown(text)}")
    if len(text) > MAX_TEXT:
        raise TooLarge(f"{name} has {len(text)} characters, the limit is {MAX_TEXT}: split it")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{name} holds a lone surrogate ({text[error.start]!r}) at character {error.start}: "
            "decode the text properly before adding it"
        ) from error
    nul = text.find("\0")
    if nul >= 0:
        raise InvalidInput(f"{name} holds a NUL character at position {nul}: remove it")
    return text


def optional_text(text: object, name: str) -> str | None:
    """A text that every store can keep, or None.

    Raises:
        InvalidInput: as ``plain_text``.
    """
    return None if text is None else plain_text(text, name)


def plain_flag(value: object, name: str) -> bool:
    """True or False, and nothing that only counts as one.

    Raises:
        InvalidInput: anything else.
    """
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, got {shown(value)}")
    return value


def plain_count(value: object, name: str) -> int:
    """A whole number from 0, and nothing that only counts as one.

    Raises:
        InvalidInput: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(f"Invalid {name}: {shown(value)}. Must be a non-negative integer.")
    return value


def plain_share(value: object, name: str) -> float:
    """A number from 0 to 1.

    Raises:
        InvalidInput: anything else.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:  # type: ignore[operator]  # nor is it one that is none
        raise InvalidInput(f"{name} must be a number from 0 to 1, got {shown(value)}")
    return float(value)  # type: ignore[arg-type]  # a number by now


def plain_key(value: object) -> str | None:
    """An idempotency key, trimmed; None stays None.

    Raises:
        InvalidInput: no text, empty, or longer than ``MAX_KEY`` characters.
    """
    if value is None:
        return None
    key = plain_text(value, "idempotency_key").strip()
    if not key or len(key) > MAX_KEY:
        raise InvalidInput(
            f"idempotency_key must have 1 to {MAX_KEY} characters, got {shown(value)}"
        )
    return key


def file_path(value: object, name: str) -> Path:
    """A file's path, as text or as a ``Path``.

    Raises:
        InvalidInput: anything else, an empty text, one with a NUL character, or a path that cannot
            be a file's since it has no name ("/", ".", "..").
    """
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        raise InvalidInput(f"{name} must be a file's path, got {shown(value)}")
    path = Path(value)
    if path.name in ("", ".."):
        raise InvalidInput(f"{name} must be a file's path, got the folder {shown(str(value))}")
    return path


def _refuse_unplain(value: object, name: str, depth: int = 0) -> None:
    """Refuse keys that are no texts, wherever they are, and what is nested too deep.

    Raises:
        InvalidInput: naming the key, or the depth.
    """
    if depth > MAX_DEPTH:
        raise InvalidInput(f"{name} is nested more than {MAX_DEPTH} deep: flatten it")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise InvalidInput(f"{name} keys must be texts, got {shown(key)}")
            _refuse_unplain(inner, name, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_unplain(inner, name, depth + 1)


def plain_metadata(metadata: object, name: str = "metadata") -> dict[str, Any]:
    """Metadata as a dict of JSON values, without the keys that would set identity.

    Raises:
        InvalidInput: no mapping, a key that is no text, or a value that JSON cannot hold.
        TooLarge: more than ``MAX_METADATA`` characters as JSON.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise InvalidInput(
            f"{name} must be a dict, got {type(metadata).__name__}: {shown(metadata)}"
        )
    _refuse_unplain(metadata, name)
    kept = {key: value for key, value in metadata.items() if key not in IDENTITIES}
    try:
        rendered = json.dumps(kept, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{name} must hold only JSON values (texts, finite numbers, booleans, None, lists, "
            f"dicts): {error}"
        ) from error
    plain_text(rendered, name)
    if len(rendered) > MAX_METADATA:
        raise TooLarge(
            f"{name} has {len(rendered)} characters as JSON, the limit is {MAX_METADATA}"
        )
    return dict(json.loads(rendered))


def dropped_identities(metadata: object) -> list[str]:
    """The keys of metadata that would set identity, and are therefore not kept."""
    if not isinstance(metadata, Mapping):
        return []
    return [key for key in IDENTITIES if key in metadata]
