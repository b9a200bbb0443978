"""How much of a statement's claims its sources hold."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from retain.analysis.time_words import DAYS, MONTHS, UNITS, WEEKDAYS
from retain.analysis.words import STOP_WORDS
from retain.learn.ground.claims import Claims, Content
from retain.learn.ground.lexicon import FRAME, KIN, ONES, ROLES, SAME
from retain.learn.ground.near import likeness
from retain.learn.ground.polarity import opposites
from retain.learn.ground.reading import Reading
from retain.learn.ground.sources import Source, Times, inflected, nearest, times_of

_CONTEXT = 0.999  # of a word's support, where only the surroundings of the quotes hold it
_SAME_FORM = 0.9  # of a word that shares its first letters with one of the sources
_NEAR = 0.45  # cosine from which two words may mean the same
_LIKE = 0.75  # of the letters, from which two names are one ("Budapest", "Budapesti")
_WITHIN = 14  # words between two words of one thought
_BESIDE = 5  # words on either side of a number that tell what it counts
_MARGIN = 2.0  # by which another number fits the words around better
_RUN = 5  # words of the statement's weakest stretch
_LEAST_PART = 3  # pairs of words that make a part of a statement
# Fitted by logistic regression (no weight below 0) on true statements and on joined halves.
_WEIGHTS = (4.98, 1.09, 2.04)
_BIAS = -1.96
_TELLING = 0.3  # the weight of a word that only sums up
_RELATIVE: Final = re.compile(
    "|".join(
        re.escape(word) if word[0] >= "\u0600" else rf"(?<!\w){re.escape(word)}(?!\w)"
        for word in sorted({*DAYS, *UNITS}, key=len, reverse=True)
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How the content words of a statement are supported.

    Attributes:
        words: support of each content word, 0..1.
        whole: their mean; words that only sum up count for less.
        weakest: the mean of the weakest five neighbours.
        together: how far neighbours stand near each other in one source too, in the worse part
            of the statement.
        gap: the most neighbours in a row that no source has, at most five, as a share of five.
    """

    words: tuple[float, ...]
    whole: float
    weakest: float
    together: float
    gap: float

    def likelihood(self, allowance: float = 0.0) -> float:
        """How likely the whole statement is told by its sources, 0..1.

        ``allowance`` is added in log-odds, for scripts whose words are found less surely.
        """
        told = self.weakest * _WEIGHTS[0] + self.together * _WEIGHTS[1] - self.gap * _WEIGHTS[2]
        return 1 / (1 + math.exp(-(told + _BIAS + allowance)))


_ALL_TOLD = Coverage((), 1.0, 1.0, 1.0, 0.0)


def coverage(claims: Claims, sources: Sequence[Source]) -> Coverage:
    """How far the words of a statement stand, in one form or another, in its sources."""
    words = _supported(claims, sources)
    if not words:
        return _ALL_TOLD
    core = [at for at, one in enumerate(claims.content) if not one.telling]
    core = core or list(range(len(words)))
    weights = [_TELLING] * len(words)
    for at in core:
        weights[at] = 1.0
    whole = math.fsum(map(math.prod, zip(words, weights, strict=True))) / math.fsum(weights)
    shares = [words[at] for at in core]
    run = min(_RUN, len(core))
    weakest = min(sum(shares[at : at + run]) for at in range(len(core) - run + 1)) / run
    pairs = _together([claims.content[at] for at in core], shares, sources)
    return Coverage(
        tuple(words),
        whole,
        weakest,
        _worse_part(pairs) if pairs else weakest,
        min(_longest_gap(shares), _RUN) / _RUN,
    )


