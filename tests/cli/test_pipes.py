"""The command line as a process: in pipes, with odd locales and odd texts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from retain.memory import Memory
from tests.cli.conftest import Shell

COMMAND = [sys.executable, "-m", "retain.cli.app"]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``retain`` as a process of its own."""
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, env={**os.environ, **environment}, check=False
    )


def test_long_lines_are_neither_cut_nor_wrapped_nor_coloured(retain: Shell, memory: Memory) -> None:
    text = "word " * 400 + "end"
    memory.add(text, user_id="me", infer=False)
    done = run("list", FORCE_COLOR="1", COLUMNS="40")
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 1
    assert text in lines[0]
    assert b"\x1b" not in done.stdout


def test_line_breaks_and_escapes_cannot_forge_lines(retain: Shell, memory: Memory) -> None:
    memory.add("one\ntwo\tthree \x1b[31mred", user_id="me", infer=False)
    out = run("list").stdout.decode()
    assert len(out.splitlines()) == 1
    assert "\x1b" not in out
    assert "one\\ntwo three \\x1b[31mred" in out


@pytest.mark.parametrize("text", ["naïve café", "我住在上海", "أسكن في القاهرة", "🦊"])
def test_output_is_utf8_whatever_the_locale(retain: Shell, memory: Memory, text: str) -> None:
    memory.add(text, user_id="me", infer=False)
    done = run("list", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert text in done.stdout.decode("utf-8")


def test_bytes_that_are_no_utf8_are_one_clear_error(retain: Shell) -> None:
    done = subprocess.run([*COMMAND, "add"], input=b"caf\xe9", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error(retain: Shell, memory: Memory) -> None:
    memory.add_many({"messages": "x" * 5000, "user_id": "me", "infer": False} for _ in range(100))
    process = subprocess.Popen(
        [*COMMAND, "list", "-k", "100"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    noise = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert noise == b""


def test_a_warning_is_one_note(retain: Shell) -> None:
    config = retain.path.with_name("mem0.json")
    config.write_text(
        '{"vector_store": {"provider": "qdrant", "config": {"host": "h"}}}', encoding="utf-8"
    )
    done = run("list", "--config", str(config), "--json")
    assert done.returncode == 0
    assert done.stderr.startswith(b"Note: ")
    assert b"warnings.warn" not in done.stderr
    assert done.stdout.strip().startswith(b"{")


def test_help_loads_nothing_heavy() -> None:
    heavy = "numpy", "tokenizers", "rich", "wordllama", "retain.assembly"
    code = (
        "import sys\nfrom retain.cli.app import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert b"Usage" in done.stdout
    assert done.stderr.strip() == b"[]"
