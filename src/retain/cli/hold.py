"""`retain add`: keep something."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from retain.cli import parse
from retain.cli.output import Output
from retain.cli.place import Place, placed
from retain.cli.streams import STANDARD
from retain.errors import InvalidMessages


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("add")(placed(add))


def add(
    place: Place,
    text: Annotated[
        str | None, typer.Argument(help="What was said; '-' or nothing reads standard input.")
    ] = None,
    role: Annotated[str, typer.Option(help="Who speaks: user, assistant, system, tool.")] = "user",
    name: Annotated[str | None, typer.Option(help="The speaker's name.")] = None,
    timestamp: Annotated[
        str | None, typer.Option(help="When it was said: ISO 8601 or seconds since 1970.")
    ] = None,
    metadata: Annotated[
        list[str] | None,
        typer.Option(help="KEY=VALUE, the value read as JSON if it is. Repeatable."),
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="Last day it is visible, YYYY-MM-DD (UTC).")
    ] = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="A retry under the same key adds nothing.")
    ] = None,
    infer: Annotated[bool, typer.Option("--infer/--no-infer", help="Also derive facts.")] = True,
    prompt: Annotated[
        str | None, typer.Option(help="Instructions for the chat model, for this text.")
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait/--no-wait",
            help="With a chat model: learn now, or leave it to `retain worker`.",
        ),
    ] = True,
) -> None:
    """Keep a text, and learn what it states.

    Prints what was added, one a line: event, kind, text, id.
    """
    message: dict[str, Any] = {"role": role, "content": given_text(text)}
    if name is not None:
        message["name"] = name
    with place.open() as memory:
        result = memory.add(
            [message],
            **place.ids,
            timestamp=parse.instant(timestamp),
            metadata=parse.metadata(metadata),
            expiration_date=expires,
            infer=infer,
            idempotency_key=idempotency_key,
            prompt=prompt,
            wait=wait,
        )
    print_added(place.out, result)


def print_added(out: Output, result: Mapping[str, Any]) -> None:
    """Print the answer of ``Memory.add`` or ``retry``."""
    if out.wants_json:
        out.json(result)
        return
    for item in result["results"]:
        out.line("\t".join((item["event"], item["kind"], out.text_of(item), item["id"])))
    if "job_id" in result:
        out.note(f"To be learned from: job {result['job_id']} (retain worker).")


def given_text(text: str | None) -> str:
    """The text of an argument, or what standard input holds."""
    if text is not None and text != STANDARD:
        return text
    if text is None and sys.stdin.isatty():
        raise InvalidMessages("nothing to add: give a text, or pipe one in")
    read = sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape").strip()
    if not read:
        raise InvalidMessages("nothing to add: standard input is empty")
    return read
