"""What recurs: sentences of different episodes that say the same.

Two sentences say the same if they share most of what is rare in them and mean nearly the same, and
neither denies what the other affirms. Groups are stars around one sentence, not chains: every
member says the same as the one in the middle, which is the wording that stands for them all. Small
words that every episode has ("the user asked") weigh next to nothing, so strangers are not joined.

Where a wish changed, the sentences before and after are nearly alike, but for one word: "aisle" in
all of the earlier ones and "window" in all of the later ones. Such a group is parted there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retain.consolidate.cues import names_the_old, tells_change, tells_wish
from retain.consolidate.statement import Statement

LEAST_ALIKE: Final = 0.5  # of the mean of shared weight and cosine
LEAST_SHARED: Final = 0.35  # of the weight of the words of both, as ``shared_weight``
LEAST_COSINE: Final = 0.35
LEAST_PARTED: Final = 0.75  # of the members, that hold one of the two words of a change
LEAST_PART: Final = 2  # sentences that hold each of them, unless they say that something changed
BACKGROUND: Final = 60  # episodes
BLOCK: Final = 1024  # rows of the table of cosines that are made at a time


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that say the same, one of each episode; ``middle`` words it best."""

    middle: Statement
    members: Sequence[Statement]

    @property
    def sources(self) -> frozenset[str]:
        """The episodes that say it."""
        return frozenset(one.source.id for one in self.members)


def weights_of(statements: Sequence[Statement]) -> dict[int, float]:
    """How rare each word is among the episodes, 0..1: the inverse document frequency, as if there
    were at least ``BACKGROUND`` episodes, for among a few everything that recurs is frequent."""
    holding: Counter[int] = Counter()
    sources: dict[str, set[int]] = {}
    for one in statements:
        sources.setdefault(one.source.id, set()).update(one.terms)
    for terms in sources.values():
        holding.update(terms)
    many = max(len(sources), BACKGROUND)
    most = math.log(1 + many)
    return {term: math.log(1 + many / count) / most for term, count in holding.items()}


def groups(
    statements: Sequence[Statement],
    vectors: NDArray[np.float32],
    weights: Mapping[int, float],
    least: int,
) -> list[Group]:
    """Groups of at least ``least`` episodes, the largest first; no sentence is in two.

    Args:
        statements: the sentences.
        vectors: one a sentence, of length 1.
        weights: of words, as ``weights_of``.
        least: episodes that must say it.
    """
    order = sorted(
        range(len(statements)),
        key=lambda at: (statements[at].source.at, statements[at].source.id, statements[at].start),
    )
    ordered = [statements[at] for at in order]
    near = _neighbours(ordered, vectors[order] if order else vectors, weights)
    taken: set[int] = set()
    found: list[Group] = []
    # Stars only shrink as sentences are taken: the largest is found by looking again at the top.
    waiting = [(-len(_star(at, near[at], ordered, taken)), at) for at in range(len(ordered))]
    heapify(waiting)
    while waiting:
        size, at = heappop(waiting)
        if at in taken or -size < least:
            continue
        star = _star(at, near[at], ordered, taken)
        if len(star) < -size:
            heappush(waiting, (-len(star), at))
            continue
        middle = _most_alike(star, near, ordered)
        group = _parted(Group(ordered[middle], [ordered[one] for one in star]))
        places = {id(ordered[one]): one for one in star}
        taken.update(places[id(one)] for one in group.members)
        if len(group.members) >= least:
            found.append(group)
        elif at not in taken:
            taken.add(at)  # what is left around it is too little
    return found


def _most_alike(
    star: Sequence[int],
    near: Sequence[Sequence[tuple[float, int]]],
    statements: Sequence[Statement],
) -> int:
    """The sentence of a star that is most like the others; of equals the shortest."""
    inside = set(star)

    def worth(at: int) -> tuple[float, int, int]:
        return (
            sum(score for score, other in near[at] if other in inside),
            -len(statements[at].text),
            -at,
        )

    return max(star, key=worth)


def alike(
    one: Statement,
    other: Statement,
    cosine: float,
    weights: Mapping[int, float],
    *,
    opposed: bool = False,
) -> float:
    """How nearly two sentences say the same (or, ``opposed``, the contrary), 0..1; 0 if they
    cannot."""
    if (one.denies != other.denies) is not opposed or cosine < LEAST_COSINE:
        return 0.0
    share = shared_weight(one.terms, other.terms, weights)
    if share < LEAST_SHARED:
        return 0.0
    score = (share + cosine) / 2
    return score if score >= LEAST_ALIKE else 0.0


def core(statements: Sequence[Statement]) -> frozenset[int]:
    """The words that at least half of some sentences have."""
    counted = Counter(term for one in statements for term in one.terms)
    return frozenset(term for term, count in counted.items() if 2 * count >= len(statements))


