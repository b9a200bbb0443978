"""Products of vectors whose result for a row does not depend on the rows beside it.

A general matrix product rounds differently with the number of rows, so that equal rows would get
unequal scores; and it wakes every core for a product of a millisecond. These stay on one thread.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Rows a block: a multiple of what the product's inner loop takes at once, so that each row is
# treated alike, and small enough that no second thread is started.
_BLOCK: Final = 64


def dots(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot product of each row with a vector."""
    result: NDArray[np.float32] = np.vecdot(rows, vector)
    return result


def products(rows: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot products of each row with each of a few others, shape ``(rows, others)``."""
    blocks = -(-len(rows) // _BLOCK)
    padded = np.zeros((blocks * _BLOCK, rows.shape[1]), np.float32)
    padded[: len(rows)] = rows
    stacked = np.matmul(padded.reshape(blocks, _BLOCK, rows.shape[1]), others.T)
    result: NDArray[np.float32] = stacked.reshape(-1, len(others))[: len(rows)]
    return result
