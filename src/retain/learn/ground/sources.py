"""The texts that a candidate cites, read for what they can support."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from datetime import timedelta

from retain.analysis.time_words import MONTHS, WEEKDAYS
from retain.analysis.times import find_times, may_name_time
from retain.domain.instant import from_micros
from retain.learn.dates import find_dates
from retain.learn.ground.lexicon import KIN
from retain.learn.ground.reading import Reading, read

_PREFIX = 5  # letters that two words share at least, to be forms of one word
_TIMED = 4_000  # characters of a text searched for times


@dataclass(slots=True)
class Source:
    """One cited text. ``primary`` is false for what only stands around the quotes."""

    reading: Reading
    at: int
    role: str
    speaker: str | None
    primary: bool
    prefixes: dict[str, str] = field(default_factory=dict)
    kin: set[int] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    periods: set[tuple[int, int]] = field(default_factory=set)
    numbers: dict[str, set[str]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    names: frozenset[str] = frozenset()


def source_of(
    text: str, at: int, role: str, speaker: str | None = None, *, primary: bool = True
) -> Source:
    """Read a text as a source, said at ``at`` (microseconds) by ``speaker``."""
    reading = read(text)
    source = Source(reading, at, role, speaker, primary)
    source.names = frozenset(read(speaker).keys) if speaker else frozenset()
    source.keys = set(reading.keys)
    for key in source.keys:
        if len(key) >= _PREFIX and key[0] >= "A":
            source.prefixes.setdefault(key[:_PREFIX], key)
        if key in KIN:
            source.kin.add(KIN[key])
        if key in WEEKDAYS:
            source.weekdays.add(WEEKDAYS[key])
        if key in MONTHS:
            source.months.add(MONTHS[key])
    for number in reading.numbers:
        for value in _values(number.value, number.surface, number.unit):
            source.numbers.setdefault(value, set()).add(number.unit)
    _add_times(source, text[:_TIMED])
    return source


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


def _add_times(source: Source, text: str) -> None:
    for _start, _end, begins, until in times_of(text, source.at):
        source.periods.add((begins, until))
        try:
            first, last = from_micros(begins), from_micros(until)
        except (ValueError, OverflowError):
            continue
        day = first
        source.months.add(first.month)
        source.numbers.setdefault(str(first.year), set()).add("")
        if last - first <= timedelta(days=1):
            source.weekdays.add(day.weekday())
            source.numbers.setdefault(str(day.day), set()).add("date")
            source.numbers.setdefault(str(day.month), set()).add("date")


def nearest(places: list[int], place: int) -> int:
    """The distance from ``place`` to the nearest of ascending ``places``."""
    at = bisect_left(places, place)
    return min((abs(places[i] - place) for i in (at - 1, at) if 0 <= i < len(places)), default=10_000)
