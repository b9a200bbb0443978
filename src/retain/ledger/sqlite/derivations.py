"""How derived text came about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict

from retain.domain.derivation import Decision, Derivation
from retain.ledger.sqlite.rows import many


def get(db: sqlite3.Connection, derivation_id: str) -> Derivation | None:
    """A derivation by its id."""
    row = db.execute(
        "SELECT id, method, at, inputs, decisions, model, raw, parameters"
        " FROM derivation WHERE id = ?",
        (derivation_id,),
    ).fetchone()
    if row is None:
        return None
    decisions = tuple(Decision(**one) for one in json.loads(row[4]))
    return Derivation(
        row[0], row[1], row[2], tuple(json.loads(row[3])), decisions, row[5], row[6],
        json.loads(row[7]),
    )  # fmt: skip


def insert(db: sqlite3.Connection, derivation: Derivation) -> None:
    """Keep a derivation, and which memories it names."""
    db.execute(
        "INSERT INTO derivation (id, method, at, model, parameters, inputs, decisions, raw)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            derivation.id,
            derivation.method,
            derivation.at,
            derivation.model,
            _json(dict(derivation.parameters)),
            _json(list(derivation.input_ids)),
            _json([asdict(decision) for decision in derivation.decisions]),
            derivation.raw,
        ),
    )
    db.executemany(
        "INSERT INTO derivation_memory (memory_id, derivation) VALUES (?, ?)",
        [(memory_id, derivation.id) for memory_id in named_in(derivation)],
    )


def named_in(derivation: Derivation) -> list[str]:
    """Every memory that a derivation names, as input or in a decision."""
    named = dict.fromkeys(derivation.input_ids)
    named.update(dict.fromkeys(d.memory_id for d in derivation.decisions if d.memory_id))
    return list(named)


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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
