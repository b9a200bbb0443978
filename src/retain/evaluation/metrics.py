"""Strict retrieval measures: pure functions of a ranking and its gold evidence.

A ranking is a sequence of distinct ids, best first; the gold evidence a set of ids, not empty.
All measures are 0..1, and nothing is divided by anything smaller than the whole gold evidence.
Formulas: Manning, Raghavan, Schuetze, *Introduction to Information Retrieval* (2008), chapter 8;
Jaervelin and Kekaelaeinen (2002) for nDCG, here with relevance 0 or 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

Measure = Callable[[Sequence[str], AbstractSet[str]], float]

_NAME = re.compile(r"(R|hit|any|all|nDCG)@([1-9]\d*)\Z")


def recall_at(ranked: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """The share of the evidence that is among the first ``k``."""
    _refuse_unusable(gold, k)
    return len(gold & set(ranked[:k])) / len(gold)


def any_at(ranked: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """1 if any of the evidence is among the first ``k``, else 0; also known as hit@k."""
    return float(recall_at(ranked, gold, k) > 0)


def all_at(ranked: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """1 if all of the evidence is among the first ``k``, else 0."""
    return float(recall_at(ranked, gold, k) == 1)


def reciprocal_rank(ranked: Sequence[str], gold: AbstractSet[str]) -> float:
    """One over the place of the first evidence; 0 if there is none. Its mean is MRR."""
    _refuse_unusable(gold, 1)
    return next((1 / place for place, one in enumerate(ranked, 1) if one in gold), 0.0)


def ndcg_at(ranked: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """Gain discounted by the logarithm of the place, over that of the best possible ranking."""
    _refuse_unusable(gold, k)
    gained = math.fsum(_discount(place) for place, one in enumerate(ranked[:k]) if one in gold)
    best = math.fsum(_discount(place) for place in range(min(k, len(gold))))
    return gained / best


def measure(name: str) -> Measure:
    """The measure of this name: ``R@k``, ``hit@k`` or ``any@k``, ``all@k``, ``nDCG@k``, ``MRR``.

    Raises:
        ValueError: there is no such measure.
    """
    if name == "MRR":
        return reciprocal_rank
    found = _NAME.match(name)
    if not found:
        raise ValueError(
            f"unknown measure {name!r}; use MRR, or R@k, hit@k, any@k, all@k, nDCG@k with k from 1"
        )
    cut = {"R": recall_at, "hit": any_at, "any": any_at, "all": all_at, "nDCG": ndcg_at}[found[1]]
    k = int(found[2])
    return lambda ranked, gold: cut(ranked, gold, k)


def first_appearances(ids: Sequence[str]) -> list[str]:
    """The ids in order, each where it appears first."""
    return list(dict.fromkeys(ids))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def _refuse_unusable(gold: AbstractSet[str], k: int) -> None:
    if not gold:
        raise ValueError("a question without gold evidence cannot be judged; leave it out")
    if k < 1:
        raise ValueError(f"k must be 1 or more, got {k!r}")
