"""Removing rows for good, from every table."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from retain.ledger.port import Coverage
from retain.ledger.sqlite import answers, derivations, entities, jobs, rebuild, recalls
from retain.ledger.sqlite.pages import runs_of
from retain.ledger.sqlite.rows import many
from retain.ledger.sqlite.scopes import key_range

_CHOSEN = "IN (SELECT value FROM json_each(?))"


def erase_memories(db: sqlite3.Connection, keys: Sequence[int]) -> dict[str, int]:
    """Remove memories and everything that hangs on them. Rows removed, by table."""
    chosen = many(keys)
    rows = db.execute(f"SELECT id, message, kind FROM memory WHERE key {_CHOSEN}", (chosen,))
    known = rows.fetchall()
    ids = frozenset(memory_id for memory_id, _, _ in known)
    turns = many(message for _, message, kind in known if kind == 0 and message is not None)
    named = entities.of_memories(db, keys)
    _forget_successor(db, ids)

    def drop(table: str, column: str, values: str) -> int:
        return db.execute(f"DELETE FROM {table} WHERE {column} {_CHOSEN}", (values,)).rowcount

    rebuild.drop(db, keys)
    removed = {
        "derivation": derivations.erase_naming(db, ids),
        "answer": answers.erase_naming(db, keys),
        "job": jobs.erase_naming(db, keys),
        "recall": recalls.erase_naming(db, keys),
        "evidence": drop("evidence", "memory", chosen) + drop("evidence", "source", chosen),
        "link": drop("link", "source", chosen) + drop("link", "target", chosen),
        "mention": drop("mention", "memory", chosen),
        "entity": entities.tidy(db, named),
        "event": drop("event", "memory", chosen),
        "features": drop("features", "key", chosen),
        "memory": drop("memory", "key", chosen),
        "message": drop("message", "key", turns),
    }
    return {table: count for table, count in removed.items() if count}


def erase_coverage(db: sqlite3.Connection, coverage: Coverage) -> dict[str, int]:
    """Remove all that a coverage holds, with its scopes. Rows removed, by table."""
    scopes = {
        partition: _scopes_in(db, partition, chosen) for partition, chosen in coverage.parts.items()
    }
    keys: list[int] = []
    for run in runs_of(coverage):
        where, bounds = run.where()
        found = db.execute(f"SELECT m.key FROM {run.table} WHERE {where}", bounds)
        keys.extend(row[0] for row in found.fetchall())
    removed: Counter[str] = Counter()
    for numbers in scopes.values():
        # Before the memories: an answer is found by those that it names.
        removed["answer"] += sum(answers.erase_of(db, number) for number in numbers)
        removed["job"] += sum(jobs.erase_of(db, number) for number in numbers)
        removed["derivation"] += sum(derivations.erase_of(db, number) for number in numbers)
    removed.update(erase_memories(db, keys))
    for partition, numbers in scopes.items():
        chosen = many(numbers)
        removed["message"] += db.execute(
            f"DELETE FROM message WHERE key BETWEEN ? AND ? AND scope {_CHOSEN}",
            (*key_range(partition), chosen),
        ).rowcount
        removed["scope"] += db.execute(f"DELETE FROM scope WHERE id {_CHOSEN}", (chosen,)).rowcount
    removed["partition"] += db.execute(
        f"DELETE FROM partition WHERE id {_CHOSEN}"
        " AND NOT EXISTS (SELECT 1 FROM scope WHERE scope.partition = partition.id)",
        (many(scopes),),
    ).rowcount
    return {table: count for table, count in removed.items() if count}


def projects_of(db: sqlite3.Connection, partitions: Iterable[int]) -> list[str]:
    """The projects that these partitions belong to."""
    rows = db.execute(
        f"SELECT DISTINCT project FROM partition WHERE id {_CHOSEN} ORDER BY project",
        (many(partitions),),
    )
    return [row[0] for row in rows.fetchall()]


def _scopes_in(db: sqlite3.Connection, partition: int, chosen: frozenset[int] | None) -> list[int]:
    if chosen is not None:
        return sorted(chosen)
    rows = db.execute("SELECT id FROM scope WHERE partition = ? ORDER BY id", (partition,))
    return [row[0] for row in rows.fetchall()]


def _forget_successor(db: sqlite3.Connection, ids: frozenset[str]) -> None:
    """Memories that an erased one replaced no longer name it."""
    db.execute(
        f"UPDATE memory SET superseded_by = NULL WHERE superseded_by {_CHOSEN}", (many(ids),)
    )
