"""How a command prints: results to standard output, notes to standard error."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from retain.cli.streams import complain, writing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from retain.facade.types import Progress

WIDE = 240  # columns of a table in a pipe

_CLEAN = str.maketrans({"\t": " ", "\n": "\\n", "\r": "\\r", "\x1b": "\\x1b"})


def plain(value: Any) -> Any:
    """A result of the API as data that JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def as_json(value: Any) -> str:
    """A result of the API as JSON text, in the letters it was written in."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=plain)


def one_line(text: str) -> str:
    """A text on one line, without control characters that a terminal would obey."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text.translate(_CLEAN)
    )


class Output:
    """Prints one command's result, as JSON or for people.

    Colour only on a terminal, and no wrapping anywhere: a terminal wraps, a pipe gets whole lines.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.wants_json = as_json

    def json(self, value: Any) -> None:
        """Print a result of the API as JSON."""
        self._write(as_json(value))

    def line(self, text: str = "", style: str | None = None) -> None:
        """Print a line for people; ``style`` is one of Rich's, seen on a terminal only."""
        if style is None or not sys.stdout.isatty():
            self._write(text)
            return
        from rich.console import Console

        with writing():
            Console(highlight=False, soft_wrap=True).print(text, style=style, markup=False)

    def tables(self, tables: RenderableType) -> None:
        """Print tables of Rich: as wide as the terminal, or as wide as they need in a pipe."""
        from rich.console import Console

        with writing():
            Console(width=None if sys.stdout.isatty() else WIDE, highlight=False).print(tables)

    def note(self, text: str) -> None:
        """Say something beside the result, on standard error; not with ``--json``."""
        if not self.wants_json:
            complain(text)

    def memories(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Print memories, one a line, fields separated by tabs: score, date, kind, text, id."""
        for item in items:
            fields = [
                *([f"{item['score']:.2f}"] if "score" in item else []),
                str(item.get("created_at", ""))[:10],
                str(item.get("kind", "")),
                self.text_of(item),
                str(item["id"]),
            ]
            self.line("\t".join(fields))

    def rows(self, rows: Sequence[Sequence[object]], indent: str = "") -> None:
        """Print rows, one a line, fields separated by tabs; what is None is ``-``."""
        for row in rows:
            fields = ("-" if field is None else one_line(str(field)) for field in row)
            self.line(indent + "\t".join(fields))

    def pairs(self, values: Mapping[str, Any], indent: str = "") -> None:
        """Print names and values, nested ones indented."""
        for name, value in values.items():
            if isinstance(value, Mapping):
                self.line(f"{indent}{name}:")
                self.pairs(value, indent + "  ")
            else:
                self.line(f"{indent}{name}: {one_line(str(value))}")

    @staticmethod
    def text_of(item: Mapping[str, Any]) -> str:
        """The text of a memory, with who said it, on one line."""
        speaker = item.get("actor_id") or (
            item.get("role") if item.get("kind") == "message" else None
        )
        text = one_line(str(item["memory"]))
        return f"{one_line(str(speaker))}: {text}" if speaker else text

    @contextmanager
    def progress(self, title: str) -> Iterator[Progress]:
        """A progress bar on standard error if that is a terminal, else nothing."""
        if self.wants_json or not sys.stderr.isatty():
            yield _unseen
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task(title, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    def flush(self) -> None:
        """Hand everything over now, so that a closed pipe or a full disk is noticed here."""
        with writing():
            sys.stdout.flush()

    def _write(self, text: str) -> None:
        with writing():
            print(text)


def _unseen(done: int, total: int | None) -> None:
    """Progress that nobody watches."""
