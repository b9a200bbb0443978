"""A consistent copy of a ledger in a new file."""

from __future__ import annotations

import os
import secrets
import sqlite3
from pathlib import Path

from retain.errors import Conflict
from retain.ledger.sqlite.connection import file_uri


def backup(source: sqlite3.Connection, target: Path) -> None:
    """Copy a ledger while others read and write.

    The copy is made beside the target and takes its name when it is whole: a process that is killed
    leaves a file that ends in ``.part``, never half a backup.

    Raises:
        Conflict: the target exists; it is left as it is.
    """
    _refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        copy = sqlite3.connect(file_uri(part), isolation_level=None, uri=True)
        try:
            source.backup(copy)
        finally:
            copy.close()
        _take_name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _take_name(part: Path, target: Path) -> None:
    """Give a finished copy its name, unless another backup took it meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        _refuse_existing(target)
        raise
    except OSError:  # a file system without hard links
        _refuse_existing(target)
        part.replace(target)


def _refuse_existing(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise Conflict(f"backup target {str(target)!r} exists: name a new file")
