"""Texts of the command line as the values that the API takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from retain.errors import InvalidFilter, InvalidInput

_SHOWN: Final = 200  # characters of a wrong value in a message


def json_or_text(text: str) -> Any:
    """``3``, ``true``, ``["a"]`` as JSON; anything else, and what is nested too deep, as the text
    it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def metadata(pairs: list[str] | None) -> dict[str, Any] | None:
    """``KEY=VALUE`` pairs as a dict, None without any.

    Raises:
        InvalidInput: a pair without a key or without ``=``.
    """
    if not pairs:
        return None
    parsed = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise InvalidInput(f"--metadata must be KEY=VALUE, got {pair!r}")
        parsed[key] = json_or_text(value)
    return parsed


def by_kind(option: str, pairs: list[str] | None) -> dict[str, Any]:
    """``KIND=NUMBER`` pairs as a dict.

    Raises:
        InvalidInput: a pair without a kind or a number.
    """
    parsed = {}
    for pair in pairs or ():
        kind, _, value = pair.partition("=")
        try:
            parsed[kind] = int(value) if value.isdigit() else float(value)
        except ValueError as error:
            raise InvalidInput(f"{option} must be KIND=NUMBER, got {pair!r}") from error
    return parsed


def filters(text: str | None) -> Mapping[str, Any] | None:
    """A filter written as a JSON object.

    Raises:
        InvalidFilter: it is no JSON, or no object.
    """
    if text is None:
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = repr(text[:_SHOWN])
        raise InvalidFilter(f"--filter must be a JSON object, got {shown}: {error}") from error
    if not isinstance(parsed, dict):
        raise InvalidFilter(f"--filter must be a JSON object, got {text[:_SHOWN]!r}")
    return parsed


def instant(text: str | None) -> str | float | None:
    """A point in time: ISO 8601 as it is, a number as seconds since 1970."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
