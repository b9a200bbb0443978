"""`retain stats`, `check`, `reindex`: look after the ledger."""

from __future__ import annotations

from typing import Annotated

import typer

from retain.cli.failures import FOUND_PROBLEMS
from retain.cli.place import Place, placed


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    for name, command in (("stats", stats), ("check", check), ("reindex", reindex)):
        app.command(name)(placed(command))


def stats(place: Place) -> None:
    """Show counts, embedder, size and schema version."""
    with place.open() as memory:
        result = memory.stats()
    if place.json:
        place.out.json(result)
    else:
        place.out.pairs(result)


def check(
    place: Place,
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild derived data that is wrong.")
    ] = False,
) -> None:
    """Check the ledger's integrity. The exit code is 10 if problems remain."""
    with place.open() as memory:
        report = memory.check(repair=repair)
    out = place.out
    if out.wants_json:
        out.json(report)
    else:
        for done in report.repaired:
            out.line(f"repaired: {done}")
        for problem in report.problems:
            out.line(f"problem: {problem}", style="red")
        if report.unsealed:
            out.line(
                f"{report.unsealed} erasures whose bytes may still be in the file: --repair "
                "rewrites it"
            )
        if not report.problems:
            out.line("no problems", style="green")
    if report.problems:
        raise typer.Exit(FOUND_PROBLEMS)


def reindex(place: Place) -> None:
    """Rebuild terms, vectors and names from the texts; if it was stopped, it goes on.

    Also the way to another embedder: name it in the configuration.
    """
    from retain.memory import Memory

    out = place.out
    with out.progress("Rebuilding") as progress:
        count = Memory.change_embedder(place.settings(), progress=progress)
    if out.wants_json:
        out.json(count)
    else:
        out.line(f"{count} memories")
