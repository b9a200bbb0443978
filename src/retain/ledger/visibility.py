"""The one visibility rule, for every read.

Visible = in scope (the ledger's part), accepted, not expired, true at the asked time, of an asked
kind. The rule is a list of clauses over columns; it is judged row by row in Python, array by array
in numpy, and rendered into SQL, always from the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from retain.domain.kind import Kind, Status
from retain.domain.memory import MemoryRecord

STATUS_CODES: dict[Status, int] = {
    Status.CANDIDATE: 0,
    Status.ACCEPTED: 1,
    Status.DISPUTED: 2,
    Status.SUPERSEDED: 3,
    Status.WITHDRAWN: 4,
    Status.ARCHIVED: 5,
}
KIND_CODES: dict[Kind, int] = {
    Kind.MESSAGE: 0,
    Kind.FACT: 1,
    Kind.PROCEDURE: 2,
    Kind.EPISODE: 3,
    Kind.INSIGHT: 4,
}
# An end of time that is open, so that every clause is a plain comparison of integers.
NEVER = 2**62


@dataclass(frozen=True, slots=True)
class Clause:
    """``column op value``; op is one of ``in``, ``<=``, ``>``."""

    column: str
    op: str
    value: int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a read may see.

    ``now`` is the clock of the read; ``as_of`` asks for what was true at that moment instead:
    values that were superseded later count as true then, and what had not happened yet is left
    out.
    ``None`` in ``kinds`` means all kinds.
    """

    now: int
    as_of: int | None = None
    show_expired: bool = False
    include_superseded: bool = False
    kinds: frozenset[Kind] | None = None

    @property
    def moment(self) -> int:
        """The moment that is looked from."""
        return self.now if self.as_of is None else self.as_of

    def clauses(self) -> list[Clause]:
        """The rule as data. Columns: status, kind, expires, begins, ends (integers, never null)."""
        moment = self.moment
        accepted = STATUS_CODES[Status.ACCEPTED]
        superseded = STATUS_CODES[Status.SUPERSEDED]
        with_superseded = self.include_superseded or self.as_of is not None
        rule = [Clause("status", "in", (accepted, superseded) if with_superseded else (accepted,))]
        if self.kinds is not None:
            codes = sorted(KIND_CODES[kind] for kind in self.kinds)
            rule.append(Clause("kind", "in", tuple(codes)))
        if not self.show_expired:
            rule.append(Clause("expires", ">", moment))
        if self.as_of is not None:
            rule.append(Clause("begins", "<=", moment))
        if not self.include_superseded:
            rule.append(Clause("ends", ">", moment))
        return rule

    def sql(self, table: str = "") -> tuple[str, list[int]]:
        """The rule as a SQL condition with ``?`` marks and their values."""
        prefix = f"{table}." if table else ""
        parts: list[str] = []
        values: list[int] = []
        for clause in self.clauses():
            if isinstance(clause.value, tuple):
                marks = ",".join("?" * len(clause.value))
                parts.append(f"{prefix}{clause.column} IN ({marks})")
                values.extend(clause.value)
            else:
                parts.append(f"{prefix}{clause.column} {clause.op} ?")
                values.append(clause.value)
        return " AND ".join(parts), values

    def shows(self, record: MemoryRecord) -> bool:
        """The rule over one memory."""
        return bool(self.judge(columns_of(record), lambda value, wanted: value in wanted))

    def judge(self, columns: Mapping[str, Any], isin: Callable[[Any, Iterable[int]], Any]) -> Any:
        """The rule over columns: plain integers or numpy arrays, with an ``isin`` to match."""
        verdict: Any = True
        for clause in self.clauses():
            column = columns[clause.column]
            if isinstance(clause.value, tuple):
                verdict = verdict & isin(column, clause.value)
            elif clause.op == ">":
                verdict = verdict & (column > clause.value)
            else:
                verdict = verdict & (column <= clause.value)
        return verdict


def columns_of(record: MemoryRecord) -> dict[str, int]:
    """The columns that the rule reads, of one memory."""
    return {
        "status": STATUS_CODES[record.status],
        "kind": KIND_CODES[record.kind],
        "begins": record.begins_at,
        "ends": NEVER if record.valid_until is None else record.valid_until,
        "expires": NEVER if record.expires_at is None else record.expires_at,
    }
