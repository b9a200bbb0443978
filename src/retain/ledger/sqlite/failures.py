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
_FAILED_TO_GROW = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
_UNREACHABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}

# What SQLite raises, and Python where a stored value is none that was ever written: a ``KeyError``
# or ``ValueError`` for a number or name that stands for nothing, a ``TypeError`` for another shape.
_FROM_ROWS = (sqlite3.Error, OverflowError, ValueError, KeyError, TypeError)
_DECODERS = {"json", "enum"}


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another connection was in the way; trying again may help."""
    return _primary(error) in _LOCKED


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken."""
    return _primary(error) in _DAMAGED


def is_full(error: sqlite3.Error) -> bool:
    """Whether there was no room left, on the disk or within the limit of a file's size."""
    return _primary(error) == sqlite3.SQLITE_FULL or _beyond_file_size(error)


def translate(error: Exception, path: str) -> RetainError:
    """The error of ours that says what an error of the driver (or of the disk) means."""
    if isinstance(error, OSError):
        return _of_system(error, path)
    if isinstance(error, sqlite3.Error):
        return _of_driver(error, path)
    if isinstance(error, OverflowError | UnicodeEncodeError):
        return InvalidInput(f"the ledger cannot store this value: {error}")
    return LedgerCorrupt(
        f"{path!r} is damaged: a stored value cannot be read ({type(error).__name__}: {error}). "
        "Restore it from a backup"
    )


def translation(error: BaseException, path: str) -> RetainError | None:
    """The error of ours for one that came out of a block of a caller in a transaction; None for
    what the caller raised (from its own files, another database)."""
    if isinstance(error, RetainError):
        return None
    if isinstance(error, _FROM_ROWS) and _is_of_ledger(error):
        return translate(error, path)
    return None


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Run a block of the ledger's own; what the driver or the disk raises in it comes out as an
    error of ours."""
    try:
        yield
    except (OSError, *_FROM_ROWS) as error:
        if isinstance(error, RetainError):
            raise
        raise translate(error, path) from error


@contextmanager
def translated_around(path: str) -> Iterator[None]:
    """Run a block of a caller in a transaction: what the ledger raises in it comes out as an error
    of ours, what the caller raises (from its own files, another database) as it is."""
    try:
        yield
    except _FROM_ROWS as error:
        told = translation(error, path)
        if told is None:
            raise
        raise told from error


def _is_of_ledger(error: BaseException) -> bool:
    """Whether an error rose in this package, or in what decodes its rows: the driver has no
    frames, so that the innermost frame beside those of the decoders is code of this package."""
    at = error.__traceback__
    innermost = None
    while at is not None:
        module = str(at.tb_frame.f_globals.get("__name__"))
        if module.partition(".")[0] not in _DECODERS:
            innermost = at.tb_frame.f_globals.get("__package__")
        at = at.tb_next
    return innermost == __package__


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
    if is_full(error):
        return LedgerFull(
            f"no room to write to {path!r}: {error}. Nothing of this write was kept; free space "
            "on the disk, or raise the size limit (of the ledger, or `ulimit -f`)"
        )
    if str(error).startswith("Could not decode to UTF-8"):
        return LedgerCorrupt(f"{path!r} is damaged: {error}. Restore it from a backup")
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
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return LedgerFull(f"no room on the disk for {path!r}: {error}")
    if error.errno == errno.EROFS:
        return LedgerReadOnly(f"{path!r} is on a disk that cannot be written: {error}")
    return LedgerUnavailable(f"{path!r} cannot be opened: {error}. Check the path and its rights")


def _beyond_file_size(error: sqlite3.Error) -> bool:
    """Whether a write failed in a process whose files may not grow beyond a size. SQLite tells of
    that as of any failed write, and hides the system's reason."""
    if getattr(error, "sqlite_errorcode", None) not in _FAILED_TO_GROW:
        return False
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return False
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY


def _primary(error: sqlite3.Error) -> int:
    # Errors that Python itself raises (a closed connection, a bad argument) carry no code.
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return 0 if code is None else code & 0xFF
