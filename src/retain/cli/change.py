"""`retain update`, `restore`, `supersede`, `outcome`: change what is held, and what it weighs."""

from __future__ import annotations

from typing import Annotated

import typer

from retain.cli import parse
from retain.cli.place import Place, placed
from retain.cli.read import MemoryId
from retain.errors import InvalidInput
from retain.facade.types import UNSET, Day, Unset

Reason = Annotated[str | None, typer.Option(help="Why; kept in the history.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    for command in (update, restore, supersede, outcome):
        app.command(command.__name__)(placed(command))


def update(
    place: Place,
    memory_id: MemoryId,
    text: Annotated[str | None, typer.Argument(help="The new text.")] = None,
    metadata: Annotated[
        list[str] | None,
        typer.Option(help="KEY=VALUE to merge in, the value read as JSON if it is."),
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="New last day it is visible, YYYY-MM-DD.")
    ] = None,
    never_expires: Annotated[
        bool, typer.Option("--never-expires", help="Take its expiry away.")
    ] = False,
) -> None:
    """Change a memory's text, metadata or expiry."""
    if expires is not None and never_expires:
        raise InvalidInput("--expires and --never-expires exclude each other")
    expiry: Day | Unset | None = None if never_expires else (UNSET if expires is None else expires)
    with place.open() as memory:
        result = memory.update(
            memory_id, text, metadata=parse.metadata(metadata), expiration_date=expiry
        )
    _say(place, result)


def restore(place: Place, memory_id: MemoryId, reason: Reason = None) -> None:
    """Take back a deletion or a supersession."""
    with place.open() as memory:
        result = memory.restore(memory_id, reason)
    _say(place, result)


def supersede(
    place: Place,
    memory_id: MemoryId,
    by: Annotated[str, typer.Option(help="Id of the memory that replaces it.")],
    reason: Reason = None,
) -> None:
    """Record that another memory replaces this one.

    `restore` takes it back."""
    with place.open() as memory:
        result = memory.supersede(memory_id, by, reason)
    _say(place, result)


def outcome(
    place: Place,
    recall_id: Annotated[str, typer.Argument(help="The id that `recall` printed.")],
    came: Annotated[str, typer.Argument(help="success, failure, partial or unknown.")],
    note: Annotated[str | None, typer.Option(help="Why; `show` prints it.")] = None,
) -> None:
    """Say what came of a recall: the memories that it used weigh more, or less."""
    with place.open() as memory:
        result = memory.record_outcome(recall_id, came, note)
    _say(place, result)


def _say(place: Place, result: dict[str, object]) -> None:
    if place.json:
        place.out.json(result)
    else:
        place.out.line(str(result["message"]))
