"""Recalls that wait for the next write, so that no read ever writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from retain.domain.locks import FreshLock
from retain.domain.use import Recalled

MOST_WAITING = 100_000  # memories in them; a process that never writes must not grow without end


class WaitingRecalls:
    """Recalls in order. Usable from many threads."""

    def __init__(self) -> None:
        self._recalls: list[Recalled] = []
        self._size = 0
        self._lock = FreshLock()

    def note(self, recalled: Recalled) -> None:
        """Let a recall wait; one that would be beyond ``MOST_WAITING`` is not remembered."""
        size = 1 + len(recalled.memory_ids)
        with self._lock.held:
            if self._size + size <= MOST_WAITING:
                self._recalls.append(recalled)
                self._size += size

    def __bool__(self) -> bool:
        """Whether any are waiting."""
        return bool(self._recalls)

    def take(self) -> Sequence[Recalled]:
        """What is waiting, which waits no longer."""
        with self._lock.held:
            taken, self._recalls, self._size = self._recalls, [], 0
        return taken

    def put_back(self, taken: Sequence[Recalled]) -> None:
        """Let what was taken wait again: the write that took it was undone."""
        with self._lock.held:
            self._recalls = [*taken, *self._recalls]
            self._size = sum(1 + len(one.memory_ids) for one in self._recalls)


def counted(recalls: Iterable[Recalled]) -> dict[str, tuple[int, int]]:
    """By memory: how many of the recalls used it, and when the last of them did."""
    counts: Counter[str] = Counter()
    last: dict[str, int] = {}
    for one in recalls:
        for memory_id in one.memory_ids:
            counts[memory_id] += 1
            last[memory_id] = max(one.at, last.get(memory_id, one.at))
    return {memory_id: (count, last[memory_id]) for memory_id, count in counts.items()}
