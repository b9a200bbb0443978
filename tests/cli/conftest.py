"""The command line, run in this process on a ledger of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from retain.cli.app import app
from retain.memory import Memory


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output as JSON."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[list[str]]:
        """The fields of its output's lines."""
        return [line.split("\t") for line in self.out.splitlines()]


@dataclass(frozen=True)
class Shell:
    """Runs commands on one ledger."""

    path: Path

    def __call__(self, *words: str, stdin: str | None = None) -> Ran:
        """Run ``retain`` with these words."""
        done = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
        return Ran(done.exit_code, done.stdout, done.stderr)

    def ok(self, *words: str, stdin: str | None = None) -> Ran:
        """Run ``retain`` with these words; it must succeed."""
        ran = self(*words, stdin=stdin)
        assert ran.code == 0, ran.err
        return ran


@pytest.fixture
def retain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command line with an empty ledger, named by RETAIN_PATH, and no other settings."""
    for name in [name for name in os.environ if name.startswith("RETAIN_")]:
        monkeypatch.delenv(name)
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("RETAIN_PATH", str(path))
    monkeypatch.chdir(tmp_path)
    return Shell(path)


@pytest.fixture
def memory(retain: Shell) -> Iterator[Memory]:
    """The same ledger through the API."""
    with Memory(retain.path) as opened:
        yield opened
