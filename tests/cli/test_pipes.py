"""The command line as a process: in pipes, with odd locales and odd texts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@needs_full
@pytest.mark.parametrize("words", ["list", "list --json", "export -", "--help", "--version"])
@pytest.mark.parametrize("place", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written_is_one_clear_error(
    retain: Shell, memory: Memory, words: str, place: str
) -> None:
    memory.add("hello", user_id="me", infer=False)
    done = in_shell(f"retain {words} {place}")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"cannot write to standard output" in done.stderr


def test_input_that_is_closed_is_empty(retain: Shell) -> None:
    done = in_shell("retain add - <&-")
    assert done.returncode == 2
    assert done.stderr == b"Error: nothing to add: standard input is empty\n"


def test_nobody_needs_to_hear_complaints(retain: Shell, memory: Memory) -> None:
    assert in_shell("retain show nonesuch 2>&-").returncode == 4
    done = in_shell("retain search nothing 2>&-")
    assert (done.returncode, done.stdout) == (0, b"")


def test_export_and_import_in_a_pipe(retain: Shell, memory: Memory) -> None:
    memory.add("caf\u00e9 \U0001f98a", user_id="ann", infer=False)
    other = retain.path.with_name("other.db")
    done = in_shell(f"retain export - | retain import - --path {other} --json")
    assert done.returncode == 0
    assert b"1 memories" in done.stderr
    assert not retain.path.with_name("-").exists()
    with Memory(other) as copy:
        assert copy.get_all(user_id="ann") == memory.get_all(user_id="ann")


def in_shell(line: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line of a shell, in which ``retain`` is this one."""
    function = f'retain() {{ {sys.executable!r} -m retain.cli.app "$@"; }}'
    return subprocess.run(["sh", "-c", f"{function}; {line}"], capture_output=True, check=False)
