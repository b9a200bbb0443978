"""Time expressions in a text, resolved against the moment it was said.

Calendar days are those of UTC. What a bare weekday or a day without a year means depends on the
tense around it, so callers say whether the text looks back (``past``). "Next Friday" is the Friday
of the following calendar week (Monday to Sunday); "this Friday" and "on Friday" the coming one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from retain.domain.instant import from_micros, to_micros

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2}

# Words for days near today, by language; a word that may mean two days ("कल") is left out.
_DAY_WORDS: dict[str, int] = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "yesterday": -1, "last night": -1,
    "the day before yesterday": -2,
    "heute": 0, "übermorgen": 2, "gestern": -1, "vorgestern": -2,
    "hoy": 0, "pasado mañana": 2, "ayer": -1, "anteayer": -2,
    "aujourd'hui": 0, "demain": 1, "après-demain": 2, "hier": -1, "avant-hier": -2,
    "hoje": 0, "amanhã": 1, "ontem": -1, "anteontem": -2,
    "oggi": 0, "domani": 1, "dopodomani": 2, "ieri": -1,
    "сегодня": 0, "завтра": 1, "послезавтра": 2, "вчера": -1, "позавчера": -2,
    "今天": 0, "明天": 1, "后天": 2, "昨天": -1, "前天": -2,
    "今日": 0, "明日": 1, "明後日": 2, "昨日": -1, "一昨日": -2,
    "오늘": 0, "내일": 1, "모레": 2, "어제": -1, "그저께": -2,
    "आज": 0, "غدا": 1, "غدًا": 1, "أمس": -1, "اليوم": 0,
}  # fmt: skip

_MONTH = r"(?P<month{0}>" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in _MONTHS) + r"|sept)\.?"
_YEAR = r"(?:,?\s+(?:in\s+|of\s+)?(?P<year{0}>(?:19|20)\d\d))?"
_COUNT = (
    r"(?P<count{0}>\d{{1,3}}|a couple(?: of)?|an?|"
    + "|".join(word for word in _NUMBERS if word.isalpha())
    + ")"
)
_WEEKDAY = r"(?P<weekday{0}>" + "|".join(_WEEKDAYS) + ")"


def _pattern() -> re.Pattern[str]:
    words = sorted(_DAY_WORDS, key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in words if word[0] < "\u0600")
    other = "|".join(re.escape(word) for word in words if word[0] >= "\u0600")
    alternatives = (
        r"(?P<iso>\b(?:19|20)\d\d-\d\d-\d\d\b)",
        r"(?P<cjk>(?:(?P<cjk_year>(?:19|20)\d\d)\s?[年년]\s?)?(?P<cjk_month>\d{1,2})\s?[月월]\s?"
        r"(?P<cjk_day>\d{1,2})\s?[日号日일])",
        r"(?P<dotted>\b\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b)",
        rf"(?P<near>\b(?:{latin})\b|{other})",
        r"(?P<day_month>\b(?:the\s+)?(?P<day1>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?"
        + _MONTH.format(1) + r"\b" + _YEAR.format(1) + ")",
        r"(?P<month_day>\b" + _MONTH.format(2) + r"\s+(?:the\s+)?(?P<day2>\d{1,2})"
        r"(?:st|nd|rd|th)?\b(?!:)" + _YEAR.format(2) + ")",
        r"(?P<ago>\b" + _COUNT.format(1) + r"\s+(?P<unit1>day|week|month|year)s?\s+ago\b)",
        r"(?P<ahead>\bin\s+" + _COUNT.format(2) + r"\s+(?P<unit2>day|week|month|year)s?(?:'|\b)"
        r"(?:\s+time\b)?)",
        r"(?P<of_week>\b(?P<which>this\s+coming|this\s+past|coming|past|last|next|this)\s+"
        + _WEEKDAY.format(1) + r"\b)",
        r"(?P<of_unit>\b(?P<which2>last|next|this)\s+(?P<unit3>week(?:end)?|month|year)\b)",
        r"(?P<bare_day>\b(?:on\s+)" + _WEEKDAY.format(2) + r"\b)",
        r"(?P<month_year>\b(?:in\s+)?" + _MONTH.format(3)
        + r"\s+(?:of\s+)?(?P<year3>(?:19|20)\d\d)\b)",
        r"(?P<in_year>\bin\s+(?P<year4>(?:19|20)\d\d)\b)",
    )  # fmt: skip
    return re.compile("|".join(alternatives), re.IGNORECASE)


_EXPRESSION = _pattern()
# Without a digit or one of these, a text in ASCII names no time; most texts are told by that.
_HINTS = (
    "day week month year night tomorrow morning afternoon evening"
    " hoy ayer demain hier hoje ontem oggi domani ieri heute gestern"
).split()


@dataclass(frozen=True, slots=True)
class When:
    """A resolved time expression: where it stands, and the half-open period it names."""

    start: int
    end: int
    begins: int
    until: int
    unit: str  # day, week, month, year

    @property
    def iso(self) -> str:
        """The period as ISO 8601 of its own precision: ``2024-06-14``, ``2024-06``, ``2024``."""
        day = from_micros(self.begins).date().isoformat()
        return {"month": day[:7], "year": day[:4]}.get(self.unit, day)

    @property
    def spoken(self) -> str:
        """The period in English words: ``14 June 2024``, ``June 2024``, ``the week of ...``."""
        first = from_micros(self.begins)
        month = _MONTHS[first.month - 1].title()
        if self.unit == "year":
            return str(first.year)
        if self.unit == "month":
            return f"{month} {first.year}"
        day = f"{first.day} {month} {first.year}"
        return {"week": f"the week of {day}", "weekend": f"the weekend of {day}"}.get(
            self.unit, day
        )

    @property
    def adverbial(self) -> str:
        """``spoken`` with the preposition that English puts before it."""
        return f"{'on' if self.unit == 'day' else 'in' if self.unit != 'weekend' else 'on'} " + (
            self.spoken
        )


def find_dates(text: str, at: int, *, past: bool = False) -> list[When]:
    """The time expressions of ``text`` said at ``at`` (microseconds), in order.

    ``past`` tells that the text looks back: a bare weekday is then the one before, else the coming.
    Expressions that name no real day ("31 June") are left out.
    """
    if not _may_name_time(text):
        return []
    today = from_micros(at).date()
    found: list[When] = []
    for match in _EXPRESSION.finditer(text):
        name = next(name for name in _RESOLVERS if match.group(name) is not None)
        try:
            period = _RESOLVERS[name](match, today, past)
        except (ValueError, OverflowError):  # no such day, or beyond the calendar
            continue
        if period is None:
            continue
        first, until, unit = period
        found.append(When(match.start(), match.end(), _micros(first), _micros(until), unit))
    return found


def _may_name_time(text: str) -> bool:
    lower = text.lower()
    return (
        not text.isascii()
        or any(hint in lower for hint in _HINTS)
        or any(digit in text for digit in "0123456789")
    )


_Period = tuple[date, date, str]
_Resolver = Callable[["re.Match[str]", date, bool], "_Period | None"]


def _micros(day: date) -> int:
    return to_micros(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _day(day: date) -> _Period:
    return day, day + timedelta(days=1), "day"


def _month(year: int, month: int) -> _Period:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following, "month"


def _year(year: int) -> _Period:
    return date(year, 1, 1), date(year + 1, 1, 1), "year"


def _week_of(day: date) -> _Period:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7), "week"


def _weekend_of(day: date) -> _Period:
    saturday = day - timedelta(days=day.weekday()) + timedelta(days=5)
    return saturday, saturday + timedelta(days=2), "weekend"


def _month_number(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word.lower()[:3]))


def _yearless(month: int, day: int, today: date, past: bool) -> date:
    """The nearest such day in the direction the text looks, today included."""
    for year in range(today.year, today.year + (-9 if past else 9), -1 if past else 1):
        try:
            found = date(year, month, day)
        except ValueError:  # 29 February in a common year
            continue
        if (found <= today) if past else (found >= today):
            return found
    raise ValueError(f"no day {day} in month {month}")


def _calendar(match: re.Match[str], today: date, past: bool, number: str) -> _Period:
    month = _month_number(match.group(f"month{number}"))
    day = int(match.group(f"day{number}"))
    year = match.group(f"year{number}")
    return _day(date(int(year), month, day) if year else _yearless(month, day, today, past))


def _cjk(match: re.Match[str], today: date, past: bool) -> _Period:
    month, day = int(match.group("cjk_month")), int(match.group("cjk_day"))
    year = match.group("cjk_year")
    return _day(date(int(year), month, day) if year else _yearless(month, day, today, past))


def _dotted(match: re.Match[str], _today: date, _past: bool) -> _Period:
    day, month, year = (int(part) for part in match.group().split("."))
    return _day(date(year, month, day))


def _near(match: re.Match[str], today: date, _past: bool) -> _Period:
    return _day(today + timedelta(days=_DAY_WORDS[match.group().lower()]))


def _shifted(today: date, count: int, unit: str) -> _Period:
    if unit == "day":
        return _day(today + timedelta(days=count))
    if unit == "week":
        return _week_of(today + timedelta(weeks=count))
    if unit == "month":
        months = today.year * 12 + today.month - 1 + count
        return _month(months // 12, months % 12 + 1)
    return _year(today.year + count)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _of_week(match: re.Match[str], today: date, past: bool) -> _Period:
    which = match.group("which").lower()
    target = _WEEKDAYS.index(match.group("weekday1").lower())
    if which == "next":
        monday = today - timedelta(days=today.weekday())
        return _day(monday + timedelta(days=7 + target))
    if "past" in which or which == "last":
        return _day(today - timedelta(days=(today.weekday() - target - 1) % 7 + 1))
    return _bare(target, today, past and "coming" not in which)


def _bare(target: int, today: date, past: bool) -> _Period:
    """The nearest such weekday; who means this very day says "today"."""
    ahead = (target - today.weekday() - 1) % 7 + 1
    return _day(today + timedelta(days=ahead if not past else -((-ahead) % 7 or 7)))


def _of_unit(match: re.Match[str], today: date, _past: bool) -> _Period:
    count = {"last": -1, "this": 0, "next": 1}[match.group("which2").lower()]
    unit = match.group("unit3").lower()
    if unit == "weekend":
        return _weekend_of(today + timedelta(weeks=count))
    return _shifted(today, count, unit)


_RESOLVERS: dict[str, _Resolver] = {
    "iso": lambda m, _t, _p: _day(date.fromisoformat(m.group())),
    "cjk": _cjk,
    "dotted": _dotted,
    "near": _near,
    "day_month": lambda m, t, p: _calendar(m, t, p, "1"),
    "month_day": lambda m, t, p: _calendar(m, t, p, "2"),
    "ago": lambda m, t, _p: _shifted(t, -_count(m.group("count1")), m.group("unit1").lower()),
    "ahead": lambda m, t, _p: _shifted(t, _count(m.group("count2")), m.group("unit2").lower()),
    "of_week": _of_week,
    "of_unit": _of_unit,
    "bare_day": lambda m, t, p: _bare(_WEEKDAYS.index(m.group("weekday2").lower()), t, p),
    "month_year": lambda m, _t, _p: _month(int(m.group("year3")), _month_number(m.group("month3"))),
    "in_year": lambda m, _t, _p: _year(int(m.group("year4"))),
}
