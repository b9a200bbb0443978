"""`retain candidates`, `accept`, `reject`, `derivations`, `derivation`, `replay`: what a chat model
proposed, and how it came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from retain.cli.change import Reason
from retain.cli.output import Output, one_line
from retain.cli.place import Place, placed
from retain.cli.read import MemoryId, TopK

if TYPE_CHECKING:
    from retain.settings import ModelSettings

MaybeMemory = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="A memory's id; else all of the scope.")
]
DerivationId = Annotated[str, typer.Argument(metavar="ID", help="The derivation's id.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    for name, command in (
        ("candidates", candidates),
        ("accept", accept),
        ("reject", reject),
        ("derivations", derivations),
        ("derivation", derivation),
        ("replay", replay),
    ):
        app.command(name)(placed(command))


def candidates(place: Place, top_k: TopK = 20) -> None:
    """List what was set aside, newest first: nothing else shows it.

    Prints one a line: status, score, text, reason, id.
    """
    with place.open() as memory:
        found = memory.candidates(**place.ids, top_k=top_k)
    out = place.out
    if out.wants_json:
        out.json(found)
        return
    out.rows(
        [
            (one["status"], _score(one.get("score")), one["memory"], one["reason"], one["id"])
            for one in found
        ]
    )
    if not found:
        out.note("Nothing is set aside.")


def accept(place: Place, memory_id: MemoryId, reason: Reason = None) -> None:
    """Hold what was set aside; what it contradicts is superseded."""
    with place.open() as memory:
        _say(place, memory.accept(memory_id, reason))


def reject(place: Place, memory_id: MemoryId, reason: Reason = None) -> None:
    """Withdraw what was set aside; it stays on record."""
    with place.open() as memory:
        _say(place, memory.reject(memory_id, reason))


def derivations(place: Place, memory_id: MaybeMemory = None, top_k: TopK = 20) -> None:
    """List how statements came about, newest first.

    Prints one a line: time, method, model, how many got which verdict, id.
    """
    with place.open() as memory:
        if memory_id is None:
            found = memory.derivations(**place.ids, top_k=top_k)
        else:
            found = memory.derivations(memory_id, top_k=top_k)
    out = place.out
    if out.wants_json:
        out.json(found)
        return
    out.rows([(one["at"], one["method"], one["model"], _tally(one), one["id"]) for one in found])
    if not found:
        out.note("Nothing was derived.")


def derivation(place: Place, derivation_id: DerivationId) -> None:
    """Show a derivation in full: what was read, asked and answered, and every decision.

    `--json` has the texts of its methods, too.
    """
    with place.open() as memory:
        found = memory.derivation(derivation_id)
    out = place.out
    if out.wants_json:
        out.json(found)
        return
    out.pairs({name: value for name, value in found.items() if name not in _SHOWN_APART})
    out.line("decisions")
    out.rows(
        [
            (one["verdict"], _score(one.get("score")), one["statement"], one["reason"])
            for one in found["decisions"]
        ],
        indent="  ",
    )
    if found["raw"] is not None:
        out.line("answer")
        out.line(f"  {one_line(found['raw'])}")


def replay(
    place: Place,
    derivation_id: DerivationId,
    method: Annotated[
        str | None, typer.Option(help="Another shipped method, as name@version.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Another chat model, as provider:model; of the configured provider, its options "
            "(endpoint, key) are kept."
        ),
    ] = None,
) -> None:
    """Ask the chat model again on the same inputs, write nothing, and compare."""
    with place.open() as memory:
        found = memory.replay(derivation_id, method=method, model=_model(place, model))
    out = place.out
    if out.wants_json:
        out.json(found)
        return
    out.pairs({"method": found["method"], "model": found["model"]})
    _candidates(out, "now", found["candidates"])
    _candidates(out, "only before", found["only_before"])
    _candidates(out, "only now", found["only_now"])
    if found["changed"]:
        out.line("changed")
        out.rows(
            [
                (f"{_held(one['before'])} -> {_held(one['now'])}", one["statement"])
                for one in found["changed"]
            ],
            indent="  ",
        )


def _model(place: Place, named: str | None) -> ModelSettings | None:
    """The model that was named; of the configured provider, only the model is another one."""
    from retain.settings import ModelSettings

    if named is None:
        return None
    provider, _, model = named.partition(":")
    chosen = ModelSettings(provider, {"model": model} if model else {})
    configured = place.settings().llm
    if isinstance(configured, ModelSettings) and configured.provider == chosen.provider:
        return ModelSettings(chosen.provider, {**configured.options, **chosen.options})
    return chosen


_SHOWN_APART = ("decisions", "raw", "methods")


def _candidates(out: Output, title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        out.line(title)
        out.rows(
            [
                (_held(one["held"]), _score(one["score"]), one["statement"], one["reason"])
                for one in rows
            ],
            indent="  ",
        )


def _tally(derivation: Mapping[str, Any]) -> str:
    counted = Counter(one["verdict"] for one in derivation["decisions"])
    return ", ".join(f"{count} {verdict}" for verdict, count in counted.items()) or "nothing"


def _score(score: float | None) -> str | None:
    return None if score is None else f"{score:.2f}"


def _held(held: bool) -> str:
    return "held" if held else "refused"


def _say(place: Place, result: Mapping[str, Any]) -> None:
    if place.json:
        place.out.json(result)
    else:
        place.out.line(str(result["message"]))
