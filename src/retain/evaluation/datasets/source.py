"""Reading a data-set file, with errors that say what was expected and what was found."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from retain.errors import InvalidInput


def read_json(path: Path) -> Any:
    """The content of a ``.json`` or ``.json.gz`` file.

    Raises:
        InvalidInput: it is missing, a folder, unreadable or no JSON.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}") from error
    try:
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        return json.loads(raw)
    except (OSError, EOFError, ValueError) as error:
        raise InvalidInput(f"{str(path)!r} is neither JSON nor gzipped JSON: {error}") from error


def files_of(path: Path, pattern: str) -> list[Path]:
    """The file itself, or the files of a folder whose names match, in order of name.

    Raises:
        InvalidInput: the folder has none.
    """
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.glob(pattern) if one.name.endswith((".json", ".json.gz")))
    if not found:
        raise InvalidInput(f"no file in {str(path)!r} matches {pattern!r} as .json or .json.gz")
    return found


class Shape:
    """Takes a data set's JSON apart; what does not fit is an error that names file and place."""

    def __init__(self, dataset: str, path: Path) -> None:
        self._label = f"{str(path)!r} is not a {dataset} file"

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
