"""Which slots hold a term, and how often: sorted arrays, looked up by bisection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# A posting is one integer: term in the high 32 bits, slot in 24, count in the low 8. Sorting the
# integers groups a term's postings, so that no other structure is needed.
_TERM_SHIFT = np.uint64(32)
_SLOT_SHIFT = np.uint64(8)
_SLOT_MASK = np.uint64(0xFFFFFF)
_LOW = np.uint64(0xFFFFFFFF)
MOST_SLOTS = 1 << 24
_RESORT_WHOLE = 16_384  # so few postings are sorted anew rather than kept in two parts


class Postings:
    """Terms of slots. New ones wait in a small sorted part until that is worth merging."""

    def __init__(self) -> None:
        self._base: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._tail: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._fresh: list[NDArray[np.uint64]] = []

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._base.nbytes + self._tail.nbytes + sum(part.nbytes for part in self._fresh)

    def fork(self) -> Postings:
        """The same postings; what either adds from here on is its own."""
        twin = Postings()
        twin._base, twin._tail, twin._fresh = self._base, self._tail, list(self._fresh)
        return twin

    def extend(
        self, terms: NDArray[np.uint32], slots: NDArray[np.int64], counts: NDArray[np.uint8]
    ) -> None:
        """Add postings of new slots."""
        packed = terms.astype(np.uint64) << _TERM_SHIFT
        packed |= slots.astype(np.uint64) << _SLOT_SHIFT
        packed |= counts
        self._fresh.append(packed)

    def settle(self) -> None:
        """Sort what was added. To be called once after changes, before ``find``."""
        if not self._fresh:
            return
        tail = np.concatenate([self._tail, *self._fresh])
        self._fresh = []
        if len(self._base) + len(tail) <= _RESORT_WHOLE or len(tail) * 4 > len(self._base):
            self._base = np.concatenate([self._base, tail]) if len(self._base) else tail
            self._base.sort()
            self._tail = np.empty(0, np.uint64)
        else:
            tail.sort()
            self._tail = tail

    def find(
        self, terms: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Postings of terms: the term's place in ``terms``, the slot, the count."""
        first = terms << _TERM_SHIFT
        last = first | _LOW
        found: list[NDArray[np.uint64]] = []
        places: list[int] = []
        sizes: list[int] = []
        for part in (self._base, self._tail):
            if not len(part):
                continue
            starts = part.searchsorted(first).tolist()
            ends = part.searchsorted(last, "right").tolist()
            for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
                if end > start:
                    found.append(part[start:end])
                    places.append(place)
                    sizes.append(end - start)
        if not found:
            none = np.empty(0, np.int64)
            return none, none, np.empty(0, np.uint8)
        packed = np.concatenate(found)
        return (
            np.repeat(places, sizes),
            ((packed >> _SLOT_SHIFT) & _SLOT_MASK).astype(np.int64),
            packed.astype(np.uint8),
        )
