"""Events of memories, append-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from retain.domain.event import Event
from retain.domain.kind import Action
from retain.ledger.sqlite.rows import many

_NEXT = (
    "SELECT memory, max(n) + 1 FROM event"
    " WHERE memory IN (SELECT value FROM json_each(?)) GROUP BY memory"
)
_VERBATIM = (
    "SELECT m.key, g.content FROM memory m JOIN message g ON g.key = m.message"
    " WHERE m.key IN (SELECT value FROM json_each(?))"
)
_OLD_IS_MESSAGE, _NEW_IS_MESSAGE = 1, 2


def of_memories(db: sqlite3.Connection, memory_ids: Iterable[str]) -> dict[str, list[Event]]:
    """Events of each of these memories, oldest first."""
    rows = db.execute(
        "SELECT e.id, m.id, e.action,"
        " CASE WHEN e.same & 1 THEN g.content ELSE e.old_text END,"
        " CASE WHEN e.same & 2 THEN g.content ELSE e.new_text END,"
        " e.created_at, e.at, e.actor, e.role, e.reason"
        " FROM memory m JOIN event e ON e.memory = m.key LEFT JOIN message g ON g.key = m.message"
        " WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY e.memory, e.n",
        (many(memory_ids),),
    )
    found: dict[str, list[Event]] = {}
    for row in rows.fetchall():
        found.setdefault(row[1], []).append(Event(row[0], row[1], Action(row[2]), *row[3:]))
    return found


def append(
    db: sqlite3.Connection,
    events: Sequence[Event],
    keys: Mapping[str, int],
    added: Mapping[int, str | None],
) -> None:
    """Add events after those that their memories have.

    ``added`` holds the memories (by key) that were added in this write and have no event yet, with
    the text of their message, if they are a view on one.
    """
    rows = []
    begun: dict[int, int] = {}
    verbatim = dict(added)
    older = [key for key in keys.values() if key not in added]
    if older:
        begun.update(db.execute(_NEXT, (many(older),)).fetchall())
        verbatim.update(db.execute(_VERBATIM, (many(older),)).fetchall())
    for event in events:
        key = keys[event.memory_id]
        number = begun.get(key, 0)
        rows.append((key, number, *_values(event, verbatim.get(key))))
        begun[key] = number + 1
    db.executemany(
        "INSERT INTO event"
        " (memory, n, id, action, created_at, at, actor, role, reason, same, old_text, new_text)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def _values(event: Event, verbatim: str | None) -> tuple[object, ...]:
    same = 0
    if verbatim is not None:
        same |= _OLD_IS_MESSAGE if event.old_text == verbatim else 0
        same |= _NEW_IS_MESSAGE if event.new_text == verbatim else 0
    return (
        event.id,
        event.action.value,
        event.created_at,
        event.at,
        event.actor,
        event.role,
        event.reason,
        same,
        None if same & _OLD_IS_MESSAGE else event.old_text,
        None if same & _NEW_IS_MESSAGE else event.new_text,
    )
