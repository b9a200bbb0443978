"""Recalls, what was said of them, and how their memories were used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from retain.domain.use import Judged, Outcome, Recalled, Use
from retain.ledger.sqlite.rows import many

MOST_UNJUDGED = 10_000  # of the latest recalls, that an outcome can still be given for
_IN = "IN (SELECT value FROM json_each(?))"


def insert(db: sqlite3.Connection, recalled: Iterable[Recalled], keys: Mapping[str, int]) -> None:
    """Keep recalls; of their memories those that are there."""
    last = 0
    for one in recalled:
        number = db.execute(
            "INSERT OR IGNORE INTO recall (id, at) VALUES (?, ?)", (one.id, one.at)
        ).lastrowid
        assert number is not None  # an INSERT always has one
        last = number
        db.executemany(
            "INSERT OR IGNORE INTO recall_memory (recall, memory) VALUES (?, ?)",
            [(number, keys[name]) for name in one.memory_ids if name in keys],
        )
    old = db.execute(
        "SELECT n FROM recall WHERE outcome IS NULL AND n <= ?", (last - MOST_UNJUDGED,)
    )
    numbers = many(number for (number,) in old.fetchall())
    db.execute(f"DELETE FROM recall_memory WHERE recall {_IN}", (numbers,))
    db.execute(f"DELETE FROM recall WHERE n {_IN}", (numbers,))


def memories_of(db: sqlite3.Connection, recall_id: str) -> list[str] | None:
    """The memories of a recall, by id; None for one that is not known."""
    number = _number(db, recall_id)
    if number is None:
        return None
    rows = db.execute(
        "SELECT m.id FROM recall_memory r JOIN memory m ON m.key = r.memory WHERE r.recall = ?"
        " ORDER BY m.key",
        (number,),
    )
    return [row[0] for row in rows.fetchall()]


def judge(db: sqlite3.Connection, judged: Judged) -> list[int] | None:
    """Keep what is said of a recall; the keys whose counts change. None: it is not known."""
    row = db.execute("SELECT n, outcome FROM recall WHERE id = ?", (judged.recall_id,)).fetchone()
    if row is None:
        return None
    number, before = row
    db.execute(
        "UPDATE recall SET outcome = ?, note = ?, judged_at = ? WHERE n = ?",
        (judged.outcome.value, judged.note, judged.at, number),
    )
    lowered, raised = _COUNTED.get(before), _COUNTED.get(judged.outcome.value)
    if lowered == raised:
        return []
    rows = db.execute("SELECT memory FROM recall_memory WHERE recall = ?", (number,))
    keys = [key for (key,) in rows.fetchall()]
    for column, step in ((lowered, -1), (raised, 1)):
        if column is not None:
            db.executemany(
                f"UPDATE memory SET {column} = {column} + ? WHERE key = ?",
                [(step, key) for key in keys],
            )
    return keys


def judgements(db: sqlite3.Connection, memory_id: str) -> list[Judged]:
    """What was said of the recalls that used a memory, oldest first."""
    rows = db.execute(
        "SELECT r.id, r.outcome, r.judged_at, r.note FROM recall r"
        " JOIN recall_memory u ON u.recall = r.n"
        " WHERE r.outcome IS NOT NULL AND u.memory = (SELECT key FROM memory WHERE id = ?)"
        " ORDER BY r.judged_at, r.n",
        (memory_id,),
    )
    return [Judged(row[0], Outcome(row[1]), row[2], row[3]) for row in rows.fetchall()]


def uses(db: sqlite3.Connection, memory_ids: Sequence[str]) -> dict[str, Use]:
    """How memories were used, by id."""
    rows = db.execute(
        f"SELECT id, uses, used_at, helped, hurt FROM memory WHERE id {_IN}",
        (many(memory_ids),),
    )
    return {row[0]: Use(*row[1:]) for row in rows.fetchall()}


def erase_naming(db: sqlite3.Connection, keys: Sequence[int]) -> int:
    """Forget that memories were recalled, and the notes on it; how many uses were known."""
    chosen = many(keys)
    known = db.execute(f"SELECT DISTINCT recall FROM recall_memory WHERE memory {_IN}", (chosen,))
    numbers = many(number for (number,) in known.fetchall())
    removed = db.execute(f"DELETE FROM recall_memory WHERE memory {_IN}", (chosen,)).rowcount
    db.execute(f"UPDATE recall SET note = NULL WHERE n {_IN}", (numbers,))
    db.execute(
        f"DELETE FROM recall WHERE n {_IN}"
        " AND NOT EXISTS (SELECT 1 FROM recall_memory u WHERE u.recall = recall.n)",
        (numbers,),
    )
    return removed


_COUNTED = {Outcome.SUCCESS.value: "helped", Outcome.FAILURE.value: "hurt"}


def _number(db: sqlite3.Connection, recall_id: str) -> int | None:
    row = db.execute("SELECT n FROM recall WHERE id = ?", (recall_id,)).fetchone()
    return None if row is None else int(row[0])
