"""Memories and named things as a graph, and the forms that other programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

_LONGEST_LABEL: Final = 60  # characters, in a drawing
_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHAPES: Final[Mapping[str, tuple[str, str]]] = {
    "message": ("[", "]"),
    "fact": ("(", ")"),
    "procedure": ("[[", "]]"),
    "episode": ("[/", "/]"),
    "insight": ("{{", "}}"),
    "entity": ("((", "))"),
}


@dataclass(frozen=True, slots=True)
class Node:
    """A memory, or a named thing (``kind`` ``entity``). ``at`` is ISO 8601, empty for entities."""

    id: str
    kind: str
    label: str
    at: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge between two nodes, by their ids."""

    source: str
    type: str
    target: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes and edges; every edge joins two of the nodes."""

    nodes: Sequence[Node] = field(default_factory=list)
    edges: Sequence[Edge] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists of dicts."""
        return {
            "nodes": [asdict(node) for node in self.nodes],
            "edges": [asdict(edge) for edge in self.edges],
        }

    def to_json(self) -> str:
        """One JSON object with ``nodes`` and ``edges``."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_graphml(self) -> str:
        """GraphML, as yEd, Gephi and networkx read it."""
        return "\n".join(_graphml(self)) + "\n"

    def to_mermaid(self) -> str:
        """A Mermaid flowchart, for a page in Markdown; labels are cut."""
        return "\n".join(_mermaid(self)) + "\n"


def _graphml(graph: Graph) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<graphml xmlns="{_NAMESPACE}">'
    for of, names in (("node", ("kind", "label", "at", "status")), ("edge", ("type", "reason"))):
        for name in names:
            yield f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="string"/>'
    yield '  <graph edgedefault="directed">'
    for node in graph.nodes:
        values = {"kind": node.kind, "label": node.label, "at": node.at, "status": node.status}
        yield f"    <node id={_quoted_id(node.id)}>{_data(values)}</node>"
    for edge in graph.edges:
        ends = f"source={_quoted_id(edge.source)} target={_quoted_id(edge.target)}"
        yield f"    <edge {ends}>{_data({'type': edge.type, 'reason': edge.reason})}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _data(values: Mapping[str, str | None]) -> str:
    return "".join(
        f'<data key="{name}">{escape(_printable(value))}</data>'
        for name, value in values.items()
        if value
    )


def _quoted_id(name: str) -> str:
    return quoteattr(_printable(name))


def _printable(text: str) -> str:
    """What XML can hold: control characters and lone surrogates as a replacement mark."""
    return _NOT_XML.sub("\ufffd", text)


def _mermaid(graph: Graph) -> Iterator[str]:
    yield "flowchart LR"
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        opens, closes = _SHAPES.get(node.kind, ("[", "]"))
        yield f'  {names[node.id]}{opens}"{_quoted(node.label)}"{closes}'
    for edge in graph.edges:
        yield f"  {names[edge.source]} -->|{edge.type}| {names[edge.target]}"


def _quoted(label: str) -> str:
    line = " ".join(label.split())
    short = line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1] + "…"
    marked = (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"), ("`", "&#96;"))
    for letter, name in marked:
        short = short.replace(letter, name)
    return short
