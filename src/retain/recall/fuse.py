"""One score from many signals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from retain.recall.profiles import FEW_ROWS

Signals = Mapping[str, NDArray[np.float32]]

# What a text that has nothing to do with the query shows, with the vectors of the default embedder.
_NOTHING = {"cosine": 0.05, "conversation": 0.05, "late": 0.12}
# How much a share of matched words, a cosine and a late interaction count as evidence.
_COSINE_FROM, _COSINE_WEIGHT = 0.10, 0.8
_LATE_FROM, _LATE_WEIGHT = 0.20, 0.3
_THRESHOLD = 0.1
_BY_COMPANY = 0.4  # of its points, what a row keeps that shows no evidence itself


def fused(
    weights: Mapping[str, float], spread: Mapping[str, float], signals: Signals
) -> tuple[NDArray[np.float64], float]:
    """The weighted sum of signals by row, and what a text without any evidence would get.

    Signals of ``spread`` are scaled by their range among the rows, so that each query uses
    its full width. Among few rows the range counts as at least the stated one, so that rows which
    are much alike are not torn apart by noise.
    """
    rows = len(signals["cosine"])
    few = min(1.0, FEW_ROWS / rows)
    points = np.zeros(rows, np.float64)
    nothing = 0.0
    for name, weight in weights.items():
        values = signals.get(name)
        if values is None:  # an embedder without word pieces has no late interaction
            continue
        least = spread.get(name)
        if least is None:
            points += weight * values
            continue
        low, high = float(values.min()), float(values.max())
        scale = weight / max(high - low, least * few)
        points += scale * (values - low)
        nothing += scale * (_NOTHING.get(name, 0.0) - low)
    return points, nothing


def confidence(
    signals: Signals, points: NDArray[np.float64], nothing: float
) -> NDArray[np.float64]:
    """Points as scores 0..1, never against their order.

    How high the best one reaches is absolute: the share of the query's weight that is matched in
    words, and how close it is in meaning. The others stand between it and a text without evidence;
    what a row has by its neighbours alone counts for less. A row is never below one that it
    precedes.
    """
    meaning = _COSINE_WEIGHT * np.maximum(signals["cosine"] - _COSINE_FROM, 0)
    late = signals.get("late")
    if late is not None:
        meaning = meaning + _LATE_WEIGHT * np.maximum(late - _LATE_FROM, 0)
    top = _height(float((signals["window"] + meaning).max()))
    best = float(points.max())
    if best <= nothing or top <= 0:
        return np.zeros(len(points))
    own = signals["bm25"] + meaning
    if "answers" in signals:  # a question's words are its answer's
        own = np.maximum(own - signals["echo"], 0) + signals["answers"]
    share = own / max(float(own.max()), 1e-6)
    scores = np.maximum((points - nothing) * (top / (best - nothing)), 0.0)
    scores *= _BY_COMPANY + (1 - _BY_COMPANY) * np.minimum(2.0 * share, 1.0)
    rising = np.argsort(points, kind="stable")
    scores[rising] = np.maximum.accumulate(scores[rising])
    return np.minimum(scores, 1.0)


def _height(evidence: float) -> float:
    """The score that evidence reaches: below the usual threshold as it is, above it half as much
    again, for a long question is never matched in all its words."""
    return min(max(evidence, _THRESHOLD + 1.5 * (evidence - _THRESHOLD)), 1.0)
