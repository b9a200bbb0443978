"""How memories hang together: the graph of a scope, and what one memory rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from retain.domain.graph import Edge, Graph, Node
from retain.domain.instant import iso
from retain.domain.kind import Stance
from retain.domain.memory import MemoryRecord
from retain.errors import NotFound
from retain.ledger.names import fold
from retain.ledger.port import Ledger, ReadTx
from retain.read.ask import Ask
from retain.read.item import item_of

DERIVED_FROM: Final = "derived_from"
SPEAKS_AGAINST: Final = "contradicted_by"
MENTIONS: Final = "mentions"
DEEPEST: Final = 20  # levels of sources that are followed


class Grapher:
    """Draws one project's memories."""

    def __init__(self, ledger: Ledger, project: str) -> None:
        self._ledger = ledger
        self._project = project

    def graph(self, ask: Ask, *, entities: bool) -> Graph:
        """The visible memories of a scope, newest first, with the edges between them."""
        with self._ledger.read() as tx:
            records = tx.page(tx.coverage(ask.scope), ask.visibility, None, ask.top_k)
            nodes = [_node(record) for record in records]
            edges = _edges(tx, {record.id for record in records})
            if entities:
                named, mentions = _named(tx, records)
                nodes += named
                edges += mentions
        return Graph(nodes, edges)

    def trace(self, memory_id: object) -> dict[str, Any]:
        """A memory with all that it rests on, down to what was said."""
        with self._ledger.read() as tx:
            record = tx.memory(memory_id) if isinstance(memory_id, str) else None
            if record is None or record.scope.project != self._project:
                raise NotFound(f"Memory with id {memory_id} not found")
            return self._traced(tx, record, frozenset(), 0)

    def _traced(
        self, tx: ReadTx, record: MemoryRecord, above: frozenset[str], depth: int
    ) -> dict[str, Any]:
        item = item_of(record)
        traced: dict[str, Any] = {
            name: item[name] for name in ("id", "kind", "memory", "created_at")
        }
        traced["status"] = record.status.value
        traced["rests_on"] = []
        if depth == DEEPEST or record.id in above:  # a file of somebody's making may hold a circle
            return traced
        evidence = tx.evidence([record.id])
        sources = {one.id: one for one in tx.named([one.source_id for one in evidence])}
        for one in evidence:
            source = sources.get(one.source_id)
            if source is not None and source.scope.project == self._project:
                below = self._traced(tx, source, above | {record.id}, depth + 1)
                quote = {"quote": one.quote, "stance": one.stance.value}
                traced["rests_on"].append({**quote, **below})
        return traced


def _node(record: MemoryRecord) -> Node:
    at, status = iso(record.created_at), record.status.value
    return Node(record.id, record.kind.value, record.text, at, status)


def _edges(tx: ReadTx, shown: set[str]) -> list[Edge]:
    ids = sorted(shown)
    found = {
        (one.source_id, one.type.value, one.target_id): one.reason
        for one in tx.links_of(ids)
        if one.source_id in shown and one.target_id in shown
    }
    for evidence in tx.evidence(ids):
        if evidence.source_id in shown:
            supports = evidence.stance is Stance.SUPPORTS
            kind = DERIVED_FROM if supports else SPEAKS_AGAINST
            found.setdefault((evidence.memory_id, kind, evidence.source_id), None)
    return [Edge(source, kind, target, reason) for (source, kind, target), reason in found.items()]


def _named(tx: ReadTx, records: Sequence[MemoryRecord]) -> tuple[list[Node], list[Edge]]:
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], Edge] = {}
    for record in records:
        for mention in tx.mentions(record.id):
            name = f"entity:{fold(mention.name)}"
            nodes.setdefault(name, Node(name, "entity", mention.name))
            edges.setdefault((record.id, name), Edge(record.id, MENTIONS, name))
    return list(nodes.values()), list(edges.values())
