"""Whose turn it is to write, among the threads of a process."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from typing import Final

from retain.ledger.sqlite.forks import Block

_LOOK: Final = 0.05  # seconds after which who waits looks by itself


class Turns:
    """One block at a time.

    A lock of the library can stay locked for ever if an interrupt (Ctrl-C, a signal's handler that
    raises) comes between taking it and noting so. Here a block has the turn no longer than it is
    referred to, so that whatever interrupts it, the next one gets the turn.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()  # only ever taken by ``with``, which nothing can tear apart
        self._holder: weakref.ref[Block] | None = None
        self._waiting: deque[threading.Lock] = deque()

    def holder(self) -> Block | None:
        """The block that has the turn."""
        reference = self._holder
        return None if reference is None else reference()

    def take(self, block: Block, timeout: float) -> bool:
        """Wait for the turn, as many seconds as given; whether it came."""
        deadline = time.monotonic() + timeout
        while not self._took(block):
            bell = threading.Lock()
            bell.acquire()
            self._waiting.append(bell)
            if self._took(block):  # it came free before the bell hung
                return True
            rest = deadline - time.monotonic()
            if rest <= 0:
                return False
            bell.acquire(timeout=min(rest, _LOOK))
        return True

    def give_back(self, block: Block) -> None:
        """End a turn; nothing happens if the block does not have it."""
        with self._guard:
            if self.holder() is not block:
                return
            self._holder = None
            while self._waiting:
                self._waiting.popleft().release()

    def _took(self, block: Block) -> bool:
        with self._guard:
            if self.holder() is not None:
                return False
            self._holder = weakref.ref(block)
            return True
