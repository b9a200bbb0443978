"""Episodes in order, and the insights of a holder."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from retain.domain.kind import Kind, Status
from retain.ledger.port import Coverage, Wanted
from retain.ledger.sqlite.pages import runs_of
from retain.ledger.visibility import KIND_CODES, STATUS_CODES, Visibility

_EPISODE: Final = KIND_CODES[Kind.EPISODE]
_INSIGHT: Final = KIND_CODES[Kind.INSIGHT]
_WITHDRAWN: Final = STATUS_CODES[Status.WITHDRAWN]


def last(db: sqlite3.Connection, holder: int) -> int | None:
    """The key of a holder's episode that was recorded last and is not withdrawn."""
    row = db.execute(
        f"SELECT key FROM memory WHERE holder = ? AND kind = {_EPISODE} AND status <> {_WITHDRAWN}"
        " ORDER BY key DESC LIMIT 1",
        (holder,),
    ).fetchone()
    return None if row is None else int(row[0])


def chosen(
    db: sqlite3.Connection,
    coverage: Coverage,
    visibility: Visibility,
    wanted: Wanted,
    limit: int,
    offset: int,
) -> tuple[list[int], int]:
    """Keys of the episodes that are as wanted, latest first, and how many there are in all."""
    condition, values = visibility.sql("m")
    more, bounds = _conditions(wanted)
    found: list[tuple[int, int]] = []
    for run in runs_of(coverage):
        where, ends = run.where()
        rows = db.execute(
            f"SELECT m.said, m.key{', m.text' if wanted.search else ''} FROM {run.table}"
            f" WHERE {where} AND m.kind = {_EPISODE} AND {condition}{more}",
            (*ends, *values, *bounds),
        ).fetchall()
        if wanted.search is not None:
            folded = wanted.search.casefold()
            rows = [row for row in rows if folded in row[2].casefold()]
        found.extend((row[0], row[1]) for row in rows)
    found.sort(reverse=True)
    return [key for _, key in found[offset : offset + max(0, limit)]], len(found)


def waiting(db: sqlite3.Connection, project: str) -> int:
    """How many accepted episodes of a project no consolidation has looked at."""
    row = db.execute(
        "SELECT count(*) FROM memory m INDEXED BY memory_unconsolidated"
        " JOIN scope s ON s.id = m.scope WHERE m.kind = 3 AND m.status = 1"
        " AND json_extract(m.details, '$.consolidated_at') IS NULL AND s.project = ?",
        (project,),
    ).fetchone()
    return int(row[0])


def insights(db: sqlite3.Connection, holder: int) -> list[int]:
    """Keys of a holder's insights in any status, oldest first."""
    rows = db.execute(
        f"SELECT key FROM memory WHERE holder = ? AND kind = {_INSIGHT} ORDER BY key", (holder,)
    )
    return [row[0] for row in rows.fetchall()]


def _conditions(wanted: Wanted) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    for name, value in (("outcome", wanted.outcome), ("domain", wanted.domain)):
        if value is not None:
            parts.append(f" AND json_extract(m.details, '$.{name}') = ?")
            values.append(value)
    if wanted.consolidated is not None:
        stands = "IS NOT NULL" if wanted.consolidated else "IS NULL"
        parts.append(f" AND json_extract(m.details, '$.consolidated_at') {stands}")
    for operator, bound in ((">=", wanted.since), ("<", wanted.until)):
        if bound is not None:
            parts.append(f" AND m.said {operator} ?")
            values.append(bound)
    return "".join(parts), values
