"""Answers of earlier writes, kept under the caller's idempotency keys."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

_TEXTS = re.compile(r'"([^"\\]*)"')  # the texts in a JSON document; ids hold no escapes


def get(db: sqlite3.Connection, scope_id: int, key: str) -> str | None:
    """The answer under a key of an exact scope."""
    row = db.execute(
        "SELECT answer FROM answer WHERE scope = ? AND key = ?", (scope_id, key)
    ).fetchone()
    return None if row is None else str(row[0])


def insert(db: sqlite3.Connection, scope_id: int, key: str, answer: str) -> None:
    """Keep the answer of a write; a key is used once."""
    db.execute(
        "INSERT INTO answer (scope, key, answer) VALUES (?, ?, ?)", (scope_id, key, answer)
    )


def erase_naming(
    db: sqlite3.Connection, partitions: Iterable[int], memory_ids: frozenset[str]
) -> int:
    """Remove the answers in these partitions that name any of the memories; how many."""
    removed = 0
    for partition in partitions:
        rows = db.execute(
            "SELECT a.scope, a.key, a.answer FROM answer a JOIN scope s ON s.id = a.scope"
            " WHERE s.partition = ?",
            (partition,),
        ).fetchall()
        named = [
            (scope, key)
            for scope, key, answer in rows
            if not memory_ids.isdisjoint(_TEXTS.findall(answer))
        ]
        db.executemany("DELETE FROM answer WHERE scope = ? AND key = ?", named)
        removed += len(named)
    return removed
