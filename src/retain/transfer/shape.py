"""Taking parsed JSON apart, with errors that say what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from retain.errors import InvalidInput


class Shape:
    """Takes the JSON of a file apart; what does not fit is an error that names file and place."""

    def __init__(self, form: str, path: str | Path) -> None:
        self._label = f"{str(path)!r} is not a {form} file"

    def fail(self, where: str, problem: str) -> InvalidInput:
        """The error to raise for something at ``where``."""
        return InvalidInput(f"{self._label}: {where} {problem}")

    def record(self, value: Any, where: str, *needed: str) -> Mapping[str, Any]:
        """``value`` as an object that has all these keys."""
        if not isinstance(value, Mapping):
            raise self.fail(where, f"should be an object, not {type(value).__name__}")
        missing = [key for key in needed if key not in value]
        if missing:
            raise self.fail(where, f"lacks {', '.join(map(repr, missing))}")
        return value

    def rows(self, value: Any, where: str) -> Sequence[Any]:
        """``value`` as a list."""
        if not isinstance(value, list):
            raise self.fail(where, f"should be a list, not {type(value).__name__}")
        return value

    def text(self, value: Any, where: str) -> str:
        """``value`` as text."""
        if not isinstance(value, str):
            raise self.fail(where, f"should be a text, not {type(value).__name__}")
        return value

    def moment(self, value: Any, where: str, parse: Callable[[str], datetime]) -> datetime:
        """``value`` as a point in time, UTC, as ``parse`` reads it."""
        try:
            return parse(self.text(value, where)).replace(tzinfo=UTC)
        except ValueError as error:
            raise self.fail(where, f"has the unreadable date {value!r}") from error
