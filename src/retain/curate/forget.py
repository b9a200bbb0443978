"""Forgetting by policy: what goes and why, then archived or erased in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retain.clock import Clock
from retain.curate.erasure import Describe, erase_memories, receipt_of
from retain.domain.instant import iso
from retain.domain.kind import Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.policy import ForgetPolicy, importance_of
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.ledger.filters import matches, parse_filters
from retain.ledger.paging import pages_of
from retain.ledger.port import Ledger, ReadTx
from retain.ledger.resting import resting_on
from retain.ledger.standing import archive, is_held
from retain.read.reader import items_of


@dataclass(frozen=True, slots=True)
class Plan:
    """What a policy lets go of, each with the reason, and what is due for review."""

    going: Sequence[tuple[MemoryRecord, str]]
    due: Sequence[tuple[MemoryRecord, str]]


class Forgetter:
    """Applies policies to the memories of one project."""

    def __init__(
        self,
        ledger: Ledger,
        project: str,
        clock: Clock,
        forget: Callable[[Iterable[int]], None],
        described: Describe,
    ) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock
        self._described = described  # what is derived from a text
        self._forget = forget  # drops what is cached of partitions

    def forget(self, policy: ForgetPolicy, scope: Scope, *, dry_run: bool) -> dict[str, Any]:
        """Apply a policy to a scope, or to the project; a dry run only says what it would do."""
        self._ledger.write_recalls()  # uses that wait for a write count too
        now = self._clock()
        if dry_run:
            with self._ledger.read() as tx:
                plan = self._plan(tx, policy, scope, now)
                return _report(policy, plan, None, shown=True)
        receipt: Receipt | None = None
        with self._ledger.write() as tx:
            plan = self._plan(tx, policy, scope, now)
            records = [record for record, _ in plan.going]
            if not records:
                return _report(policy, plan, None, shown=True)
            if policy.erase:
                removed, gone, kept = erase_memories(tx, records, None, now, self._described)
                receipt = receipt_of(scope, gone, kept, removed, now, "forgotten by policy")
                tx.add_receipt(receipt)
            else:
                archive(tx, plan.going, now)
        if receipt is not None:
            self._forget({record.key >> 32 for record, _ in plan.going})
            receipt = replace(receipt, file_clean=self._ledger.seal_erasure())
            with self._ledger.write() as tx:
                tx.add_receipt(receipt)
        return _report(policy, plan, receipt, shown=not policy.erase)

    def archived(self, scope: Scope, top_k: int) -> list[dict[str, Any]]:
        """What was archived, newest first."""
        with self._ledger.read() as tx:
            found = [
                record
                for page in pages_of(tx, tx.coverage(scope), None)
                for record in page
                if record.status is Status.ARCHIVED
            ][:top_k]
            items = items_of(tx, found)
            for item in items:
                item["reason"] = tx.history(item["id"])[-1].reason
            return items

    def _plan(self, tx: ReadTx, policy: ForgetPolicy, scope: Scope, now: int) -> Plan:
        kept = _kept(tx, policy, scope)
        going: dict[str, tuple[MemoryRecord, str]] = {}
        staying: dict[tuple[Scope, str], list[tuple[float, int, MemoryRecord]]] = {}
        due: list[tuple[MemoryRecord, str]] = []
        for page in pages_of(tx, tx.coverage(scope), None):
            judged = [one for one in page if one.status in _JUDGED and one.id not in kept]
            uses = tx.uses([one.id for one in judged])
            deleted = _deleted_at(tx, judged) if policy.withdrawn_days is not None else {}
            for record in judged:
                use, importance = uses[record.id], importance_of(record)
                reason = policy.reason(record, use, importance, now, deleted.get(record.id))
                if reason is not None:
                    going[record.id] = (record, reason)
                elif record.status is Status.ACCEPTED:
                    kind = record.kind.value
                    if kind in policy.most:
                        weight = policy.weight(record, use, importance, now)
                        held = staying.setdefault((record.scope.holder, kind), [])
                        held.append((weight, record.created_at, record))
                    if kind in policy.review_days:
                        due.extend(_due(tx, policy, record, now))
        for (_, kind), held in staying.items():
            most = policy.most[kind]
            held.sort(key=lambda one: (-one[0], -one[1], one[2].id))
            for _, _, record in held[most:]:
                going[record.id] = (record, f"more than {most} of kind {kind}")
        if policy.erase:
            chosen = [record for record, _ in going.values()]
            for record, source in list(resting_on(tx, chosen, lambda _: True)):
                if record.scope.project == self._project:
                    going[record.id] = (record, f"rests on {source} alone")
        return Plan(list(going.values()), [one for one in due if one[0].id not in going])


_JUDGED = (Status.ACCEPTED, Status.SUPERSEDED, Status.WITHDRAWN)


def _kept(tx: ReadTx, policy: ForgetPolicy, scope: Scope) -> set[str]:
    """What stays whatever else holds, and, where sources would be erased, what it rests on."""
    _, tree = parse_filters(policy.keep)
    if tree is None:
        return set()
    found = {
        record.id
        for page in pages_of(tx, tx.coverage(scope), None)
        for record, item in zip(page, items_of(tx, page), strict=True)
        if matches(tree, item)
    }
    level = found if policy.erase else set()
    while level:
        level = {one.source_id for one in tx.evidence(sorted(level))} - found
        found |= level
    return found


def _deleted_at(tx: ReadTx, records: Sequence[MemoryRecord]) -> dict[str, int]:
    """When those that are withdrawn were."""
    gone = [record.id for record in records if record.status is Status.WITHDRAWN]
    return {memory_id: events[-1].at for memory_id, events in tx.histories(gone).items()}


def _due(
    tx: ReadTx, policy: ForgetPolicy, record: MemoryRecord, now: int
) -> Iterator[tuple[MemoryRecord, str]]:
    said = record.created_at
    if record.kind is not Kind.MESSAGE:
        sources = tx.named([one.source_id for one in tx.evidence([record.id])])
        said = max([said, *(one.created_at for one in sources if is_held(one))])
    if policy.is_due(record, said, now):
        yield record, f"last said {iso(said)[:10]}"


def _report(
    policy: ForgetPolicy, plan: Plan, receipt: Receipt | None, *, shown: bool
) -> dict[str, Any]:
    def rows(found: Sequence[tuple[MemoryRecord, str]], *, shown: bool) -> list[dict[str, Any]]:
        return [
            {
                "id": record.id,
                "kind": record.kind.value,
                **({"memory": record.text} if shown else {}),
                "created_at": iso(record.created_at),
                **record.scope.ids(),
                "reason": reason,
            }
            for record, reason in found
        ]

    going = rows(plan.going, shown=shown)
    report: dict[str, Any] = {
        "archived": [] if policy.erase else going,
        "erased": going if policy.erase else [],
        "review": rows(plan.due, shown=True),
    }
    if receipt is not None:
        report["receipt"] = receipt.id
    return report
