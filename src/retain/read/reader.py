"""Reads that need no ranking: get, get_all, history, why, entities."""

from __future__ import annotations

from typing import Any

from retain.clock import Clock
from retain.domain.derivation import Derivation
from retain.domain.instant import iso
from retain.domain.kind import Kind, Stance
from retain.domain.memory import MemoryRecord
from retain.domain.plain import shown
from retain.domain.scope import Scope
from retain.errors import InvalidInput, InvalidScope, NotFound
from retain.ledger.filters import matches
from retain.ledger.paging import pages_of
from retain.ledger.port import Ledger, ReadTx
from retain.ledger.visibility import Visibility
from retain.read.ask import Ask
from retain.read.item import derivation_item, history_row, item_of, use_item

FIRST_PAGE = 64  # a filter may meet its top_k early


def items_of(tx: ReadTx, records: list[MemoryRecord]) -> list[dict[str, Any]]:
    """Memories as items; derived ones with the ids of what they rest on."""
    derived = [record.id for record in records if record.kind is not Kind.MESSAGE]
    sources: dict[str, dict[str, None]] = {}
    if derived:
        for evidence in tx.evidence(derived):
            if evidence.stance is Stance.SUPPORTS:
                sources.setdefault(evidence.memory_id, {})[evidence.source_id] = None
    return [item_of(record, tuple(sources.get(record.id, ()))) for record in records]


def is_of_project(tx: ReadTx, derivation: Derivation, project: str) -> bool:
    """Whether a derivation was made in a project."""
    if derivation.scope is not None:
        return derivation.scope.project == project
    # One of an older ledger, which did not say whose it was.
    held = tx.named(derivation.input_ids)
    return bool(held) and all(one.scope.project == project for one in held)


def derivation_of(tx: ReadTx, record: MemoryRecord) -> Derivation | None:
    """The derivation that made a memory; None where it names one of another project, as an edited
    import might."""
    made = None if record.derivation_id is None else tx.derivation(record.derivation_id)
    return made if made is not None and is_of_project(tx, made, record.scope.project) else None


class Reader:
    """Plain reads of one project's memories."""

    def __init__(self, ledger: Ledger, project: str, clock: Clock) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One visible memory, or None."""
        visibility = Visibility(now=self._clock())
        with self._ledger.read() as tx:
            record = self._find(tx, memory_id)
            if record is None or not visibility.shows(record):
                return None
            return items_of(tx, [record])[0]

    def get_all(self, ask: Ask) -> dict[str, Any]:
        """Visible memories of a scope that meet the conditions, newest first."""
        found: list[dict[str, Any]] = []
        if ask.top_k == 0:
            return {"results": found}
        with self._ledger.read() as tx:
            coverage = tx.coverage(ask.scope)
            size = ask.top_k if ask.tree is None else max(FIRST_PAGE, 2 * ask.top_k)
            for page in pages_of(tx, coverage, ask.visibility, size, ask.tree):
                found.extend(item for item in items_of(tx, page) if matches(ask.tree, item))
                if len(found) >= ask.top_k:
                    break
        return {"results": found[: ask.top_k]}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first; ``[]`` if unknown."""
        with self._ledger.read() as tx:
            if self._find(tx, memory_id) is None:
                return []
            return [history_row(event) for event in tx.history(memory_id)]

    def why(self, memory_id: str) -> dict[str, Any]:
        """Everything the ledger holds about one memory."""
        with self._ledger.read() as tx:
            record = self._find(tx, memory_id)
            if record is None:
                raise NotFound(f"Memory with id {memory_id} not found")
            derivation = derivation_of(tx, record)
            evidence = []
            for found in tx.evidence([record.id]):
                source = self._find(tx, found.source_id)
                evidence.append(
                    {
                        "source_id": found.source_id,
                        "source": None if source is None else source.text,
                        "said_at": None if source is None else iso(source.created_at),
                        "actor": None if source is None else source.actor or source.role,
                        "quote": found.quote,
                        "start": found.start,
                        "end": found.end,
                        "stance": found.stance.value,
                        "check": found.check,
                        "score": found.score,
                    }
                )
            links = [
                {
                    "source_id": link.source_id,
                    "type": link.type.value,
                    "target_id": link.target_id,
                    "at": iso(link.at),
                    "reason": link.reason,
                }
                for link in tx.links(record.id)
            ]
            item = items_of(tx, [record])[0]
            return {
                "memory": {**item, "status": record.status.value},
                "evidence": evidence,
                "supports": [found.memory_id for found in tx.supported_by(record.id)],
                "links": links,
                "history": [history_row(event) for event in tx.history(record.id)],
                "entities": [mention.name for mention in tx.mentions(record.id)],
                "derivation": None if derivation is None else derivation_item(derivation),
                "use": use_item(tx.uses([record.id])[record.id], tx.judgements(record.id)),
            }

    def entities(self, scope: Scope, top_k: int) -> list[dict[str, Any]]:
        """Named things of a scope, most mentioned first."""
        if scope.is_empty:
            raise InvalidScope("entities needs at least one of: user_id, agent_id, run_id")
        if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 0:
            raise InvalidInput(f"Invalid top_k: {shown(top_k)}. Must be a non-negative integer.")
        with self._ledger.read() as tx:
            found = tx.entities(tx.coverage(scope), Visibility(now=self._clock()), top_k)
        return [{"name": one.name, "type": one.type, "mentions": one.mentions} for one in found]

    def _find(self, tx: ReadTx, memory_id: object) -> MemoryRecord | None:
        if not isinstance(memory_id, str):
            raise InvalidInput(f"memory_id must be a text, got {shown(memory_id)}")
        record = tx.memory(memory_id)
        return record if record is not None and record.scope.project == self._project else None
