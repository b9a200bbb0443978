"""Making sure that what was erased is in no byte of the files any more.

``secure_delete`` overwrites rows that are deleted and pages that are freed. It does not reach the
copies that SQLite left behind earlier: when a page of a tree is split, its rows move to another
page, and their old bytes stay in the unused middle of the first. Deleting the moved row does not
touch them. Only a file written anew from the rows that are held is free of them.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from retain.ledger.sqlite.failures import is_full, is_locked

_PAUSE = 0.01  # seconds between two attempts


def seal(db: sqlite3.Connection, deadline: float) -> bool:
    """Rewrite the file and cut the log to nothing; whether both were done by the deadline.

    ``deadline`` is on the clock of ``time.monotonic``. No transaction may be open on ``db``.
    """
    db.execute("PRAGMA temp_store = FILE")  # the copy may be larger than the memory
    try:
        return _until(deadline, lambda: _rewrite(db)) and _until(deadline, lambda: _cut_log(db))
    except sqlite3.OperationalError as error:
        if is_full(error):  # erased from every table, but the file could not be written anew
            return False
        raise
    finally:
        db.execute("PRAGMA temp_store = MEMORY")


def _rewrite(db: sqlite3.Connection) -> bool:
    try:
        db.execute("VACUUM")
    except sqlite3.OperationalError as error:
        if is_locked(error):
            return False
        raise
    return True


def _cut_log(db: sqlite3.Connection) -> bool:
    return not db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


def _until(deadline: float, done: Callable[[], bool]) -> bool:
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
    return True
