"""Ctrl-C, wherever it comes: the call is torn off, the instance stays usable."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import retain
from retain import Memory, Settings
from retain.testing.embedders import HashEmbedder

SOURCE = Path(retain.__file__).parent
# What holds locks, transactions and indexes.
KEEPING = {
    str(SOURCE / name)
    for name in (
        "ledger/sqlite/ledger.py", "ledger/sqlite/turns.py", "ledger/sqlite/forks.py",
        "recall/cache.py", "recall/index.py",
    )
}  # fmt: skip


@contextmanager
def interrupted_at(line: int) -> Iterator[list[int]]:
    """Raise ``KeyboardInterrupt`` at the line with this number among those that the block runs of
    the ledger and the search; gives how many were run."""
    run = [0]

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in KEEPING:
            return None
        text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        # Tracing stops at a ``with`` again on the way out, before the lock is given back: there
        # Python looks for no signal.
        if event == "line" and not text.startswith("with "):
            run[0] += 1
            if run[0] == line:
                raise KeyboardInterrupt
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield run
    finally:
        sys.settrace(before)


def torn_at(line: int, act: Callable[[], object]) -> bool:
    """Whether the interrupt came before the act was done."""
    try:
        with interrupted_at(line) as run:
            act()
    except KeyboardInterrupt:
        return True
    return run[0] >= line  # it came where nothing can be raised, as in a finaliser


def quick(tmp_path: Path) -> Memory:
    embedder = HashEmbedder(dimension=16)
    return Memory(Settings(path=tmp_path / "ledger.db", embedder=embedder, busy_timeout=0.2))


@pytest.mark.parametrize("act", ["add", "search", "delete"])
def test_an_interrupt_at_any_line_leaves_the_instance_usable(tmp_path: Path, act: str) -> None:
    with quick(tmp_path) as memory:
        first = memory.add("whales sing", user_id="u", infer=False)["results"][0]["id"]
        memory.search("whales", user_id="u")
        line, kept = 0, 1
        torn = True
        while torn:
            line += 1
            if act == "delete":
                memory.restore(first) if not memory.get(first) else None
                torn = torn_at(line, lambda: memory.delete(first))
            elif act == "add":
                torn = torn_at(line, lambda: memory.add("torn", user_id="v", infer=False))
            else:
                torn = torn_at(line, lambda: memory.search("whales", user_id="u"))
            text = f"whale number {line} sings"
            memory.add(text, user_id="u", infer=False)
            kept += 1
            if line % 10 == 0 or act == "search":
                found = memory.search(text, user_id="u", top_k=1)["results"]
                assert [item["memory"] for item in found] == [text]
        assert line > 20, "the act ran through what is watched"
        held = memory.get_all(user_id="u", top_k=10_000, show_expired=True)["results"]
        assert len(held) >= kept - 1
        assert memory.check().problems == []


def test_what_is_called_after_an_interrupt_goes_on_at_once(tmp_path: Path) -> None:
    with quick(tmp_path) as memory:
        try:
            with interrupted_at(40):
                memory.add("torn", user_id="u", infer=False)
        except KeyboardInterrupt:
            memory.add("said in the handler", user_id="u", infer=False)
        texts = [item["memory"] for item in memory.get_all(user_id="u")["results"]]
        assert "said in the handler" in texts
