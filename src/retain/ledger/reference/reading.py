"""Reads of the reference: each says in one expression what the port's words mean."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from retain.domain.derivation import Derivation
from retain.domain.entity import Entity, Mention
from retain.domain.episode import Episode
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.job import Job, JobStatus
from retain.domain.kind import Kind, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.scope import Scope
from retain.domain.use import Judged, Use
from retain.ledger.filters import Tree
from retain.ledger.names import fold
from retain.ledger.port import Coverage, PartitionState, ScanRow, Turn, Wanted
from retain.ledger.reference.state import Row, State
from retain.ledger.visibility import Visibility, columns_of


class ReferenceRead:
    """One state to read from."""

    def __init__(self, state: State) -> None:
        self._state = state

    def coverage(self, scope: Scope) -> Coverage:
        parts: defaultdict[int, set[int]] = defaultdict(set)
        for exact, place in self._state.places.items():
            if scope.covers(exact):
                parts[place.partition].add(place.scope_id)
        return Coverage({partition: frozenset(found) for partition, found in parts.items()})

    def partition_state(self, partition: int) -> PartitionState:
        return self._state.partitions.get(partition, PartitionState(0, 0))

    def scan(
        self, partition: int, after_revision: int, features_after_revision: int
    ) -> Iterator[ScanRow]:
        for row in self._in_partition(partition):
            if row.revision <= after_revision:
                continue
            rule = columns_of(row.record)
            yield ScanRow(
                key=row.record.key,
                id=row.record.id,
                scope_id=self._state.places[row.record.scope].scope_id,
                kind=rule["kind"],
                status=rule["status"],
                said=row.record.created_at,
                begins=rule["begins"],
                ends=rule["ends"],
                expires=rule["expires"],
                session=row.record.session,
                position=row.record.position,
                uses=row.use.count,
                worth=row.use.scanned_worth,
                reply=int(row.record.kind is Kind.MESSAGE and row.record.role == "assistant"),
                features=row.features if row.features_revision > features_after_revision else None,
            )

    def memory(self, memory_id: str) -> MemoryRecord | None:
        row = self._state.rows.get(memory_id)
        return None if row is None else self._record(row)

    def named(self, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        rows = self._state.rows
        return [self._record(rows[name]) for name in memory_ids if name in rows]

    def memories(self, keys: Sequence[int]) -> list[MemoryRecord]:
        by_key = {row.record.key: row for row in self._state.rows.values()}
        return [self._record(by_key[key]) for key in keys if key in by_key]

    def page(
        self,
        coverage: Coverage,
        visibility: Visibility | None,
        before: int | None,
        limit: int,
        tree: Tree | None = None,  # noqa: ARG002 - any row may meet it, and the caller judges
    ) -> list[MemoryRecord]:
        newest = sorted(self._seen(coverage, visibility), key=lambda row: -row.order)
        below = [row for row in newest if before is None or row.order < before]
        return [self._record(row) for row in below[: max(0, limit)]]

    def candidates(
        self, coverage: Coverage, visibility: Visibility | None, tree: Tree, limit: int
    ) -> list[int]:
        return [one.key for one in self.page(coverage, visibility, None, limit, tree)]

    def order_of(self, record: MemoryRecord) -> int:
        row = self._state.rows.get(record.id)
        return 0 if row is None else row.order

    def last_turn(self, scope: Scope) -> Turn | None:
        return self._state.turns.get(scope)

    def recent_turns(self, scope: Scope, visibility: Visibility, limit: int) -> list[MemoryRecord]:
        turns = [
            row
            for row in self._state.rows.values()
            if row.record.scope == scope
            and row.record.kind is Kind.MESSAGE
            and visibility.shows(row.record)
        ]
        last = sorted(turns, key=lambda row: row.order)[-limit:] if limit > 0 else []
        last.sort(key=lambda row: (row.record.session, row.record.position, row.order))
        return [self._record(row) for row in last]

    def message(self, message_id: str) -> Message | None:
        found = self._state.messages.get(message_id)
        return None if found is None else found[1]

    def messages(self, message_ids: Sequence[str]) -> dict[str, Message]:
        found = self._state.messages
        return {one: found[one][1] for one in message_ids if one in found}

    def turn_by_external_id(self, scope: Scope, external_id: str) -> MemoryRecord | None:
        found = [
            row
            for row in self._state.rows.values()
            if row.record.scope == scope
            and row.record.kind is Kind.MESSAGE
            and row.record.external_id == external_id
        ]
        return self._record(max(found, key=lambda row: row.order)) if found else None

    def slot(self, scope: Scope, subject: str, attribute: str) -> list[MemoryRecord]:
        return [
            record
            for record in self._facts(scope, {Status.ACCEPTED})
            if (record.subject, record.attribute) == (subject, attribute)
        ]

    def last_episode(self, scope: Scope) -> MemoryRecord | None:
        held = [
            record
            for record in self._of_kind(scope, Kind.EPISODE)
            if record.status is not Status.WITHDRAWN
        ]
        return held[-1] if held else None

    def episodes(
        self, coverage: Coverage, visibility: Visibility, wanted: Wanted, limit: int, offset: int
    ) -> tuple[list[MemoryRecord], int]:
        found = [
            self._record(row)
            for row in self._seen(coverage, visibility)
            if row.record.kind is Kind.EPISODE and _is_wanted(row.record, wanted)
        ]
        found.sort(key=lambda one: (one.created_at, one.key), reverse=True)
        return found[offset : offset + max(0, limit)], len(found)

    def waiting_episodes(self, project: str) -> int:
        return sum(
            row.record.scope.project == project
            and row.record.kind is Kind.EPISODE
            and row.record.status is Status.ACCEPTED
            and _is_wanted(row.record, Wanted(consolidated=False))
            for row in self._state.rows.values()
        )

    def insights(self, scope: Scope) -> list[MemoryRecord]:
        return self._of_kind(scope, Kind.INSIGHT)

    def _of_kind(self, scope: Scope, kind: Kind) -> list[MemoryRecord]:
        found = [
            self._record(row)
            for row in self._state.rows.values()
            if row.record.kind is kind and row.record.scope.holder == scope.holder
        ]
        return sorted(found, key=lambda one: one.key)

    def facts_with_text(self, scope: Scope, *texts: str) -> list[MemoryRecord]:
        facts = self._facts(scope, {Status.ACCEPTED, Status.SUPERSEDED})
        return [record for record in facts if record.text in texts]

    def evidence(self, memory_ids: Sequence[str]) -> list[Evidence]:
        return self._oldest([e for e in self._state.evidence.values() if e.memory_id in memory_ids])

    def supported_by(self, *source_ids: str) -> list[Evidence]:
        return self._oldest([e for e in self._state.evidence.values() if e.source_id in source_ids])

    def links(self, memory_id: str) -> list[Link]:
        return self.links_of([memory_id])

    def links_of(self, memory_ids: Sequence[str]) -> list[Link]:
        touching = [
            link
            for link in self._state.links.values()
            if link.source_id in memory_ids or link.target_id in memory_ids
        ]
        touching.sort(
            key=lambda link: (
                link.at,
                self._key(link.source_id),
                self._key(link.target_id),
                link.type,
            )
        )
        return touching

    def history(self, memory_id: str) -> list[Event]:
        return list(self._state.events.get(memory_id, ()))

    def histories(self, memory_ids: Sequence[str]) -> dict[str, list[Event]]:
        return {one: found for one in memory_ids if (found := self.history(one))}

    def derivation(self, derivation_id: str) -> Derivation | None:
        return self._state.derivations.get(derivation_id)

    def derivations(self, coverage: Coverage, limit: int) -> list[Derivation]:
        mine = [d for d in self._state.derivations.values() if self._covers(coverage, d.scope)]
        return sorted(mine, key=lambda one: one.id, reverse=True)[: max(0, limit)]

    def derivations_naming(self, memory_id: str) -> list[Derivation]:
        naming = [d for d in self._state.derivations.values() if memory_id in d.memory_ids()]
        return sorted(naming, key=lambda one: one.id)

    def method(self, method_id: str) -> Method | None:
        return self._state.methods.get(method_id)

    def unsettled(self, coverage: Coverage, limit: int) -> list[MemoryRecord]:
        rows = [
            row
            for row in self._state.rows.values()
            if row.record.status in (Status.CANDIDATE, Status.DISPUTED)
            and self._covers(coverage, row.record.scope)
        ]
        rows.sort(key=lambda row: (row.order, row.record.key), reverse=True)
        return [row.record for row in rows[: max(0, limit)]]

    def job(self, job_id: str) -> Job | None:
        return self._state.jobs.get(job_id)

    def jobs(self, coverage: Coverage, status: JobStatus | None, limit: int) -> list[Job]:
        mine = [
            job
            for job in self._state.jobs.values()
            if self._covers(coverage, job.scope) and status in (None, job.status)
        ]
        return sorted(mine, key=lambda job: job.id, reverse=True)[: max(0, limit)]

    def due_job(self, project: str, now: int) -> Job | None:
        due = [
            job
            for job in self._state.jobs.values()
            if job.scope.project == project
            and (
                (job.status is JobStatus.PENDING and job.due_at <= now)
                or (job.status is JobStatus.RUNNING and (job.lease_until or 0) <= now)
            )
        ]
        return min(due, key=lambda job: (job.due_at, job.id), default=None)

    def open_job_for(self, memory_id: str) -> Job | None:
        found = [
            job
            for job in self._state.jobs.values()
            if job.is_open and memory_id in job.memory_ids()
        ]
        return max(found, key=lambda job: job.id, default=None)

    def job_counts(self, project: str) -> Mapping[str, int]:
        mine = (job for job in self._state.jobs.values() if job.scope.project == project)
        return Counter(sorted(job.status.value for job in mine))

    def _covers(self, coverage: Coverage, scope: Scope | None) -> bool:
        place = None if scope is None else self._state.places.get(scope)
        if place is None or place.partition not in coverage.parts:
            return False
        chosen = coverage.parts[place.partition]
        return chosen is None or place.scope_id in chosen

    def uses(self, memory_ids: Sequence[str]) -> dict[str, Use]:
        rows = self._state.rows
        return {name: rows[name].use for name in memory_ids if name in rows}

    def recalled(self, recall_id: str) -> list[str] | None:
        known = self._state.recalls.get(recall_id)
        return None if known is None else [one.id for one in self.named(known[0].memory_ids)]

    def judgements(self, memory_id: str) -> list[Judged]:
        found = [
            judged
            for recalled, judged in self._state.recalls.values()
            if judged is not None and memory_id in recalled.memory_ids
        ]
        return sorted(found, key=lambda one: one.at)

    def mentions(self, memory_id: str) -> list[Mention]:
        row = self._state.rows.get(memory_id)
        found = () if row is None else row.mentions
        return sorted(found, key=lambda one: (one.start, one.end, one.name))

    def entities(self, coverage: Coverage, visibility: Visibility, limit: int) -> list[Entity]:
        counted: Counter[tuple[int, str]] = Counter()
        for row in self._seen(coverage, visibility):
            counted.update({(row.record.key >> 32, fold(one.name)) for one in row.mentions})
        found = []
        for (partition, folded), mentions in counted.items():
            first = self._first_mention(partition, folded)
            found.append(Entity(f"{partition}/{folded}", first.name, first.type, mentions))
        found.sort(key=lambda one: (-one.mentions, one.name, one.id))
        return found[: max(0, limit)]

    def unrebuilt(self, after: int, limit: int) -> list[MemoryRecord]:
        rows = sorted(self._state.rows.values(), key=lambda row: row.record.key)
        missing = [
            self._record(row)
            for row in rows
            if row.record.key > after and row.record.id not in self._state.rebuilt
        ]
        return missing[:limit]

    def total(self) -> int:
        return len(self._state.rows)

    def idempotent(self, scope: Scope, key: str) -> str | None:
        return self._state.answers.get((scope, key))

    def _record(self, row: Row) -> MemoryRecord:
        if row.record.message_id is None or row.record.message_id in self._state.messages:
            return row.record
        return replace(row.record, message_id=None)

    def _in_partition(self, partition: int) -> list[Row]:
        rows = [row for row in self._state.rows.values() if row.record.key >> 32 == partition]
        return sorted(rows, key=lambda row: row.record.key)

    def _seen(self, coverage: Coverage, visibility: Visibility | None) -> list[Row]:
        def covered(record: MemoryRecord) -> bool:
            place = self._state.places[record.scope]
            scopes = coverage.parts.get(place.partition, frozenset())
            return scopes is None or place.scope_id in scopes

        return [
            row
            for row in self._state.rows.values()
            if covered(row.record) and (visibility is None or visibility.shows(row.record))
        ]

    def _facts(self, scope: Scope, statuses: set[Status]) -> list[MemoryRecord]:
        rows = sorted(self._state.rows.values(), key=lambda row: row.record.key)
        return [
            self._record(row)
            for row in rows
            if row.record.kind is Kind.FACT
            and row.record.status in statuses
            and row.record.scope.holder == scope.holder
        ]

    def _oldest(self, evidence: list[Evidence]) -> list[Evidence]:
        return sorted(
            evidence,
            key=lambda one: (
                one.recorded_at,
                self._key(one.memory_id),
                self._key(one.source_id),
                one.start,
                one.end,
            ),
        )

    def _key(self, memory_id: str) -> int:
        return self._state.rows[memory_id].record.key

    def _first_mention(self, partition: int, folded: str) -> Mention:
        return next(
            one
            for row in self._in_partition(partition)
            for one in sorted(row.mentions, key=lambda one: (one.start, one.end))
            if fold(one.name) == folded
        )


def _is_wanted(record: MemoryRecord, wanted: Wanted) -> bool:
    episode = record.details if isinstance(record.details, Episode) else Episode()
    consolidated = episode.consolidated_at is not None
    return (
        wanted.outcome in (None, episode.outcome)
        and wanted.domain in (None, episode.domain)
        and wanted.consolidated in (None, consolidated)
        and (wanted.since is None or record.created_at >= wanted.since)
        and (wanted.until is None or record.created_at < wanted.until)
        and (wanted.search is None or wanted.search.casefold() in record.text.casefold())
    )
