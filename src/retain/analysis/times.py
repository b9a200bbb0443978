"""Times that a text names, as intervals, counted from a moment of reference.

Only what can be placed with certainty: dates, months with or without a year, years, and relative
words in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese
and Korean. A bare month or weekday means the latest one that is not after the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from retain.analysis.time_words import (
    AMBIGUOUS,
    DAYS,
    MONTHS,
    NUMBERS,
    SPAN_UNITS,
    UNITS,
    WEEKDAYS,
)
from retain.domain.instant import from_micros, to_micros

_HEAD = 20_000  # characters searched
_ONE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """One named time: where the text names it, and the interval ``[begin, end)`` it means.

    ``begin`` and ``end`` in microseconds since 1970, UTC; characters count from 0.
    """

    start_char: int
    end_char: int
    begin: int
    end: int


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))


def _is_dense(name: str) -> bool:
    """Whether a name is of a script that may be written without spaces."""
    return ord(name[0]) >= 0x500


_MONTH = _either(MONTHS)
_CLEAR_MONTH = _either(name for name in MONTHS if name not in AMBIGUOUS)
_COUNT = rf"\d{{1,3}}|{_either(name for name in NUMBERS if not _is_dense(name))}"
_UNIT = _either(name for name in SPAN_UNITS if not _is_dense(name))
_WEEKDAY = _either(name for name in WEEKDAYS if not _is_dense(name))
_WORDS = _either(name for name in (*DAYS, *UNITS) if not _is_dense(name))
_DENSE_COUNT = rf"\d{{1,3}}|{_either(name for name in NUMBERS if _is_dense(name))}"
_DENSE_UNIT = _either(name for name in SPAN_UNITS if _is_dense(name))
_DENSE_WEEKDAY = _either(name for name in WEEKDAYS if _is_dense(name))
_DENSE_WORDS = _either(name for name in (*DAYS, *UNITS) if _is_dense(name))
_YEAR = r"(?:19|20)\d\d"
_OF = r"(?:of\s+|de\s+|del\s+)?"

_SPACED_FORMS = rf"""(?<![\w]) (?:
      (?P<iso>(?:1[6-9]|20|21)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}})(?!\d)
    | (?P<dotted>\d{{1,2}}\.\s?\d{{1,2}}\.{_YEAR})(?!\d)
    | (?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|er|º|ª)?\s+{_OF}(?P<m1>{_MONTH})\.?(?!\w)
        (?:,?\s*{_OF}(?P<y1>{_YEAR}))?(?!\d)
    | (?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)
        (?:,?\s+(?P<y2>{_YEAR}))?(?!\d)
    | (?P<m3>{_MONTH})\.?,?\s+{_OF}(?P<y3>{_YEAR})(?!\d)
    | (?P<n>{_COUNT})\s+(?:of\s+)?(?P<u>{_UNIT})\s+(?P<back>ago|fa|назад|atrás)(?!\w)
    | (?:vor|il\s+y\s+a|hace|há)\s+(?P<n2>{_COUNT})\s+(?P<u2>{_UNIT})(?!\w)
    | (?P<last>last\s+|this\s+past\s+|letzten\s+|letzter\s+|прошлую\s+|прошлый\s+)?
        (?P<weekday>{_WEEKDAY})(?!\w)(?P<after>\s+(?:dernier|passé|pasado|pasada|scorso|scorsa))?
    | (?P<words>{_WORDS})(?!\w)
    | (?P<month>{_CLEAR_MONTH})(?!\w)
    | (?:in|during|since|last|until|im|en|по|в)\s+(?P<inmonth>{_either(AMBIGUOUS)})
        (?!\w)(?!\.?,?\s+(?:(?:of|de|del)\s+)?\d)
    | (?P<year>{_YEAR})(?![\w-])
    )
