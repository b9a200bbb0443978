"""The indexes of recently asked partitions, within a bound of memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from retain.domain.locks import FreshLock
from retain.ledger.port import PartitionState, ReadTx
from retain.recall.index import ScopeIndex


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    state: PartitionState | None = None
    index: ScopeIndex | None = None
    nbytes: int = 0


class IndexCache:
    """Indexes by partition, least recently used ones dropped first. Usable from many threads.

    An index that was handed out is never changed under its reader: newer rows make a new index,
    which shares what stayed the same.

    Args:
        dimension: components of the embedder's vectors.
        most_bytes: memory that the indexes may hold together.
    """

    def __init__(self, dimension: int, most_bytes: int) -> None:
        self._dimension = dimension
        self._most_bytes = most_bytes
        self._entries: OrderedDict[int, _Entry] = OrderedDict()
        self._lock = FreshLock()

    def get(self, tx: ReadTx, partition: int) -> ScopeIndex:
        """The index of a partition as of the transaction; built or brought up to date if needed."""
        state = tx.partition_state(partition)
        with self._lock.held:
            entry = self._entries.get(partition)
            if entry is None:
                entry = self._entries[partition] = _Entry()
            self._entries.move_to_end(partition)
        with entry.lock:
            index = entry.index
            known = entry.state
            if index is not None and known == state:
                return index
            same_epoch = known is not None and known.epoch == state.epoch
            if same_epoch and known is not None and known.revision > state.revision:
                # This reader began earlier: its own index.
                return ScopeIndex.of(tx.scan(partition, 0, 0), self._dimension)
            # The next index shares lists with this one. If anything comes between (an interrupt, a
            # damaged row), neither may be used again.
            entry.index = entry.state = None
            if index is not None and known is not None and same_epoch:
                index = index.advanced(tx.scan(partition, known.revision, known.revision))
                if index.mostly_dead:
                    index = ScopeIndex.of(tx.scan(partition, 0, 0), self._dimension)
            else:
                index = ScopeIndex.of(tx.scan(partition, 0, 0), self._dimension)
            entry.index, entry.state, entry.nbytes = index, state, index.nbytes
        self._shrink(partition)
        return index

    def forget(self, partitions: Iterable[int]) -> None:
        """Drop the indexes of partitions, as after an erasure."""
        with self._lock.held:
            for partition in partitions:
                self._entries.pop(partition, None)

    def _shrink(self, latest: int) -> None:
        """Drop what is beyond the bound; the latest stays even alone above it, unless the bound is
        nothing at all."""
        keep = latest if self._most_bytes else None
        with self._lock.held:
            held = sum(entry.nbytes for entry in self._entries.values())
            for partition in list(self._entries):
                if held <= self._most_bytes:
                    return
                if partition != keep:
                    held -= self._entries.pop(partition).nbytes
