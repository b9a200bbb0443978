"""The verbs that change or remove what is held, each in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.curate.erasure import erase_memories, read_everything, receipt_of
from retain.domain.entity import Mention
from retain.domain.features import Features
from retain.domain.instant import parse_expiration
from retain.domain.kind import Action, Status
from retain.domain.memory import MemoryRecord
from retain.domain.plain import optional_text, plain_count, plain_metadata, plain_text, shown
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.errors import Conflict, InvalidInput, NotFound
from retain.ledger.port import Ledger, ReadTx, WriteTx
from retain.ledger.standing import event_of, move_on, restore, supersede, withdraw
from retain.models.base import Embedder


class Curator:
    """Corrections and removals in one project's memories."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        project: str,
        clock: Clock,
        forget: Callable[[Iterable[int]], None],
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._project = project
        self._clock = clock
        self._forget = forget  # drops what is cached of partitions

    def update(
        self,
        memory_id: str,
        *,
        text: object,
        metadata: Mapping[str, Any] | None,
        expiration_date: object,
        keep_expiration: bool,
    ) -> dict[str, Any]:
        """Change text, metadata (merged) or expiry of a memory."""
        if text is None and metadata is None and keep_expiration:
            raise InvalidInput(
                "At least one of text, metadata, or expiration_date must be provided."
            )
        new_text = None if text is None else _full_text(text)
        merged = plain_metadata(metadata)
        expires = None if keep_expiration else _expires(expiration_date)
        features = mentions = None
        hint = ". Please provide a valid 'memory_id'"
        if new_text is not None:
            with self._ledger.read() as reading:
                actor = self._held(reading, memory_id, hint).actor
            described = describe([new_text], [actor], self._embedder)[0]  # slow: outside the lock
        with self._ledger.write() as tx:
            old = self._held(tx, memory_id, hint)
            now = self._clock()
            together = plain_metadata({**old.metadata, **merged}, "metadata, with what it had,")
            new = replace(old, updated_at=now, metadata=together)
            if not keep_expiration:
                new = replace(new, expires_at=expires)
            if new_text is not None and new_text != old.text:
                # The slot's value came with the old words; the caller's word has no parsed value.
                new = replace(new, text=new_text, value=None)
                features = described
                mentions = self._find_mentions(new_text)
            tx.change(new, features=features, mentions=mentions)
            reason = None if new_text is not None else _what_changed(metadata, keep_expiration)
            tx.add_events([event_of(new, Action.UPDATE, now, old.text, new.text, reason)])
            if new.text != old.text:
                self._drop_unsaid(tx, new, now)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Withdraw a memory, and the facts that rest on it alone."""
        with self._ledger.write() as tx:
            record = self._held(tx, memory_id)
            withdraw(tx, [record], self._clock())
        return {"message": "Memory deleted successfully!"}

    def delete_all(self, scope: Scope) -> dict[str, Any]:
        """Withdraw every memory of a scope."""
        if scope.is_empty:
            raise InvalidInput(
                "At least one filter is required to delete all memories. If you want to delete "
                "all memories, use the `reset()` method."
            )
        with self._ledger.write() as tx:
            records = [
                record
                for record in read_everything(tx, scope)
                if record.status is not Status.WITHDRAWN
            ]
            now = self._clock()
            withdraw(tx, move_on(tx, records, now), now)
        return {"message": "Memories deleted successfully!"}

    def restore(self, memory_id: str, reason: str | None) -> dict[str, Any]:
        """Hold a superseded or withdrawn memory again."""
        reason = optional_text(reason, "reason")
        with self._ledger.write() as tx:
            record = self._find(tx, memory_id)
            if record.status is Status.ACCEPTED:
                raise Conflict(f"Memory with id {memory_id} is held already")
            if record.status not in (Status.SUPERSEDED, Status.WITHDRAWN, Status.ARCHIVED):
                raise Conflict(
                    f"Memory with id {memory_id} is {record.status.value}: restore takes back a "
                    "supersession, a deletion or an archiving, and it had none"
                )
            restore(tx, record, self._clock(), reason)
        return {"message": "Memory restored successfully!"}

    def supersede(self, memory_id: str, by: str, reason: str | None) -> dict[str, Any]:
        """Record that one memory replaces another of the same owner."""
        reason = optional_text(reason, "reason")
        with self._ledger.write() as tx:
            old, new = self._held(tx, memory_id), self._held(tx, by)
            if old.id == new.id:
                raise Conflict(f"Memory with id {memory_id} cannot replace itself")
            if old.scope.owner != new.scope.owner:
                raise Conflict(f"Memories {memory_id} and {by} belong to different owners")
            for record in (old, new):
                if record.status is not Status.ACCEPTED:
                    raise Conflict(
                        f"Memory with id {record.id} is {record.status.value}: restore it first"
                    )
            supersede(tx, old, new, self._clock(), reason)
        return {"message": "Memory superseded successfully!"}

    def erase(self, memory_id: str | None, scope: Scope, reason: str | None) -> Receipt:
        """Remove a memory or a whole scope for good, and prove it."""
        if (memory_id is None) == scope.is_empty:
            raise InvalidInput(
                "erase needs either a memory_id or at least one of user_id, agent_id, run_id"
                + (", not both" if memory_id is not None else "")
            )
        reason = optional_text(reason, "reason")
        now = self._clock()
        with self._ledger.write() as tx:
            if memory_id is None:
                chosen = read_everything(tx, scope)
                removed, gone, kept = erase_memories(
                    tx, chosen, tx.coverage(scope), now, self.described
                )
            else:
                record = self._find(tx, memory_id)
                removed, gone, kept = erase_memories(tx, [record], None, now, self.described)
            receipt = receipt_of(scope, gone, kept, removed, now, reason)
            tx.add_receipt(receipt)
        self._forget({record.key >> 32 for record in gone})
        sealed = replace(receipt, file_clean=self._ledger.seal_erasure())
        with self._ledger.write() as tx:
            tx.add_receipt(sealed)
        return sealed

    def reset(self) -> None:
        """Remove everything of the project for good."""
        with self._ledger.read() as tx:
            partitions = tx.coverage(Scope(self._project)).parts
        self._ledger.reset(self._project)
        self._forget(partitions)

    def receipts(self, top_k: object) -> list[Receipt]:
        """The latest receipts of erasures, newest first."""
        return self._ledger.receipts(plain_count(top_k, "top_k"))

    def described(self, text: str) -> tuple[Features, Sequence[Mention]]:
        """What is derived from a text that nobody is named as the speaker of."""
        return describe([text], [None], self._embedder)[0], self._find_mentions(text)

    def _drop_unsaid(self, tx: WriteTx, record: MemoryRecord, now: int) -> None:
        """Withdraw what was derived from words that a corrected memory no longer holds."""
        unsaid = []
        for evidence in tx.supported_by(record.id):
            if evidence.quote in record.text:
                continue
            others = [
                other for other in tx.evidence([evidence.memory_id]) if other.source_id != record.id
            ]
            derived = tx.memory(evidence.memory_id)
            if derived is not None and derived.status is Status.ACCEPTED and not others:
                unsaid.append(derived)
        if unsaid:
            withdraw(tx, unsaid, now, reason=f"its source {record.id} was corrected")

    def _find(self, tx: ReadTx, memory_id: object, hint: str = "") -> MemoryRecord:
        if not isinstance(memory_id, str):
            raise InvalidInput(f"memory_id must be a text, got {shown(memory_id)}")
        record = tx.memory(memory_id)
        if record is None or record.scope.project != self._project:
            raise NotFound(f"Memory with id {memory_id} not found{hint}")
        return record

    def _held(self, tx: ReadTx, memory_id: object, hint: str = "") -> MemoryRecord:
        record = self._find(tx, memory_id, hint)
        if record.status is Status.WITHDRAWN:
            raise NotFound(f"Memory with id {memory_id} not found{hint}")
        return record


def _full_text(text: object) -> str:
    checked = plain_text(text, "text")
    if not checked.strip():
        raise InvalidInput("text is empty: use delete(memory_id) to remove a memory")
    return checked


def _expires(value: object) -> int | None:
    if value is None:
        return None
    try:
        return parse_expiration(value)
    except ValueError as error:
        raise InvalidInput(str(error)) from error


def _what_changed(metadata: object, keep_expiration: bool) -> str:
    changed = [] if metadata is None else ["metadata"]
    if not keep_expiration:
        changed.append("expiration_date")
    return " and ".join(changed) + " changed"
