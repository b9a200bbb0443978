"""Uses of memories that wait for the next write, so that no read ever writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from retain.domain.locks import FreshLock

MOST_WAITING = 100_000  # memories; a process that never writes must not grow without end


class WaitingUses:
    """Counts of uses by memory id. Usable from many threads."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = FreshLock()

    def note(self, memory_ids: Iterable[str]) -> None:
        """Count one use of each; of memories beyond ``MOST_WAITING`` that are not waiting yet, none
        is counted."""
        with self._lock.held:
            for memory_id in memory_ids:
                if memory_id in self._counts or len(self._counts) < MOST_WAITING:
                    self._counts[memory_id] += 1

    def __bool__(self) -> bool:
        """Whether any are waiting."""
        return bool(self._counts)

    def take(self) -> Mapping[str, int]:
        """What is waiting, which waits no longer."""
        with self._lock.held:
            taken, self._counts = self._counts, Counter()
        return taken

    def put_back(self, taken: Mapping[str, int]) -> None:
        """Let what was taken wait again: the write that took it was undone."""
        with self._lock.held:
            self._counts.update(taken)
