"""The standard streams: closed, full, gone, or of another encoding."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from retain.errors import RetainError

STANDARD: Final = "-"  # a file's name that stands for standard input or output


def prepare() -> None:
    """Make the streams usable: there at all, and UTF-8 whatever the locale.

    A lone surrogate is shown as ``\\udXXX``, not an error. Python has None for a stream that was
    closed: input is then empty, complaints go nowhere, and output fails as on a full disk.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


@contextmanager
def writing() -> Iterator[None]:
    """Write to standard output.

    Raises:
        RetainError: it takes nothing more, as a full disk does.
        BrokenPipeError: its reader has gone.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise RetainError(f"cannot write to standard output: {error.strerror}") from error


def silence() -> None:
    """Let nothing more be said on standard output: what is still held back for it would fail again
    when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Say something on standard error; where that is impossible, the exit code has to do."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


@contextmanager
def spooled_input() -> Iterator[Path]:
    """Standard input as a file, for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="retain-") as folder:
        file = Path(folder) / "standard input"
        with file.open("wb") as copy:
            while part := sys.stdin.buffer.read(1 << 20):
                copy.write(part)
        yield file


@contextmanager
def spooled_output() -> Iterator[Path]:
    """A file to write, which goes to standard output after the block.

    Raises:
        RetainError: standard output takes nothing more.
    """
    with tempfile.TemporaryDirectory(prefix="retain-") as folder:
        file = Path(folder) / "standard output"
        yield file
        with writing(), file.open("rb") as written:
            sys.stdout.flush()
            while part := written.read(1 << 20):
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
