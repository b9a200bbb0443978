"""How derived text came about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from retain.domain.derivation import Decision, Derivation
from retain.domain.scope import Scope
from retain.ledger.port import Coverage
from retain.ledger.sqlite.rows import many

_COLUMNS: Final = (
    "d.id, d.method, d.at, d.inputs, d.decisions, d.model, d.raw, d.parameters, d.context, d.usage,"
    " s.project, s.user_id, s.agent_id, s.run_id"
)
_SOURCE: Final = "derivation d LEFT JOIN scope s ON s.id = d.scope"


def get(db: sqlite3.Connection, derivation_id: str) -> Derivation | None:
    """A derivation by its id."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE d.id = ?", (derivation_id,)
    ).fetchone()
    return None if row is None else _derivation(row)


def of(db: sqlite3.Connection, coverage: Coverage, limit: int) -> list[Derivation]:
    """The latest derivations of a coverage, newest first."""
    found: list[Derivation] = []
    for partition, scopes in coverage.parts.items():
        condition, values = "s.partition = ?", [str(partition)]
        if scopes is not None:
            condition = "d.scope IN (SELECT value FROM json_each(?))"
            values = [many(sorted(scopes))]
        rows = db.execute(
            f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE {condition} ORDER BY d.id DESC LIMIT ?",
            (*values, max(0, limit)),
        )
        found.extend(map(_derivation, rows))
    return sorted(found, key=lambda one: one.id, reverse=True)[: max(0, limit)]


def naming(db: sqlite3.Connection, memory_id: str) -> list[Derivation]:
    """The derivations that read a memory, were shown it, or decided on it, oldest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE d.id IN"
        " (SELECT derivation FROM derivation_memory WHERE memory_id = ?) ORDER BY d.id",
        (memory_id,),
    )
    return list(map(_derivation, rows))


def _derivation(row: tuple[Any, ...]) -> Derivation:
    return Derivation(
        id=row[0],
        method=row[1],
        at=row[2],
        input_ids=tuple(json.loads(row[3])),
        decisions=tuple(Decision(**one) for one in json.loads(row[4])),
        model=row[5],
        raw=row[6],
        parameters=json.loads(row[7]),
        context_ids=tuple(json.loads(row[8])) if row[8] else (),
        usage=json.loads(row[9]) if row[9] else {},
        scope=None
        if row[10] is None
        else Scope(row[10], row[11] or None, row[12] or None, row[13] or None),
    )


def insert(db: sqlite3.Connection, derivation: Derivation, scope_id: int | None) -> None:
    """Keep a derivation, and which memories it names."""
    db.execute(
        "INSERT INTO derivation (id, method, at, model, parameters, inputs, decisions, raw, scope,"
        " context, usage) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            derivation.id,
            derivation.method,
            derivation.at,
            derivation.model,
            _json(dict(derivation.parameters)),
            _json(list(derivation.input_ids)),
            _json([asdict(decision) for decision in derivation.decisions]),
            derivation.raw,
            scope_id,
            _json(list(derivation.context_ids)) if derivation.context_ids else None,
            _json(dict(derivation.usage)) if derivation.usage else None,
        ),
    )
    db.executemany(
        "INSERT INTO derivation_memory (memory_id, derivation) VALUES (?, ?)",
        [(memory_id, derivation.id) for memory_id in derivation.memory_ids()],
    )


def erase_naming(db: sqlite3.Connection, memory_ids: Iterable[str]) -> int:
    """Remove the derivations that name any of these memories; how many. Memories that they made
    and that stay lose the reference."""
    gone = many(
        row[0]
        for row in db.execute(
            "SELECT DISTINCT derivation FROM derivation_memory"
            " WHERE memory_id IN (SELECT value FROM json_each(?))",
            (many(memory_ids),),
        ).fetchall()
    )
    db.execute(
        "UPDATE memory SET derivation = NULL WHERE derivation IN (SELECT value FROM json_each(?))",
        (gone,),
    )
    db.execute(
        "DELETE FROM derivation_memory WHERE derivation IN (SELECT value FROM json_each(?))",
        (gone,),
    )
    return db.execute(
        "DELETE FROM derivation WHERE id IN (SELECT value FROM json_each(?))", (gone,)
    ).rowcount


def erase_of(db: sqlite3.Connection, scope_id: int) -> int:
    """Remove the derivations of an exact scope, also those that name no memory; how many."""
    return db.execute("DELETE FROM derivation WHERE scope = ?", (scope_id,)).rowcount


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
