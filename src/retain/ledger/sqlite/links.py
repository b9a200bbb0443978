"""Edges between memories."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from retain.domain.kind import LinkType
from retain.domain.link import Link
from retain.ledger.sqlite.rows import many


def touching(db: sqlite3.Connection, keys: Iterable[int]) -> list[Link]:
    """Edges from or to any of these memories, each once, oldest first."""
    chosen = many(keys)
    rows = db.execute(
        "SELECT s.id, l.type, t.id, l.at, l.reason FROM ("
        " SELECT * FROM link WHERE source IN (SELECT value FROM json_each(?1))"
        " UNION SELECT * FROM link WHERE target IN (SELECT value FROM json_each(?1))) l"
        " JOIN memory s ON s.key = l.source JOIN memory t ON t.key = l.target"
        " ORDER BY l.at, l.source, l.target, l.type",
        (chosen,),
    )
    return [
        Link(source, LinkType(kind), target, at, reason)
        for source, kind, target, at, reason in rows.fetchall()
    ]


def insert(db: sqlite3.Connection, links: Sequence[Link], keys: dict[str, int]) -> None:
    """Draw edges; one that is drawn already stays as it is."""
    db.executemany(
        "INSERT OR IGNORE INTO link (source, type, target, at, reason) VALUES (?, ?, ?, ?, ?)",
        [
            (keys[one.source_id], one.type.value, keys[one.target_id], one.at, one.reason)
            for one in links
        ],
    )


def remove(db: sqlite3.Connection, source: int, target: int) -> None:
    """Remove the edges from one memory to another."""
    db.execute("DELETE FROM link WHERE source = ? AND target = ?", (source, target))
