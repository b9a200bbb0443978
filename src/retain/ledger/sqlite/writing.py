"""One write: reads that see it, and changes that are kept together or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retain.domain.derivation import Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.job import Job
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Judged, Recalled
from retain.errors import Conflict, NotFound
from retain.ledger.port import Coverage, EmbedderIdentity, NewMemory, PartitionState, Turn
from retain.ledger.sqlite import (
    answers,
    derivations,
    entities,
    erase,
    evidence,
    history,
    jobs,
    links,
    memories,
    messages,
    methods,
    rebuild,
    recalls,
    receipts,
    scan,
    scopes,
)
from retain.ledger.sqlite.reading import SqliteRead
from retain.ledger.sqlite.rows import keyed, state_of
from retain.ledger.uses import counted


@dataclass(slots=True)
class _Counter:
    """A partition's counters while a write is open; written back once, at its end."""

    next_seq: int
    epoch: int
    revision: int


class SqliteWrite(SqliteRead):
    """Writes over the one connection whose write transaction is open."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(db)
        self._counters: dict[int, _Counter] = {}
        self._next_order: int | None = None
        self._seats: dict[Scope, scopes.Seat] = {}
        self._keys: dict[str, int] = {}  # of memories added here
        self._sources: dict[str, tuple[int, str]] = {}  # key and text of messages added here
        # Memories added here that have no event yet, with their message's text.
        self._unwritten: dict[int, str | None] = {}
        self._erased_project: str | None = None

    def finish(self) -> None:
        """Write back the counters, just before the commit."""
        self._db.executemany(
            "UPDATE partition SET next_seq = ?, epoch = ?, revision = ? WHERE id = ?",
            [
                (counter.next_seq, counter.epoch, counter.revision, partition)
                for partition, counter in self._counters.items()
            ],
        )
        if self._next_order is not None:
            self._db.execute("UPDATE ledger SET next_order = ?", (self._next_order,))

    def partition_state(self, partition: int) -> PartitionState:
        """How far the partition has come, with this write."""
        counter = self._counters.get(partition)
        if counter is None:
            return super().partition_state(partition)
        return PartitionState(counter.epoch, counter.revision)

    def remember(self, scope: Scope, key: str, answer: str) -> None:
        """Keep the answer of this write under an idempotency key."""
        answers.insert(self._db, self._seat(scope).place.scope_id, key, answer)

    def add_messages(self, scope: Scope, new: Sequence[Message]) -> None:
        """Keep turns verbatim."""
        if not new:
            return
        place = self._seat(scope).place
        first = self._take(place.partition, len(new))
        messages.insert(self._db, place.scope_id, first, new)
        self._sources.update((one.id, (key, one.content)) for key, one in enumerate(new, first))
        last = max(new, key=lambda one: (one.session, one.position))
        turn = Turn(last.session, last.position, last.occurred_at)
        scopes.go_on(self._db, place.scope_id, turn)

    def add_memories(self, new: Sequence[NewMemory]) -> list[MemoryRecord]:
        """Store memories; returns them with their keys."""
        stored: list[MemoryRecord] = []
        rows = []
        features: dict[int, list[tuple[int, Features]]] = {}
        named: dict[int, list[tuple[int, Sequence[Mention]]]] = {}
        order = self._take_order(len(new))
        for place_in_order, one in enumerate(new, order):
            seat = self._seat(one.record.scope)
            partition = seat.place.partition
            key = self._take(partition, 1)
            revision = self._counter(partition).revision
            record = keyed(one.record, key)
            source = self._source(record)
            self._unwritten[key] = source[1]
            rows.append(
                (
                    key, record.id, seat.place.scope_id, seat.holder, 0, revision, 0,
                    place_in_order, *state_of(record, *source),
                )
            )  # fmt: skip
            stored.append(record)
            features.setdefault(partition, []).append((key, one.features))
            if one.mentions:
                named.setdefault(partition, []).append((key, one.mentions))
        memories.insert(self._db, rows)
        self._keys.update((record.id, record.key) for record in stored)
        for partition, found in features.items():
            scan.store(self._db, self._counter(partition).revision, found)
        for partition, mentions in named.items():
            entities.insert(self._db, partition, mentions)
        return stored

    def change(
        self,
        record: MemoryRecord,
        *,
        features: Features | None = None,
        mentions: Sequence[Mention] | None = None,
    ) -> None:
        """Replace the stored record of the same key; features and mentions where given."""
        partition = record.key >> 32
        revision = self._counter(partition).revision
        source = memories.message_of_turn(self._db, record.key)
        if not memories.update(self._db, record.key, revision, state_of(record, *source)):
            raise NotFound(f"Memory with id {record.id} not found")
        if features is not None:
            scan.store(self._db, revision, [(record.key, features)])
            rebuild.drop(self._db, [record.key])
        if mentions is not None:
            entities.replace(self._db, partition, record.key, mentions)

    def move(self, memory_id: str, scope: Scope) -> None:
        """Put a memory into another scope of the same holder."""
        found = memories.held(self._db, memory_id)
        if found is None:
            raise NotFound(f"Memory with id {memory_id} not found")
        key, holder = found
        seat = self._seat(scope)
        if seat.holder != holder:
            raise Conflict(f"memory {memory_id} belongs to another holder")
        revision = self._counter(seat.place.partition).revision
        memories.move(self._db, key, seat.place.scope_id, revision)

    def keep_recalls(self, recalled: Sequence[Recalled]) -> None:
        """Keep recalls, and count the uses of their memories; those that are gone are left out."""
        uses = counted(recalled)
        keys = memories.keys_of(self._db, uses)
        recalls.insert(self._db, recalled, keys)
        memories.count_uses(
            self._db,
            [(*uses[name], self._counter(key >> 32).revision, key) for name, key in keys.items()],
        )

    def judge(self, judged: Judged) -> None:
        """Keep what somebody says of a recall; the memories that it used count it."""
        keys = recalls.judge(self._db, judged)
        if keys is None:
            raise NotFound(f"Recall with id {judged.recall_id} not found")
        memories.touch(self._db, [(self._counter(key >> 32).revision, key) for key in keys])

    def add_evidence(self, new: Sequence[Evidence]) -> None:
        """Add evidence; the same source for the same memory and span counts once."""
        ids = [name for one in new for name in (one.memory_id, one.source_id)]
        evidence.insert(self._db, new, self._keys_of(ids))

    def add_links(self, new: Sequence[Link]) -> None:
        """Draw edges; the same edge counts once."""
        ids = [name for one in new for name in (one.source_id, one.target_id)]
        links.insert(self._db, new, self._keys_of(ids))

    def remove_links(self, source_id: str, target_id: str) -> None:
        """Remove the edges from one memory to another."""
        source = memories.key_of(self._db, source_id)
        target = memories.key_of(self._db, target_id)
        if source is not None and target is not None:
            links.remove(self._db, source, target)

    def add_events(self, events: Sequence[Event]) -> None:
        """Append to history."""
        keys = self._keys_of([one.memory_id for one in events])
        history.append(self._db, events, keys, self._unwritten)
        for key in keys.values():
            self._unwritten.pop(key, None)

    def add_derivation(self, derivation: Derivation) -> None:
        """Keep the record of a derivation."""
        scope = derivation.scope
        derivations.insert(
            self._db, derivation, None if scope is None else self._seat(scope).place.scope_id
        )

    def add_method(self, method: Method) -> None:
        """Keep a method; one that is known already stays as it is."""
        methods.store(self._db, method)

    def save_job(self, job: Job) -> None:
        """Keep a job, new or changed."""
        keys = self._keys_of(job.memory_ids()).values()
        jobs.store(self._db, self._seat(job.scope).place.scope_id, job, keys)

    def erase(self, memory_ids: Sequence[str]) -> dict[str, int]:
        """Remove memories and everything that hangs on them, for good. Rows removed, by table."""
        keys = sorted(memories.keys_of(self._db, memory_ids).values())
        self._note_erasure({key >> 32 for key in keys})
        removed = erase.erase_memories(self._db, keys)
        self._forget_what_was_added()
        return removed

    def erase_scope(self, coverage: Coverage) -> dict[str, int]:
        """Remove everything that the coverage holds, for good. Rows removed, by table."""
        self._note_erasure(coverage.parts)
        removed = erase.erase_coverage(self._db, coverage)
        self._forget_what_was_added()
        return removed

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep the proof of an erasure."""
        receipts.store(self._db, receipt, self._erased_project)

    def begin_rebuild(self, identity: EmbedderIdentity) -> int:
        """Start making derived data anew for an embedder, or go on with that."""
        return rebuild.begin(self._db, identity)

    def rebuild(self, identity: EmbedderIdentity, made: Sequence[NewMemory]) -> None:
        """Keep features that were made anew, beside those in use, and put mentions in use."""
        rebuild.refuse_other(self._db, identity)
        present = {one.id: one for one in self.named([new.record.id for new in made])}
        fitting = [one for one in made if _fits(one.record, present.get(one.record.id))]
        rebuild.store(self._db, [(one.record.key, one.features) for one in fitting])
        for one in fitting:
            key = one.record.key
            if self.mentions(one.record.id) != sorted(one.mentions, key=_place):
                entities.replace(self._db, key >> 32, key, one.mentions)

    def finish_rebuild(self, identity: EmbedderIdentity) -> int | None:
        """Put what was rebuilt in use, start the partitions' epochs anew, record the embedder."""
        rebuild.refuse_other(self._db, identity)
        row = self._db.execute("SELECT embedder, dimension FROM ledger").fetchone()
        if tuple(row) != (identity.name, identity.dimension) and not rebuild.is_whole(self._db):
            return None
        done = 0
        for partition in rebuild.partitions(self._db):
            counter = self._counter(partition)
            counter.epoch += 1
            done += rebuild.take_over(self._db, partition, counter.revision)
        rebuild.end(self._db, identity)
        return done

    def set_embedder(self, identity: EmbedderIdentity) -> None:
        """Record which embedder the vectors are of."""
        self._db.execute(
            "UPDATE ledger SET embedder = ?, dimension = ?", (identity.name, identity.dimension)
        )

    def _seat(self, scope: Scope) -> scopes.Seat:
        seat = self._seats.get(scope)
        if seat is None:
            seat = self._seats[scope] = scopes.find_or_make(self._db, scope)
        return seat

    def _counter(self, partition: int) -> _Counter:
        """The counters of a partition that this write changes; its revision grows by one."""
        counter = self._counters.get(partition)
        if counter is None:
            row = self._db.execute(
                "SELECT next_seq, epoch, revision + 1 FROM partition WHERE id = ?", (partition,)
            ).fetchone()
            if row is None:
                raise NotFound(f"there is no partition {partition} in this ledger")
            counter = self._counters[partition] = _Counter(*row)
        return counter

    def _take(self, partition: int, count: int) -> int:
        """The first of ``count`` new keys of a partition."""
        counter = self._counter(partition)
        first = partition << 32 | counter.next_seq
        counter.next_seq += count
        return first

    def _take_order(self, count: int) -> int:
        """The first of ``count`` places in the order of recording."""
        if self._next_order is None:
            self._next_order = int(self._db.execute("SELECT next_order FROM ledger").fetchone()[0])
        first = self._next_order
        self._next_order += count
        return first

    def _source(self, record: MemoryRecord) -> tuple[int | None, str | None]:
        """Key and text of the message that a new memory names."""
        if record.message_id is None:
            return None, None
        found = self._sources.get(record.message_id) or messages.content_of(
            self._db, record.message_id
        )
        if found is None:
            raise Conflict(
                f"memory {record.id} names the message {record.message_id}, which is not in the "
                "ledger: add the message first"
            )
        return found

    def _keys_of(self, memory_ids: Sequence[str]) -> dict[str, int]:
        """Keys of memories that must exist."""
        keys = {name: self._keys[name] for name in memory_ids if name in self._keys}
        others = [name for name in memory_ids if name not in keys]
        if others:
            keys |= memories.keys_of(self._db, others)
        for name in others:
            if name not in keys:
                raise NotFound(f"Memory with id {name} not found")
        return keys

    def _note_erasure(self, partitions: Iterable[int]) -> None:
        """Caches of these partitions must start anew."""
        touched = list(partitions)
        for project in erase.projects_of(self._db, touched):
            self._erased_project = project
        for partition in touched:
            self._counter(partition).epoch += 1

    def _forget_what_was_added(self) -> None:
        """Places and keys of this write may be among what was erased."""
        self._seats.clear()
        self._keys.clear()
        self._sources.clear()
        self._unwritten.clear()
        self._scopes.clear()


def _fits(made_of: MemoryRecord, present: MemoryRecord | None) -> bool:
    """Whether what was made of a record is what its present text would give."""
    return present is not None and (present.key, present.text, present.actor) == (
        made_of.key,
        made_of.text,
        made_of.actor,
    )


def _place(mention: Mention) -> tuple[int, int, str]:
    return mention.start, mention.end, mention.name
