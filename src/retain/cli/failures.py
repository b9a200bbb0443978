"""How a command fails: one line for an error of the library, its exit code from the error table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from retain.cli import streams
from retain.errors import RetainError

FOUND_PROBLEMS = 10  # `check` found problems, or `demo` a wrong answer
BROKEN_PIPE = 141  # what the shell reports for a program that SIGPIPE ended


def describe(error: RetainError, *, as_json: bool) -> str:
    """An error as the text for standard error."""
    if not as_json:
        return f"Error: {error.message}"
    body = {"code": error.code, "message": error.message, "details": error.details}
    return json.dumps({"error": body}, ensure_ascii=False, default=str)


def tell(error: RetainError, *, as_json: bool) -> None:
    """Report an error on standard error."""
    streams.complain(describe(error, as_json=as_json))


@contextmanager
def reported(*, as_json: bool) -> Iterator[None]:
    """Turn an error of the library into a message and an exit code.

    Any other exception passes: it is a defect, and its traceback is wanted.
    """
    try:
        yield
    except RetainError as error:
        tell(error, as_json=as_json)
        raise typer.Exit(error.exit_code) from None
    except BrokenPipeError:
        # The reader has gone; nothing can be said to it. Python would complain once more at exit.
        streams.silence()
        raise typer.Exit(BROKEN_PIPE) from None
