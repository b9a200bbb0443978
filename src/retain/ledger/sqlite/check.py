"""Integrity: what could be wrong in a ledger, and what can be rebuilt from what is there."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from retain.ledger.port import CheckReport
from retain.ledger.sqlite import receipts
from retain.ledger.sqlite.failures import is_damaged


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that must hold: a query that counts the rows that break it, what to say of them,
    and the statements that mend it (none where no statement can)."""

    problem: str
    broken: str
    repair: tuple[str, ...] = ()


def _dangling(table: str, column: str, parent: str, key: str = "key") -> Rule:
    missing = (
        f"FROM {table} WHERE {column} IS NOT NULL"
        f" AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.{key} = {table}.{column})"
    )
    return Rule(
        f"{table} rows whose {column} is not there",
        f"SELECT count(*) {missing}",
        (f"DELETE {missing}",),
    )


_NO_FEATURES = "FROM memory m WHERE NOT EXISTS (SELECT 1 FROM features f WHERE f.key = m.key)"
_STALE_ENTITY = "FROM entity WHERE NOT EXISTS (SELECT 1 FROM mention n WHERE n.entity = entity.key)"
FEATURELESS = Rule("memories without features: run reindex", f"SELECT count(*) {_NO_FEATURES}")
_WRONG_SIZES = (
    "FROM features f, ledger l WHERE length(f.terms) <> 4 * length(f.counts)"
    " OR length(f.pieces) % 4 <> 0 OR length(f.vectors) % (4 + l.dimension) <> 0"
)
MISSHAPEN = Rule(
    "memories whose features are damaged or of another embedder: run reindex",
    f"SELECT count(*) {_WRONG_SIZES}",
)
NEED_REINDEX = (FEATURELESS, MISSHAPEN)

RULES = (
    _dangling("evidence", "memory", "memory"),
    _dangling("evidence", "source", "memory"),
    _dangling("link", "source", "memory"),
    _dangling("link", "target", "memory"),
    _dangling("mention", "memory", "memory"),
    _dangling("mention", "entity", "entity"),
    _dangling("event", "memory", "memory"),
    _dangling("features", "key", "memory"),
    _dangling("rebuilt", "key", "memory"),
    _dangling("answer", "scope", "scope", "id"),
    _dangling("answer_memory", "answer", "answer", "n"),
    _dangling("answer_memory", "memory", "memory"),
    _dangling("job", "scope", "scope", "id"),
    _dangling("job_memory", "job", "job", "id"),
    _dangling("job_memory", "memory", "memory"),
    _dangling("recall_memory", "recall", "recall", "n"),
    _dangling("recall_memory", "memory", "memory"),
    _dangling("derivation_memory", "derivation", "derivation", "id"),
    Rule("entities that nothing mentions", f"SELECT count(*) {_STALE_ENTITY}",
         (f"DELETE {_STALE_ENTITY}",)),
    *NEED_REINDEX,
    Rule(
        "memories without history",
        "SELECT count(*) FROM memory m"
        " WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.memory = m.key)",
    ),
    Rule(
        "memories whose text is lost with their message",
        "SELECT count(*) FROM memory m WHERE m.text IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM message g WHERE g.key = m.message)",
    ),
    Rule(
        "memories whose scope is not there",
        "SELECT count(*) FROM memory m WHERE NOT EXISTS"
        " (SELECT 1 FROM scope s WHERE s.id = m.scope AND s.partition = m.key >> 32)",
    ),
    Rule(
        "messages whose scope is not there",
        "SELECT count(*) FROM message m WHERE NOT EXISTS"
        " (SELECT 1 FROM scope s WHERE s.id = m.scope AND s.partition = m.key >> 32)",
    ),
    Rule(
        "partitions whose counters are behind their rows",
        "SELECT count(*) FROM partition p WHERE next_seq <= coalesce((SELECT max(key) FROM memory"
        " WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1) & 4294967295, 0)"
        " OR next_seq <= coalesce((SELECT max(key) FROM message"
        " WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1) & 4294967295, 0)"
        " OR revision < coalesce((SELECT max(max(added, changed)) FROM memory"
        " WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1), 0)",
        (
            "UPDATE partition AS p SET epoch = epoch + 1,"
            " next_seq = max(next_seq, 1 + coalesce((SELECT max(key) FROM memory"
            "  WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1) & 4294967295, 0),"
            "  1 + coalesce((SELECT max(key) FROM message"
            "  WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1) & 4294967295, 0)),"
            " revision = max(revision, coalesce((SELECT max(max(added, changed)) FROM memory"
            "  WHERE key BETWEEN p.id << 32 AND (p.id + 1 << 32) - 1), 0))",
        ),
    ),
    Rule(
        "the order of recording is behind its rows",
        "SELECT count(*) FROM ledger"
        " WHERE next_order <= (SELECT coalesce(max(ord), 0) FROM memory)",
        ("UPDATE ledger SET next_order = 1 + (SELECT coalesce(max(ord), 0) FROM memory)",),
    ),
)  # fmt: skip


def check(db: sqlite3.Connection, tables: tuple[str, ...], repair: bool) -> CheckReport:
    """Judge every rule, and mend what can be mended if asked; the caller holds the transaction."""
    try:
        damage = [
            row[0] for row in db.execute("PRAGMA integrity_check(20)").fetchall() if row[0] != "ok"
        ]
        if not damage:
            problems, repaired = _judge(db, repair)
            return CheckReport(
                problems,
                repaired,
                counts_of(db, tables),
                any(_count(db, rule.broken) for rule in NEED_REINDEX),
                len(receipts.unsealed(db)),
            )
    except sqlite3.DatabaseError as error:
        if not is_damaged(error):
            raise
        damage = [str(error)]
    return CheckReport([f"the file is damaged: {one}; restore it from a backup" for one in damage])


def _judge(db: sqlite3.Connection, repair: bool) -> tuple[list[str], list[str]]:
    """What is wrong and stays so, and what was mended."""
    problems: list[str] = []
    repaired: list[str] = []
    for rule in RULES:
        broken = _count(db, rule.broken)
        if not broken:
            continue
        if repair:
            for statement in rule.repair:
                db.execute(statement)
        mended = repair and not _count(db, rule.broken)
        (repaired if mended else problems).append(f"{broken} {rule.problem}")
    if repaired:
        # Rows went that caches may know.
        db.execute("UPDATE partition SET epoch = epoch + 1")
    return problems, repaired


def counts_of(db: sqlite3.Connection, tables: tuple[str, ...]) -> dict[str, int]:
    """Rows by table."""
    return {table: _count(db, f"SELECT count(*) FROM {table}") for table in tables}


def _count(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])
