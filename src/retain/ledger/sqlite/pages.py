"""Memories newest first, and how many there are."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterator
from itertools import islice

from retain.ledger.port import Coverage
from retain.ledger.sqlite.scopes import key_range
from retain.ledger.visibility import Visibility

# One run of rows that ascend in key and in order: a partition, or one exact scope of it.
Run = tuple[str, tuple[int, ...]]


def page(
    db: sqlite3.Connection,
    coverage: Coverage,
    visibility: Visibility | None,
    before: int | None,
    limit: int,
) -> list[int]:
    """Keys of the newest visible memories recorded before the cursor, newest first."""
    if limit <= 0:
        return []
    condition, values = _rule(visibility)
    streams = [_newest(db, run, condition, values, before, limit) for run in runs_of(coverage)]
    merged = streams[0] if len(streams) == 1 else heapq.merge(*streams, reverse=True)
    return [key for _, key in islice(merged, limit)]


def order_of(db: sqlite3.Connection, key: int) -> int:
    """The place of a memory in the order of recording."""
    row = db.execute("SELECT ord FROM memory WHERE key = ?", (key,)).fetchone()
    return 0 if row is None else int(row[0])


def count(db: sqlite3.Connection, coverage: Coverage, visibility: Visibility | None) -> int:
    """How many memories ``page`` would give in all."""
    condition, values = _rule(visibility)
    found = 0
    for where, bounds in runs_of(coverage):
        row = db.execute(
            f"SELECT count(*) FROM memory WHERE {where} AND {condition}", (*bounds, *values)
        ).fetchone()
        found += int(row[0])
    return found


def turns(db: sqlite3.Connection, scope_id: int, visibility: Visibility, limit: int) -> list[int]:
    """Keys of the last visible turns of an exact scope, in the order of the conversation."""
    condition, values = _rule(visibility)
    rows = db.execute(
        f"SELECT session, position, key FROM memory WHERE scope = ? AND kind = 0 AND {condition}"
        " ORDER BY key DESC LIMIT ?",
        (scope_id, *values, max(0, limit)),
    )
    return [key for _, _, key in sorted(rows.fetchall())]


def runs_of(coverage: Coverage) -> list[Run]:
    """The runs of rows that a coverage is made of, each as a condition with its values."""
    runs: list[Run] = []
    for partition, scopes in coverage.parts.items():
        if scopes is None:
            runs.append(("key BETWEEN ? AND ?", key_range(partition)))
        else:
            runs.extend(("scope = ?", (scope,)) for scope in sorted(scopes))
    return runs


def _newest(
    db: sqlite3.Connection,
    run: Run,
    condition: str,
    values: list[int],
    before: int | None,
    limit: int,
) -> Iterator[tuple[int, int]]:
    """(order, key) of one run, descending; read in growing steps, since most runs end early."""
    where, bounds = run
    statement = (
        f"SELECT ord, key FROM memory WHERE {where} AND key < ? AND {condition}"
        " ORDER BY key DESC LIMIT ?"
    )
    below = 2**63 - 1 if before is None else _first_key_from(db, run, before)
    step = min(limit, 8)
    while True:
        rows = db.execute(statement, (*bounds, below, *values, step)).fetchall()
        yield from rows
        if len(rows) < step:
            return
        below = rows[-1][1]
        step = min(step * 4, max(limit, 8))


def _first_key_from(db: sqlite3.Connection, run: Run, order: int) -> int:
    """The first key of a run whose order is not below the given one: by halving, since both
    ascend together."""
    where, bounds = run
    statement = f"SELECT key, ord FROM memory WHERE {where} AND key >= ? ORDER BY key LIMIT 1"
    last = db.execute(f"SELECT max(key) FROM memory WHERE {where}", bounds).fetchone()[0]
    first = db.execute(f"SELECT min(key) FROM memory WHERE {where}", bounds).fetchone()[0]
    if last is None:
        return 0
    low, high = first, last + 1
    while low < high:
        middle = (low + high) // 2
        row = db.execute(statement, (*bounds, middle)).fetchone()
        if row[1] >= order:
            high = middle
        else:
            low = row[0] + 1
    return int(low)


def _rule(visibility: Visibility | None) -> tuple[str, list[int]]:
    return ("1", []) if visibility is None else visibility.sql()
