"""The instruction texts that derivations followed."""

from __future__ import annotations

import sqlite3

from retain.domain.method import Method


def get(db: sqlite3.Connection, method_id: str) -> Method | None:
    """A method by its id."""
    row = db.execute("SELECT text FROM method WHERE id = ?", (method_id,)).fetchone()
    return None if row is None else Method.of(method_id, row[0])


def store(db: sqlite3.Connection, method: Method) -> None:
    """Keep a method; one that is known already stays as it is."""
    db.execute("INSERT OR IGNORE INTO method (id, text) VALUES (?, ?)", (method.id, method.text))
