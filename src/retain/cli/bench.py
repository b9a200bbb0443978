"""`retain bench`: measure recall on a data set."""

from __future__ import annotations

from dataclasses import replace
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
    data: Annotated[Path, typer.Argument(help="The data set's file or folder.")],
    profile: Annotated[str | None, typer.Option(help="Ranking: default, plain or rem.")] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(help="Also measure bm25, dense, grep or mem0. Repeatable."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first samples.")] = None,
    k: Annotated[int | None, typer.Option("--top-k", "-k", help="Results of each search.")] = None,
    budget: Annotated[
        int | None, typer.Option(help="Also build a context of so many tokens for each question.")
    ] = None,
    infer: Annotated[bool, typer.Option("--infer/--no-infer", help="Also derive facts.")] = True,
    output: Annotated[
        Path | None, typer.Option(help="Write a JSON line per method and question here.")
    ] = None,
) -> None:
    """Measure recall and latency on a data set.

    Each sample gets a fresh ledger of its own; nothing is downloaded.
    """
    from retain.evaluation import run_bench

    out = place.out
    with out.progress(dataset) as progress:
        report = run_bench(
            dataset,
            data,
            profile=profile,
            baselines=baseline or (),
            limit=limit,
            k=k,
            output=output,
            settings=replace(place.settings(), path=None),
            progress=progress,
            budget_tokens=budget,
            infer=infer,
        )
    if out.wants_json:
        out.json(report.to_dict())
    else:
        out.tables(report.table())
