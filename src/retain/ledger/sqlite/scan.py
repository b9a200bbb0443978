"""Rows as a search scans them, and the features beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable

from retain.domain.features import Features
from retain.domain.use import PRIOR, WORTH_UNIT
from retain.ledger.port import ScanRow
from retain.ledger.sqlite.rows import feature_values
from retain.ledger.sqlite.scopes import key_range

_BATCH = 512
_ROWS = f"""
    SELECT m.key, m.id, m.scope, m.kind, m.status, m.said, m.begins, m.ends, m.expires,
           m.session, m.position, m.uses,
           CASE WHEN m.helped + m.hurt = 0 THEN 0
                ELSE {WORTH_UNIT} * (m.helped - m.hurt) / (m.helped + m.hurt + {PRIOR}) END,
           m.kind = 0 AND m.role IS 'assistant',
           f.terms, f.counts, f.length, f.vectors, f.pieces, f.cues, f.speaker
    FROM memory m LEFT JOIN features f ON f.key = m.key AND f.revision > ?
"""
_STORE = (
    "INSERT OR REPLACE INTO features"
    " (key, revision, length, cues, speaker, terms, counts, vectors, pieces)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def changed_rows(
    db: sqlite3.Connection, partition: int, after: int, features_after: int
) -> Generator[ScanRow, None, None]:
    """Rows changed after a revision, by key; with features that changed after theirs."""
    first, last = key_range(partition)
    if after > 0:
        first = _first_added_after(db, first, last, after)
        yield from _read(
            db.execute(
                f"{_ROWS} WHERE m.key >> 32 = ? AND m.changed > ? AND m.changed > 0"
                " AND m.key < ? ORDER BY m.key",
                (features_after, partition, after, first),
            )
        )
    yield from _read(
        db.execute(
            f"{_ROWS} WHERE m.key BETWEEN ? AND ? ORDER BY m.key", (features_after, first, last)
        )
    )


def store(db: sqlite3.Connection, revision: int, features: Iterable[tuple[int, Features]]) -> None:
    """Write features by key."""
    db.executemany(_STORE, ((key, revision, *feature_values(one)) for key, one in features))


def _first_added_after(db: sqlite3.Connection, first: int, last: int, after: int) -> int:
    """Where the rows added after a revision begin: they are the end of the partition's range."""
    row = db.execute(
        "SELECT key FROM memory WHERE key BETWEEN ? AND ? AND added <= ? ORDER BY key DESC LIMIT 1",
        (first, last, after),
    ).fetchone()
    return first if row is None else int(row[0]) + 1


def _read(rows: sqlite3.Cursor) -> Generator[ScanRow, None, None]:
    try:
        while batch := rows.fetchmany(_BATCH):
            for row in batch:
                features = None if row[14] is None else Features(*row[14:])
                yield ScanRow._make((*row[:14], features))
    finally:
        rows.close()