def shared_weight(
    one: frozenset[int], other: frozenset[int], weights: Mapping[int, float]
) -> float:
    """How much of two sets of words, by weight, both have, 0..1: the mean of the share of all and
    the share of the smaller one, which a longer sentence may hold whole."""
    shared = _weight(one & other, weights)
    mine, theirs = _weight(one, weights), _weight(other, weights)
    if not shared:
        return 0.0
    return (shared / (mine + theirs - shared) + shared / min(mine, theirs)) / 2


def _weight(terms: Iterable[int], weights: Mapping[int, float]) -> float:
    return sum(weights.get(term, 1.0) for term in terms)


def changed_between(before: Sequence[Statement], after: Sequence[Statement]) -> bool:
    """Whether what is said changed from some sentences to others, all of them later."""
    found = _turn([*before, *after])
    if found is None:
        return False
    earlier, later = found
    olds = sum(earlier in one.terms for one in before), sum(earlier in one.terms for one in after)
    news = sum(later in one.terms for one in before), sum(later in one.terms for one in after)
    return olds[0] >= LEAST_PARTED * len(before) and news[1] >= LEAST_PARTED * len(after)


def _parted(group: Group) -> Group:
    """The part of a group that holds its middle, if a wish changed in it; else the group."""
    found = _turn(group.members)
    side = next((term for term in found or () if term in group.middle.terms), None)
    if side is None:
        return group
    return Group(group.middle, [one for one in group.members if side in one.terms])


def _turn(statements: Sequence[Statement]) -> tuple[int, int] | None:
    """The two words that a wish turned from and to, if it did.

    They are never in one sentence (but one that tells of the change) and together in nearly all;
    every sentence with the first is earlier than every sentence with the other.
    """
    if not any(tells_change(one.text) or tells_wish(one.text) for one in statements):
        return None
    members = sorted(statements, key=lambda one: (one.source.at, one.source.id))
    telling = [tells_change(one.text) for one in members]
    naming = [names_the_old(one.text) for one in members]
    holding: dict[int, list[int]] = {}
    for number, one in enumerate(members):
        for term in one.terms:
            holding.setdefault(term, []).append(number)
    best: tuple[int, int, int] | None = None
    for earlier, all_of_it in holding.items():
        for later, second in holding.items():
            # "No longer the aisle" names what was before.
            first = [n for n in all_of_it if not (naming[n] and n in second)]
            size = len(first) + len(second)
            if not first or first[-1] >= second[0] or size < LEAST_PARTED * len(members):
                continue
            told = all(telling[number] for number in second)
            if len(first) < LEAST_PART or (len(second) < LEAST_PART and not told):
                continue
            best = max(best, (size, -earlier, -later)) if best else (size, -earlier, -later)
    return None if best is None else (-best[1], -best[2])


def _neighbours(
    statements: Sequence[Statement], vectors: NDArray[np.float32], weights: Mapping[int, float]
) -> list[list[tuple[float, int]]]:
    """By sentence, those of other episodes that say the same, the nearest first: what ``alike``
    says of each pair, a row at a time."""
    near: list[list[tuple[float, int]]] = [[] for _ in statements]
    holding = _places(statements)
    whole = np.array([_weight(one.terms, weights) for one in statements], np.float64)
    denies = np.array([one.denies for one in statements], np.bool_)
    numbers: dict[str, int] = {}
    source = np.array([numbers.setdefault(one.source.id, len(numbers)) for one in statements])
    for start in range(0, len(statements), BLOCK):
        cosines = vectors[start : start + BLOCK] @ vectors.T
        for row, cosine in enumerate(cosines):
            at = start + row
            shared = np.zeros(len(statements))
            for term in statements[at].terms:
                shared[holding[term]] += weights.get(term, 1.0)
            share = (
                shared / (whole[at] + whole - shared) + shared / np.minimum(whole[at], whole)
            ) / 2
            score = (share + cosine) / 2
            fits = (cosine >= LEAST_COSINE) & (share >= LEAST_SHARED) & (score >= LEAST_ALIKE)
            fits &= (denies == denies[at]) & (source != source[at])
            near[at] = [(float(score[other]), other) for other in np.flatnonzero(fits).tolist()]
    for found in near:
        found.sort(key=lambda pair: (-pair[0], pair[1]))
    return near


def _places(statements: Sequence[Statement]) -> dict[int, NDArray[np.int64]]:
    """By word, the sentences that have it."""
    found: dict[int, list[int]] = {}
    for at, one in enumerate(statements):
        for term in one.terms:
            found.setdefault(term, []).append(at)
    return {term: np.array(places, np.int64) for term, places in found.items()}


def _star(
    middle: int,
    others: Sequence[tuple[float, int]],
    statements: Sequence[Statement],
    taken: set[int],
) -> list[int]:
    """The middle and the nearest sentence of each other episode."""
    star = {statements[middle].source.id: middle}
    for _, other in others:
        if other not in taken:
            star.setdefault(statements[other].source.id, other)
    return list(star.values())
