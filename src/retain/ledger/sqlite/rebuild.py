"""Derived data made anew beside that in use, and taken over at once when it is whole.

A row is in ``rebuilt`` only while it fits its memory's text: whoever changes or erases the text
drops it. So a rebuild that stopped goes on where it was, and writers need not wait for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from retain.domain.features import Features
from retain.errors import Conflict
from retain.ledger.port import EmbedderIdentity
from retain.ledger.sqlite.rows import feature_values, many
from retain.ledger.sqlite.scopes import key_range

_COLUMNS = "key, length, cues, speaker, terms, counts, vectors, pieces"
_MISSING = "FROM memory m WHERE NOT EXISTS (SELECT 1 FROM rebuilt r WHERE r.key = m.key)"


def begin(db: sqlite3.Connection, identity: EmbedderIdentity) -> int:
    """Start a rebuild, or go on with one for the same embedder; how many rows it has already."""
    if _under_way(db) != identity:
        db.execute("DELETE FROM rebuilt")
        db.execute(
            "UPDATE ledger SET rebuilding = ?, rebuilding_dimension = ?",
            (identity.name, identity.dimension),
        )
    return int(db.execute("SELECT count(*) FROM rebuilt").fetchone()[0])


def refuse_other(db: sqlite3.Connection, identity: EmbedderIdentity) -> None:
    """Stop a rebuild that another one has replaced.

    Raises:
        Conflict: a rebuild for another embedder began meanwhile, or this one is over.
    """
    other = _under_way(db)
    if other != identity:
        raise Conflict(
            f"the rebuild for the embedder {identity.name!r} was ended by another one"
            + (f", for {other.name!r}" if other is not None else "")
            + ": run one at a time"
        )


def missing(db: sqlite3.Connection, after: int, limit: int) -> list[int]:
    """Keys of memories that the rebuild has not reached, ascending, above ``after``."""
    rows = db.execute(
        f"SELECT m.key {_MISSING} AND m.key > ? ORDER BY m.key LIMIT ?", (after, limit)
    )
    return [row[0] for row in rows.fetchall()]


def store(db: sqlite3.Connection, features: Iterable[tuple[int, Features]]) -> None:
    """Keep features by key, beside those in use."""
    db.executemany(
        f"INSERT OR REPLACE INTO rebuilt ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((key, *feature_values(one)) for key, one in features),
    )


def drop(db: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Forget what was rebuilt of memories whose text changes or goes."""
    db.execute("DELETE FROM rebuilt WHERE key IN (SELECT value FROM json_each(?))", (many(keys),))


def is_whole(db: sqlite3.Connection) -> bool:
    """Whether every memory was reached."""
    return not db.execute(f"SELECT EXISTS (SELECT 1 {_MISSING})").fetchone()[0]


def partitions(db: sqlite3.Connection) -> list[int]:
    """The partitions of the rows that were rebuilt."""
    rows = db.execute("SELECT DISTINCT key >> 32 FROM rebuilt ORDER BY 1")
    return [row[0] for row in rows.fetchall()]


def take_over(db: sqlite3.Connection, partition: int, revision: int) -> int:
    """Put the rebuilt features of a partition in use; how many."""
    return db.execute(
        f"INSERT OR REPLACE INTO features (revision, {_COLUMNS})"
        f" SELECT ?, {_COLUMNS} FROM rebuilt WHERE key BETWEEN ? AND ?",
        (revision, *key_range(partition)),
    ).rowcount


def end(db: sqlite3.Connection, identity: EmbedderIdentity) -> None:
    """The rebuilt rows are in use: record their embedder."""
    db.execute("DELETE FROM rebuilt")
    db.execute(
        "UPDATE ledger SET embedder = ?, dimension = ?,"
        " rebuilding = NULL, rebuilding_dimension = NULL",
        (identity.name, identity.dimension),
    )


def _under_way(db: sqlite3.Connection) -> EmbedderIdentity | None:
    row = db.execute("SELECT rebuilding, rebuilding_dimension FROM ledger").fetchone()
    return None if row[0] is None else EmbedderIdentity(row[0], row[1])
