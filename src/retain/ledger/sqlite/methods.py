"""The instruction texts that derivations used."""

from __future__ import annotations

import sqlite3


def get(db: sqlite3.Connection, method_id: str) -> str | None:
    """The text of a method."""
    row = db.execute("SELECT text FROM method WHERE id = ?", (method_id,)).fetchone()
    return None if row is None else str(row[0])


def store(db: sqlite3.Connection, method_id: str, text: str) -> None:
    """Keep a method; one that is known already stays as it is."""
    db.execute("INSERT OR IGNORE INTO method (id, text) VALUES (?, ?)", (method_id, text))
