"""`retain bench`: measure recall on a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from retain.cli.place import Place, placed


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("bench")(placed(bench))


def bench(
    place: Place,
    dataset: Annotated[str, typer.Argument(help="locomo, longmemeval or realmem.")],
    data: Annotated[Path, typer.Argument(help="The data set's file or directory.")],
    profile: Annotated[str, typer.Option(help="Ranking: default, plain or rem.")] = "default",
    baseline: Annotated[
        list[str] | None,
        typer.Option(help="Also measure: bm25, dense, grep, mem0. Repeatable."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only so many questions.")] = None,
    k: Annotated[str, typer.Option("-k", help="Cut-offs, separated by commas.")] = "1,5,10",
    output: Annotated[
        Path | None, typer.Option(help="Write each question's result here (JSONL).")
    ] = None,
) -> None:
    """Measure recall and latency on a data set.

    Each sample gets a fresh scope."""
    raise NotImplementedError
