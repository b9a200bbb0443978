"""One ranking of the visible rows: cheap signals of all, dear ones of a pool, one fused score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retain.domain.instant import DAY
from retain.domain.kind import Kind
from retain.domain.use import WORTH_UNIT
from retain.ledger.visibility import KIND_CODES
from retain.models.base import Embedder
from retain.recall.fuse import confidence, fused
from retain.recall.index import ScopeIndex
from retain.recall.profiles import REM, Profile
from retain.recall.query import Query
from retain.recall.signals import Asked, ask, cheap_signals, dear_signals, make_exact
from retain.recall.view import View

POOL = 200  # rows that the dear signals look at, at least
LASTING_DAYS = 90.0  # after which an episode is a third as fresh (1/e)
MOST_WORTH = 0.25  # of a score, that the outcomes of earlier recalls can change
CLOSER_LOOK = 10  # times as many have their cosines made exact where those are estimates


@dataclass(frozen=True, slots=True)
class Ranked:
    """Rows best first: ``keys``, ``ids``, ``scores`` (0..1, falling), ``details`` by signal."""

    keys: NDArray[np.int64]
    ids: list[str]
    scores: NDArray[np.float64]
    details: dict[str, NDArray[np.float32]]

    def __len__(self) -> int:
        return len(self.keys)

    def explain(self, number: int) -> dict[str, float]:
        """The signals of one row, by name."""
        return {name: round(float(values[number]), 4) for name, values in self.details.items()}


def rank(
    query: Query,
    parts: Sequence[tuple[ScopeIndex, NDArray[np.bool_]]],
    embedder: Embedder,
    profile: Profile,
    now: int,
    limit: int = 100,
) -> Ranked:
    """The best ``limit`` visible rows for a query.

    Args:
        query: as read by ``read_query``.
        parts: each partition's index with the mask of its visible slots.
        embedder: the one that made the vectors.
        profile: how the signals are weighed.
        now: the clock, microseconds since 1970 (recency counts from it).
        limit: how many rows at most.

    Returns:
        Rows by falling score, equal scores by id. Deterministic: the same visible rows, query and
        clock give the same answer, whatever else the indexes hold.
    """
    views = [index.view(mask) for index, mask in parts]
    views = [view for view in views if len(view)]
    if not views or limit < 1:
        return _nothing()
    asked = ask(query, views, embedder, windows=profile.windows)
    cheap = cheap_signals(asked)
    pools = _pools(asked, profile, cheap, max(POOL, 2 * limit))
    signals = _of_all(asked, pools, cheap, profile)
    if profile is REM:
        signals = _rem(views, pools, signals, now)
        summed = sum(signals[name] * weight for name, weight in profile.weights.items())
        points = np.asarray(summed, np.float64)
        scores = np.clip(points, 0.0, 1.0)
    else:
        talk = _share_of_talk(views)
        weights = profile.among(sum(map(len, views)), talk)
        if "recent" in weights:
            signals = _judge_episodes(views, pools, signals, now)
        points, nothing = fused(weights, profile.spread, signals)
        if profile.support:
            points += profile.support * talk * _support(views, pools, points)
        scores = confidence(signals, points, nothing)
    _weigh_by_worth(views, pools, points, scores)
    return _best(views, pools, signals, points, scores, limit)


def _nothing() -> Ranked:
    return Ranked(np.empty(0, np.int64), [], np.empty(0, np.float64), {})


def _pools(
    asked: Asked, profile: Profile, cheap: list[dict[str, NDArray[np.float32]]], size: int
) -> list[NDArray[np.int64]]:
    """Per view the rows that the dear signals look at: the best by the cheap ones, in all.

    Estimated cosines choose only whose are made exact: the best ``CLOSER_LOOK`` times as many rows,
    then, since a row is judged by them too, the others of the chosen rows' conversations.
    """
    if all(view.index.vectors.exact for view in asked.views):
        return _best_by_cheap(profile, cheap, size)
    closer = _best_by_cheap(profile, cheap, CLOSER_LOOK * size)
    for number, (rows, one) in enumerate(zip(closer, cheap, strict=True)):
        make_exact(asked, number, rows, one["cosine"])
    seen = [
        {name: values[rows] for name, values in one.items()}
        for rows, one in zip(closer, cheap, strict=True)
    ]
    places = _best_by_cheap(profile, seen, size)
    pools = [rows[chosen] for rows, chosen in zip(closer, places, strict=True)]
    for number, (pool, one) in enumerate(zip(pools, cheap, strict=True)):
        company = asked.views[number].company_of(pool)
        make_exact(asked, number, company, one["cosine"])
    return pools


def _best_by_cheap(
    profile: Profile, cheap: Sequence[Mapping[str, NDArray[np.float32]]], size: int
) -> list[NDArray[np.int64]]:
    """Per view the best rows by the cheap signals, so many in all."""
    total = sum(len(one["cosine"]) for one in cheap)
    if total <= size:
        return [np.arange(len(one["cosine"])) for one in cheap]
    joined = {name: np.concatenate([one[name] for one in cheap]) for name in cheap[0]}
    if profile is REM:
        points = joined["cosine"]
    else:
        points = joined["window"] / (joined["window"].max() or 1.0)
        points += joined["cosine"] / (joined["cosine"].max() or 1.0)
    least = np.partition(points, total - size)[total - size]
    chosen = np.flatnonzero(points >= least)
    bounds = np.cumsum([0, *(len(one["cosine"]) for one in cheap)])
    cuts = chosen.searchsorted(bounds)
    return [
        chosen[low:high] - start
        for low, high, start in zip(cuts[:-1], cuts[1:], bounds[:-1], strict=True)
    ]


def _of_all(
    asked: Asked,
    pools: list[NDArray[np.int64]],
    cheap: list[dict[str, NDArray[np.float32]]],
    profile: Profile,
) -> dict[str, NDArray[np.float32]]:
    found = [
        dear_signals(asked, number, pool, one, profile.signals())
        for number, (pool, one) in enumerate(zip(pools, cheap, strict=True))
    ]
    if len(found) == 1:
        return found[0]
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}


def _rem(
    views: list[View],
    pools: list[NDArray[np.int64]],
    signals: dict[str, NDArray[np.float32]],
    now: int,
) -> dict[str, NDArray[np.float32]]:
    """REM's three terms: similarity, 1 / (1 + 0.1 age in days), min(0.05 uses, 0.3)."""
    said = np.concatenate([view.said[pool] for view, pool in zip(views, pools, strict=True)])
    uses = np.concatenate(
        [view.column("uses")[pool] for view, pool in zip(views, pools, strict=True)]
    )
    days = np.maximum(now - said, 0) / DAY
    return {
        "similarity": signals["cosine"],
        "recency": (1.0 / (1.0 + 0.1 * days)).astype(np.float32),
        "use": np.minimum(0.05 * uses, 0.3).astype(np.float32),
    }


