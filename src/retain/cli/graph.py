"""`retain graph`, `trace`: how memories hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from retain.cli import parse
from retain.cli.output import one_line
from retain.cli.place import Place, placed
from retain.cli.read import AsOf, Kinds, MemoryId, ShowExpired, Superseded
from retain.errors import InvalidInput

FORMATS = ("mermaid", "graphml", "json")


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("graph")(placed(graph))
    app.command("trace")(placed(trace))


def graph(
    place: Place,
    form: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = FORMATS[
        0
    ],
    kind: Kinds = None,
    entities: Annotated[
        bool, typer.Option(help="Also the named things that memories mention.")
    ] = True,
    as_of: AsOf = None,
    show_expired: ShowExpired = False,
    include_superseded: Superseded = False,
    top_k: Annotated[int, typer.Option(help="Most memories, newest first.")] = 1000,
) -> None:
    """Write the graph of a scope: memories, what they rest on, what replaced what."""
    if form not in FORMATS:
        raise InvalidInput(f"--format must be one of {', '.join(FORMATS)}, got {form!r}")
    with place.open() as memory:
        found = memory.graph(
            **place.ids,
            kinds=kind or None,
            entities=entities,
            as_of=parse.instant(as_of),
            show_expired=show_expired,
            include_superseded=include_superseded,
            top_k=top_k,
        )
    if place.json or form == "json":
        place.out.json(found.to_dict())
        return
    text = found.to_graphml() if form == "graphml" else found.to_mermaid()
    for line in text.splitlines():
        place.out.line(line)


def trace(place: Place, memory_id: MemoryId) -> None:
    """Show what a memory rests on, level by level, down to what was said."""
    with place.open() as memory:
        found = memory.trace(memory_id)
    if place.out.wants_json:
        place.out.json(found)
        return
    for line in _lines(found, ""):
        place.out.line(line)


def _lines(traced: Mapping[str, Any], indent: str) -> Iterator[str]:
    quote = f' "{one_line(traced["quote"])}" in' if traced.get("quote") else ""
    status = "" if traced["status"] == "accepted" else f", {traced['status']}"
    day = traced["created_at"][:10]
    yield f"{indent}{traced['kind']}{quote} {one_line(traced['memory'])} ({day}{status})"
    for below in traced["rests_on"]:
        yield from _lines(below, indent + "  ")
