"""Memories: reading them as records, storing them, changing them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.sqlite.rows import (
    RECORD_COLUMNS,
    RECORD_SOURCE,
    STATE_COLUMNS,
    many,
    record_of,
    text_hash,
)

ScopeOf = Callable[[int], Scope]

_SELECT = f"SELECT {RECORD_COLUMNS} FROM {RECORD_SOURCE}"
_ADDED = ("key", "id", "scope", "holder", "uses", "added", "changed", "ord")
_INSERT = (
    f"INSERT INTO memory ({', '.join((*_ADDED, *STATE_COLUMNS))})"
    f" VALUES ({', '.join('?' * (len(_ADDED) + len(STATE_COLUMNS)))})"
)
_UPDATE = (
    f"UPDATE memory SET changed = ?, {', '.join(f'{name} = ?' for name in STATE_COLUMNS)}"
    " WHERE key = ?"
)


def by_id(db: sqlite3.Connection, scope_of: ScopeOf, memory_id: str) -> MemoryRecord | None:
    """A memory by its id, in any status."""
    return _one(db.execute(f"{_SELECT} WHERE m.id = ?", (memory_id,)), scope_of)


def by_ids(db: sqlite3.Connection, scope_of: ScopeOf, ids: Sequence[str]) -> list[MemoryRecord]:
    """Memories by id, in the order asked."""
    found = {
        row[1]: row
        for row in db.execute(
            f"{_SELECT} WHERE m.id IN (SELECT value FROM json_each(?))", (many(ids),)
        )
    }
    return [record_of(found[name], scope_of(found[name][2])) for name in ids if name in found]


def by_keys(db: sqlite3.Connection, scope_of: ScopeOf, keys: Sequence[int]) -> list[MemoryRecord]:
    """Memories by key, in the order asked."""
    found = {
        row[0]: row
        for row in db.execute(
            f"{_SELECT} WHERE m.key IN (SELECT value FROM json_each(?))", (many(keys),)
        )
    }
    return [record_of(found[key], scope_of(found[key][2])) for key in keys if key in found]


def by_external_id(
    db: sqlite3.Connection, scope_of: ScopeOf, scope_id: int, external_id: str
) -> MemoryRecord | None:
    """The latest turn of an exact scope under the caller's own id."""
    rows = db.execute(
        f"{_SELECT} WHERE m.scope = ? AND m.external_id = ? AND m.kind = 0"
        " ORDER BY m.key DESC LIMIT 1",
        (scope_id, external_id),
    )
    return _one(rows, scope_of)


def in_slot(
    db: sqlite3.Connection, scope_of: ScopeOf, holder: int, subject: str, attribute: str
) -> list[MemoryRecord]:
    """Accepted facts of one slot of a holder, oldest first."""
    rows = db.execute(
        f"{_SELECT} WHERE m.holder = ? AND m.subject = ? AND m.attribute = ?"
        " AND m.kind = 1 AND m.status = 1 AND m.subject IS NOT NULL ORDER BY m.key",
        (holder, subject, attribute),
    )
    return [record_of(row, scope_of(row[2])) for row in rows.fetchall()]


def facts_with_text(
    db: sqlite3.Connection, scope_of: ScopeOf, holder: int, texts: Collection[str]
) -> list[MemoryRecord]:
    """Accepted or superseded facts of a holder with exactly one of these texts, oldest first."""
    rows = db.execute(
        f"{_SELECT} WHERE m.holder = ? AND m.kind = 1 AND m.status IN (1, 3)"
        " AND m.text_hash IN (SELECT value FROM json_each(?)) ORDER BY m.key",
        (holder, many(map(text_hash, texts))),
    )
    facts = [record_of(row, scope_of(row[2])) for row in rows.fetchall()]
    return [fact for fact in facts if fact.text in texts]


def key_of(db: sqlite3.Connection, memory_id: str) -> int | None:
    """The key of a memory."""
    row = db.execute("SELECT key FROM memory WHERE id = ?", (memory_id,)).fetchone()
    return None if row is None else int(row[0])


def keys_of(db: sqlite3.Connection, memory_ids: Iterable[str]) -> dict[str, int]:
    """Keys of those memories that exist."""
    rows = db.execute(
        "SELECT id, key FROM memory WHERE id IN (SELECT value FROM json_each(?))",
        (many(memory_ids),),
    )
    return dict(rows.fetchall())


def held(db: sqlite3.Connection, memory_id: str) -> tuple[int, int] | None:
    """The key of a memory, and the number of its holder."""
    row = db.execute("SELECT key, holder FROM memory WHERE id = ?", (memory_id,)).fetchone()
    return None if row is None else (int(row[0]), int(row[1]))


def move(db: sqlite3.Connection, key: int, scope_id: int, revision: int) -> None:
    """Put a row into another scope."""
    db.execute("UPDATE memory SET scope = ?, changed = ? WHERE key = ?", (scope_id, revision, key))


def total(db: sqlite3.Connection) -> int:
    """How many memories there are, in any status."""
    return int(db.execute("SELECT count(*) FROM memory").fetchone()[0])


def message_of_turn(db: sqlite3.Connection, key: int) -> tuple[int | None, str | None]:
    """Key and text of the message that a memory is a view on."""
    row = db.execute(
        "SELECT m.message, g.content FROM memory m LEFT JOIN message g ON g.key = m.message"
        " WHERE m.key = ?",
        (key,),
    ).fetchone()
    return (None, None) if row is None else (row[0], row[1])


def insert(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Store rows: key, id, scope, holder, uses, added, changed, ord, then ``STATE_COLUMNS``."""
    db.executemany(_INSERT, rows)


def update(db: sqlite3.Connection, key: int, revision: int, state: tuple[Any, ...]) -> bool:
    """Replace the state of a row; whether there is one."""
    return db.execute(_UPDATE, (revision, *state, key)).rowcount == 1


def count_uses(db: sqlite3.Connection, uses: Iterable[tuple[int, int, int, int]]) -> None:
    """Add to the uses of memories: how many, when the last one was, revision, key."""
    db.executemany(
        "UPDATE memory SET uses = uses + ?, used_at = max(coalesce(used_at, 0), ?), changed = ?"
        " WHERE key = ?",
        uses,
    )


def touch(db: sqlite3.Connection, revisions: Iterable[tuple[int, int]]) -> None:
    """Let searches read rows again: revision, key."""
    db.executemany("UPDATE memory SET changed = ? WHERE key = ?", revisions)


def _one(rows: sqlite3.Cursor, scope_of: ScopeOf) -> MemoryRecord | None:
    row = rows.fetchone()
    return None if row is None else record_of(row, scope_of(row[2]))