"""
_DENSE_FORMS = rf"""
    | (?P<cy>{_YEAR})\s?[年년]\s?
        (?:(?P<cm>\d{{1,2}})\s?[月월]\s?(?:(?P<cd>\d{{1,2}})\s?[日号일])?)?
    | (?P<cm2>\d{{1,2}})\s?[月월]\s?(?P<cd2>\d{{1,2}})\s?[日号號일]
    | (?P<cn>{_DENSE_COUNT})\s?(?P<cu>{_DENSE_UNIT})\s?(?:以?前|전)
    | (?P<before>上个?|上個|先週の?|지난\s?주\s?)?(?P<cweekday>{_DENSE_WEEKDAY})
    | (?P<cwords>{_DENSE_WORDS})
"""
_DENSE_GROUPS = ("cy", "cm", "cd", "cm2", "cd2", "cn", "cu", "before", "cweekday", "cwords")
_FLAGS = re.IGNORECASE | re.VERBOSE
_HINT_WORDS = frozenset(
    word
    for names in (MONTHS, WEEKDAYS, DAYS, UNITS, SPAN_UNITS)
    for name in names
    for word in re.findall(r"[a-z]+", name)
)
_ASCII_WORD = re.compile(r"[a-z]+|\d")


def find_times(text: str, reference: int) -> list[TimeSpan]:
    """Every time that ``text`` names, in order.

    Args:
        text: any text; its first 20,000 characters are searched.
        reference: the moment that relative times count from, microseconds since 1970, UTC.

    Returns:
        Spans that do not overlap. Whole days, weeks (from Monday), months or years, UTC.
    """
    if not may_name_time(text[:_HEAD]):
        return []
    today = from_micros(reference).date()
    found = []
    pattern = _ascii_times() if text.isascii() else _all_times()
    for match in pattern.finditer(text, 0, _HEAD):
        try:
            days = _meaning(match, today)
        except (ValueError, OverflowError):  # no such day, as in 31 June
            continue
        if days is not None:
            first, last = days
            found.append(TimeSpan(match.start(), match.end(), _micros(first), _micros(last)))
    return found


@lru_cache(maxsize=1)  # compiled when first needed: opening a ledger must not wait for it
def _all_times() -> re.Pattern[str]:
    return re.compile(_SPACED_FORMS + _DENSE_FORMS, _FLAGS)


@lru_cache(maxsize=1)
def _ascii_times() -> re.Pattern[str]:
    """The same groups, of which the last can never match: far faster, and all that ASCII needs."""
    return re.compile(
        _SPACED_FORMS + "|(?!)" + "".join(f"(?P<{name}>)" for name in _DENSE_GROUPS),
        _FLAGS | re.ASCII,
    )


def may_name_time(text: str) -> bool:
    """Whether a text has anything that a named time cannot do without: most texts have not."""
    if not text.isascii():
        return True
    found = _ASCII_WORD.findall(text.lower())
    return not _HINT_WORDS.isdisjoint(found) or any(word.isdigit() for word in found)


def _micros(day: date) -> int:
    return to_micros(datetime(day.year, day.month, day.day, tzinfo=UTC))


Days = tuple[date, date]


def _meaning(match: re.Match[str], today: date) -> Days | None:
    """The days ``[first, last)`` that a match of the pattern means."""
    for part, read in _READERS:
        if match[part] is not None:
            return read(match, today)
    return None


def _iso(match: re.Match[str], _today: date) -> Days:
    return _day(date(*map(int, re.split(r"[-/.]", match["iso"]))))


def _dotted(match: re.Match[str], _today: date) -> Days:
    day, month, year = (int(part) for part in match["dotted"].split("."))
    return _day(date(year, month, day))


def _day_and_month(day: str, month: str, year: str) -> Callable[[re.Match[str], date], Days]:
    def read(match: re.Match[str], today: date) -> Days:
        number = _month_number(match[month])
        if match[year]:
            return _day(date(int(match[year]), number, int(match[day])))
        return _day(_latest_day(number, int(match[day]), today))

    return read


def _month_and_year(match: re.Match[str], _today: date) -> Days:
    return _month(int(match["y3"]), _month_number(match["m3"]))


def _bare_month(match: re.Match[str], today: date) -> Days:
    number = _month_number(match["month"] or match["inmonth"])
    return _month(today.year - (number > today.month), number)


def _weekday(match: re.Match[str], today: date) -> Days:
    named = (match["weekday"] or match["cweekday"]).casefold()
    if match["before"]:  # that day of the week before
        return _day(today + (WEEKDAYS[named] - today.weekday() - 7) * _ONE)
    back = (today.weekday() - WEEKDAYS[named]) % 7
    if back == 0 and (match["last"] or match["after"]):
        back = 7
    return _day(today - back * _ONE)


def _words(match: re.Match[str], today: date) -> Days:
    words = re.sub(r"\s+", " ", (match["words"] or match["cwords"]).casefold())
    if words in DAYS:
        return _day(today + DAYS[words] * _ONE)
    unit, offset = UNITS[words]
    if unit == "weekend":
        saturday = today + (5 - today.weekday()) * _ONE + offset * 7 * _ONE
        return saturday, saturday + 2 * _ONE
    return _running(unit, offset, today)


def _back(number: str, unit: str) -> Callable[[re.Match[str], date], Days]:
    def read(match: re.Match[str], today: date) -> Days:
        word = match[number].casefold()
        count = int(word) if word.isdigit() else NUMBERS[word]
        name = SPAN_UNITS[match[unit].casefold()]
        if name == "week":  # "two weeks ago" is about a day, give or take a few
            day = today - 7 * count * _ONE
            return day - 3 * _ONE, day + 4 * _ONE
        return _running(name, -count, today)

    return read


def _chinese(match: re.Match[str], _today: date) -> Days:
    year = int(match["cy"])
    if match["cd"]:
        return _day(date(year, int(match["cm"]), int(match["cd"])))
    if match["cm"]:
        return _month(year, int(match["cm"]))
    return date(year, 1, 1), date(year + 1, 1, 1)


def _chinese_day(match: re.Match[str], today: date) -> Days:
    return _day(_latest_day(int(match["cm2"]), int(match["cd2"]), today))


def _year(match: re.Match[str], _today: date) -> Days:
    year = int(match["year"])
    return date(year, 1, 1), date(year + 1, 1, 1)


def _day(day: date) -> Days:
    return day, day + _ONE


def _month(year: int, month: int) -> Days:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def _latest_day(month: int, day: int, today: date) -> date:
    """The latest such day that is not after today."""
    try:
        named = date(today.year, month, day)
    except ValueError:
        return date(today.year - 1, month, day)
    return named if named <= today else date(today.year - 1, month, day)


def _running(unit: str, offset: int, today: date) -> Days:
    """The day, week, month or year that holds today, moved by a number of them."""
    if unit == "day":
        return _day(today + offset * _ONE)
    if unit == "week":
        monday = today - today.weekday() * _ONE + 7 * offset * _ONE
        return monday, monday + 7 * _ONE
    if unit == "year":
        return date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1)
    months = today.year * 12 + today.month - 1 + offset
    return _month(months // 12, months % 12 + 1)


def _month_number(name: str) -> int:
    return MONTHS[name.casefold()]


_READERS: tuple[tuple[str, Callable[[re.Match[str], date], Days]], ...] = (
    ("iso", _iso),
    ("dotted", _dotted),
    ("m1", _day_and_month("d1", "m1", "y1")),
    ("m2", _day_and_month("d2", "m2", "y2")),
    ("m3", _month_and_year),
    ("back", _back("n", "u")),
    ("n2", _back("n2", "u2")),
    ("weekday", _weekday),
    ("words", _words),
    ("month", _bare_month),
    ("inmonth", _bare_month),
    ("year", _year),
    ("cy", _chinese),
    ("cm2", _chinese_day),
    ("cn", _back("cn", "cu")),
    ("cweekday", _weekday),
    ("cwords", _words),
)
