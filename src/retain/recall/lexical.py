"""BM25 over visible rows: each row in the window of its neighbours, or alone where it has none.

k1 and b as usual (Robertson and Zaragoza, 2009); counts of a window are weighted sums, and so are
its lengths.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retain.recall.query import Query
from retain.recall.view import FAR, View, window

K1 = 1.2
B = 0.75
# As many rows, holding no word of the query, are thought to exist beside the visible ones, so that
# a word is not common because the only memory there is has it.
BACKGROUND = 20
_BLOCK = 16_384


class Lexical:
    """The words of one query in the visible rows of one or more views."""

    def __init__(self, query: Query, views: Sequence[View], *, windows: bool = True) -> None:
        self.views = views
        self.windows = windows
        self._counts = [_counts(query, view) for view in views]
        total = sum(len(view) for view in views)
        holding = np.zeros(len(query.terms), np.int64)
        for counts in self._counts:
            holding += np.count_nonzero(counts, axis=1)
        rarity = np.log1p((total + BACKGROUND - holding + 0.5) / (holding + 0.5))
        self.idf: NDArray[np.float32] = (rarity * query.weights).astype(np.float32)
        self.mass = float(self.idf.sum()) or 1.0
        talking = sum(view.talking for view in views)
        self._mean_window = _mean(sum(view.sums_of_lengths[0] for view in views), talking)
        self._mean_next = _mean(sum(view.sums_of_lengths[1] for view in views), talking)
        self._mean_alone = _mean(sum(view.sums_of_lengths[2] for view in views), total)

    def scores(self) -> list[NDArray[np.float32]]:
        """Per view and row, the share of the query's weight that the row's window matches: 0..1."""
        return [
            self._of_view(view, counts)
            for view, counts in zip(self.views, self._counts, strict=True)
        ]

    def alone(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The same of single rows of one view, without their neighbours."""
        view = self.views[number]
        at = view.at[rows]
        return self._bm25(self._counts[number][:, at], view.lengths[at], self._mean_alone)

    def before(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The same of the turn before each row; 0 where there is none."""
        view = self.views[number]
        result = np.zeros(len(rows), np.float32)
        talking = np.flatnonzero(rows < view.talking)
        if len(talking):
            at = view.at[rows[talking]] - 1
            counts = self._counts[number][:, at]
            result[talking] = self._bm25(counts, view.lengths[at], self._mean_alone)
        return result

    def following(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The same of what follows each row: what its window owes to the turns after it."""
        view = self.views[number]
        result = np.zeros(len(rows), np.float32)
        talking = np.flatnonzero(rows < view.talking)
        if len(talking):
            at = view.at[rows[talking]]
            counts = self._counts[number]
            following = counts[:, at + 1] + np.float32(FAR) * counts[:, at + 2]
            lengths = view.lengths[at + 1] + np.float32(FAR) * view.lengths[at + 2]
            result[talking] = self._bm25(following, lengths, self._mean_next)
        return result

    def _of_view(self, view: View, counts: NDArray[np.uint8]) -> NDArray[np.float32]:
        scores = np.empty(view.places, np.float32)
        edge = view.edge if self.windows else 0
        lengths = view.window_lengths[:edge]
        for start in range(0, edge, _BLOCK):
            end = min(start + _BLOCK, edge)
            low, high = max(start - 2, 0), min(end + 2, edge)
            windows = window(counts[:, low:high].astype(np.float32))
            scores[start:end] = self._bm25(
                windows[:, start - low : end - low], lengths[start:end], self._mean_window
            )
        for start in range(edge, view.places, _BLOCK):
            end = min(start + _BLOCK, view.places)
            scores[start:end] = self._bm25(
                counts[:, start:end], view.lengths[start:end], self._mean_alone
            )
        return scores[view.at]

    def _bm25(
        self, counts: NDArray[np.uint8] | NDArray[np.float32],
        lengths: NDArray[np.float32], mean: float,
    ) -> NDArray[np.float32]:  # fmt: skip
        damping = lengths * np.float32(K1 * B / mean)
        damping += np.float32(K1 * (1 - B))
        filled = counts + damping
        np.divide(counts, filled, out=filled)
        filled *= (self.idf / np.float32(self.mass))[:, None]
        result: NDArray[np.float32] = filled.sum(axis=0)  # row by row, whatever stands beside it
        return result


def _counts(query: Query, view: View) -> NDArray[np.uint8]:
    """How often each term occurs at each place."""
    counts = np.zeros((len(query.terms), view.places), np.uint8)
    numbers, slots, found = view.index.postings.find(query.terms)
    places = view.place_of_slot[slots]
    seen = places >= 0
    if not seen.all():
        numbers, places, found = numbers[seen], places[seen], found[seen]
    counts[numbers, places] = found
    if len(query.kin):
        numbers, slots, _ = view.index.postings.find(query.kin)
        places = view.place_of_slot[slots]
        seen = places >= 0
        numbers, places = query.kin_places[numbers[seen]], places[seen]
        counts[numbers, places] = np.maximum(counts[numbers, places], 1)
    return counts


def _mean(total: float, number: int) -> float:
    return (total / number if number else 0.0) or 1.0
