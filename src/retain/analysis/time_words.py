"""Words that name months, weekdays, days and spans of time, in several languages."""
# ruff: noqa: E501  (a table is read by its rows)
# fmt: off

from __future__ import annotations

MONTHS: dict[str, int] = {}
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
    MONTHS.update(dict.fromkeys(_names.split(), _number))
# Words of everyday use that are a month only beside a day or a year.
AMBIGUOUS = frozenset(
    "may mar mars march mai mei май sep dec jan jun jul nov oct apr aug feb".split()
)

WEEKDAYS: dict[str, int] = {}
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
    WEEKDAYS.update(dict.fromkeys(_names.split(), _number))

# Whole days from the reference.
DAYS: dict[str, int] = {}
for _offset, _names in (
    (0, "today|tonight|heute|aujourd'hui|aujourd’hui|hoy|oggi|hoje|vandaag|сегодня|今天|今日|오늘"),
    (-1, "yesterday|last night|gestern|hier|ayer|anoche|ieri|ontem|gisteren|вчера|昨天|昨日|어제"),
    (1, "tomorrow|demain|mañana|domani|amanhã|завтра|明天|明日|내일"),
    (-2, "the day before yesterday|vorgestern|avant-hier|anteayer|позавчера|前天|一昨日|그저께"),
    (2, "the day after tomorrow|übermorgen|après-demain|послезавтра|后天|後天|明後日|모레"),
):
    DAYS.update(dict.fromkeys(_names.split("|"), _offset))

# A unit and how many of it from the running one.
UNITS: dict[str, tuple[str, int]] = {}
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
):
    UNITS.update(dict.fromkeys(_names.split("|"), (_unit, _offset)))

NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "",
            "a an one einem einer un une una uno один одну 一",
            "two zwei deux dos due dois два две 二 两 兩",
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
SPAN_UNITS = {
    name: unit
    for unit, names in (
        ("day", "day days tag tagen tage jour jours día días giorno giorni dia dias день дня дней 天 日 일"),
        ("week", "week weeks woche wochen semaine semaines semana semanas settimana settimane неделю недели недель 周 週間 주"),
        ("month", "month months monat monaten mois mes meses mese mesi месяц месяца месяцев 个月 か月 ヶ月 개월"),
        ("year", "year years jahr jahren an ans année années año años anno anni год года лет 年 년"),
    )
    for name in names.split()
}
