"""The ledger on SQLite: one file, one writer at a time, any number of readers."""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Recalled
from retain.errors import Closed, Conflict, LedgerReadOnly, LedgerUnavailable, RetainError
from retain.ledger.embedder import refuse_other_embedder
from retain.ledger.port import CheckReport, EmbedderIdentity
from retain.ledger.sqlite import forks, receipts, stats
from retain.ledger.sqlite.backup import backup
from retain.ledger.sqlite.check import check
from retain.ledger.sqlite.connection import Target, connect, prepare
from retain.ledger.sqlite.failures import translated, translated_around, translation
from retain.ledger.sqlite.forks import Block
from retain.ledger.sqlite.reading import SqliteRead
from retain.ledger.sqlite.seal import seal
from retain.ledger.sqlite.stats import TABLES
from retain.ledger.sqlite.turns import Turns
from retain.ledger.sqlite.writing import SqliteWrite
from retain.ledger.uses import WaitingRecalls

_IDLE_READERS = 16
_LAST_WAIT = 100  # milliseconds that closing waits for another writer, to count uses
# Connections that were open at the fork that made this process. It must neither use nor close them:
# closing one would touch the parent's files.
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
        self._target = target
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self._turns = Turns()
        self._closed = False
        self._left_behind = False  # in memory, and this process is a child
        self._embedder: EmbedderIdentity | None = None
        self._recalls = WaitingRecalls()
        with self._exclusive():  # opens the file
            forks.watch(self)

    @contextmanager
    def read(self) -> Iterator[SqliteRead]:
        """One consistent state to read from."""
        with translated_around(self._target.path), self._reader() as db:
            self._refuse_other_embedder(db)
            tx = SqliteRead(db)
            try:
                yield tx
            finally:
                tx.end()

    def write(self) -> AbstractContextManager[SqliteWrite]:
        """One transaction; committed durably at the end of the block, undone if it raises."""
        return _Write(self)

    def note_recall(self, recalled: Recalled) -> None:
        """Remember a recall, with the next write or on close."""
        if not self._target.read_only:
            self._recalls.note(recalled)

    def write_recalls(self) -> None:
        """Write the recalls that wait, if any do."""
        if self._recalls:
            with self.write():
                pass

    def embedder(self) -> EmbedderIdentity | None:
        """The embedder of the stored vectors; None in a new ledger."""
        with translated(self._target.path), self._reader() as db:
            return _stored_embedder(db)

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        """Read and write with vectors of this embedder alone; an empty ledger takes it."""
        if self.embedder() is None:
            with self.write() as tx:  # looks again: another process may have been faster
                if _stored_embedder(self._open_writer()) is None and tx.total() == 0:
                    tx.set_embedder(identity)
        refuse_other_embedder(self._target.path, self.embedder(), identity)
        self._embedder = identity

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
        if not repair:
            with translated(self._target.path), self._reader() as db:
                return check(db, TABLES, repair=False)
        sealed = self._seal_what_is_not()
        with self.write():
            report = check(self._open_writer(), TABLES, repair=True)
        if sealed:
            report.repaired.append(f"the file holds nothing more of {sealed} erasures: rewritten")
        return report

    def _seal_what_is_not(self) -> int:
        """Make up for seals that another connection, a full disk or a kill prevented; how many."""
        with translated(self._target.path), self._reader() as db:
            unsealed = receipts.unsealed(db)
        if not unsealed or not self.seal_erasure():
            return 0
        with self.write():
            receipts.mark_sealed(self._open_writer(), unsealed)
        return len(unsealed)

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
            receipts.erase_of(self._open_writer(), project)
        self.seal_erasure()

    def close(self) -> None:
        """Give back every handle. Later calls raise ``Closed``."""
        self._write_last_recalls()
        block = Block()
        try:
            block.enter()
            if not self._has_turn(block):
                self._turns.take(block, math.inf)
            self._closed = True
            self.let_go(for_good=True)
        finally:
            self._turns.give_back(block)
            block.leave()

    def let_go(self, *, for_good: bool = False) -> None:
        """Close every connection; the next block opens new ones (``for_good``: none does)."""
        if self._target.in_memory and not for_good:
            return
        while self._readers:
            self._readers.pop().close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def start_in_child(self, *, safe: bool) -> None:
        """Leave the parent's threads, counts and (if there are any) connections alone."""
        self._turns = Turns()
        self._recalls = WaitingRecalls()
        self._left_behind = self._target.in_memory
        held = [one for one in (self._writer, *self._readers) if one is not None]
        if held and not safe and not self._target.in_memory:
            forks.distrust(self._target.path)
        _inherited.extend(held)
        self._writer, self._readers = None, []

    def _write_last_recalls(self) -> None:
        """Keep the recalls that no write has carried; a count is not worth a wait or an error."""
        if not self._recalls or self._closed or self._has_turn(Block()):
            return
        with suppress(RetainError, sqlite3.Error):
            with self._exclusive() as db:
                db.execute(f"PRAGMA busy_timeout = {_LAST_WAIT}")
            with self.write():
                pass

    @contextmanager
    def _exclusive(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection, for one block of this process at a time."""
        block = Block()
        try:
            yield self._take_writer(block)
        finally:
            self._give_back_writer(block)

    def _take_writer(self, block: Block) -> sqlite3.Connection:
        block.enter()
        self._refuse_unusable()
        if self._has_turn(block):
            raise Conflict("a write is open in this thread already: end it before the next one")
        if not self._turns.take(block, max(0.0, self._target.busy_timeout)):
            raise LedgerUnavailable(
                f"{self._target.path!r} stayed locked by another thread for "
                f"{self._target.busy_timeout} s: raise busy_timeout, or write in smaller steps"
            )
        self._refuse_unusable()
        return self._open_writer()

    def _give_back_writer(self, block: Block) -> None:
        self._turns.give_back(block)
        block.leave()

    def _has_turn(self, block: Block) -> bool:
        """Whether a block of the same thread has the turn to write."""
        holder = self._turns.holder()
        return holder is not None and holder.thread == block.thread

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer, self._target = prepare(self._target)
        return self._writer

    @contextmanager
    def _reader(self, transaction: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection to read one state from."""
        block = Block()
        try:
            block.enter()
            self._refuse_unusable()
            if self._target.in_memory:  # one connection, for reading too
                if not self._has_turn(block):
                    self._turns.take(block, math.inf)
                self._refuse_unusable()
                yield self._open_writer()
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
        finally:
            self._give_back_writer(block)

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

    def _refuse_other_embedder(self, db: sqlite3.Connection) -> None:
        if self._embedder is not None:
            refuse_other_embedder(self._target.path, _stored_embedder(db), self._embedder)

    def _refuse_unusable(self) -> None:
        if self._closed:
            raise Closed(f"the ledger {self._target.path!r} was closed: open it again")
        if self._left_behind:
            raise LedgerUnavailable(
                "a ledger in memory cannot be shared with a forked process: open a new one in the "
                "child, or give the ledger a file"
            )
        if forks.is_unsafe(self._target.path):
            raise LedgerUnavailable(
                f"{self._target.path!r} was in use while this process was forked, so that SQLite's "
                "locks cannot be trusted here: fork while no other thread uses Retain, or use the "
                "start method 'spawn'"
            )


class _Write(AbstractContextManager["SqliteWrite"]):
    """A write transaction. No generator, because an interrupt between its ``yield`` and the block
    would leave it open for as long as the interrupt's traceback lives."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self._ledger = ledger
        self._block = Block()
        self._db: sqlite3.Connection | None = None
        self._tx: SqliteWrite | None = None
        self._used: Sequence[Recalled] = ()

    def __enter__(self) -> SqliteWrite:
        try:
            with translated(self._ledger._target.path):
                tx = self._tx = self._begin()
        except BaseException:
            self._end()
            raise
        return tx

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        path = self._ledger._target.path
        try:
            if error is None:
                with translated(path):
                    self._commit()
        finally:
            with translated(path):
                self._end()
        told = None if error is None else translation(error, path)
        if told is not None:
            raise told from error

    def _begin(self) -> SqliteWrite:
        ledger = self._ledger
        if ledger._target.read_only:
            raise LedgerReadOnly(
                f"{ledger._target.path!r} was opened with read_only: open it without"
            )
        db = self._db = ledger._take_writer(self._block)
        if db.in_transaction:  # an interrupt tore the one before off
            db.execute("ROLLBACK")
        db.execute("BEGIN IMMEDIATE")
        ledger._refuse_other_embedder(db)
        return SqliteWrite(db)

    def _commit(self) -> None:
        assert self._tx is not None and self._db is not None  # the block was entered
        self._used = self._ledger._recalls.take()
        if self._used:
            self._tx.keep_recalls(self._used)
        self._tx.finish()
        self._tx.end()
        self._ledger._refuse_unusable()  # a child that was forked inside the block
        self._db.execute("COMMIT")
        self._used = ()

    def _end(self) -> None:
        ledger, db = self._ledger, self._db
        try:
            if self._used:
                ledger._recalls.put_back(self._used)
            if db is not None and db is ledger._writer and ledger._turns.holder() is self._block:
                if self._tx is not None:
                    self._tx.end()
                if db.in_transaction:  # a full disk has undone it already
                    db.execute("ROLLBACK")
        finally:
            ledger._give_back_writer(self._block)


def _stored_embedder(db: sqlite3.Connection) -> EmbedderIdentity | None:
    row = db.execute("SELECT embedder, dimension FROM ledger").fetchone()
    return None if row is None or row[0] is None else EmbedderIdentity(row[0], row[1])