def _worse_part(shares: Sequence[float]) -> float:
    """The mean of the worse part, wherever between a quarter and three the two parts meet."""
    count = len(shares)
    if count < 2 * _LEAST_PART:
        middle = max(1, count // 2)
        parts = [shares[:middle], shares[middle:]]
        return min(math.fsum(part) / len(part) for part in parts if part)
    sums = list(accumulate(shares, initial=0.0))
    first, last = max(_LEAST_PART, count // 4), min(count - _LEAST_PART, 3 * count // 4)
    return min(
        min(sums[cut] / cut, (sums[-1] - sums[cut]) / (count - cut))
        for cut in range(first, last + 1)
    )


def _longest_gap(shares: Sequence[float]) -> int:
    longest = current = 0
    for share in shares:
        current = 0 if share else current + 1
        longest = max(longest, current)
    return longest


def _supported(claims: Claims, sources: Sequence[Source]) -> list[float]:
    found = [
        max((_said(content, source) for source in sources), default=0.0)
        for content in claims.content
    ]
    missing = [at for at, share in enumerate(found) if not share]
    missing = [at for at in missing if claims.content[at].key not in KIN]
    if not missing:
        return found
    vocabulary = sorted(
        {key for source in sources for key in source.keys if len(key) > 2} - STOP_WORDS
    )
    for at, cosine in zip(
        missing,
        likeness([(key := claims.content[at].key, opposites(key)) for at in missing], vocabulary),
        strict=True,
    ):
        if cosine >= _NEAR:
            found[at] = min(0.85, 0.3 + 2 * (cosine - _NEAR))
    return found


def _said(content: Content, source: Source) -> float:
    key = content.key
    if content.term in source.reading.where or key in source.names:
        share = 1.0
    elif key in KIN:
        share = float(KIN[key] in source.kin)
    elif key in WEEKDAYS:
        share = float(WEEKDAYS[key] in source.times().weekdays)
    elif key in MONTHS:
        share = float(MONTHS[key] in source.times().months)
    elif key[:5] in source.prefixes or SAME.get(key) in source.same:
        share = _SAME_FORM
    else:
        share = _SAME_FORM if inflected(key) in source.forms else 0.0
    return share if source.primary else share * _CONTEXT


def _together(
    content: Sequence[Content], words: Sequence[float], sources: Sequence[Source]
) -> list[float]:
    """For each two neighbours of the statement how near they stand to each other in a source."""
    found = []
    for at in range(len(content) - 1):
        best = 0.0
        if words[at] and words[at + 1]:
            for source in sources:
                if content[at].key in source.names or content[at + 1].key in source.names:
                    best = 1.0  # who speaks stands by all that is said
                    break
                where, places = source.reading.where, source.reading.places
                one, other = where.get(content[at].term), where.get(content[at + 1].term)
                if one and other:
                    others = [places[index] for index in other]
                    gap = min(nearest(others, places[index]) for index in one)
                    best = max(best, 1.0 if gap <= _WITHIN else 0.3 if gap <= 4 * _WITHIN else 0.0)
                    if best == 1.0:
                        break
        found.append(best)
    return found


def missing_names(claims: Claims, sources: Sequence[Source]) -> list[str]:
    """The names of the statement that no source and no speaker has, as written."""
    reading = claims.reading
    found = []
    for index in claims.names:
        key, term = reading.keys[index], reading.terms[index]
        if not any(_has_name(key, term, source) for source in sources):
            found.append(reading.surfaces[index])
    return found


def _has_name(key: str, term: int, source: Source) -> bool:
    if term in source.reading.where or key in source.keys:
        return True
    if key in source.names:
        return True
    alike = source.prefixes.get(key[:5])
    if alike and SequenceMatcher(None, key, alike).ratio() > _LIKE:
        return True
    return len(key) >= 4 and any(
        key in other or other in key for other in source.keys if len(other) >= 4
    )


def missing_values(claims: Claims, sources: Sequence[Source], at: int) -> list[str]:
    """The numbers, dates, weekdays and months of the statement that no source has, as written.

    What a source does not write may follow from what it does: "yesterday" from the day that it
    was said on. ``at`` is the moment from which the statement's own relative times count.
    """
    lacking = _not_written(claims, sources)
    if not lacking:
        return []
    text = claims.reading.text
    periods = set().union(*(source.times().periods for source in sources))
    dated = [
        (start, end)
        for start, end, begins, until in times_of(text, at)
        if (begins, until) in periods
    ]
    return list(
        dict.fromkeys(
            surface
            for start, surface, kind, value in lacking
            if not any(begin <= start < end for begin, end in dated)
            and not any(_follows(kind, value, source.times()) for source in sources)
        )
    )


def _follows(kind: str, value: str, times: Times) -> bool:
    if kind == "weekday":
        return int(value) in times.weekdays
    if kind == "month":
        return int(value) in times.months
    return kind == "number" and value in times.numbers


def _not_written(claims: Claims, sources: Sequence[Source]) -> list[tuple[int, str, str, str]]:
    """Values that no source writes: where each starts, as written, its kind and value."""
    reading = claims.reading
    found = [
        (number.start, number.surface, "number", number.value)
        for number in claims.numbers
        if not any(_has_number(number.value, number.unit, source) for source in sources)
    ]
    for index, key in enumerate(reading.keys):
        if key in WEEKDAYS:
            kind, value, names = "weekday", WEEKDAYS[key], WEEKDAYS
        elif key in MONTHS and reading.surfaces[index][0].isupper():
            kind, value, names = "month", MONTHS[key], MONTHS
        else:
            continue
        if not any(names.get(other) == value for source in sources for other in source.keys):
            found.append((reading.starts[index], reading.surfaces[index], kind, str(value)))
    for match in _RELATIVE.finditer(reading.text):
        word = match.group().casefold()
        if DAYS.get(word) == 0:  # "today" is when it was said
            continue
        if not any(word in source.reading.text.casefold() for source in sources):
            found.append((match.start(), match.group(), "relative", word))
    return found


def _has_number(value: str, unit: str, source: Source) -> bool:
    units = source.numbers.get(value)
    if units is None and value == "1" and source.keys & ONES:
        return True
    if units is not None:
        return unit != "%" or "%" in units or "" in units
    if ":" in value:
        return all(part in source.numbers for part in value.split(":"))
    return False


def misplaced_values(claims: Claims, unit: Sequence[Source]) -> list[str]:
    """The numbers, weekdays and months that stand elsewhere in the unit.

    That is, where the words around such a value stand together in the unit, another value of the
    kind is among them, and this one is not.
    """
    own = claims.reading
    mine = _values(own)
    if not mine:
        return []
    others = [(source, _values(source.reading)) for source in unit]
    found = []
    for kind, value, place, surface in mine:
        around = _around(own, place)
        if not around:
            continue
        fits: dict[str, float] = {}
        for source, values in others:
            for other_kind, other, other_place, _surface in values:
                if other_kind == kind:
                    beside = _around(source.reading, other_place)
                    fit = math.fsum(
                        2.0 if gap == 1 and beside[term] == 1 else 1.0
                        for term, gap in around.items()
                        if term in beside
                    )
                    fits[other] = max(fits.get(other, 0.0), fit)
        if value in fits and max(fits.values()) - fits[value] >= _MARGIN:
            found.append(surface)
    return found


def _values(reading: Reading) -> list[tuple[str, str, int, str]]:
    found = [
        ("number", one.value, one.place, one.surface)
        for one in reading.numbers
        if not (one.marker or one.in_words)
    ]
    for index, key in enumerate(reading.keys):
        if key in WEEKDAYS:
            found.append(
                ("weekday", str(WEEKDAYS[key]), reading.places[index], reading.surfaces[index])
            )
        elif key in MONTHS and reading.surfaces[index][0].isupper():
            found.append(
                ("month", str(MONTHS[key]), reading.places[index], reading.surfaces[index])
            )
    return found


def _around(reading: Reading, place: int) -> dict[int, int]:
    """The terms within a few words of a place, each with its distance."""
    first = bisect_left(reading.places, place - _BESIDE)
    last = bisect_right(reading.places, place + _BESIDE)
    return {
        reading.terms[at]: abs(reading.places[at] - place)
        for at in range(first, last)
        if reading.places[at] != place and reading.keys[at] not in STOP_WORDS
    }


def capitals(claims: Claims, sources: Sequence[Source]) -> list[str]:
    """Words that the statement capitalises inside a sentence and no source has in any form."""
    reading = claims.reading
    return [
        reading.surfaces[index]
        for index, key in enumerate(reading.keys)
        if reading.surfaces[index][0].isupper()
        and not reading.opens[index]
        and len(key) > 2
        and not (key in ROLES or key in STOP_WORDS or key in FRAME or key in KIN)
        and key not in WEEKDAYS
        and key not in MONTHS
        and not any(_has_name(key, reading.terms[index], source) for source in sources)
    ]