def _judge_episodes(
    views: list[View],
    pools: list[NDArray[np.int64]],
    signals: dict[str, NDArray[np.float32]],
    now: int,
) -> dict[str, NDArray[np.float32]]:
    """Signals as they speak for episodes, which are long and stand alone.

    They have no conversation, word by word a long text is near to everything, and how a day's
    account ends or which times it names says little: none of these counts among them. What was
    lately done is more often needed again. All of it is about the mean of the episodes, so that
    other kinds gain and lose nothing by it.
    """
    kinds = [view.column("kind")[pool] for view, pool in zip(views, pools, strict=True)]
    episodes = np.concatenate(kinds) == KIND_CODES[Kind.EPISODE]
    recent = np.zeros(len(episodes), np.float32)
    if not episodes.any():
        return {**signals, "recent": recent}
    said = np.concatenate([view.said[pool] for view, pool in zip(views, pools, strict=True)])
    fresh = np.exp(-np.maximum(now - said[episodes], 0) / (LASTING_DAYS * DAY))
    recent[episodes] = fresh - fresh.mean()
    judged = {**signals, "recent": recent}
    for name in ("conversation", "late", "question", "time"):
        if name in judged:
            values = judged[name].copy()
            values[episodes] = values[episodes].mean()
            judged[name] = values
    return judged


