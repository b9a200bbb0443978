"""Forks: no connection may be open while this process forks.

SQLite keeps its locks by process. A child that inherits an open connection inherits the belief that
the parent's locks are its own: its new connections then take no real ones, and when the parent
closes the file, the log goes into which the child still writes. So before a fork every ledger waits
for its blocks to end and closes its connections; both sides open new ones when they need them.

Where that cannot be (the fork happens inside a block, or another thread's block takes too long, or
the fork was not made by Python), the child is refused the files that were open.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from pathlib import Path
from typing import Final, Protocol

PATIENCE: Final = 10.0  # seconds that a fork waits for the blocks of other threads
_PAUSE: Final = 0.001  # seconds between two looks, around a fork only


class Forking(Protocol):
    """What has connections."""

    def let_go(self) -> None:
        """Close every connection; the next block opens new ones. No block is open."""

    def start_in_child(self, *, safe: bool) -> None:
        """Begin anew in a forked child; not ``safe`` if connections were open at the fork."""


class Block:
    """A stretch in which a thread uses connections. Open while ``enter`` was called last, and no
    longer than it is referred to: one that an interrupt tore off does not stay open."""

    __slots__ = ("__weakref__", "thread")

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def enter(self) -> None:
        """Begin; waits while the process forks, unless this thread has a block open already."""
        while True:
            _open[id(self)] = weakref.ref(self)
            if not _forking[0] or _forking[0] == self.thread or _nested(self):
                return
            self.leave()
            time.sleep(_PAUSE)

    def leave(self) -> None:
        """End; nothing happens if it did not begin."""
        _open.pop(id(self), None)


# Without locks, because a child would inherit them held: a block is entered first, then looks
# whether the process forks; a fork is announced first, then looks for blocks.
_open: dict[int, weakref.ref[Block]] = {}
_ledgers: weakref.WeakSet[Forking] = weakref.WeakSet()
_forking: list[int] = [0]  # the thread that forks
_unsafe_files: set[tuple[int, int]] = set()  # device and inode: open at the fork that made us
_prepared: list[bool] = [False]


def watch(ledger: Forking) -> None:
    """Have a ledger's connections closed before a fork."""
    _ledgers.add(ledger)


def is_unsafe(path: str) -> bool:
    """Whether this process was forked while connections to the file were open."""
    return bool(_unsafe_files) and _identity(path) in _unsafe_files


def distrust(path: str) -> None:
    """Remember that connections to a file were open at the fork."""
    identity = _identity(path)
    if identity is not None:
        _unsafe_files.add(identity)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _opened() -> list[Block]:
    return [block for one in list(_open.values()) if (block := one()) is not None]


def _nested(block: Block) -> bool:
    return any(one.thread == block.thread and one is not block for one in _opened())


def _before() -> None:
    _prepared[0] = False
    me = threading.get_ident()
    _forking[0] = me
    deadline = time.monotonic() + PATIENCE
    while others := _opened():
        if time.monotonic() > deadline or any(one.thread == me for one in others):
            return
        time.sleep(_PAUSE)
    for ledger in list(_ledgers):
        ledger.let_go()
    _prepared[0] = True


def _in_parent() -> None:
    _prepared[0] = False
    _forking[0] = 0


def _in_child() -> None:
    safe = _prepared[0]
    _prepared[0] = False
    _forking[0] = 0
    me = threading.get_ident()
    for block in _opened():  # the other threads are not here to end theirs
        if block.thread != me:
            block.leave()
    for ledger in list(_ledgers):
        ledger.start_in_child(safe=safe)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
