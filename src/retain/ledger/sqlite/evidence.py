"""Why memories are held."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from retain.domain.evidence import Evidence
from retain.domain.kind import Stance
from retain.ledger.sqlite.rows import many

_SELECT = (
    'SELECT m.id, s.id, e.quote, e.start, e.stop, e.stance, e."check", e.score, e.recorded_at'
    " FROM evidence e JOIN memory m ON m.key = e.memory JOIN memory s ON s.key = e.source"
)
_ORDER = "ORDER BY e.recorded_at, e.memory, e.source, e.start, e.stop"


def of_memories(db: sqlite3.Connection, keys: Iterable[int]) -> list[Evidence]:
    """Evidence of these memories, oldest first."""
    rows = db.execute(
        f"{_SELECT} WHERE e.memory IN (SELECT value FROM json_each(?)) {_ORDER}", (many(keys),)
    )
    return [_evidence(row) for row in rows.fetchall()]


def from_sources(db: sqlite3.Connection, keys: Iterable[int]) -> list[Evidence]:
    """Evidence that rests on these sources, oldest first."""
    rows = db.execute(
        f"{_SELECT} WHERE e.source IN (SELECT value FROM json_each(?)) {_ORDER}", (many(keys),)
    )
    return [_evidence(row) for row in rows.fetchall()]


def insert(db: sqlite3.Connection, evidence: Sequence[Evidence], keys: dict[str, int]) -> None:
    """Store evidence; what is there already for the same span stays as it is."""
    db.executemany(
        "INSERT OR IGNORE INTO evidence"
        ' (memory, source, start, stop, recorded_at, stance, "check", score, quote)'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                keys[one.memory_id],
                keys[one.source_id],
                one.start,
                one.end,
                one.recorded_at,
                one.stance.value,
                one.check,
                float(one.score),
                one.quote,
            )
            for one in evidence
        ],
    )


def _evidence(row: Sequence[Any]) -> Evidence:
    memory, source, quote, start, stop, stance, check, score, recorded_at = row
    return Evidence(memory, source, quote, start, stop, Stance(stance), check, score, recorded_at)
