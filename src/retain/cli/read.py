"""`retain search`, `recall`, `list`, `show`, `history`: look something up."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from retain.cli import explain, parse
from retain.cli.place import Place, placed
from retain.errors import NotFound

TopK = Annotated[int, typer.Option("--top-k", "-k", "--limit", help="How many at most.")]
Filter = Annotated[
    str | None,
    typer.Option("--filter", help='Conditions as JSON, as {"topic": {"in": ["a", "b"]}}.'),
]
Kinds = Annotated[
    list[str] | None, typer.Option("--kind", help="Only this kind: message, fact, ... Repeatable.")
]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What held at that moment (ISO 8601).")]
ShowExpired = Annotated[bool, typer.Option("--show-expired", help="Also those past their expiry.")]
Superseded = Annotated[
    bool, typer.Option("--include-superseded", help="Also those that a newer value replaced.")
]
Threshold = Annotated[float, typer.Option(help="Least score, 0 to 1.")]
Profile = Annotated[str | None, typer.Option(help="Ranking: default, plain or rem.")]
Rerank = Annotated[bool, typer.Option("--rerank", help="Let the configured reranker order them.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show how each score came about.")]
Query = Annotated[str, typer.Argument(help="What is asked, in any language.")]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    for name, command in (
        ("search", search),
        ("recall", recall),
        ("list", list_),
        ("show", show),
        ("history", history),
    ):
        app.command(name)(placed(command))


def search(
    place: Place,
    query: Query,
    top_k: TopK = 20,
    filter_: Filter = None,
    kind: Kinds = None,
    as_of: AsOf = None,
    show_expired: ShowExpired = False,
    include_superseded: Superseded = False,
    threshold: Threshold = 0.1,
    profile: Profile = None,
    rerank: Rerank = False,
    explain: Explain = False,
) -> None:
    """Find memories, best first.

    Prints one a line: score, date, kind, text, id.
    """
    with place.open() as memory:
        result = memory.search(
            query,
            **place.ids,
            top_k=top_k,
            filters=parse.filters(filter_),
            kinds=kind or None,
            as_of=parse.instant(as_of),
            show_expired=show_expired,
            include_superseded=include_superseded,
            threshold=threshold,
            profile=profile,
            rerank=rerank,
            explain=explain,
        )
    out = place.out
    if out.wants_json:
        out.json(result)
        return
    for item in result["results"]:
        out.memories([item])
        if explain:
            out.pairs(item["score_details"], indent="    ")
    if not result["results"]:
        out.note("Nothing found.")


def recall(
    place: Place,
    query: Query,
    budget: Annotated[int, typer.Option(help="Most tokens that the context may take.")] = 1000,
    top_k: TopK = 20,
    filter_: Filter = None,
    kind: Kinds = None,
    as_of: AsOf = None,
    show_expired: ShowExpired = False,
    include_superseded: Superseded = False,
    threshold: Threshold = 0.1,
    profile: Profile = None,
    rerank: Rerank = False,
    explain: Explain = False,
) -> None:
    """Pack the best memories into a context for a prompt."""
    with place.open() as memory:
        result = memory.recall(
            query,
            **place.ids,
            budget_tokens=budget,
            top_k=top_k,
            filters=parse.filters(filter_),
            kinds=kind or None,
            as_of=parse.instant(as_of),
            show_expired=show_expired,
            include_superseded=include_superseded,
            threshold=threshold,
            profile=profile,
            rerank=rerank,
            explain=explain,
        )
    out = place.out
    if out.wants_json:
        out.json(result)
        return
    if result.context:
        out.line(result.context)
    if explain:
        for item in result.memories:
            out.memories([item])
            out.pairs(item["score_details"], indent="    ")
    out.note(
        f"{len(result.citations)} memories, {result.tokens} of {budget} tokens, recall {result.id}"
    )


def list_(
    place: Place,
    top_k: TopK = 20,
    filter_: Filter = None,
    kind: Kinds = None,
    as_of: AsOf = None,
    show_expired: ShowExpired = False,
    include_superseded: Superseded = False,
) -> None:
    """List memories, newest first.

    Prints one a line: date, kind, text, id.
    """
    with place.open() as memory:
        result = memory.get_all(
            **place.ids,
            top_k=top_k,
            filters=parse.filters(filter_),
            kinds=kind or None,
            as_of=parse.instant(as_of),
            show_expired=show_expired,
            include_superseded=include_superseded,
        )
    out = place.out
    if out.wants_json:
        out.json(result)
        return
    out.memories(result["results"])
    if len(result["results"]) == top_k:
        out.note(f"The newest {top_k}; there may be more (--top-k).")
    elif not result["results"]:
        out.note("Nothing here.")


def show(place: Place, memory_id: MemoryId) -> None:
    """Show a memory in full.

    Its statement and status, the quotes in their messages with checks and scores, how it was
    derived and decided, what it replaced or was replaced by, and its history.
    """
    with place.open() as memory:
        result = memory.why(memory_id)
        if place.json:
            place.out.json(result)
            return
        texts = {}
        for linked in explain.linked_ids(result):
            with suppress(NotFound):  # erased: the link stays, the text does not
                texts[linked] = memory.why(linked)["memory"]["memory"]
    explain.show(place.out, result, texts)


def history(place: Place, memory_id: MemoryId) -> None:
    """Show what happened to a memory, oldest first.

    Prints one event a line: time, event, text, reason.
    """
    with place.open() as memory:
        result = memory.history(memory_id)
    if place.json:
        place.out.json(result)
        return
    explain.events(place.out, result)
    if not result:
        place.out.note(f"Nothing is known of {memory_id!r}.")
