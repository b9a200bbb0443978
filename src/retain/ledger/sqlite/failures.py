"""SQLite's errors, translated once, at the edge, into errors of Retain."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from retain.errors import (
    Closed,
    Conflict,
    InvalidInput,
    LedgerCorrupt,
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
    LedgerUnavailable,
    RetainError,
)

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNREACHABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another connection was in the way; trying again may help."""
    return _primary(error) in _LOCKED


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken."""
    return _primary(error) in _DAMAGED


def is_full(error: sqlite3.Error) -> bool:
    """Whether there was no room left on the disk."""
    return _primary(error) == sqlite3.SQLITE_FULL


def translate(error: Exception, path: str) -> RetainError:
    """The error of ours that says what an error of the driver (or of the disk) means."""
    if isinstance(error, OSError):
        return _of_system(error, path)
    if isinstance(error, sqlite3.Error):
        return _of_driver(error, path)
    return InvalidInput(f"the ledger cannot store this value: {error}")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Run a block of the ledger's own; what the driver or the disk raises in it comes out as an
    error of ours."""
    try:
        yield
    except (sqlite3.Error, OSError, OverflowError, UnicodeEncodeError) as error:
        if isinstance(error, RetainError):
            raise
        raise translate(error, path) from error


@contextmanager
def translated_around(path: str) -> Iterator[None]:
    """Run a block of a caller in a transaction: what the ledger raises in it comes out as an error
    of ours, what the caller raises (from its own files, another database) as it is."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
        if not _is_of_ledger(error):
            raise
        raise translate(error, path) from error


def _is_of_ledger(error: Exception) -> bool:
    """Whether the innermost frame of an error is code of this package: the driver has none."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return at is not None and at.tb_frame.f_globals.get("__package__") == __package__


def _of_driver(error: sqlite3.Error, path: str) -> RetainError:
    code = _primary(error)
    if code in _LOCKED:
        return LedgerUnavailable(
            f"{path!r} stayed locked by another writer beyond the time limit: {error}. "
            "Raise busy_timeout, or find the process that holds it"
        )
    if code in _DAMAGED:
        return LedgerCorrupt(
            f"{path!r} is damaged or is no ledger: {error}. Restore it from a backup"
        )
    if code == sqlite3.SQLITE_FULL:
        return LedgerFull(
            f"no room to write to {path!r}: {error}. Nothing of this write was kept; free space "
            "on the disk, or raise the size limit"
        )
    if code == sqlite3.SQLITE_READONLY:
        return LedgerReadOnly(
            f"{path!r} cannot be written: {error}. Check the permissions of the file and its folder"
        )
    if code in _UNREACHABLE:
        return LedgerUnavailable(
            f"{path!r} cannot be opened: {error}. Check the path and its permissions"
        )
    if code == sqlite3.SQLITE_TOOBIG or isinstance(error, sqlite3.DataError):
        return InvalidInput(f"a value is too large for the ledger: {error}")
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict(f"the ledger holds something that forbids this write: {error}")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return Closed(f"the ledger {path!r} was closed, or the block that read from it has ended")
    return LedgerError(f"{path!r}: {error}")


def _of_system(error: OSError, path: str) -> RetainError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return LedgerFull(f"no room on the disk for {path!r}: {error}")
    if error.errno == errno.EROFS:
        return LedgerReadOnly(f"{path!r} is on a disk that cannot be written: {error}")
    return LedgerUnavailable(f"{path!r} cannot be opened: {error}. Check the path and its rights")


def _primary(error: sqlite3.Error) -> int:
    # Errors that Python itself raises (a closed connection, a bad argument) carry no code.
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return 0 if code is None else code & 0xFF
