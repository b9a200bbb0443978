"""The vectors of one partition: int8 as stored, floats where moderate, sign codes where many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retain.recall.growing import Growing
from retain.recall.products import dots

MOST_FLOATS = 20_000  # vectors up to which float32 copies are kept: faster, four times the memory
_BLOCK = 8_192


class Vectors:
    """Unit vectors in the order of arrival; a vector's number is its place."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._bytes = Growing(np.int8, dimension)
        self._scales = Growing(np.float32)
        self._floats: Growing | None = Growing(np.float32, dimension)
        self._codes: Growing | None = None

    def __len__(self) -> int:
        return len(self._scales)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        parts = (self._bytes, self._scales, self._floats, self._codes)
        return sum(part.nbytes for part in parts if part is not None)

    def extend(self, packed: bytes) -> None:
        """Add vectors, each a float32 scale followed by int8 components."""
        rows = np.frombuffer(packed, np.uint8).reshape(-1, 4 + self.dimension)
        self._scales.extend(np.ascontiguousarray(rows[:, :4]).view("<f4")[:, 0])
        self._bytes.extend(rows[:, 4:].view(np.int8))
        self._settle()

    def fork(self) -> Vectors:
        """The same vectors, sharing memory; only the newest fork may be extended."""
        twin = Vectors(self.dimension)
        twin._bytes, twin._scales = self._bytes.fork(), self._scales.fork()
        twin._floats = self._floats.fork() if self._floats is not None else None
        twin._codes = self._codes.fork() if self._codes is not None else None
        return twin

    def cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each vector with the query; estimated from sign codes where many."""
        if self._floats is not None:
            exact = dots(self._floats.rows, query)
            exact *= self._scales.rows
            return exact
        return self._estimates(query)

    @property
    def exact(self) -> bool:
        """Whether ``cosines`` is exact (up to quantisation)."""
        return self._floats is not None

    def cosines_of(
        self, numbers: NDArray[np.int64], query: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """The exact cosines of some vectors."""
        result = dots(self._bytes.rows[numbers].astype(np.float32), query)
        result *= self._scales.rows[numbers]
        return result

    def _settle(self) -> None:
        if len(self) > MOST_FLOATS:
            self._floats = None
            self._settle_codes()
        if self._floats is None:
            return
        done = len(self._floats)
        if done < len(self):
            self._floats.extend(self._bytes.rows[done:])  # unscaled, as ``cosines_of`` takes them

    def _settle_codes(self) -> None:
        width = -(-self.dimension // 64)
        if self._codes is None:
            self._codes = Growing(np.uint64, width)
        done = len(self._codes)
        for start in range(done, len(self), _BLOCK):
            self._codes.extend(_signs(self._bytes.rows[start : start + _BLOCK], width))

    def _estimates(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """cos(pi * share of differing signs): the angle that random signs would show."""
        assert self._codes is not None
        codes = self._codes.rows
        mine = _signs(query[None, :], codes.shape[1])[0]
        differing = np.zeros(len(codes), np.uint16)
        for start in range(0, len(codes), _BLOCK):
            block = np.bitwise_count(codes[start : start + _BLOCK] ^ mine)
            differing[start : start + _BLOCK] = block.sum(axis=1, dtype=np.uint16)
        angles = np.arange(self.dimension + 1, dtype=np.float32) * (np.pi / self.dimension)
        result: NDArray[np.float32] = np.cos(angles)[differing]
        return result


def _signs(rows: NDArray[np.int8] | NDArray[np.float32], width: int) -> NDArray[np.uint64]:
    bits = np.packbits(rows > 0, axis=1)
    room = width * 8 - bits.shape[1]
    if room:
        bits = np.pad(bits, ((0, 0), (0, room)))
    return np.ascontiguousarray(bits).view(np.uint64)
