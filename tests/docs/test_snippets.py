"""Every snippet of the README and the documentation runs, and prints what the page says.

In a page, in order and in one empty directory with a ledger of its own:

- ``python`` blocks run in one namespace; a ``text`` block right after one is its output;
- ``console`` blocks hold commands after ``$ `` and their output (``# exits 4`` names a failure);
- ``retain`` lines of ``bash`` blocks run;
- a block with a file name after its language is written to that file.

``...`` in an output stands for anything.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from retain.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)(?:[ ]+(\S+))?\n(.*?)^```$(\s*)", re.DOTALL | re.MULTILINE)
EXIT = re.compile(r"\s+# exits (\d+)$")


@dataclass(frozen=True)
class Block:
    language: str
    file: str | None
    text: str
    line: int
    output: str | None = None


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found: list[Block] = []
    end = -1
    for match in FENCE.finditer(text):
        language, file, body, _ = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        if language == "text" and match.start() == end and found[-1].language == "python":
            last = found.pop()
            found.append(Block(last.language, last.file, last.text, last.line, body))
        else:
            found.append(Block(language, file, body, line))
        end = match.end()
    return found


def agrees(printed: str, expected: str) -> bool:
    """Whether an output is the one that a page shows, spaces at line ends aside."""
    pattern = re.escape(_trim(expected)).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, _trim(printed), re.DOTALL) is not None


def _trim(text: str) -> str:
    return "\n".join(line.rstrip().expandtabs(1) for line in text.strip().splitlines())


def commands(text: str) -> Iterator[tuple[str, int, str]]:
    """The commands of a console block, each with its exit code and its output."""
    command, code, output = "", 0, ""
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, code, output
            named = EXIT.search(line)
            command, code, output = EXIT.sub("", line[2:]), int(named[1]) if named else 0, ""
        else:
            output += line + "\n"
    if command:
        yield command, code, output


def shell(command: str, directory: Path) -> tuple[int, str]:
    """Run a command line: in this process where it is one plain `retain`, else by bash."""
    words = shlex.split(command)
    if words[0] == "retain" and not re.search(r"[|<>;&$`]", command):
        ran = CliRunner().invoke(app, words[1:], catch_exceptions=False)
        return ran.exit_code, ran.output
    script = directory / ".bin" / "retain"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m retain.cli.app "$@"\n')
    script.chmod(0o755)
    environment = {**os.environ, "PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=directory,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory with a ledger of its own, where a page's snippets run."""
    for name in ("RETAIN_PROJECT", "RETAIN_USER", "RETAIN_AGENT", "RETAIN_RUN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RETAIN_PATH", str(tmp_path / "retain.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_snippets_of_a_page_run(page: Path, room: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(page):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        if block.file is not None:
            (room / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, where, "exec"), names)
            if block.output is not None:
                assert agrees(printed.getvalue(), block.output), (
                    f"{where} printed:\n{printed.getvalue()}"
                )
        elif block.language == "console":
            for command, code, expected in commands(block.text):
                exit_code, output = shell(command, room)
                assert exit_code == code, f"{where}: {command} exits {exit_code}:\n{output}"
                assert agrees(output, expected), f"{where}: {command} printed:\n{output}"
        elif block.language in {"bash", "sh"}:
            for command in block.text.splitlines():
                if command.startswith("retain "):
                    exit_code, output = shell(command, room)
                    assert exit_code == 0, f"{where}: {command} exits {exit_code}:\n{output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, _ = target.partition("#")
        if path and "://" not in path:
            assert (page.parent / path).exists(), f"{page.name} links to {target}"


def test_a_wrong_output_would_be_noticed() -> None:
    assert agrees("one\ntwo 3\n", "one\ntwo ...\n")
    assert not agrees("one\ntwo\n", "one\nthree\n")
