"""One consistent state of the ledger, as the port asks for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence

from retain.domain.derivation import Derivation
from retain.domain.entity import Entity, Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.job import Job, JobStatus
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.scope import Scope
from retain.domain.use import Judged, Use
from retain.ledger.filters import Tree
from retain.ledger.port import Coverage, PartitionState, ScanRow, Turn, Wanted
from retain.ledger.sqlite import (
    answers,
    derivations,
    entities,
    episodes,
    evidence,
    history,
    jobs,
    links,
    memories,
    messages,
    methods,
    pages,
    rebuild,
    recalls,
    scan,
    scopes,
)
from retain.ledger.visibility import Visibility


class SqliteRead:
    """Reads over one connection whose transaction is open. Each method is one statement or few."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._scopes: dict[int, Scope] = {}
        self._scans: list[Generator[ScanRow, None, None]] = []

    def end(self) -> None:
        """Stop scans that were not read to their end: an open one would hold on to this state."""
        for rows in self._scans:
            rows.close()

    def coverage(self, scope: Scope) -> Coverage:
        """The partitions and exact scopes that ``scope`` covers."""
        return scopes.coverage(self._db, scope)

    def partition_state(self, partition: int) -> PartitionState:
        """How far the partition has come."""
        return scopes.state(self._db, partition)

    def scan(
        self, partition: int, after_revision: int, features_after_revision: int
    ) -> Iterator[ScanRow]:
        """Rows changed after a revision, by key; features only where they changed after theirs."""
        rows = scan.changed_rows(self._db, partition, after_revision, features_after_revision)
        self._scans.append(rows)
        return rows

    def memory(self, memory_id: str) -> MemoryRecord | None:
        """One memory by id, in any status."""
        return memories.by_id(self._db, self._scope, memory_id)

    def named(self, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        """Memories by id, in any status, in the order asked; unknown ids are left out."""
        return memories.by_ids(self._db, self._scope, memory_ids)

    def memories(self, keys: Sequence[int]) -> list[MemoryRecord]:
        """Memories by key, in the order asked; unknown keys are left out."""
        return memories.by_keys(self._db, self._scope, keys)

    def page(
        self,
        coverage: Coverage,
        visibility: Visibility | None,
        before: int | None,
        limit: int,
        tree: Tree | None = None,
    ) -> list[MemoryRecord]:
        """Memories newest first, below the cursor ``before``, that may meet the filter."""
        return self.memories(pages.page(self._db, coverage, visibility, before, limit, tree))

    def candidates(
        self, coverage: Coverage, visibility: Visibility | None, tree: Tree, limit: int
    ) -> list[int]:
        """Keys of what ``page`` would give."""
        return pages.page(self._db, coverage, visibility, None, limit, tree)

    def order_of(self, record: MemoryRecord) -> int:
        """The cursor of a record in ``page``."""
        return pages.order_of(self._db, record.key)

    def last_turn(self, scope: Scope) -> Turn | None:
        """Where the last conversation of this exact scope stands."""
        return scopes.last_turn(self._db, scope)

    def recent_turns(self, scope: Scope, visibility: Visibility, limit: int) -> list[MemoryRecord]:
        """The last visible turns of this exact scope, oldest first."""
        seat = scopes.find(self._db, scope)
        if seat is None:
            return []
        return self.memories(pages.turns(self._db, seat.place.scope_id, visibility, limit))

    def message(self, message_id: str) -> Message | None:
        """A message, verbatim."""
        return messages.get(self._db, message_id)

    def messages(self, message_ids: Sequence[str]) -> dict[str, Message]:
        """Messages by id; unknown ids are left out."""
        return messages.by_ids(self._db, message_ids)

    def turn_by_external_id(self, scope: Scope, external_id: str) -> MemoryRecord | None:
        """The turn of this exact scope that the caller sent under this id, if any."""
        seat = scopes.find(self._db, scope)
        if seat is None:
            return None
        return memories.by_external_id(self._db, self._scope, seat.place.scope_id, external_id)

    def slot(self, scope: Scope, subject: str, attribute: str) -> list[MemoryRecord]:
        """Accepted facts of one slot of the scope's holder, oldest first."""
        holder = scopes.holder_of(self._db, scope)
        if holder is None:
            return []
        return memories.in_slot(self._db, self._scope, holder, subject, attribute)

    def last_episode(self, scope: Scope) -> MemoryRecord | None:
        """The episode of the scope's holder that was recorded last and is not withdrawn."""
        holder = scopes.holder_of(self._db, scope)
        key = None if holder is None else episodes.last(self._db, holder)
        return None if key is None else self.memories([key])[0]

    def episodes(
        self, coverage: Coverage, visibility: Visibility, wanted: Wanted, limit: int, offset: int
    ) -> tuple[list[MemoryRecord], int]:
        """Visible episodes that are as wanted, latest first, and how many there are in all."""
        keys, total = episodes.chosen(self._db, coverage, visibility, wanted, limit, offset)
        return self.memories(keys), total

    def waiting_episodes(self, project: str) -> int:
        """How many accepted episodes of a project no consolidation has looked at."""
        return episodes.waiting(self._db, project)

    def insights(self, scope: Scope) -> list[MemoryRecord]:
        """The insights of the scope's holder in any status, oldest first."""
        holder = scopes.holder_of(self._db, scope)
        return [] if holder is None else self.memories(episodes.insights(self._db, holder))

    def facts_with_text(self, scope: Scope, *texts: str) -> list[MemoryRecord]:
        """Accepted or superseded facts of the scope's holder with exactly one of these texts."""
        holder = scopes.holder_of(self._db, scope)
        if holder is None:
            return []
        return memories.facts_with_text(self._db, self._scope, holder, texts)

    def evidence(self, memory_ids: Sequence[str]) -> list[Evidence]:
        """Evidence of these memories, oldest first."""
        return evidence.of_memories(self._db, memories.keys_of(self._db, memory_ids).values())

    def supported_by(self, *source_ids: str) -> list[Evidence]:
        """Evidence that rests on one of these sources, oldest first."""
        return evidence.from_sources(self._db, memories.keys_of(self._db, source_ids).values())

    def links(self, memory_id: str) -> list[Link]:
        """Edges from or to a memory."""
        return self.links_of([memory_id])

    def links_of(self, memory_ids: Sequence[str]) -> list[Link]:
        """Edges from or to any of these memories, each once, oldest first."""
        return links.touching(self._db, memories.keys_of(self._db, memory_ids).values())

    def history(self, memory_id: str) -> list[Event]:
        """Events of a memory, oldest first."""
        return self.histories([memory_id]).get(memory_id, [])

    def histories(self, memory_ids: Sequence[str]) -> dict[str, list[Event]]:
        """Events of each of these memories, oldest first; memories without any are left out."""
        return history.of_memories(self._db, memory_ids)

    def derivation(self, derivation_id: str) -> Derivation | None:
        """One derivation."""
        return derivations.get(self._db, derivation_id)

    def derivations(self, coverage: Coverage, limit: int) -> list[Derivation]:
        """The latest derivations of a coverage, newest first."""
        return derivations.of(self._db, coverage, limit)

    def derivations_naming(self, memory_id: str) -> list[Derivation]:
        """The derivations that read a memory, were shown it, or decided on it, oldest first."""
        return derivations.naming(self._db, memory_id)

    def method(self, method_id: str) -> Method | None:
        """A method that a derivation followed."""
        return methods.get(self._db, method_id)

    def unsettled(self, coverage: Coverage, limit: int) -> list[MemoryRecord]:
        """Candidates and disputed memories, newest first."""
        return self.memories(pages.unsettled(self._db, coverage, limit))

    def job(self, job_id: str) -> Job | None:
        """One job."""
        return jobs.get(self._db, job_id)

    def jobs(self, coverage: Coverage, status: JobStatus | None, limit: int) -> list[Job]:
        """The latest jobs of a coverage, newest first; of one status where given."""
        return jobs.of(self._db, coverage, status, limit)

    def due_job(self, project: str, now: int) -> Job | None:
        """The oldest job of a project that waits to be done, or whose lease has run out."""
        return jobs.due(self._db, project, now)

    def open_job_for(self, memory_id: str) -> Job | None:
        """The job that works on a memory and is not done, if there is one."""
        key = memories.key_of(self._db, memory_id)
        return None if key is None else jobs.open_for(self._db, key)

    def job_counts(self, project: str) -> Mapping[str, int]:
        """How many jobs a project has, by status."""
        return jobs.counts(self._db, project)

    def uses(self, memory_ids: Sequence[str]) -> dict[str, Use]:
        """How memories were used, by id."""
        return recalls.uses(self._db, memory_ids)

    def recalled(self, recall_id: str) -> list[str] | None:
        """The memories of a recall that are still there."""
        return recalls.memories_of(self._db, recall_id)

    def judgements(self, memory_id: str) -> list[Judged]:
        """What was said of the recalls that used a memory."""
        return recalls.judgements(self._db, memory_id)

    def mentions(self, memory_id: str) -> list[Mention]:
        """The names in a memory."""
        key = memories.key_of(self._db, memory_id)
        return [] if key is None else entities.mentions_of(self._db, key)

    def entities(self, coverage: Coverage, visibility: Visibility, limit: int) -> list[Entity]:
        """Named things with visible mentions, most mentioned first."""
        return entities.visible(self._db, coverage, visibility, limit)

    def unrebuilt(self, after: int, limit: int) -> list[MemoryRecord]:
        """Memories that the rebuild under way has not reached, by key, above the key ``after``."""
        return self.memories(rebuild.missing(self._db, after, limit))

    def total(self) -> int:
        """How many memories the ledger holds, in any status."""
        return memories.total(self._db)

    def idempotent(self, scope: Scope, key: str) -> str | None:
        """The stored answer of an earlier write under this key in this exact scope."""
        seat = scopes.find(self._db, scope)
        return None if seat is None else answers.get(self._db, seat.place.scope_id, key)

    def _scope(self, number: int) -> Scope:
        known = self._scopes.get(number)
        if known is None:
            known = self._scopes[number] = scopes.exact(self._db, number)
        return known
