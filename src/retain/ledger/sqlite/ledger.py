"""The ledger on SQLite: one file, one writer at a time, any number of readers."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.errors import Closed, Conflict, LedgerError, LedgerReadOnly, LedgerUnavailable
from retain.ledger.port import CheckReport, EmbedderIdentity
from retain.ledger.sqlite import receipts, stats
from retain.ledger.sqlite.backup import backup
from retain.ledger.sqlite.check import check
from retain.ledger.sqlite.connection import Target, connect, prepare
from retain.ledger.sqlite.failures import translated, translated_around
from retain.ledger.sqlite.reading import SqliteRead
from retain.ledger.sqlite.seal import seal
from retain.ledger.sqlite.stats import TABLES
from retain.ledger.sqlite.writing import SqliteWrite
from retain.ledger.uses import WaitingUses

_IDLE_READERS = 16
_LAST_WAIT = 100  # milliseconds that closing waits for another writer, to count uses
# Connections that a forked child must neither use nor close: closing one would touch the parent's
# files.
_inherited: list[sqlite3.Connection] = []


def open_sqlite(
    path: str,
    *,
    busy_timeout: float = 30.0,
    project: str | None = None,
    read_only: bool = False,
    max_bytes: int | None = None,
) -> SqliteLedger:
    """Open a ledger, made if there is none.

    Args:
        path: its file; ``":memory:"`` for one that is gone when closed.
        busy_timeout: seconds to wait for another writer.
        project: limits ``receipts`` and ``stats`` to one project.
        read_only: refuse every write.
        max_bytes: size that the file may not exceed; None for what the disk holds.

    Raises:
        LedgerUnavailable: the path cannot be used.
        LedgerCorrupt: the file is damaged, or belongs to another program; it is unchanged.
        LedgerTooNew: a newer version of Retain wrote it.
    """
    return SqliteLedger(Target(path, busy_timeout, read_only, max_bytes), project)


class SqliteLedger:
    """A store in one SQLite file; for any number of threads and processes."""

    def __init__(self, target: Target, project: str | None = None) -> None:
        self._project = project
        self._writer, self._target = prepare(target)
        self._readers: list[sqlite3.Connection] = []
        self._writing = threading.RLock()
        self._in_write = False
        self._closed = False
        self._process = os.getpid()
        self._uses = WaitingUses()

    @contextmanager
    def read(self) -> Iterator[SqliteRead]:
        """One consistent state to read from."""
        with translated_around(self._target.path), self._reader() as db:
            tx = SqliteRead(db)
            try:
                yield tx
            finally:
                tx.end()

    @contextmanager
    def write(self) -> Iterator[SqliteWrite]:
        """One transaction; committed durably at the end of the block, undone if it raises."""
        if self._target.read_only:
            raise LedgerReadOnly(
                f"{self._target.path!r} was opened with read_only: open it without"
            )
        with translated_around(self._target.path), self._exclusive() as db:
            db.execute("BEGIN IMMEDIATE")
            tx = SqliteWrite(db)
            used: Mapping[str, int] = {}
            try:
                yield tx
                used = self._uses.take()
                if used:
                    tx.count_uses(used)
                tx.finish()
                tx.end()
                db.execute("COMMIT")
            except BaseException:
                tx.end()
                self._uses.put_back(used)
                if db.in_transaction:  # a full disk has undone it already
                    db.execute("ROLLBACK")
                raise

    def note_use(self, memory_ids: Sequence[str]) -> None:
        """Count one use of each memory, with the next write or on close."""
        if not self._target.read_only:
            self._uses.note(memory_ids)

    def embedder(self) -> EmbedderIdentity | None:
        """The embedder of the stored vectors; None in a new ledger."""
        with translated(self._target.path), self._reader() as db:
            row = db.execute("SELECT embedder, dimension FROM ledger").fetchone()
        return None if row is None or row[0] is None else EmbedderIdentity(row[0], row[1])

    def seal_erasure(self) -> bool:
        """Rewrite the file from what is held and cut its log, so that nothing erased is left.

        Takes about as long as copying the file; other writers wait, readers do not. False if
        another connection or a full disk was in the way beyond the time limit.
        """
        with translated(self._target.path), self._exclusive() as db:
            return seal(db, time.monotonic() + self._target.busy_timeout)

    def receipts(self, limit: int) -> list[Receipt]:
        """The latest receipts, newest first."""
        with translated(self._target.path), self._reader() as db:
            return receipts.latest(db, limit, self._project)

    def check(self, repair: bool) -> CheckReport:
        """Check integrity; with ``repair``, rebuild derived rows that are missing or stale."""
        if repair:
            with self.write(), translated(self._target.path):
                return check(self._writer, TABLES, repair=True)
        with translated(self._target.path), self._reader() as db:
            return check(db, TABLES, repair=False)

    def backup(self, target: Path) -> None:
        """Write a consistent copy to a new file."""
        with translated(str(target)), self._reader(transaction=False) as db:
            backup(db, target)

    def stats(self) -> dict[str, Any]:
        """Counts by table, kind and status; size on disk; schema version."""
        with translated(self._target.path), self._reader() as db:
            return stats.stats(db, self._target.path, self._project)

    def reset(self, project: str) -> None:
        """Remove everything of a project for good."""
        with self.write() as tx:
            tx.erase_scope(tx.coverage(Scope(project)))
            receipts.erase_of(self._writer, project)
        self.seal_erasure()

    def close(self) -> None:
        """Give back every handle. Later calls raise ``Closed``."""
        with self._writing:
            if self._closed:
                return
            if self._process == os.getpid():
                self._write_uses()
            self._closed = True
            if self._process != os.getpid():
                return
            while self._readers:
                self._readers.pop().close()
            self._writer.close()

    def _write_uses(self) -> None:
        """Keep the uses that no write has carried; a count is not worth a wait or an error."""
        if not self._uses or self._in_write:
            return
        with suppress(LedgerError, sqlite3.Error):
            self._writer.execute(f"PRAGMA busy_timeout = {_LAST_WAIT}")
            with self.write():
                pass

    @contextmanager
    def _exclusive(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection, for one thread of this process at a time."""
        self._stay_in_process()
        self._refuse_closed()
        if not self._writing.acquire(timeout=max(0.0, self._target.busy_timeout)):
            raise LedgerUnavailable(
                f"{self._target.path!r} stayed locked by another thread for "
                f"{self._target.busy_timeout} s: raise busy_timeout, or write in smaller steps"
            )
        try:
            if self._in_write:
                raise Conflict("a write is open in this thread already: end it before the next one")
            self._refuse_closed()
            self._in_write = True
            try:
                yield self._writer
            finally:
                self._in_write = False
        finally:
            self._writing.release()

    @contextmanager
    def _reader(self, transaction: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection to read one state from."""
        self._stay_in_process()
        self._refuse_closed()
        if self._target.in_memory:
            with self._writing:
                self._refuse_closed()
                yield self._writer
            return
        db = self._idle_reader()
        try:
            if transaction:
                db.execute("BEGIN")
            yield db
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
            self._give_back(db)

    def _idle_reader(self) -> sqlite3.Connection:
        try:
            return self._readers.pop()
        except IndexError:
            return connect(self._target)

    def _give_back(self, db: sqlite3.Connection) -> None:
        if self._closed or len(self._readers) >= _IDLE_READERS:
            db.close()
        else:
            self._readers.append(db)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise Closed(f"the ledger {self._target.path!r} was closed: open it again")

    def _stay_in_process(self) -> None:
        """After a fork, leave the parent's connections alone and open new ones."""
        if self._process == os.getpid():
            return
        if self._target.in_memory:
            raise LedgerUnavailable(
                "a ledger in memory cannot be shared with a forked process: open a new one in the "
                "child, or give the ledger a file"
            )
        _inherited.extend([self._writer, *self._readers])
        self._readers = []
        self._writing = threading.RLock()
        self._in_write = False
        self._uses = WaitingUses()  # those that were waiting are the parent's
        self._writer, self._target = prepare(self._target)
        self._process = os.getpid()
