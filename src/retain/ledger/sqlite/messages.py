"""Turns, verbatim."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from retain.domain.message import Message
from retain.ledger.sqlite.rows import many, message_of, pack

_COLUMNS = "id, role, content, occurred_at, actor, external_id, session, position, metadata"


def get(db: sqlite3.Connection, message_id: str) -> Message | None:
    """A message by its id."""
    row = db.execute(f"SELECT {_COLUMNS} FROM message WHERE id = ?", (message_id,)).fetchone()
    return None if row is None else message_of(row)


def by_ids(db: sqlite3.Connection, message_ids: Iterable[str]) -> dict[str, Message]:
    """Messages by id."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM message WHERE id IN (SELECT value FROM json_each(?))",
        (many(message_ids),),
    )
    return {row[0]: message_of(row) for row in rows.fetchall()}


def content_of(db: sqlite3.Connection, message_id: str) -> tuple[int, str] | None:
    """Key and text of a message."""
    row = db.execute("SELECT key, content FROM message WHERE id = ?", (message_id,)).fetchone()
    return None if row is None else (row[0], row[1])


def insert(
    db: sqlite3.Connection, scope_id: int, first_key: int, messages: Sequence[Message]
) -> None:
    """Store turns under consecutive keys."""
    db.executemany(
        f"INSERT INTO message (key, scope, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                key,
                scope_id,
                one.id,
                one.role,
                one.content,
                one.occurred_at,
                one.actor,
                one.external_id,
                one.session,
                one.position,
                pack(one.metadata),
            )
            for key, one in enumerate(messages, first_key)
        ],
    )
