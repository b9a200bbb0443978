"""Answers of earlier writes, kept under the caller's idempotency keys."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from retain.ledger.sqlite.memories import keys_of
from retain.ledger.sqlite.rows import many

_TEXTS = re.compile(r'"([^"\\]*)"')  # the texts in a JSON document; ids hold no escapes


def get(db: sqlite3.Connection, scope_id: int, key: str) -> str | None:
    """The answer under a key of an exact scope."""
    row = db.execute(
        "SELECT answer FROM answer WHERE scope = ? AND key = ?", (scope_id, key)
    ).fetchone()
    return None if row is None else str(row[0])


def insert(db: sqlite3.Connection, scope_id: int, key: str, answer: str) -> None:
    """Keep the answer of a write, and which memories it names; a key is used once."""
    number = db.execute(
        "INSERT INTO answer (scope, key, answer) VALUES (?, ?, ?)", (scope_id, key, answer)
    ).lastrowid
    db.executemany(
        "INSERT INTO answer_memory (memory, answer) VALUES (?, ?)",
        [(memory, number) for memory in _named_in(db, answer)],
    )


def erase_naming(db: sqlite3.Connection, keys: Iterable[int]) -> int:
    """Remove the answers that name any of these memories, by key; how many. The memories must
    still be there."""
    rows = db.execute(
        "SELECT n, answer FROM answer WHERE n IN (SELECT answer FROM answer_memory"
        " WHERE memory IN (SELECT value FROM json_each(?)))",
        (many(keys),),
    )
    return _erase(db, rows.fetchall())


def erase_of(db: sqlite3.Connection, scope_id: int) -> int:
    """Remove the answers of an exact scope; how many."""
    rows = db.execute("SELECT n, answer FROM answer WHERE scope = ?", (scope_id,))
    return _erase(db, rows.fetchall())


def _erase(db: sqlite3.Connection, answers: Sequence[tuple[int, str]]) -> int:
    for number, answer in answers:
        db.executemany(
            "DELETE FROM answer_memory WHERE memory = ? AND answer = ?",
            [(memory, number) for memory in _named_in(db, answer)],
        )
        db.execute("DELETE FROM answer WHERE n = ?", (number,))
    return len(answers)


def _named_in(db: sqlite3.Connection, answer: str) -> list[int]:
    return list(keys_of(db, dict.fromkeys(_TEXTS.findall(answer))).values())
