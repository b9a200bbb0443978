"""`retain delete`, `erase`, `receipts`: withdraw, remove for good, and show the proof."""

from __future__ import annotations

from typing import Annotated

import typer

from retain.cli.place import Place, placed
from retain.cli.read import TopK
from retain.domain.receipt import Receipt
from retain.errors import InvalidInput

MaybeId = Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory's id.")]
All = Annotated[
    bool, typer.Option("--all", help="Everything of the scope (--user, --agent, --run).")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("delete")(placed(delete))
    app.command("erase")(placed(erase))
    app.command("receipts")(placed(receipts))


def delete(place: Place, memory_id: MaybeId = None, all_: All = False, yes: Yes = False) -> None:
    """Withdraw a memory: hidden from every read.

    Its history stays, and `restore` brings it back."""
    _one_of(memory_id, all_)
    if memory_id is None:
        confirm(yes, f"Withdraw every memory of {_named(place)}?")
    with place.open() as memory:
        result = memory.delete_all(**place.ids) if memory_id is None else memory.delete(memory_id)
    if place.json:
        place.out.json(result)
    else:
        place.out.line(result["message"])


def erase(
    place: Place,
    memory_id: MaybeId = None,
    all_: All = False,
    yes: Yes = False,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the receipt.")] = None,
) -> None:
    """Remove for good, and print the receipt.

    From every table and from the file itself. Backups and exports made earlier are not
    reached.
    """
    _one_of(memory_id, all_)
    what = f"every memory of {_named(place)}" if memory_id is None else f"memory {memory_id}"
    confirm(yes, f"Erase {what} for good?")
    with place.open() as memory:
        if memory_id is None:
            receipt = memory.erase(**place.ids, reason=reason)
        else:
            receipt = memory.erase(memory_id, reason=reason)
    if place.json:
        place.out.json(receipt)
    else:
        _print_receipt(place, receipt)


def receipts(
    place: Place,
    top_k: TopK = 20,
) -> None:
    """List the receipts of erasures, newest first: what was removed, never the text."""
    with place.open() as memory:
        found = memory.receipts(top_k=top_k)
    if place.json:
        place.out.json(found)
        return
    for receipt in found:
        _print_receipt(place, receipt)
    if not found:
        place.out.note("Nothing was erased.")


def _print_receipt(place: Place, receipt: Receipt) -> None:
    from retain.domain.instant import iso

    out = place.out
    out.line(f"receipt {receipt.id}", style="bold")
    out.pairs(
        {
            "at": iso(receipt.at),
            "scope": dict(receipt.scope),
            "memories": len(receipt.memory_ids),
            "removed rows": dict(receipt.removed),
            "file clean": "yes" if receipt.file_clean else "no",
            "digests": len(receipt.digests),
            **({"reason": receipt.reason} if receipt.reason else {}),
        }
    )


def _one_of(memory_id: str | None, all_: bool) -> None:
    if (memory_id is None) != all_:
        raise InvalidInput("name a memory by its id, or give --all for everything of the scope")


def _named(place: Place) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in place.ids.items())


def confirm(yes: bool, question: str) -> None:
    """Ask, unless told not to; a no ends the command."""
    if not yes:
        typer.confirm(question, abort=True, err=True)
