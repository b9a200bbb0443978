"""One score from many signals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from retain.recall.profiles import Profile

Signals = Mapping[str, NDArray[np.float32]]


def fused(profile: Profile, signals: Signals) -> NDArray[np.float64]:
    """The weighted sum of signals; those of ``profile.spread`` scaled to 0..1 among the rows."""
    points = np.zeros(len(signals["cosine"]), np.float64)
    for name, weight in profile.weights.items():
        values = signals.get(name)
        if values is None:
            continue
        if name in profile.spread:
            low, high = float(values.min()), float(values.max())
            if high > low:
                points += (weight / (high - low)) * (values - low)
        else:
            points += weight * values
    return points


def confidence(
    profile: Profile, signals: Signals, points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Points as scores 0..1, in the same order.

    The order comes from the points; how high the scores reach comes from absolute evidence: the
    share of the query's words that is matched, and the cosine.
    """
    evidence = np.maximum(signals["window"], 0) + np.maximum(signals["cosine"] - 0.2, 0)
    top = float(min(evidence.max(initial=0.0), 1.0))
    low, high = float(points.min()), float(points.max())
    if high <= low:
        return np.full(len(points), top)
    return top * (points - low) / (high - low)