def _weigh_by_worth(
    views: list[View],
    pools: list[NDArray[np.int64]],
    points: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Raise what led to successes and lower what led to failures, by ``MOST_WORTH`` at most.

    Points count from the lowest row, so that a factor means the same for all.
    """
    worth = np.concatenate(
        [view.column("worth")[pool] for view, pool in zip(views, pools, strict=True)]
    )
    if not worth.any():
        return
    factor = 1.0 + MOST_WORTH * worth / WORTH_UNIT
    low = float(points.min())
    points -= low
    points *= factor
    points += low
    np.minimum(scores * factor, 1.0, out=scores)


def _share_of_talk(views: list[View]) -> float:
    """The share of all turns that stands in conversations."""
    turns = sum(view.turns for view in views)
    return sum(view.talking for view in views) / turns if turns else 0.0


def _support(
    views: list[View], pools: list[NDArray[np.int64]], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Per row what else speaks for its conversation, 0..1: its best turn that is neither its best
    one nor next to that. A topic that comes up once may be chance."""
    result = np.zeros(len(points))
    low, high = float(points.min()), float(points.max())
    if high <= low:
        return result
    start = 0
    for view, pool in zip(views, pools, strict=True):
        talking = np.flatnonzero(pool < view.talking)  # the rows of conversations
        if len(talking):
            mine = points[start + talking]
            second = _second_best(view.conversation[pool[talking]], pool[talking], mine, low)
            result[start + talking] = (second - low) / (high - low)
        start += len(pool)
    return result


def _second_best(
    conversation: NDArray[np.int64],
    place: NDArray[np.int64],
    points: NDArray[np.float64],
    low: float,
) -> NDArray[np.float64]:
    """Per row the highest points in its conversation that do not belong to its best turn or a
    neighbour of that; ``low`` where there are none. Rows are in the order of their places."""
    starts = np.flatnonzero(np.concatenate(([True], conversation[1:] != conversation[:-1])))
    sizes = np.diff(np.append(starts, len(points)))
    best = np.repeat(np.maximum.reduceat(points, starts), sizes)
    is_best = np.where(points == best, np.arange(len(points)), len(points))
    top = np.repeat(place[np.minimum.reduceat(is_best, starts)], sizes)
    others = np.where(np.abs(place - top) > 1, points, low)
    return np.repeat(np.maximum.reduceat(others, starts), sizes)


def _best(
    views: list[View],
    pools: list[NDArray[np.int64]],
    signals: dict[str, NDArray[np.float32]],
    points: NDArray[np.float64],
    scores: NDArray[np.float64],
    limit: int,
) -> Ranked:
    numbers = np.arange(len(points))
    if len(points) > limit:
        least = np.partition(points, len(points) - limit)[len(points) - limit]
        numbers = np.flatnonzero(points >= least)
    owner = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    rows = np.concatenate(pools)

    def id_of(number: int) -> str:
        view = views[owner[number]]
        name: str = view.index.ids[view.slots[rows[number]]]
        return name

    named = {number: id_of(number) for number in numbers.tolist()}
    best = sorted(named, key=lambda number: (-points[number], named[number]))[:limit]
    keys = [int(views[owner[number]].keys[rows[number]]) for number in best]
    return Ranked(
        keys=np.array(keys, np.int64),
        ids=[named[number] for number in best],
        scores=np.minimum.accumulate(scores[best]),
        details={name: values[best] for name, values in signals.items()},
    )
