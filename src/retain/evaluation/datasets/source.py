"""Reading a data-set file, with errors that say what was expected and what was found."""

from __future__ import annotations

import gzip
import json
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
