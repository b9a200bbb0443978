"""Writes of the reference, on a copy that replaces the state when the block ends well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from retain.domain.derivation import Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.job import Job
from retain.domain.kind import Kind
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Judged, Outcome, Recalled, Use
from retain.errors import Conflict, NotFound
from retain.ledger.names import fold
from retain.ledger.port import Coverage, EmbedderIdentity, NewMemory, PartitionState, Place, Turn
from retain.ledger.reference.reading import ReferenceRead
from retain.ledger.reference.state import Row, State
from retain.ledger.uses import counted


class ReferenceWrite(ReferenceRead):
    """One write."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._touched: set[int] = set()
        self._erased_project: str | None = None

    def _place(self, scope: Scope) -> Place:
        state = self._state
        if scope not in state.places:
            owner = (scope.project, scope.owner)
            if owner not in state.owners:
                state.owners[owner] = state.next_number()
                state.partitions[state.owners[owner]] = PartitionState(1, 0)
            state.places[scope] = Place(state.next_number(), state.owners[owner])
        return state.places[scope]

    def remember(self, scope: Scope, key: str, answer: str) -> None:
        self._place(scope)
        if (scope, key) in self._state.answers:
            raise Conflict(f"the key {key!r} was used in this scope already")
        self._state.answers[scope, key] = answer

    def add_messages(self, scope: Scope, messages: Sequence[Message]) -> None:
        self._place(scope)
        for one in messages:
            if one.id in self._state.messages:
                raise Conflict(f"message {one.id} is in the ledger already")
            self._state.messages[one.id] = (scope, one)
            turn = Turn(one.session, one.position, one.occurred_at)
            last = self._state.turns.get(scope, turn)
            if (turn.session, turn.position) >= (last.session, last.position):
                self._state.turns[scope] = turn

    def add_memories(self, memories: Sequence[NewMemory]) -> list[MemoryRecord]:
        stored = []
        for one in memories:
            record = one.record
            if record.id in self._state.rows:
                raise Conflict(f"memory {record.id} is in the ledger already")
            if record.message_id is not None and record.message_id not in self._state.messages:
                raise Conflict(f"message {record.message_id} is not in the ledger")
            partition = self._place(record.scope).partition
            revision = self._revision(partition)
            order = self._state.next_number()
            record = replace(record, key=partition << 32 | order)
            self._state.rows[record.id] = Row(
                record, one.features, tuple(one.mentions), order, revision, revision
            )
            stored.append(record)
        return stored

    def change(
        self,
        record: MemoryRecord,
        *,
        features: Features | None = None,
        mentions: Sequence[Mention] | None = None,
    ) -> None:
        row = self._row(record.id)
        revision = self._revision(record.key >> 32)
        row = replace(row, record=record, revision=revision)
        if features is not None:
            row = replace(row, features=features, features_revision=revision)
            self._state.rebuilt.pop(record.id, None)
        if mentions is not None:
            row = replace(row, mentions=tuple(mentions))
        self._state.rows[record.id] = row

    def move(self, memory_id: str, scope: Scope) -> None:
        row = self._row(memory_id)
        if row.record.scope.holder != scope.holder:
            raise Conflict(f"memory {memory_id} belongs to another holder")
        self._place(scope)
        self._state.rows[memory_id] = replace(
            row,
            record=replace(row.record, scope=scope),
            revision=self._revision(row.record.key >> 32),
        )

    def keep_recalls(self, recalled: Sequence[Recalled]) -> None:
        """Keep recalls, and count the uses of their memories; those that are gone are left out."""
        for memory_id, (count, last_at) in counted(recalled).items():
            row = self._state.rows.get(memory_id)
            if row is not None:
                last = max(last_at, row.use.last_at or 0)
                self._use(row, replace(row.use, count=row.use.count + count, last_at=last))
        for one in recalled:
            there = [name for name in one.memory_ids if name in self._state.rows]
            self._state.recalls.setdefault(one.id, (replace(one, memory_ids=there), None))

    def judge(self, judged: Judged) -> None:
        if judged.recall_id not in self._state.recalls:
            raise NotFound(f"Recall with id {judged.recall_id} not found")
        recalled, before = self._state.recalls[judged.recall_id]
        self._state.recalls[judged.recall_id] = (recalled, judged)
        lowered = None if before is None else _COUNTED.get(before.outcome)
        raised = _COUNTED.get(judged.outcome)
        if lowered == raised:
            return
        for memory_id in recalled.memory_ids:
            row = self._row(memory_id)
            use = row.use
            for name, step in ((lowered, -1), (raised, 1)):
                if name == "helped":
                    use = replace(use, helped=use.helped + step)
                elif name == "hurt":
                    use = replace(use, hurt=use.hurt + step)
            self._use(row, use)

    def _use(self, row: Row, use: Use) -> None:
        revision = self._revision(row.record.key >> 32)
        self._state.rows[row.record.id] = replace(row, use=use, revision=revision)

    def add_evidence(self, evidence: Sequence[Evidence]) -> None:
        for one in evidence:
            self._row(one.memory_id), self._row(one.source_id)
            place = (one.memory_id, one.source_id, one.start, one.end)
            self._state.evidence.setdefault(place, one)

    def add_links(self, links: Sequence[Link]) -> None:
        for one in links:
            self._row(one.source_id), self._row(one.target_id)
            self._state.links.setdefault((one.source_id, one.type, one.target_id), one)

    def remove_links(self, source_id: str, target_id: str) -> None:
        for edge in list(self._state.links):
            if (edge[0], edge[2]) == (source_id, target_id):
                del self._state.links[edge]

    def add_events(self, events: Sequence[Event]) -> None:
        for one in events:
            self._row(one.memory_id)
            self._state.events[one.memory_id] = (*self.history(one.memory_id), one)

    def add_derivation(self, derivation: Derivation) -> None:
        if derivation.id in self._state.derivations:
            raise Conflict(f"derivation {derivation.id} is in the ledger already")
        self._state.derivations[derivation.id] = derivation

    def add_method(self, method: Method) -> None:
        self._state.methods.setdefault(method.id, method)

    def save_job(self, job: Job) -> None:
        self._place(job.scope)
        for memory_id in job.input_ids:
            self._row(memory_id)
        self._state.jobs[job.id] = job

    def erase(self, memory_ids: Sequence[str]) -> dict[str, int]:
        rows = [self._state.rows[one] for one in set(memory_ids) if one in self._state.rows]
        for partition in {row.record.key >> 32 for row in rows}:
            self._start_anew(partition)
        for row in rows:
            self._erased_project = row.record.scope.project
        before = self._sizes()
        self._drop_memories({row.record.id for row in rows})
        return self._removed_since(before)

    def erase_scope(self, coverage: Coverage) -> dict[str, int]:
        state = self._state
        scopes = {
            scope
            for scope, place in state.places.items()
            if place.partition in coverage.parts
            and (
                coverage.parts[place.partition] is None
                or place.scope_id in (coverage.parts[place.partition] or ())
            )
        }
        for partition in coverage.parts:
            self._start_anew(partition)
        for scope in scopes:
            self._erased_project = scope.project
        before = self._sizes()
        self._drop_memories({i for i, row in state.rows.items() if row.record.scope in scopes})
        state.messages = {i: m for i, m in state.messages.items() if m[0] not in scopes}
        state.answers = {k: v for k, v in state.answers.items() if k[0] not in scopes}
        state.jobs = {i: job for i, job in state.jobs.items() if job.scope not in scopes}
        state.derivations = {i: d for i, d in state.derivations.items() if d.scope not in scopes}
        state.turns = {s: turn for s, turn in state.turns.items() if s not in scopes}
        state.places = {s: place for s, place in state.places.items() if s not in scopes}
        held = {place.partition for place in state.places.values()}
        state.owners = {owner: number for owner, number in state.owners.items() if number in held}
        state.partitions = {n: one for n, one in state.partitions.items() if n in held}
        return self._removed_since(before)

    def add_receipt(self, receipt: Receipt) -> None:
        project, _ = self._state.receipts.get(receipt.id, (self._erased_project, receipt))
        self._state.receipts[receipt.id] = (project, receipt)

    def begin_rebuild(self, identity: EmbedderIdentity) -> int:
        if self._state.rebuilding != identity:
            self._state.rebuilding = identity
            self._state.rebuilt = {}
        return len(self._state.rebuilt)

    def rebuild(self, identity: EmbedderIdentity, memories: Sequence[NewMemory]) -> None:
        self._refuse_other_rebuild(identity)
        for one in memories:
            row = self._state.rows.get(one.record.id)
            if row is None or (row.record.text, row.record.actor) != (
                one.record.text,
                one.record.actor,
            ):
                continue
            self._state.rebuilt[one.record.id] = one.features
            self._state.rows[one.record.id] = replace(row, mentions=tuple(one.mentions))

    def finish_rebuild(self, identity: EmbedderIdentity) -> int | None:
        self._refuse_other_rebuild(identity)
        state = self._state
        if state.embedder != identity and state.rows.keys() - state.rebuilt.keys():
            return None
        for partition in {state.rows[one].record.key >> 32 for one in state.rebuilt}:
            self._start_anew(partition)
        for memory_id, features in state.rebuilt.items():
            row = state.rows[memory_id]
            revision = self._revision(row.record.key >> 32)
            state.rows[memory_id] = replace(row, features=features, features_revision=revision)
        done = len(state.rebuilt)
        state.embedder, state.rebuilding, state.rebuilt = identity, None, {}
        return done

    def _refuse_other_rebuild(self, identity: EmbedderIdentity) -> None:
        if self._state.rebuilding != identity:
            raise Conflict(f"no rebuild for {identity.name!r} is under way")

    def set_embedder(self, identity: EmbedderIdentity) -> None:
        self._state.embedder = identity

    def _row(self, memory_id: str) -> Row:
        if memory_id not in self._state.rows:
            raise NotFound(f"Memory with id {memory_id} not found")
        return self._state.rows[memory_id]

    def _revision(self, partition: int) -> int:
        """The partition's revision in this write: one more than before it."""
        at = self._state.partitions[partition]
        if partition not in self._touched:
            self._touched.add(partition)
            at = replace(at, revision=at.revision + 1)
            self._state.partitions[partition] = at
        return at.revision

    def _start_anew(self, partition: int) -> None:
        self._revision(partition)
        at = self._state.partitions[partition]
        self._state.partitions[partition] = replace(at, epoch=at.epoch + 1)

    def _drop_memories(self, gone: set[str]) -> None:
        state = self._state
        texts = {
            row.record.message_id
            for memory_id, row in state.rows.items()
            if memory_id in gone and row.record.kind is Kind.MESSAGE
        }
        named = {d.id for d in state.derivations.values() if gone & set(d.memory_ids())}
        state.messages = {i: m for i, m in state.messages.items() if i not in texts}
        state.evidence = {k: e for k, e in state.evidence.items() if not {k[0], k[1]} & gone}
        state.links = {k: link for k, link in state.links.items() if not {k[0], k[2]} & gone}
        state.events = {i: events for i, events in state.events.items() if i not in gone}
        state.derivations = {i: d for i, d in state.derivations.items() if i not in named}
        state.jobs = {i: job for i, job in state.jobs.items() if not gone & set(job.memory_ids())}
        state.answers = {
            k: answer
            for k, answer in state.answers.items()
            if not any(f'"{memory_id}"' in answer for memory_id in gone)
        }
        state.recalls = dict(_recalls_without(state.recalls, gone))
        state.rebuilt = {i: found for i, found in state.rebuilt.items() if i not in gone}
        state.rows = {
            memory_id: replace(row, record=_without(row.record, gone, named))
            for memory_id, row in state.rows.items()
            if memory_id not in gone
        }

    def _sizes(self) -> dict[str, int]:
        state = self._state
        rows = state.rows.values()
        named = {(row.record.key >> 32, fold(one.name)) for row in rows for one in row.mentions}
        return {
            "memory": len(rows),
            "features": len(rows),
            "message": len(state.messages),
            "evidence": len(state.evidence),
            "link": len(state.links),
            "event": sum(map(len, state.events.values())),
            "mention": sum(len(row.mentions) for row in rows),
            "entity": len(named),
            "derivation": len(state.derivations),
            "job": len(state.jobs),
            "answer": len(state.answers),
            "recall": sum(len(recalled.memory_ids) for recalled, _ in state.recalls.values()),
            "scope": len(state.places),
            "partition": len(state.partitions),
        }

    def _removed_since(self, before: dict[str, int]) -> dict[str, int]:
        after = self._sizes()
        return {name: n - after[name] for name, n in before.items() if n > after[name]}


def _without(record: MemoryRecord, gone: set[str], derivations: set[str]) -> MemoryRecord:
    if record.superseded_by in gone:
        record = replace(record, superseded_by=None)
    if record.derivation_id in derivations:
        record = replace(record, derivation_id=None)
    return record


_COUNTED = {Outcome.SUCCESS: "helped", Outcome.FAILURE: "hurt"}


def _recalls_without(
    recalls: Mapping[str, tuple[Recalled, Judged | None]], gone: set[str]
) -> Iterator[tuple[str, tuple[Recalled, Judged | None]]]:
    """Recalls as they stand once memories are gone: without the notes on them, or not at all."""
    for recall_id, (recalled, judged) in recalls.items():
        left = [name for name in recalled.memory_ids if name not in gone]
        if len(left) == len(recalled.memory_ids):
            yield recall_id, (recalled, judged)
        elif left:
            silent = None if judged is None else replace(judged, note=None)
            yield recall_id, (replace(recalled, memory_ids=left), silent)
