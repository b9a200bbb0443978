"""Export to a file, import from one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TextIO

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.domain.derivation import Derivation
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.kind import Action, Kind
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.plain import file_path, plain_flag, shown
from retain.domain.scope import Scope
from retain.errors import Incomplete, InvalidInput, InvalidScope, RetainError
from retain.learn.answers import Earlier, earlier_write
from retain.ledger.paging import pages_of
from retain.ledger.port import Ledger, NewMemory, ReadTx, WriteTx
from retain.ledger.standing import event_of
from retain.models.base import Embedder
from retain.read.ask import scope_of
from retain.read.reader import derivation_of
from retain.transfer import lines
from retain.transfer.conversations import Item, read_conversations, read_text, read_values

Progress = Callable[[int, int | None], None]
BATCH = 256
Line = tuple[MemoryRecord, Message | None, list[Event]]
Joining = Evidence | Link | Derivation | Method


class AddMany(Protocol):
    """The bulk verb that plain conversations go through."""

    def __call__(self, items: list[Item], progress: Progress | None) -> list[dict[str, Any]]:
        """Add many, as ``Memory.add_many``."""


class Porter:
    """Moves the memories of one project out of and into the ledger."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        project: str,
        clock: Clock,
        add_many: AddMany,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._project = project
        self._clock = clock
        self._add_many = add_many

    def export(self, target: str | Path, scope: Scope) -> int:
        """Write a scope, or the whole project, as JSON Lines; how many memories."""
        path = file_path(target, "target")
        # Beside the target first: what stood there before is replaced by a whole export only.
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                written = self._write_lines(file, scope)
            part.replace(path)
        except OSError as error:
            raise InvalidInput(f"cannot write the export {str(path)!r}: {error}") from error
        finally:
            with suppress(OSError):  # the error above says what is wrong with the path
                part.unlink(missing_ok=True)
        return written

    def import_file(
        self, source: str | Path, *, scope: Scope, infer: bool, progress: Progress | None
    ) -> dict[str, int]:
        """Bring in an export of ours, or plain conversations; twice is once."""
        path = file_path(source, "source")
        plain_flag(infer, "infer")
        values = read_values(read_text(path), path.name)
        first = values[0]
        if isinstance(first, Mapping) and first.get("format") == lines.FORMAT:
            if not scope.is_empty:
                raise InvalidInput(
                    f"{path.name} is an export: its memories keep their own scopes; leave "
                    "user_id, agent_id and run_id out"
                )
            if first.get("version") != lines.VERSION:
                raise InvalidInput(
                    f"{path.name} is an export of version {first.get('version')!r}; this Retain "
                    f"reads version {lines.VERSION}"
                )
            return self._import_lines(values[1:], path.name, progress)
        return self._import_conversations(
            read_conversations(values, path.name), path.name, scope, infer, progress
        )

    # -- export ------------------------------------------------------------------------------

    def _write_lines(self, file: TextIO, scope: Scope) -> int:
        written = 0
        with self._ledger.read() as tx:
            for line in self._lines(tx, scope):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                written += line.get("line") == "memory"
        return written

    def _lines(self, tx: ReadTx, scope: Scope) -> Iterator[dict[str, Any]]:
        yield lines.header(self._clock())
        covered = tx.coverage(replace(scope, project=self._project))
        records = [record for page in pages_of(tx, covered, None) for record in page]
        records.reverse()
        batches = [records[start : start + BATCH] for start in range(0, len(records), BATCH)]
        for batch in batches:
            messages = tx.messages([one.message_id for one in batch if one.message_id is not None])
            histories = tx.histories([one.id for one in batch])
            for record in batch:
                message = messages.get(record.message_id or "")
                yield lines.memory_line(record, message, histories.get(record.id, []))
        links: set[tuple[str, str, str]] = set()
        for batch in batches:
            ids = [one.id for one in batch]
            for evidence in tx.evidence(ids):
                yield lines.joining_line(evidence)
            for link in tx.links_of(ids):
                edge = (link.source_id, link.type.value, link.target_id)
                if edge not in links:
                    links.add(edge)
                    yield lines.joining_line(link)
        methods: dict[str, None] = {}
        made = {one.derivation_id: one for one in records if one.derivation_id is not None}
        for record in made.values():
            derivation = derivation_of(tx, record)
            if derivation is not None:
                yield lines.joining_line(derivation)
                methods.update(dict.fromkeys(derivation.method.split("+")))
        for method_id in methods:
            method = tx.method(method_id)
            if method is not None:
                yield lines.joining_line(method)

    # -- import ------------------------------------------------------------------------------

    def _import_lines(
        self, values: list[Any], name: str, progress: Progress | None
    ) -> dict[str, int]:
        for number, value in enumerate(values, start=2):
            if not isinstance(value, Mapping) or value.get("line") not in ("memory", *_READERS):
                raise InvalidInput(f"{name} line {number} is no line of an export: {shown(value)}")
        # All of it is read before the first write: a bad line leaves the ledger as it was.
        memories = []
        joining: list[Joining] = []
        for number, value in enumerate(values, start=2):
            where = f"{name} line {number}"
            if value["line"] == "memory":
                memories.append(lines.read_memory(value, self._project, where))
            else:
                joining.append(_READERS[value["line"]](value, self._project, where))
        counts: Counter[str] = Counter(messages=0, memories=0, skipped=0)
        offsets = self._session_offsets(memories)
        for start in range(0, len(memories), BATCH):
            batch = memories[start : start + BATCH]
            try:
                self._import_batch(batch, offsets, counts)
            except RetainError as error:
                raise Incomplete(
                    f"the import of {name} stopped after {start} of {len(memories)} memories, "
                    f"which are kept: {error}. Import the file again",
                    kept=start,
                    total=len(memories),
                ) from error
            if progress is not None:
                progress(min(start + BATCH, len(memories)), len(memories))
        for start in range(0, len(joining), BATCH):
            try:
                with self._ledger.write() as tx:
                    _bring(tx, joining[start : start + BATCH], self._project)
            except RetainError as error:
                raise Incomplete(
                    f"the import of {name} kept all {len(memories)} memories, but stopped after "
                    f"{start} of the {len(joining)} lines that join them: {error}. Import the file "
                    "again",
                    kept=len(memories),
                    total=len(memories),
                ) from error
        return dict(counts)

    def _session_offsets(self, memories: Sequence[Line]) -> dict[Scope, int]:
        """By how much the sessions of each scope move, to come after those that it has.

        Where memories of the file are held already, from an import that was stopped, the rest
        moves as they did.
        """
        offsets: dict[Scope, int] = {}
        with self._ledger.read() as tx:
            for start in range(0, len(memories), BATCH):
                batch = [record for record, _, _ in memories[start : start + BATCH]]
                held = {one.id: one for one in tx.named([record.id for record in batch])}
                for record in batch:
                    if record.id in held:
                        moved = held[record.id].session - record.session
                        offsets.setdefault(record.scope, moved)
            for scope in {record.scope for record, _, _ in memories} - offsets.keys():
                last = tx.last_turn(scope)
                offsets[scope] = 0 if last is None else last.session + 1
        return offsets

    def _import_batch(
        self, batch: Sequence[Line], offsets: Mapping[Scope, int], counts: Counter[str]
    ) -> None:
        features = describe(
            [record.text for record, _, _ in batch],
            [record.actor for record, _, _ in batch],
            self._embedder,
        )
        done: Counter[str] = Counter()
        with self._ledger.write() as tx:
            held = {one.id for one in tx.named([record.id for record, _, _ in batch])}
            for (record, message, history), described in zip(batch, features, strict=True):
                if record.id in held:
                    done["skipped"] += 1
                    continue
                placed, turn = _placed(record, message, offsets[record.scope])
                if turn is not None:
                    tx.add_messages(placed.scope, [turn])
                    done["messages"] += 1
                tx.add_memories([NewMemory(placed, described, self._find_mentions(placed.text))])
                # What was edited out of a file is not missed: every memory has a beginning.
                begun = event_of(placed, Action.ADD, self._clock(), None, placed.text)
                tx.add_events(history or [begun])
                held.add(record.id)
                done["memories"] += 1
        counts.update(done)

    def _import_conversations(
        self, items: list[Item], name: str, scope: Scope, infer: bool, progress: Progress | None
    ) -> dict[str, int]:
        seen: Counter[str] = Counter()
        prepared: list[Item] = []
        for number, item in enumerate(items):
            given = {**item, **scope.ids()}
            if not any(given.get(key) for key in ("user_id", "agent_id", "run_id")):
                raise InvalidScope(
                    f"conversation {number} of {name} names no user_id, agent_id or run_id: give "
                    "one with the import"
                )
            digest = hashlib.sha256(
                json.dumps(given, sort_keys=True, default=str).encode("utf-8", "surrogatepass")
            ).hexdigest()
            seen[digest] += 1
            given.setdefault("idempotency_key", f"import:{digest}:{seen[digest]}")
            own = plain_flag(given.get("infer", True), f"conversation {number} of {name}: infer")
            given["infer"] = own and infer
            prepared.append(given)
        with self._ledger.read() as tx:
            stands = [
                earlier_write(tx, self._scope_of(item), item["idempotency_key"])
                for item in prepared
            ]
        # What a model has not learned from yet is sent again; its turns are there already.
        wanted = [
            (item, earlier is Earlier.KEPT)
            for item, earlier in zip(prepared, stands, strict=True)
            if earlier is not Earlier.DONE
        ]
        answers = self._add_many([item for item, _ in wanted], progress)
        told = [
            row
            for answer, (_, is_kept) in zip(answers, wanted, strict=True)
            for row in answer["results"]
            if not (is_kept and row["kind"] == Kind.MESSAGE.value)
        ]
        added = [row for row in told if row["event"] == Action.ADD.value]
        return {
            "messages": sum(row["kind"] == Kind.MESSAGE.value for row in added),
            "memories": len(added),
            "skipped": len(prepared) - len(wanted) + sum(row["event"] == "NONE" for row in told),
        }

    def _scope_of(self, item: Item) -> Scope:
        return scope_of(
            self._project, item.get("user_id"), item.get("agent_id"), item.get("run_id")
        )


