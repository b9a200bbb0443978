"""Late interaction: every word of the query finds its nearest word piece in a text.

After ColBERT (Khattab and Zaharia, 2020), with static vectors and the words' rarity as weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retain.errors import LedgerCorrupt
from retain.recall.dense import spans
from retain.recall.products import dots, products
from retain.recall.view import View


def late_interaction(
    view: View,
    rows: NDArray[np.int64],
    words: NDArray[np.float32],
    weights: NDArray[np.float32],
    table: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Per row the weighted mean, over the query's words, of the best cosine with any piece."""
    pieces, starts, ends = view.index.pieces()
    slots = view.slots[rows]
    sizes = ends[slots] - starts[slots]
    result = np.zeros(len(rows), np.float32)
    held = np.flatnonzero(sizes)
    mass = float(weights.sum())
    if not len(held) or not mass:
        return result
    numbers, bounds = spans(starts[slots[held]], sizes[held])
    flat = pieces[numbers]
    if int(flat.max()) >= len(table):
        raise LedgerCorrupt(
            "a memory's word pieces are none of the embedder's: rebuild them with reindex, or "
            "restore the ledger from a backup"
        )
    seen = np.zeros(len(table), np.bool_)
    seen[flat] = True
    known = np.flatnonzero(seen)
    vectors = table[known]
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) + np.float32(1e-9)
    nearness = products(vectors, words)
    nearness /= lengths[:, None]
    place = np.empty(len(table), np.int64)
    place[known] = np.arange(len(known))
    # Word by word: the largest of many is found faster along one row than across columns.
    by_word = np.ascontiguousarray(nearness.T).take(place[flat], axis=1)
    best = np.ascontiguousarray(np.maximum.reduceat(by_word, bounds, axis=1).T)
    result[held] = dots(best, weights / np.float32(mass))
    return result
