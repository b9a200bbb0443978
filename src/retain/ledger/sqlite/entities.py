"""Named things, and where memories name them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from uuid import NAMESPACE_OID, uuid5

from retain.domain.entity import Entity, Mention
from retain.ledger.names import fold
from retain.ledger.port import Coverage
from retain.ledger.sqlite.pages import runs_of
from retain.ledger.sqlite.rows import many
from retain.ledger.visibility import Visibility


def mentions_of(db: sqlite3.Connection, key: int) -> list[Mention]:
    """The names in a memory, in text order."""
    rows = db.execute(
        "SELECT name, start, stop, type FROM mention WHERE memory = ? ORDER BY start, stop, name",
        (key,),
    )
    return [Mention(*row) for row in rows.fetchall()]


def visible(
    db: sqlite3.Connection, coverage: Coverage, visibility: Visibility, limit: int
) -> list[Entity]:
    """Named things with visible mentions, most mentioned first, then by name."""
    condition, values = visibility.sql("m")
    counted: dict[int, int] = {}
    for run in runs_of(coverage):
        where, bounds = run.where()
        rows = db.execute(
            f"SELECT n.entity, count(DISTINCT n.memory) FROM {run.table}"
            f" JOIN mention n ON n.memory = m.key WHERE {where} AND {condition}"
            " GROUP BY n.entity",
            (*bounds, *values),
        )
        for entity, mentions in rows:
            counted[entity] = counted.get(entity, 0) + mentions
    rows = db.execute(
        "SELECT key, id, name, type FROM entity WHERE key IN (SELECT value FROM json_each(?))",
        (many(counted),),
    )
    found = [Entity(uid, name, kind, counted[key]) for key, uid, name, kind in rows]
    found.sort(key=lambda one: (-one.mentions, one.name, one.id))
    return found[: max(0, limit)]


def insert(
    db: sqlite3.Connection, partition: int, mentions: Iterable[tuple[int, Sequence[Mention]]]
) -> None:
    """Store the mentions of memories (by key) of one partition."""
    known: dict[str, int] = {}
    rows = []
    for key, named in mentions:
        for one in named:
            folded = fold(one.name)
            if folded not in known:
                known[folded] = _entity(db, partition, folded, one)
            rows.append((key, one.start, one.end, known[folded], one.name, one.type))
    db.executemany(
        "INSERT OR IGNORE INTO mention (memory, start, stop, entity, name, type)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        rows,
    )


def replace(db: sqlite3.Connection, partition: int, key: int, mentions: Sequence[Mention]) -> None:
    """Replace the mentions of one memory."""
    before = of_memories(db, [key])
    db.execute("DELETE FROM mention WHERE memory = ?", (key,))
    insert(db, partition, [(key, mentions)])
    tidy(db, before)


def of_memories(db: sqlite3.Connection, keys: Iterable[int]) -> list[int]:
    """The entities that these memories mention."""
    rows = db.execute(
        "SELECT DISTINCT entity FROM mention WHERE memory IN (SELECT value FROM json_each(?))",
        (many(keys),),
    )
    return [row[0] for row in rows.fetchall()]


def tidy(db: sqlite3.Connection, entities: Iterable[int]) -> int:
    """Drop those of the entities that nothing mentions, and name the others as their first mention
    does, so that no form of a name outlives the text it came from. How many were dropped."""
    chosen = many(entities)
    dropped = db.execute(
        "DELETE FROM entity WHERE key IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM mention n WHERE n.entity = entity.key)",
        (chosen,),
    ).rowcount
    db.execute(
        "UPDATE entity SET (name, type) = (SELECT n.name, n.type FROM mention n"
        " WHERE n.entity = entity.key ORDER BY n.memory, n.start, n.stop LIMIT 1)"
        " WHERE key IN (SELECT value FROM json_each(?))",
        (chosen,),
    )
    return dropped


def _entity(db: sqlite3.Connection, partition: int, folded: str, mention: Mention) -> int:
    row = db.execute(
        "SELECT key FROM entity WHERE partition = ? AND folded = ?", (partition, folded)
    ).fetchone()
    if row is not None:
        return int(row[0])
    made = db.execute(
        "INSERT INTO entity (id, partition, folded, name, type) VALUES (?, ?, ?, ?, ?)",
        (
            str(uuid5(NAMESPACE_OID, f"{partition}/{folded}")),
            partition,
            folded,
            mention.name,
            mention.type,
        ),
    ).lastrowid
    assert made is not None  # an INSERT always has one
    return made
