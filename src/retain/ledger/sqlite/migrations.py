"""Numbered changes of the schema, each with its reason; applied in one transaction on open."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from retain.errors import LedgerTooNew
from retain.ledger.sqlite.schema import (
    APPLICATION_ID,
    EXPERIENCE,
    FIRST,
    LEARNING,
    REBUILDING,
    STANDING,
    USING,
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: the schema version it leads to, why it exists, and its statements."""

    version: int
    why: str
    statements: Sequence[str]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "the first schema", FIRST),
    Migration(2, "what was replaced can stand again as it stood", STANDING),
    Migration(3, "derived data is rebuilt beside that in use", REBUILDING),
    Migration(4, "learning with a model: jobs, methods, what a derivation saw and cost", LEARNING),
    Migration(5, "what a memory's use led to: recalls and their outcomes", USING),
    Migration(6, "episodes and insights have details", EXPERIENCE),
)
VERSION = MIGRATIONS[-1].version


def version_of(db: sqlite3.Connection) -> int:
    """The schema version a file is at; 0 for an empty one."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(db: sqlite3.Connection, path: str) -> None:
    """Stop before a file that a newer version of Retain has written.

    Raises:
        LedgerTooNew: its schema is newer than the newest known here.
    """
    found = version_of(db)
    if found > VERSION:
        raise LedgerTooNew(
            f"{path!r} has schema version {found}, this version of Retain knows {VERSION}: "
            "upgrade Retain (pip install -U retain) to open it"
        )


def migrate(db: sqlite3.Connection) -> None:
    """Bring a file up to ``VERSION``; the caller holds the write transaction."""
    at = version_of(db)
    for migration in MIGRATIONS:
        if migration.version <= at:
            continue
        for statement in migration.statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {migration.version}")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
