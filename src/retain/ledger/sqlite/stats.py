"""Figures about a ledger."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from retain.ledger.sqlite.check import counts_of
from retain.ledger.sqlite.migrations import version_of
from retain.ledger.sqlite.rows import KINDS, STATUSES

TABLES: Final = (
    "partition", "scope", "message", "memory", "features", "evidence", "link", "event", "entity",
    "mention", "derivation", "answer", "recall", "receipt",
)  # fmt: skip


def stats(db: sqlite3.Connection, path: str, project: str | None) -> dict[str, Any]:
    """Counts by table, kind and status; size on disk in bytes; schema version.

    With a project, kinds and statuses are of that project alone; tables are of the whole file.
    """
    return {
        "tables": counts_of(db, TABLES),
        "kinds": {KINDS[code].value: n for code, n in _by(db, "kind", project)},
        "statuses": {STATUSES[code].value: n for code, n in _by(db, "status", project)},
        "bytes": size_of(db, path),
        "schema_version": version_of(db),
        "path": path,
    }


def size_of(db: sqlite3.Connection, path: str) -> int:
    """Bytes that the ledger takes, its log included."""
    if path == ":memory:":
        pages = int(db.execute("PRAGMA page_count").fetchone()[0])
        return pages * int(db.execute("PRAGMA page_size").fetchone()[0])
    files = (Path(path), Path(f"{path}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _by(db: sqlite3.Connection, column: str, project: str | None) -> list[tuple[int, int]]:
    if project is None:
        rows = db.execute(f"SELECT {column}, count(*) FROM memory GROUP BY 1 ORDER BY 1")
    else:
        rows = db.execute(
            f"SELECT m.{column}, count(*) FROM memory m JOIN scope s ON s.id = m.scope"
            " WHERE s.project = ? GROUP BY 1 ORDER BY 1",
            (project,),
        )
    return rows.fetchall()
