"""The commands as one: what cannot be parsed is told as any other error is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from retain.cli.failures import reported, tell
from retain.cli.streams import writing
from retain.errors import InvalidInput, RetainError

# Typer carries its own copy of Click or uses Click's, by version: this is the class in either.
_UsageError: Final[Any] = typer.BadParameter.__bases__[0]


class Commands(TyperGroup):
    """Runs a command; with ``--json`` a usage error, or a question answered no, is JSON too."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Parse, run, and end the process with the exit code."""
        words = sys.argv[1:] if args is None else list(args)
        options = words[: words.index("--")] if "--" in words else words
        as_json = standalone_mode and "--json" in options
        rest = {**extra, "windows_expand_args": windows_expand_args}
        try:
            code = super().main(
                words, prog_name, complete_var, standalone_mode and not as_json, **rest
            )
        except OSError as error:
            if error.filename is not None:
                raise
            # Help and the version are printed by Typer: it is the output that failed.
            with _ending(), reported(as_json=as_json), writing():
                raise
        except _UsageError as error:
            if not as_json:
                raise
            usage = "" if error.ctx is None else error.ctx.get_usage()
            tell(InvalidInput(error.format_message(), usage=usage), as_json=True)
            sys.exit(InvalidInput.exit_code)
        except typer.Abort:
            if not as_json:
                raise
            tell(RetainError("aborted: the question was not answered with yes"), as_json=True)
            sys.exit(RetainError.exit_code)
        if as_json:
            sys.exit(code or 0)
        return code


@contextmanager
def _ending() -> Iterator[None]:
    """End the process where a command would."""
    try:
        yield
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
