"""The texts that a candidate cites, read for what they can support."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from datetime import timedelta

from retain.analysis.time_words import MONTHS, WEEKDAYS
from retain.analysis.times import find_times, may_name_time
from retain.domain.instant import from_micros
from retain.learn.dates import find_dates
from retain.learn.ground.lexicon import KIN, SAME
from retain.learn.ground.reading import Reading, read

_PREFIX = 5  # letters that two words share at least, to be forms of one word
_TIMED = 4_000  # characters of a text searched for times


@dataclass(slots=True)
class Times:
    """The times that a text names: periods, and the weekdays, months and numbers in them."""

    periods: set[tuple[int, int]] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Source:
    """One cited text. ``primary`` is false for what only stands around the quotes."""

    reading: Reading
    at: int
    role: str
    speaker: str | None
    primary: bool
    keys: frozenset[str]
    names: frozenset[str]
    prefixes: dict[str, str]
    kin: set[int]
    same: set[int]
    forms: frozenset[str]
    numbers: dict[str, set[str]]
    _times: Times | None = None

    def times(self) -> Times:
        """The times that the text names, relative ones counted from when it was said."""
        if self._times is None:
            self._times = _times_in(self.reading, self.at)
        return self._times


def source_of(
    text: str, at: int, role: str, speaker: str | None = None, *, primary: bool = True
) -> Source:
    """Read a text as a source, said at ``at`` (microseconds) by ``speaker``."""
    reading = read(text)
    keys = frozenset(reading.keys)
    numbers: dict[str, set[str]] = {}
    for number in reading.numbers:
        for value in _values(number.value, number.surface, number.unit):
            numbers.setdefault(value, set()).add(number.unit)
    return Source(
        reading,
        at,
        role,
        speaker,
        primary,
        keys,
        names=frozenset(read(speaker).keys) if speaker else frozenset(),
        prefixes={key[:_PREFIX]: key for key in sorted(keys) if len(key) >= _PREFIX},
        kin={KIN[key] for key in keys if key in KIN},
        same={SAME[key] for key in keys if key in SAME},
        forms=frozenset(filter(None, map(inflected, keys))),
        numbers=numbers,
    )


def inflected(key: str) -> str:
    """What the forms of a word share where its stemmer leaves them apart; "" where nothing does.

    Arabic verbs change their first letter, Cyrillic and accented Latin words their last ones.
    """
    if "\u0620" <= key[0] <= "\u064a":
        return key[1:] if len(key) > 2 else ""
    if "\u0400" <= key[0] <= "\u04ff" and 3 < len(key) < 7:
        return key[:3]
    return ""


def _values(value: str, surface: str, unit: str) -> list[str]:
    """The ways to say a number: as it is, its parts, and multiplied by what follows it."""
    found = [value]
    for mark in ":.":
        if mark in value:
            found += [part.lstrip("0") or "0" for part in value.split(mark)]
    if "," in surface or "." in surface:
        plain = surface.replace(",", "").replace(".", "")
        found += [plain.lstrip("0") or "0"]
        found += [part.lstrip("0") or "0" for part in surface.replace(",", ".").split(".")]
    zeros = {"k": "000", "m": "000000", "bn": "000000000"}.get(unit)
    if zeros and value.isdigit():
        found.append(value + zeros)
    return found


def times_of(text: str, at: int) -> list[tuple[int, int, int, int]]:
    """The times that a text names: where (start, end), and the period, both readings of each."""
    if not may_name_time(text):
        return []
    found = [(one.start_char, one.end_char, one.begin, one.end) for one in find_times(text, at)]
    for past in (False, True):
        found += [
            (one.start, one.end, one.begins, one.until) for one in find_dates(text, at, past=past)
        ]
    return found


def _times_in(reading: Reading, at: int) -> Times:
    times = Times(
        weekdays={WEEKDAYS[key] for key in reading.keys if key in WEEKDAYS},
        months={MONTHS[key] for key in reading.keys if key in MONTHS},
    )
    for _start, _end, begins, until in times_of(reading.text[:_TIMED], at):
        times.periods.add((begins, until))
        first, last = from_micros(begins), from_micros(until)
        times.months.add(first.month)
        times.numbers.add(str(first.year))
        if last - first <= timedelta(days=1):
            times.weekdays.add(first.weekday())
            times.numbers |= {str(first.day), str(first.month)}
    return times


def nearest(places: list[int], place: int) -> int:
    """The distance from ``place`` to the nearest of ascending ``places``."""
    at = bisect_left(places, place)
    return min(
        (abs(places[i] - place) for i in (at - 1, at) if 0 <= i < len(places)), default=10_000
    )
