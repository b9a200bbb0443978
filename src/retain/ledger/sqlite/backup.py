"""A consistent copy of a ledger in a new file."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from retain.errors import Conflict
from retain.ledger.sqlite.connection import file_uri


def backup(source: sqlite3.Connection, target: Path) -> None:
    """Copy a ledger while others read and write.

    Raises:
        Conflict: the target exists; it is left as it is.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.open("xb").close()  # claims the name, against another backup at the same moment
    except FileExistsError as error:
        raise Conflict(f"backup target {str(target)!r} exists: name a new file") from error
    try:
        copy = sqlite3.connect(file_uri(target), isolation_level=None, uri=True)
        try:
            source.backup(copy)
        finally:
            copy.close()
    except BaseException:
        target.unlink(missing_ok=True)
        raise
