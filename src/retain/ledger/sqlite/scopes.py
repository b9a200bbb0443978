"""Scopes, partitions, and what a scope covers."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from retain.domain.scope import Scope
from retain.ledger.port import Coverage, PartitionState, Place, Turn

_EXACT = "project = ? AND user_id = ? AND agent_id = ? AND run_id = ?"


@dataclass(frozen=True, slots=True)
class Seat:
    """A place, with the number of its holder (the scopes that differ in their run alone)."""

    place: Place
    holder: int


def key_range(partition: int) -> tuple[int, int]:
    """The first and the last key that a partition may give."""
    return partition << 32, (partition + 1 << 32) - 1


def find(db: sqlite3.Connection, scope: Scope) -> Seat | None:
    """Where an exact scope is kept, if it is known."""
    row = db.execute(
        f"SELECT id, partition, holder FROM scope WHERE {_EXACT}", _exact(scope)
    ).fetchone()
    return None if row is None else Seat(Place(row[0], row[1]), row[2])


def find_or_make(db: sqlite3.Connection, scope: Scope) -> Seat:
    """Where an exact scope is kept, made if new."""
    seat = find(db, scope)
    if seat is not None:
        return seat
    partition = _partition_of(db, scope)
    holder = holder_of(db, scope)
    made = db.execute(
        "INSERT INTO scope (partition, holder, project, user_id, agent_id, run_id)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (partition, holder or 0, *_exact(scope)),
    ).lastrowid
    assert made is not None  # an INSERT always has one
    if holder is None:
        db.execute("UPDATE scope SET holder = id WHERE id = ?", (made,))
    return Seat(Place(made, partition), holder or made)


def holder_of(db: sqlite3.Connection, scope: Scope) -> int | None:
    """The number of the scope's holder, if any scope of that holder is known."""
    values: tuple[str, ...] = _exact(scope)
    condition = _EXACT
    if scope.user_id is not None or scope.agent_id is not None:
        values, condition = values[:3], "project = ? AND user_id = ? AND agent_id = ?"
    row = db.execute(f"SELECT holder FROM scope WHERE {condition} LIMIT 1", values).fetchone()
    return None if row is None else int(row[0])


def coverage(db: sqlite3.Connection, scope: Scope) -> Coverage:
    """The partitions and exact scopes that a read of ``scope`` covers."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    condition, values = _covered(scope)
    for number, partition in db.execute(
        f"SELECT id, partition FROM scope WHERE {condition}", values
    ):
        found[partition].add(number)
    whole = scope.is_empty or (scope.run_id is None and None in (scope.user_id, scope.agent_id))
    own = _own_partition(db, scope) if whole and not scope.is_empty else None
    return Coverage(
        {
            partition: None if scope.is_empty or partition == own else frozenset(numbers)
            for partition, numbers in sorted(found.items())
        }
    )


def exact(db: sqlite3.Connection, number: int) -> Scope:
    """The scope with this number."""
    row = db.execute(
        "SELECT project, user_id, agent_id, run_id FROM scope WHERE id = ?", (number,)
    ).fetchone()
    return _scope(row)


def state(db: sqlite3.Connection, partition: int) -> PartitionState:
    """How far a partition has come; zeros for one that is not there."""
    row = db.execute("SELECT epoch, revision FROM partition WHERE id = ?", (partition,)).fetchone()
    return PartitionState(0, 0) if row is None else PartitionState(row[0], row[1])


def last_turn(db: sqlite3.Connection, scope: Scope) -> Turn | None:
    """Where the last conversation of an exact scope stands."""
    row = db.execute(
        f"SELECT last_session, last_position, last_at FROM scope WHERE {_EXACT}", _exact(scope)
    ).fetchone()
    return None if row is None or row[0] is None else Turn(*row)


def go_on(db: sqlite3.Connection, number: int, turn: Turn) -> None:
    """Move the last turn of a scope forward."""
    db.execute(
        "UPDATE scope SET last_session = ?, last_position = ?, last_at = ? WHERE id = ?"
        " AND (last_session IS NULL OR (last_session, last_position) <= (?, ?))",
        (turn.session, turn.position, turn.occurred_at, number, turn.session, turn.position),
    )


def _partition_of(db: sqlite3.Connection, scope: Scope) -> int:
    found = _own_partition(db, scope)
    if found is not None:
        return found
    made = db.execute(
        "INSERT INTO partition (project, owner_type, owner, next_seq, epoch, revision)"
        " VALUES (?, ?, ?, 1, 1, 0)",
        (scope.project, *scope.owner),
    ).lastrowid
    assert made is not None  # an INSERT always has one
    return made


def _own_partition(db: sqlite3.Connection, scope: Scope) -> int | None:
    row = db.execute(
        "SELECT id FROM partition WHERE project = ? AND owner_type = ? AND owner = ?",
        (scope.project, *scope.owner),
    ).fetchone()
    return None if row is None else int(row[0])


def _exact(scope: Scope) -> tuple[str, str, str, str]:
    return scope.project, scope.user_id or "", scope.agent_id or "", scope.run_id or ""


def _covered(scope: Scope) -> tuple[str, list[str]]:
    named = scope.ids()
    condition = " AND ".join(["project = ?", *(f"{name} = ?" for name in named)])
    return condition, [scope.project, *named.values()]


def _scope(row: tuple[str, str, str, str]) -> Scope:
    return Scope(row[0], row[1] or None, row[2] or None, row[3] or None)
