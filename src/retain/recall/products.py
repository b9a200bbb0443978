"""Products of vectors whose result for a row does not depend on the rows beside it.

A general matrix product rounds differently with the number of rows, so that equal rows would get
unequal scores; and it wakes every core for a product of a millisecond. These stay on one thread.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Rows a block, and vectors they are multiplied by at once: multiples of what the product's inner
# loop takes, so that each row is treated alike, and together small enough that no second thread
# is started (64 x 12 x 256 multiplications; threads are worth starting from 262,144 on).
_BLOCK: Final = 64
_TOGETHER: Final = 12


def dots(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot product of each row with a vector."""
    result: NDArray[np.float32] = np.vecdot(rows, vector)
    return result


def products(rows: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot products of each row with each of a few others, shape ``(rows, others)``."""
    width = rows.shape[1]
    block = max(1, _BLOCK * 256 // max(256, width))
    blocks = -(-len(rows) // block)
    padded = np.zeros((blocks * block, width), np.float32)
    padded[: len(rows)] = rows
    stacked = padded.reshape(blocks, block, width)
    parts = [
        np.matmul(stacked, np.ascontiguousarray(others[start : start + _TOGETHER].T))
        for start in range(0, len(others), _TOGETHER)
    ]
    joined = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)
    result: NDArray[np.float32] = joined.reshape(-1, len(others))[: len(rows)]
    return result
