"""`retain forget`, `archived`: let go by a policy, and what was set aside by one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from retain.cli import parse
from retain.cli.place import Place, placed
from retain.cli.read import TopK
from retain.cli.remove import Yes, confirm

ByKind = list[str] | None
Days = float | None


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("forget")(placed(forget))
    app.command("archived")(placed(archived))


def forget(
    place: Place,
    keep_days: Annotated[
        ByKind, typer.Option(help="KIND=DAYS after which a memory of a kind goes.")
    ] = None,
    expired_days: Annotated[Days, typer.Option(help="Days after its expiry.")] = None,
    replaced_days: Annotated[Days, typer.Option(help="Days after it was replaced.")] = None,
    withdrawn_days: Annotated[
        Days, typer.Option(help="Days after it was deleted; needs --erase.")
    ] = None,
    half_life_days: Annotated[
        Days, typer.Option(help="Days without use after which the weight is half.")
    ] = None,
    least_weight: Annotated[
        float, typer.Option(help="The weight below which a memory goes.")
    ] = 0.05,
    most: Annotated[
        ByKind, typer.Option(help="KIND=NUMBER that a user and agent keep at most.")
    ] = None,
    review_days: Annotated[
        ByKind, typer.Option(help="KIND=DAYS after which a memory is listed for review.")
    ] = None,
    keep: Annotated[str | None, typer.Option(help="A filter (JSON): what meets it stays.")] = None,
    erase: Annotated[
        bool, typer.Option("--erase", help="Remove for good instead of archiving.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Change nothing: show what would go, and why.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Let go of memories by a policy.

    Archived ones are in no read, and `restore` brings each back. Prints one a line: what happens,
    kind, text, reason, id.
    """
    policy = {
        "keep_days": parse.by_kind("--keep-days", keep_days),
        "expired_days": expired_days,
        "replaced_days": replaced_days,
        "withdrawn_days": withdrawn_days,
        "half_life_days": half_life_days,
        "least_weight": least_weight,
        "most": parse.by_kind("--most", most),
        "review_days": parse.by_kind("--review-days", review_days),
        "keep": parse.filters(keep) or {},
        "erase": erase,
    }
    if erase and not dry_run:
        confirm(yes, "Erase for good what the policy lets go of?")
    with place.open() as memory:
        report = memory.forget(policy, **place.ids, dry_run=dry_run)
    out = place.out
    if out.wants_json:
        out.json(report)
        return
    for what in ("archived", "erased", "review"):
        _rows(place, what, report[what])
    done = "would go" if dry_run else "went"
    out.note(f"{len(report['archived']) + len(report['erased'])} memories {done}")


def archived(place: Place, top_k: TopK = 20) -> None:
    """List what policies set aside, newest first.

    Prints one a line: kind, text, reason, id."""
    with place.open() as memory:
        found = memory.archived(**place.ids, top_k=top_k)
    if place.out.wants_json:
        place.out.json(found)
        return
    place.out.rows([(one["kind"], one["memory"], one["reason"], one["id"]) for one in found])


def _rows(place: Place, what: str, found: list[dict[str, Any]]) -> None:
    place.out.rows(
        [
            (what, one["kind"], one.get("memory", "(erased)"), one["reason"], one["id"])
            for one in found
        ]
    )
