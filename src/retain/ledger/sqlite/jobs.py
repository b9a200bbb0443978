"""Work that is not done yet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, Final

from retain.domain.job import Job, JobKind, JobStatus
from retain.domain.scope import Scope
from retain.ledger.port import Coverage
from retain.ledger.sqlite.rows import many

_COLUMNS: Final = (
    "j.id, s.project, s.user_id, s.agent_id, s.run_id, j.kind, j.inputs, j.created_at, "
    "j.updated_at, j.status, j.due_at, j.attempts, j.lease, j.lease_until, j.error, j.arguments, "
    "j.outcomes"
)
_SOURCE: Final = "job j JOIN scope s ON s.id = j.scope"
_CHOSEN: Final = "IN (SELECT value FROM json_each(?))"


def get(db: sqlite3.Connection, job_id: str) -> Job | None:
    """A job by its id."""
    row = db.execute(f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE j.id = ?", (job_id,)).fetchone()
    return None if row is None else _job(row)


def of(
    db: sqlite3.Connection, coverage: Coverage, status: JobStatus | None, limit: int
) -> list[Job]:
    """The latest jobs of a coverage, newest first."""
    found: list[Job] = []
    for partition, scopes in coverage.parts.items():
        condition, values = "s.partition = ?", [str(partition)]
        if scopes is not None:
            condition, values = f"j.scope {_CHOSEN}", [many(sorted(scopes))]
        if status is not None:
            condition, values = f"{condition} AND j.status = ?", [*values, status.value]
        rows = db.execute(
            f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE {condition} ORDER BY j.id DESC LIMIT ?",
            (*values, max(0, limit)),
        )
        found.extend(map(_job, rows))
    return sorted(found, key=lambda job: job.id, reverse=True)[: max(0, limit)]


def due(db: sqlite3.Connection, project: str, now: int) -> Job | None:
    """The oldest job that waits to be done, or whose worker has not been heard of in time."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE s.project = ? AND ("
        " j.status = 'pending' AND j.due_at <= ?"
        " OR j.status = 'running' AND j.lease_until <= ?) ORDER BY j.due_at, j.id LIMIT 1",
        (project, now, now),
    ).fetchone()
    return None if row is None else _job(row)


def open_for(db: sqlite3.Connection, memory_key: int) -> Job | None:
    """The job that works on a memory and is not done, if there is one."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE j.status <> 'done' AND j.id IN"
        " (SELECT job FROM job_memory WHERE memory = ?) ORDER BY j.id DESC LIMIT 1",
        (memory_key,),
    ).fetchone()
    return None if row is None else _job(row)


def counts(db: sqlite3.Connection, project: str) -> Mapping[str, int]:
    """How many jobs a project has, by status."""
    rows = db.execute(
        "SELECT j.status, count(*) FROM job j JOIN scope s ON s.id = j.scope"
        " WHERE s.project = ? GROUP BY j.status ORDER BY j.status",
        (project,),
    )
    return dict(rows.fetchall())


def store(db: sqlite3.Connection, scope_id: int, job: Job, keys: Iterable[int]) -> None:
    """Keep a job, new or changed; ``keys`` are the memories that it names."""
    values: dict[str, Any] = {
        "id": job.id,
        "scope": scope_id,
        "kind": job.kind.value,
        "status": job.status.value,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "due_at": job.due_at,
        "attempts": job.attempts,
        "lease": job.lease,
        "lease_until": job.lease_until,
        "error": job.error,
        "inputs": _json(list(job.input_ids)),
        "arguments": _json(dict(job.arguments)),
        "outcomes": _json([list(one) for one in job.outcomes]),
    }
    db.execute(
        f"INSERT OR REPLACE INTO job ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )
    db.executemany(
        "INSERT OR IGNORE INTO job_memory (memory, job) VALUES (?, ?)",
        [(key, job.id) for key in keys],
    )


def erase_naming(db: sqlite3.Connection, keys: Iterable[int]) -> int:
    """Remove the jobs that name any of these memories; how many."""
    found = db.execute(f"SELECT DISTINCT job FROM job_memory WHERE memory {_CHOSEN}", (many(keys),))
    gone = many(row[0] for row in found.fetchall())
    db.execute(f"DELETE FROM job_memory WHERE job {_CHOSEN}", (gone,))
    return db.execute(f"DELETE FROM job WHERE id {_CHOSEN}", (gone,)).rowcount


def erase_of(db: sqlite3.Connection, scope_id: int) -> int:
    """Remove the jobs of an exact scope; how many."""
    return db.execute("DELETE FROM job WHERE scope = ?", (scope_id,)).rowcount


def _job(row: tuple[Any, ...]) -> Job:
    return Job(
        id=row[0],
        scope=Scope(row[1], row[2] or None, row[3] or None, row[4] or None),
        kind=JobKind(row[5]),
        input_ids=tuple(json.loads(row[6])),
        created_at=row[7],
        updated_at=row[8],
        status=JobStatus(row[9]),
        due_at=row[10],
        attempts=row[11],
        lease=row[12],
        lease_until=row[13],
        error=row[14],
        arguments=json.loads(row[15]),
        outcomes=tuple((one, event) for one, event in json.loads(row[16])),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