def _placed(
    record: MemoryRecord, message: Message | None, offset: int
) -> tuple[MemoryRecord, Message | None]:
    """The same turn, its session moved."""
    moved = replace(record, session=record.session + offset)
    return moved, None if message is None else replace(message, session=message.session + offset)


def _bring(tx: WriteTx, joining: Sequence[Joining], project: str) -> None:
    """Store what joins memories, where they are there and it is not.

    A file may be edited by hand: what it joins must be one owner's, and of this project.
    """
    ends = {name for one in joining for name in _ends(one)}
    owner_of = {one.id: (one.scope.project, one.scope.owner) for one in tx.named(sorted(ends))}
    for one in joining:
        owners = {owner_of.get(name) for name in _ends(one)}
        if owners and (len(owners) > 1 or not all(o and o[0] == project for o in owners)):
            continue
        if isinstance(one, Evidence):
            tx.add_evidence([one])
        elif isinstance(one, Link):
            tx.add_links([one])
        elif isinstance(one, Method):
            tx.add_method(one)
        elif tx.derivation(one.id) is None:
            tx.add_derivation(one)


def _ends(one: Joining) -> tuple[str, ...]:
    """The memories that something joins, which must be held; a method stands by itself."""
    if isinstance(one, Evidence):
        return one.memory_id, one.source_id
    if isinstance(one, Link):
        return one.source_id, one.target_id
    if isinstance(one, Derivation):
        return tuple(one.memory_ids())
    return ()


_READERS: dict[str, Callable[[Mapping[str, Any], str, str], Joining]] = {
    "evidence": lines.read_evidence,
    "link": lines.read_link,
    "derivation": lines.read_derivation,
    "method": lines.read_method,
}
