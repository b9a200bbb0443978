"""Opening connections: which file, which rights, which pragmas."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from retain.errors import ConfigError, LedgerCorrupt, LedgerReadOnly, LedgerUnavailable
from retain.ledger.sqlite.failures import is_locked, translated
from retain.ledger.sqlite.migrations import VERSION, migrate, refuse_newer, version_of
from retain.ledger.sqlite.schema import APPLICATION_ID

PAGE_SIZE = 4096  # a larger page makes every small write heavier
_MAGIC = b"SQLite format 3\0"
_OLDEST = (3, 38)  # STRICT tables and the JSON functions, always built in
_KEEP_WAL = 16 * 1024 * 1024  # bytes of log kept after a checkpoint, for the next writes


@dataclass(frozen=True, slots=True)
class Target:
    """What to open: the file (or ``:memory:``), how long to wait for locks in seconds, the rights,
    and the largest size of the file in bytes (None: what the disk holds)."""

    path: str
    busy_timeout: float
    read_only: bool = False
    max_bytes: int | None = None
    immutable: bool = False  # on a disk that cannot be written: no locks, no log

    @property
    def in_memory(self) -> bool:
        """Whether there is no file at all."""
        return self.path == ":memory:"


def prepare(target: Target) -> tuple[sqlite3.Connection, Target]:
    """The first connection: check that the file is ours, and bring it up to the present schema.

    Returns:
        The connection, and the target as further connections are to be opened.

    Raises:
        LedgerUnavailable: the path cannot be used.
        LedgerCorrupt: the file is damaged, or belongs to another program; it is unchanged.
        LedgerTooNew: a newer version of Retain wrote it.
        ConfigError: the SQLite library of this Python is too old.
    """
    if sqlite3.sqlite_version_info < _OLDEST:
        raise ConfigError(
            f"Retain needs SQLite 3.38 or newer, this Python has {sqlite3.sqlite_version}: "
            "use a newer build of Python"
        )
    with translated(target.path):
        if target.in_memory:
            db = connect(target)
            _bring_up(db, target)
            return db, target
        _check_path(target)
        _refuse_foreign_header(target)
        target = _reachable(target)
        db = connect(target)
        try:
            _recognise(db, target)
            if not target.read_only:
                _bring_up(db, target)
        except BaseException:
            db.close()
            raise
        return db, target


def connect(target: Target) -> sqlite3.Connection:
    """One more connection to a ledger, in autocommit mode, for use by one thread at a time."""
    if target.in_memory:
        name, uri = ":memory:", False
    else:
        mode = "ro" if target.read_only else "rwc"
        extra = "&immutable=1" if target.immutable else ""
        name, uri = f"{file_uri(Path(target.path))}?mode={mode}{extra}", True
    db = sqlite3.connect(
        name,
        timeout=target.busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        uri=uri,
    )
    try:
        _configure(db, target)
    except BaseException:
        db.close()
        raise
    return db


def file_uri(path: Path) -> str:
    """A file as SQLite understands it, whatever its name: ``:memory:`` alone would be no file."""
    return f"file:{quote(str(path.absolute()))}"


def _configure(db: sqlite3.Connection, target: Target) -> None:
    db.execute("PRAGMA temp_store = MEMORY")  # no text in temporary files
    db.execute("PRAGMA cache_size = -16384")
    if target.read_only:
        return
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone does not reach the disk
    db.execute("PRAGMA secure_delete = ON")
    db.execute(f"PRAGMA journal_size_limit = {_KEEP_WAL}")
    if target.max_bytes is not None:
        db.execute(f"PRAGMA max_page_count = {max(1, target.max_bytes // PAGE_SIZE)}")


def _check_path(target: Target) -> None:
    path = Path(target.path)
    if path.is_dir():
        raise LedgerUnavailable(f"{target.path!r} is a directory: name a file in it")
    if path.exists() and not path.is_file():
        raise LedgerUnavailable(f"{target.path!r} is a device or pipe, no file: name a file")
    if target.read_only:
        if not path.exists():
            raise LedgerUnavailable(
                f"{target.path!r} does not exist, and read_only forbids making it"
            )
        return
    path.parent.mkdir(parents=True, exist_ok=True)


def _refuse_foreign_header(target: Target) -> None:
    """Judge the file by its first bytes, before SQLite could touch it."""
    path = Path(target.path)
    if not path.exists():
        return
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        return
    if not header.startswith(_MAGIC) or len(header) < 100:
        raise LedgerCorrupt(
            f"{target.path!r} is no Retain ledger (it does not begin like an SQLite file): "
            "name another file, or restore this one from a backup"
        )
    if int.from_bytes(header[68:72]) not in (0, APPLICATION_ID):
        raise _foreign(target)


def _reachable(target: Target) -> Target:
    """The target as it can be read: on a read-only disk without a log, without taking locks."""
    if not target.read_only:
        return target
    try:
        connect(target).close()  # its settings read the file already
    except sqlite3.OperationalError as error:
        if is_locked(error) or Path(target.path + "-wal").exists():
            raise
        return replace(target, immutable=True)
    return target


def _recognise(db: sqlite3.Connection, target: Target) -> None:
    marked = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if marked != APPLICATION_ID and (marked or tables or version_of(db)):
        raise _foreign(target)
    if marked != APPLICATION_ID and target.read_only:
        raise LedgerCorrupt(f"{target.path!r} is empty: it is no Retain ledger yet")
    refuse_newer(db, target.path)
    if target.read_only and version_of(db) < VERSION:
        raise LedgerReadOnly(
            f"{target.path!r} was written by an older version of Retain, and read_only forbids "
            "bringing it up to date: open it once without"
        )
    if marked == APPLICATION_ID:
        db.execute("SELECT next_order FROM ledger").fetchone()


def _bring_up(db: sqlite3.Connection, target: Target) -> None:
    if version_of(db) != VERSION:
        db.execute("BEGIN IMMEDIATE")
        try:
            refuse_newer(db, target.path)
            migrate(db)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    if not target.in_memory and not _is_wal(db):
        # Several processes may open a new file at once; this switch does not wait by itself.
        _retry(target, lambda: db.execute("PRAGMA journal_mode = WAL").fetchone())


def _is_wal(db: sqlite3.Connection) -> bool:
    return str(db.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"


def _retry(target: Target, act: Callable[[], object]) -> None:
    deadline = time.monotonic() + target.busy_timeout
    while True:
        try:
            act()
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _foreign(target: Target) -> LedgerCorrupt:
    return LedgerCorrupt(
        f"{target.path!r} is no Retain ledger but another program's database; it was left "
        "unchanged: name another file"
    )
