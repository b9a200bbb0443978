"""Memories newest first, and how many there are."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from retain.ledger.filters import Tree
from retain.ledger.port import Coverage
from retain.ledger.sqlite.narrow import narrowing
from retain.ledger.sqlite.scopes import key_range
from retain.ledger.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Run:
    """Rows that ascend in key and in order together: a partition, or one exact scope in it."""

    first: int
    last: int
    scope: int | None

    @property
    def table(self) -> str:
        """What to read it from; an exact scope lies together in its index alone."""
        return "memory m" if self.scope is None else "memory m INDEXED BY memory_scope"

    def where(self, first: int | None = None, last: int | None = None) -> tuple[str, list[int]]:
        """The condition on ``m``, with its values, narrowed to a range of keys where given."""
        bounds = [self.first if first is None else first, self.last if last is None else last]
        if self.scope is None:
            return "m.key BETWEEN ? AND ?", bounds
        return "m.scope = ? AND m.key BETWEEN ? AND ?", [self.scope, *bounds]


def runs_of(coverage: Coverage) -> list[Run]:
    """The runs that a coverage is made of."""
    runs: list[Run] = []
    for partition, scopes in coverage.parts.items():
        first, last = key_range(partition)
        chosen = [None] if scopes is None else sorted(scopes)
        runs.extend(Run(first, last, scope) for scope in chosen)
    return runs


def page(
    db: sqlite3.Connection,
    coverage: Coverage,
    visibility: Visibility | None,
    before: int | None,
    limit: int,
    tree: Tree | None = None,
) -> list[int]:
    """Keys of the newest visible memories recorded before the cursor that may meet the filter,
    newest first."""
    if limit <= 0:
        return []
    condition, values = _rule(visibility, tree)
    runs = runs_of(coverage)
    first = limit if len(runs) == 1 else min(limit, 8)  # of many, most end early
    streams = [_newest(db, run, condition, values, before, first, limit) for run in runs]
    merged = streams[0] if len(streams) == 1 else heapq.merge(*streams, reverse=True)
    return [key for _, key in islice(merged, limit)]


def order_of(db: sqlite3.Connection, key: int) -> int:
    """The place of a memory in the order of recording."""
    row = db.execute("SELECT ord FROM memory WHERE key = ?", (key,)).fetchone()
    return 0 if row is None else int(row[0])


def unsettled(db: sqlite3.Connection, coverage: Coverage, limit: int) -> list[int]:
    """Keys of candidates and disputed memories, newest first."""
    found: list[tuple[int, int]] = []
    for run in runs_of(coverage):
        scope, values = ("", []) if run.scope is None else (" AND m.scope = ?", [run.scope])
        rows = db.execute(
            "SELECT m.ord, m.key FROM memory m INDEXED BY memory_unsettled"
            f" WHERE m.status IN (0, 2) AND m.key BETWEEN ? AND ?{scope}"
            " ORDER BY m.key DESC LIMIT ?",
            (run.first, run.last, *values, max(0, limit)),
        )
        found.extend(rows.fetchall())
    return [key for _, key in sorted(found, reverse=True)[: max(0, limit)]]


def turns(db: sqlite3.Connection, scope_id: int, visibility: Visibility, limit: int) -> list[int]:
    """Keys of the last visible turns of an exact scope, in the order of the conversation."""
    condition, values = _rule(visibility)
    rows = db.execute(
        "SELECT m.session, m.position, m.key FROM memory m"
        f" WHERE m.scope = ? AND m.kind = 0 AND {condition} ORDER BY m.key DESC LIMIT ?",
        (scope_id, *values, max(0, limit)),
    )
    return [key for _, _, key in sorted(rows.fetchall())]


def _newest(
    db: sqlite3.Connection,
    run: Run,
    condition: str,
    values: list[Any],
    before: int | None,
    step: int,
    limit: int,
) -> Iterator[tuple[int, int]]:
    """(order, key) of one run, descending, read in steps that grow up to the limit."""
    last = run.last if before is None else _first_key_from(db, run, before) - 1
    while True:
        where, bounds = run.where(last=last)
        rows = db.execute(
            f"SELECT m.ord, m.key FROM {run.table} WHERE {where} AND {condition}"
            " ORDER BY m.key DESC LIMIT ?",
            (*bounds, *values, step),
        ).fetchall()
        yield from rows
        if len(rows) < step:
            return
        last = rows[-1][1] - 1
        step = min(step * 4, limit)


def _first_key_from(db: sqlite3.Connection, run: Run, order: int) -> int:
    """The first key of a run whose order is not below the given one (past its end if there is
    none): by halving, since both ascend together."""
    newest = _nearest(db, run, run.first, "DESC")
    if newest is None or newest[1] < order:
        return run.last + 1
    oldest = _nearest(db, run, run.first, "ASC") or newest
    low, high = oldest[0], newest[0]
    while low < high:
        middle = (low + high) // 2
        found = _nearest(db, run, middle, "ASC")
        if found is None or found[1] >= order:
            high = middle
        else:
            low = found[0] + 1
    return low


def _nearest(
    db: sqlite3.Connection, run: Run, first: int, direction: str
) -> tuple[int, int] | None:
    """(key, order) at one end of the rows of a run from a key on."""
    where, bounds = run.where(first=first)
    row: tuple[int, int] | None = db.execute(
        f"SELECT m.key, m.ord FROM {run.table} WHERE {where} ORDER BY m.key {direction} LIMIT 1",
        bounds,
    ).fetchone()
    return row


def _rule(visibility: Visibility | None, tree: Tree | None = None) -> tuple[str, list[Any]]:
    condition, values = ("1", []) if visibility is None else visibility.sql("m")
    narrow = narrowing(tree)
    return f"{condition} AND {narrow.sql}", [*values, *narrow.values]
