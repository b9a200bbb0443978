"""`retain episode add`, `list`, `show`: the experiences of an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from retain.cli import parse
from retain.cli.hold import given_text
from retain.cli.output import one_line
from retain.cli.place import Place, placed
from retain.errors import NotFound

EpisodeId = Annotated[str, typer.Argument(metavar="ID", help="The episode's id.")]
Moment = str | None


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    group = typer.Typer(help="Accounts of what an agent went through.", no_args_is_help=True)
    for command in (add, show):
        group.command(command.__name__)(placed(command))
    group.command("list")(placed(list_))
    app.add_typer(group, name="episode")


def add(
    place: Place,
    content: Annotated[
        str | None, typer.Argument(help="The account; read from standard input if left out.")
    ] = None,
    outcome: Annotated[str, typer.Option(help="success, failure, partial or unknown.")] = "unknown",
    domain: Annotated[str | None, typer.Option(help="coding, writing, ... or general.")] = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    metadata: Annotated[
        list[str] | None, typer.Option(help="KEY=VALUE, the value read as JSON if it is.")
    ] = None,
    timestamp: Annotated[Moment, typer.Option(help="When it was; now if left out.")] = None,
    key: Annotated[
        str | None, typer.Option(help="Idempotency key: the same write again writes nothing.")
    ] = None,
) -> None:
    """Keep the account of one experience, after the one before it."""
    text = given_text(content)
    with place.open() as memory:
        stored = memory.write_episode(
            text,
            agent_id=place.ids.get("agent_id"),  # type: ignore[arg-type]  # the library refuses None
            user_id=place.ids.get("user_id"),
            run_id=place.ids.get("run_id"),
            outcome=outcome,
            domain=domain,
            importance=importance,
            metadata=parse.metadata(metadata),
            timestamp=parse.instant(timestamp),
            idempotency_key=key,
        )
    if place.out.wants_json:
        place.out.json(stored)
    else:
        place.out.rows([_row(stored)])


def list_(
    place: Place,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 20,
    offset: Annotated[int, typer.Option(help="How many to pass over.")] = 0,
    domain: Annotated[str | None, typer.Option(help="Only this one.")] = None,
    outcome: Annotated[str | None, typer.Option(help="Only this one.")] = None,
    consolidated: Annotated[
        bool | None, typer.Option(help="Only those that insights were drawn from, or were not.")
    ] = None,
    search: Annotated[str | None, typer.Option(help="Only those that hold this text.")] = None,
    since: Annotated[Moment, typer.Option(help="Only from this moment on.")] = None,
    until: Annotated[Moment, typer.Option(help="Only before this moment.")] = None,
) -> None:
    """List episodes, latest first.

    Prints one a line: time, outcome, domain, intent, id."""
    with place.open() as memory:
        found = memory.episodes(
            **place.ids,
            limit=limit,
            offset=offset,
            domain=domain,
            outcome=outcome,
            consolidated=consolidated,
            search=search,
            since=parse.instant(since),
            until=parse.instant(until),
        )
    if place.out.wants_json:
        place.out.json(found)
        return
    place.out.rows([_row(one) for one in found["episodes"]])
    place.out.note(f"{len(found['episodes'])} of {found['total']} episodes")


def show(place: Place, episode_id: EpisodeId) -> None:
    """Show one episode, with its neighbours and the insights drawn from it."""
    with place.open() as memory:
        found = memory.get_episode(episode_id)
    if found is None:
        raise NotFound(f"Episode with id {episode_id} not found")
    if place.out.wants_json:
        place.out.json(found)
        return
    place.out.line(found["content"])
    place.out.pairs({name: value for name, value in found.items() if name != "content"}, "  ")


def _row(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        one["created_at"], one["outcome"], one["domain"], one_line(one["intent"]), one["id"],
    )  # fmt: skip
