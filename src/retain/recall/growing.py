"""A numpy array that grows at its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Growing:
    """Rows of one type; appending is cheap on average, reading is a view without a copy."""

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        self._shape = () if width is None else (width,)
        self._buffer: NDArray[Any] = np.empty((0, *self._shape), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def rows(self) -> NDArray[Any]:
        """All rows; valid until the next ``extend``."""
        return self._buffer[: self._size]

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._buffer.nbytes

    def fork(self) -> Growing:
        """The same rows, sharing memory. Only the newest fork may be extended; its older ones do
        not see what comes after them."""
        twin = Growing.__new__(Growing)
        twin._shape, twin._buffer, twin._size = self._shape, self._buffer, self._size
        return twin

    def replaced(self, places: list[int], values: list[Any]) -> Growing:
        """A copy with other values at some places; this one if they are no other."""
        if self._buffer[places].tolist() == values:
            return self
        twin = self.fork()
        twin._buffer = self._buffer.copy()
        twin._buffer[places] = values
        return twin

    def extend(self, rows: Any) -> None:
        """Append rows."""
        grown = self._size + len(rows)
        if grown > len(self._buffer):
            room = grown if not self._size else max(grown, len(self._buffer) * 3 // 2)
            buffer = np.empty((room, *self._shape), self._buffer.dtype)
            buffer[: self._size] = self._buffer[: self._size]
            self._buffer = buffer
        self._buffer[self._size : grown] = rows
        self._size = grown
