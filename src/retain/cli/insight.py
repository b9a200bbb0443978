"""`retain consolidate`, `insights`: what recurs in an agent's experiences."""

from __future__ import annotations

from typing import Annotated

import typer

from retain.cli.place import Place, placed


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("consolidate")(placed(consolidate))
    app.command("insights")(placed(insights))


def consolidate(
    place: Place,
    least_support: Annotated[
        int, typer.Option(help="In how many episodes something must recur.")
    ] = 3,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Change nothing: show what would change.")
    ] = False,
) -> None:
    """Draw insights from the episodes that were not taken in before.

    Of --agent, --user or --run, if any is named; else of the whole project. Prints one a line: what
    changed, type, insight, reason, id.
    """
    with place.open() as memory:
        report = memory.consolidate(**place.given_ids, least_support=least_support, dry_run=dry_run)
    if place.out.wants_json:
        place.out.json(report)
        return
    place.out.rows(
        [
            (one["change"], one["insight_type"], one["insight"], one["reason"], one["id"] or "")
            for one in report["insights"]
        ]
    )
    done = "would be taken in" if dry_run else "taken in"
    place.out.note(f"{report['episodes']} episodes {done}")


def insights(
    place: Place,
    insight_type: Annotated[
        str | None, typer.Option("--type", help="preference, rule, pattern, skill, fact, warning.")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Only of this domain.")] = None,
    least_confidence: Annotated[float, typer.Option(help="0 to 1.")] = 0.0,
    include_superseded: Annotated[
        bool, typer.Option("--include-superseded", help="Also those that were replaced.")
    ] = False,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 50,
    offset: Annotated[int, typer.Option(help="How many to pass over.")] = 0,
) -> None:
    """List insights, the best supported first.

    Prints one a line: type, confidence, episodes, insight, id.
    """
    ids = place.ids
    with place.open() as memory:
        found = memory.insights(
            agent_id=ids.get("agent_id"),
            user_id=ids.get("user_id"),
            insight_type=insight_type,
            domain=domain,
            least_confidence=least_confidence,
            include_superseded=include_superseded,
            limit=limit,
            offset=offset,
        )
    if place.out.wants_json:
        place.out.json(found)
        return
    place.out.rows(
        [
            (
                one["insight_type"],
                f"{one['confidence']:.2f}",
                str(one["supports"]),
                one["memory"],
                one["id"],
            )
            for one in found["insights"]
        ]
    )
    place.out.note(f"{len(found['insights'])} of {found['total']} insights")
