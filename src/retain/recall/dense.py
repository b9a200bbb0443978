"""Meaning: cosines of a query's vector with the vectors of the rows of a view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retain.models.base import Embedder, piece_embedder
from retain.recall.query import Query
from retain.recall.view import View


def query_vectors(
    query: Query, idf: NDArray[np.float32], embedder: Embedder
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None, NDArray[np.float32]]:
    """The query's vector, the unit vectors of its words (None if the embedder has no pieces), and
    the words' weights.

    With pieces, the words are weighted by their rarity in the visible rows.
    """
    weights = idf[query.unit_terms]
    compared = piece_embedder(embedder)
    if compared is None:
        return embedder.embed_query(query.text), None, weights
    table = compared.piece_table()
    words = np.zeros((len(query.surfaces), compared.dimension), np.float32)
    for row, ids in enumerate(compared.pieces(query.surfaces)):
        if len(ids):
            table[ids].sum(axis=0, out=words[row])
    total = weights @ words
    lengths = np.sqrt(np.einsum("ij,ij->i", words, words))
    lengths[lengths == 0] = 1.0
    words /= lengths[:, None]
    length = float(np.sqrt(total @ total))
    return (total / length if length else total), words, weights


def best_cosines(view: View, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Per row the cosine of its best vector; estimated where there are very many."""
    vectors = view.index.vectors
    cosines = vectors.cosines(vector)
    starts, _ = view.index.vector_bounds()
    if len(cosines) > len(starts):
        cosines = np.maximum.reduceat(cosines, starts)
    result: NDArray[np.float32] = cosines[view.slots]
    return result


def exact_cosines(
    view: View, rows: NDArray[np.int64], vector: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The same of some rows, exact."""
    starts, ends = view.index.vector_bounds()
    slots = view.slots[rows]
    first, sizes = starts[slots], ends[slots] - starts[slots]
    numbers, bounds = spans(first, sizes)
    cosines = view.index.vectors.cosines_of(numbers, vector)
    if len(cosines) == len(rows):
        return cosines
    best: NDArray[np.float32] = np.maximum.reduceat(cosines, bounds)
    return best


def spans(
    starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers ``starts[i] .. starts[i] + sizes[i]`` joined, and where each run begins."""
    bounds = np.cumsum(sizes) - sizes
    return np.repeat(starts - bounds, sizes) + np.arange(int(sizes.sum())), bounds
