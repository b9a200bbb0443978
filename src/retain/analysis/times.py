"""Times that a text names, as intervals, counted from a moment of reference.

Only what can be placed with certainty: dates, months with or without a year, years, and relative
words in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese
and Korean. A bare month or weekday means the latest one that is not after the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

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


_MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "january jan januar janvier enero gennaio janeiro januari января январь январе",
        "february feb februar février fevrier febrero febbraio fevereiro februari февраля феврале",
        "march mar märz mars marzo março maart марта март марте",
        "april apr avril abril aprile апреля апрель апреле",
        "may mai mayo maggio maio mei мая май мае",
        "june jun juni juin junio giugno junho июня июнь июне",
        "july jul juli juillet julio luglio julho июля июль июле",
        "august aug août aout agosto augustus августа август августе",
        "september sep sept septembre septiembre settembre setembro сентября сентябрь сентябре",
        "october oct oktober octobre octubre ottobre outubro октября октябрь октябре",
        "november nov novembre noviembre novembro ноября ноябрь ноябре",
        "december dec dezember décembre decembre diciembre dicembre dezembro декабря декабрь декабре",
    ),
    1,
):
    _MONTHS.update(dict.fromkeys(_names.split(), _number))
# Words of everyday use that are a month only beside a day or a year.
_AMBIGUOUS = frozenset("may mar mars march mai mei май sep dec jan jun jul nov oct apr aug feb".split())

_WEEKDAYS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "monday montag lundi lunes lunedì понедельник 星期一 周一 週一 月曜日 월요일",
        "tuesday dienstag mardi martes martedì вторник 星期二 周二 週二 火曜日 화요일",
        "wednesday mittwoch mercredi miércoles mercoledì среду 星期三 周三 週三 水曜日 수요일",
        "thursday donnerstag jeudi jueves giovedì четверг 星期四 周四 週四 木曜日 목요일",
        "friday freitag vendredi viernes venerdì пятницу 星期五 周五 週五 金曜日 금요일",
        "saturday samstag samedi sábado sabato субботу 星期六 周六 週六 土曜日 토요일",
        "sunday sonntag dimanche domingo domenica воскресенье 星期日 星期天 周日 週日 日曜日 일요일",
    )
):
    _WEEKDAYS.update(dict.fromkeys(_names.split(), _number))

# Whole days from the reference.
_DAYS: dict[str, int] = {}
for _offset, _names in (
    (0, "today|tonight|heute|aujourd'hui|aujourd’hui|hoy|oggi|hoje|vandaag|сегодня|今天|今日|오늘"),
    (-1, "yesterday|last night|gestern|hier|ayer|anoche|ieri|ontem|gisteren|вчера|昨天|昨日|어제"),
    (1, "tomorrow|demain|mañana|domani|amanhã|завтра|明天|明日|내일"),
    (-2, "the day before yesterday|vorgestern|avant-hier|anteayer|позавчера|前天|一昨日|그저께"),
    (2, "the day after tomorrow|übermorgen|après-demain|послезавтра|后天|後天|明後日|모레"),
):
    _DAYS.update(dict.fromkeys(_names.split("|"), _offset))

# A unit and how many of it from the running one.
_UNITS: dict[str, tuple[str, int]] = {}
for _unit, _offset, _names in (
    ("week", 0, "this week|diese woche|cette semaine|esta semana|questa settimana|этой неделе|这周|本周|今週|이번 주"),
    ("week", -1, "last week|letzte woche|letzter woche|vorige woche|la semaine dernière|semana pasada|settimana scorsa|semana passada|vorige week|прошлой неделе|上周|上个星期|上週|先週|지난주|지난 주"),
    ("week", 1, "next week|nächste woche|la semaine prochaine|próxima semana|settimana prossima|следующей неделе|下周|下週|来週|다음 주|다음주"),
    ("month", 0, "this month|diesen monat|ce mois-ci|este mes|questo mese|этом месяце|这个月|本月|今月|이번 달"),
    ("month", -1, "last month|letzten monat|le mois dernier|mes pasado|mese scorso|mês passado|прошлом месяце|上个月|上月|先月|지난달|지난 달"),
    ("month", 1, "next month|nächsten monat|le mois prochain|próximo mes|mese prossimo|следующем месяце|下个月|来月|다음 달"),
    ("year", 0, "this year|dieses jahr|cette année|este año|quest'anno|этом году|今年|올해"),
    ("year", -1, "last year|letztes jahr|letzten jahr|l'année dernière|l’année dernière|año pasado|l'anno scorso|ano passado|прошлом году|去年|昨年|작년"),
    ("year", 1, "next year|nächstes jahr|l'année prochaine|próximo año|anno prossimo|следующем году|明年|来年|내년"),
    ("weekend", -1, "last weekend|letztes wochenende|le week-end dernier|上周末|先週末|지난 주말"),
    ("weekend", 0, "this weekend|dieses wochenende|ce week-end|这个周末|今週末|이번 주말"),
):  # fmt: skip
    _UNITS.update(dict.fromkeys(_names.split("|"), (_unit, _offset)))

_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "",
            "a an one einem einer un une una uno один одну 一",
            "two zwei deux dos due dois два две couple 二 两 兩",
            "three drei trois tres tre três три 三",
            "four vier quatre cuatro quattro четыре 四",
            "five fünf cinq cinco cinque пять 五",
            "six sechs seis sei шесть 六",
            "seven sieben sept siete sette семь 七",
            "eight acht huit ocho otto восемь 八",
            "nine neun neuf nueve nove девять 九",
            "ten zehn dix diez dieci десять 十",
        )
    )
    for word in words.split()
}
_SPAN_UNITS = {
    name: unit
    for unit, names in (
        ("day", "day days tag tagen tage jour jours día días giorno giorni dia dias день дня дней 天 日 일"),
        ("week", "week weeks woche wochen semaine semaines semana semanas settimana settimane неделю недели недель 周 週間 주"),
        ("month", "month months monat monaten mois mes meses mese mesi месяц месяца месяцев 个月 か月 ヶ月 개월"),
        ("year", "year years jahr jahren an ans année années año años anno anni год года лет 年 년"),
    )
    for name in names.split()
}  # fmt: skip


def _either(names: Iterator[str] | dict[str, object]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_MONTH = _either(dict.fromkeys(_MONTHS))
_SPACED = "[A-Za-zÀ-ӿ]"
_PATTERN = re.compile(
    rf"""(?<![\w]) (?:
      (?P<iso>(?:1[6-9]|20|21)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}})(?!\d)
    | (?P<dotted>\d{{1,2}}\.\s?\d{{1,2}}\.(?:19|20)\d\d)(?!\d)
    | (?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|er|º|ª)?\s+(?:of\s+|de\s+)?(?P<m1>{_MONTH})\.?(?!\w)
        (?:,?\s*(?:of\s+|de\s+|del\s+)?(?P<y1>(?:19|20)\d\d))?(?!\d)
    | (?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<y2>(?:19|20)\d\d))?(?!\d)
    | (?P<m3>{_MONTH})\.?,?\s+(?:of\s+|de\s+|del\s+)?(?P<y3>(?:19|20)\d\d)(?!\d)
    | (?P<n>\d{{1,3}}|{_either(dict.fromkeys(_NUMBERS))})\s+(?:of\s+)?
        (?P<u>{_either(dict.fromkeys(_SPAN_UNITS))})\s+(?P<back>ago|fa|назад|atrás)(?!\w)
    | (?:vor|il\s+y\s+a|hace|há)\s+(?P<n2>\d{{1,3}}|{_either(dict.fromkeys(_NUMBERS))})\s+
        (?P<u2>{_either(dict.fromkeys(_SPAN_UNITS))})(?!\w)
    | (?P<last>last\s+|this\s+past\s+|letzten\s+|letzter\s+|прошлую\s+|прошлый\s+)?
        (?P<weekday>{_either(dict.fromkeys(n for n in _WEEKDAYS if n.isalpha() and ord(n[0]) < 0x500))})
        (?!\w)(?P<after>\s+(?:dernier|passé|pasado|pasada|scorso|scorsa))?
    | (?P<words>{_either(dict.fromkeys(n for n in (*_DAYS, *_UNITS) if ord(n[0]) < 0x500))})(?!\w)
    | (?P<month>{_either(dict.fromkeys(n for n in _MONTHS if n not in _AMBIGUOUS))})(?!\w)
    | (?:in|during|since|last|until|im|en|по|в)\s+(?P<inmonth>{_either(dict.fromkeys(_AMBIGUOUS))})
        (?!\w)(?!\.?,?\s+(?:(?:of|de|del)\s+)?\d)
    | (?P<year>(?:19|20)\d\d)(?![\w-])
    )
    | (?P<cy>(?:19|20)\d\d)\s?[年년]\s?(?:(?P<cm>\d{{1,2}})\s?[月월]\s?(?:(?P<cd>\d{{1,2}})\s?[日号일])?)?
    | (?P<cm2>\d{{1,2}})\s?[月월]\s?(?P<cd2>\d{{1,2}})\s?[日号號일]
    | (?P<cn>\d{{1,3}}|[一二两兩三四五六七八九十])\s?(?P<cu>天|日|周|週間|个月|か月|ヶ月|年|일|주|개월|년)\s?(?:以?前|전)
    | (?P<before>上个?|上個|先週の?|지난\s?주\s?)?(?P<cweekday>{_either(dict.fromkeys(n for n in _WEEKDAYS if ord(n[0]) >= 0x500))})
    | (?P<cwords>{_either(dict.fromkeys(n for n in (*_DAYS, *_UNITS) if ord(n[0]) >= 0x500))})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HINT_WORDS = frozenset(
    word
    for names in (_MONTHS, _WEEKDAYS, _DAYS, _UNITS, _SPAN_UNITS)
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
    for match in _PATTERN.finditer(text, 0, _HEAD):
        try:
            days = _meaning(match, today)
        except (ValueError, OverflowError):  # no such day, as in 31 June
            continue
        if days is not None:
            first, last = days
            found.append(TimeSpan(match.start(), match.end(), _micros(first), _micros(last)))
    return found


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
        return _day(today + (_WEEKDAYS[named] - today.weekday() - 7) * _ONE)
    back = (today.weekday() - _WEEKDAYS[named]) % 7
    if back == 0 and (match["last"] or match["after"]):
        back = 7
    return _day(today - back * _ONE)


def _words(match: re.Match[str], today: date) -> Days:
    words = re.sub(r"\s+", " ", (match["words"] or match["cwords"]).casefold())
    if words in _DAYS:
        return _day(today + _DAYS[words] * _ONE)
    unit, offset = _UNITS[words]
    if unit == "weekend":
        saturday = today + (5 - today.weekday()) * _ONE + offset * 7 * _ONE
        return saturday, saturday + 2 * _ONE
    return _running(unit, offset, today)


def _back(number: str, unit: str) -> Callable[[re.Match[str], date], Days]:
    def read(match: re.Match[str], today: date) -> Days:
        word = match[number].casefold()
        count = int(word) if word.isdigit() else _NUMBERS[word]
        name = _SPAN_UNITS[match[unit].casefold()]
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
    return _MONTHS[name.casefold()]


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
