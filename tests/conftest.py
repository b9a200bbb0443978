"""Shared fixtures: a memory on a real file, with a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retain import Memory
from retain.domain.instant import DAY, MICROS, parse_instant


class TestClock:
    """Stands still until it is moved."""

    __test__ = False

    def __init__(self) -> None:
        self.now = parse_instant("2026-03-01T12:00:00+00:00", "now")

    def __call__(self) -> int:
        return self.now

    def move(self, *, days: int = 0, seconds: int = 0) -> None:
        """Go on by so much."""
        self.now += days * DAY + seconds * MICROS


@pytest.fixture
def clock() -> TestClock:
    """A clock at noon of 1 March 2026, UTC."""
    return TestClock()


@pytest.fixture
def open_memory(tmp_path: Path, clock: TestClock) -> Iterator[Callable[[], Memory]]:
    """Opens instances on the same file; closes them at the end."""
    opened: list[Memory] = []

    def open_one() -> Memory:
        opened.append(Memory(tmp_path / "ledger.db", clock=clock))
        return opened[-1]

    yield open_one
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Callable[[], Memory]) -> Memory:
    """A memory on a file of its own."""
    return open_memory()
