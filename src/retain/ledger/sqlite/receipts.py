"""Proofs of erasure."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from retain.domain.receipt import Receipt
from retain.ledger.sqlite.rows import many


def store(db: sqlite3.Connection, receipt: Receipt, project: str | None) -> None:
    """Keep a receipt, and whose project it is about; the same id again replaces its text."""
    body = json.dumps(
        asdict(receipt) | {"scope": dict(receipt.scope), "removed": dict(receipt.removed)},
        ensure_ascii=False,
    )
    db.execute(
        "INSERT INTO receipt (id, project, at, body) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body",
        (receipt.id, project, receipt.at, body),
    )


def latest(db: sqlite3.Connection, limit: int, project: str | None) -> list[Receipt]:
    """The latest receipts, newest first; of one project, or of all."""
    rows = db.execute(
        "SELECT body FROM receipt WHERE ?1 IS NULL OR project = ?1 ORDER BY n DESC LIMIT ?2",
        (project, max(0, limit)),
    )
    return [_receipt(json.loads(row[0])) for row in rows.fetchall()]


def mark_sealed(db: sqlite3.Connection, ids: Sequence[str]) -> None:
    """The file is clean now of what these erasures removed."""
    db.execute(
        "UPDATE receipt SET body = json_set(body, '$.file_clean', json('true'))"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (many(ids),),
    )


def unsealed(db: sqlite3.Connection) -> list[str]:
    """Ids of the receipts that say that the file was not made clean."""
    rows = db.execute("SELECT id FROM receipt WHERE NOT body ->> 'file_clean' ORDER BY n")
    return [row[0] for row in rows.fetchall()]


def erase_of(db: sqlite3.Connection, project: str) -> int:
    """Remove the receipts of a project; how many."""
    return db.execute("DELETE FROM receipt WHERE project = ?", (project,)).rowcount


def _receipt(body: dict[str, Any]) -> Receipt:
    for name in ("memory_ids", "digests", "kept_sources"):
        body[name] = tuple(body[name])
    return Receipt(**body)
