"""Small signs in a text that a ranking can use: it ends in a question, it speaks of a time."""

from __future__ import annotations

import re

ENDS_IN_QUESTION = 1
SPEAKS_OF_TIME = 2

_QUESTION_END = re.compile(r"[?？؟;]['\"”’»)\]\s]*\Z")
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff]\s*;\s*\Z")
_TIME = re.compile(
    r"""\b(?:
      (?:yester|to)day|tonight|tomorrow|(?:last|next|this)\s+(?:night|week|month|year|weekend|
      spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|ago|recently|
      (?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|(?:19|20)\d\d|
      january|february|march|april|june|july|august|september|october|november|december|
      (?:a\ few|couple\ of|\d+)\s+(?:days?|weeks?|months?|years?)|years?|months?|weeks?|
      gestern|heute|morgen|vorgestern|letzte[nrs]?|nächste[nrs]?|woche|monate?|jahre?n?|
      montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|
      juli|oktober|dezember|
      hier|aujourd|demain|dernière?|prochaine?|semaine|mois|lundi|mardi|mercredi|jeudi|vendredi|
      samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|décembre|
      ayer|hoy|mañana|anoche|semana|mes|año|años|lunes|martes|miércoles|jueves|viernes|sábado|
      domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|
      diciembre|ontem|hoje|amanhã|ano|ieri|oggi|domani|settimana|mese|anno|
      вчера|сегодня|завтра|недел[яюи]|месяц\w*|год\w?|назад
      )\b
      |昨天|今天|明天|前天|上周|下周|上个?月|去年|今年|明年|星期|周末|[0-9０-９]+[年月日号]
      |昨日|今日|明日|先週|来週|先月|来月|曜日
      |어제|오늘|내일|지난|다음\s*주|작년|올해|요일|[0-9]+[년월일]
      |कल|आज|परसों|पिछले|अगले|हफ़?्ते|महीने|साल
      |أمس|اليوم|غدا|الأسبوع|الشهر|السنة
      |\b\d{1,2}[:.]\d\d\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASCII_WORD = re.compile(r"[a-z]+|\d")
_TIME_WORDS = frozenset(
    word + end
    for word in (*_ASCII_WORD.findall(_TIME.pattern.lower()), "yesterday", "today")
    if len(word) > 2 and word not in ("few", "couple", "last", "next", "this", "yester")
    for end in ("", "day", "days", "e", "n", "r", "s")  # what the pattern may have behind a word
) | frozenset("0123456789")
_ASKS_WHEN = re.compile(
    r"""\b(?:when|what\s+(?:date|day|month|year|time)|which\s+(?:date|day|month|year|week)|
      how\s+long|how\s+many\s+(?:days|weeks|months|years)|wann|seit\s+wann|quand|cuándo|cuando|
      quando|когда)\b
      |什么时候|什麼時候|几时|何时|哪天|哪年|几月|いつ|何年|何月|何日|언제|कब|متى|เมื่อไหร่|เมื่อไร""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = 200  # characters that can decide about the end
_HEAD = 20_000  # characters searched for a time


def cues(text: str) -> int:
    """The bit set of cues in a text."""
    found = 0
    tail = text[-_TAIL:]
    if _QUESTION_END.search(tail) and (
        not tail.rstrip().endswith(";") or _GREEK_QUESTION.search(tail)
    ):
        found |= ENDS_IN_QUESTION
    if _may_speak_of_time(text[:_HEAD]) and _TIME.search(text, 0, _HEAD):
        found |= SPEAKS_OF_TIME
    return found


def _may_speak_of_time(text: str) -> bool:
    """Whether a text has a word or digit that the pattern needs: far cheaper than the pattern."""
    if not text.isascii():
        return True
    found = _ASCII_WORD.findall(text.lower())
    return not _TIME_WORDS.isdisjoint(found)


def asks_when(query: str) -> bool:
    """Whether a query asks for a time."""
    return _ASKS_WHEN.search(query) is not None
