"""`retain import`, `export`, `backup`: in and out of the ledger."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from retain.cli.place import Place, placed
from retain.cli.streams import STANDARD, spooled_input, spooled_output
from retain.errors import InvalidScope


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("import")(placed(import_))
    app.command("export")(placed(export))
    app.command("backup")(placed(backup))


def import_(
    place: Place,
    file: Annotated[
        Path,
        typer.Argument(
            help="An export, or conversations as JSON or JSON Lines; '-' reads standard input."
        ),
    ],
    infer: Annotated[bool, typer.Option("--infer/--no-infer", help="Also derive facts.")] = True,
) -> None:
    """Bring in a file. Twice adds nothing.

    The scope options name whose the conversations are where the file does not say.
    """
    out = place.out
    reading = spooled_input() if str(file) == STANDARD else nullcontext(file)
    with reading as path, place.open() as memory, out.progress("Importing") as progress:
        try:
            counts = memory.import_file(path, **place.given_ids, infer=infer, progress=progress)
        except InvalidScope:
            if place.given_ids:
                raise
            # The file says not whose it is, and nothing was written: it is the default user's.
            counts = memory.import_file(path, **place.ids, infer=infer, progress=progress)
    if out.wants_json:
        out.json(counts)
    else:
        out.pairs(counts)


def export(
    place: Place,
    file: Annotated[
        Path, typer.Argument(help="The JSON Lines file to write; '-' writes standard output.")
    ],
) -> None:
    """Write memories as JSON Lines.

    All of the project, or those of the scope that is named."""
    to_output = str(file) == STANDARD
    with spooled_output() if to_output else nullcontext(file) as path, place.open() as memory:
        count = memory.export(path, **place.given_ids)
    if to_output:
        place.out.note(f"{count} memories")
    elif place.json:
        place.out.json(count)
    else:
        place.out.line(f"{count} memories")


def backup(
    place: Place, file: Annotated[Path, typer.Argument(help="The copy to write; must not exist.")]
) -> None:
    """Write a consistent copy of the ledger.

    Others may read and write meanwhile."""
    with place.open() as memory:
        target = memory.backup(file)
    if place.json:
        place.out.json(target)
    else:
        place.out.line(str(target))
