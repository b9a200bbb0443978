"""Locks that a forked child finds free."""

from __future__ import annotations

import os
import threading
import weakref


class FreshLock:
    """A lock for short work, taken as ``with lock.held:``. A child that was forked while another
    thread held it has a new one: the thread that would release it is not there."""

    __slots__ = ("__weakref__", "held")

    def __init__(self) -> None:
        self.held = threading.Lock()
        _all.add(self)


_all: weakref.WeakSet[FreshLock] = weakref.WeakSet()


def _start_anew() -> None:
    for lock in _all:
        lock.held = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
