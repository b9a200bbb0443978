"""Small signs in a text that a ranking can use: it ends in a question, it speaks of a time."""

from __future__ import annotations

import re
from collections.abc import Iterable

ENDS_IN_QUESTION = 1
SPEAKS_OF_TIME = 2

_QUESTION_END = re.compile(r"[?？؟;]['\"”’»)\]\s]*\Z")
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff]\s*;\s*\Z")
# Words that speak of a time by themselves, each form for itself.
_TIME_WORDS = """
yesterday today tonight tomorrow ago recently weekend
monday tuesday wednesday thursday friday saturday sunday
mondays tuesdays wednesdays thursdays fridays saturdays sundays
january february march april june july august september october november december
year years month months week weeks
gestern heute morgen vorgestern letzte letzten letzter letztes nächste nächsten nächster nächstes
woche wochen monat monate jahr jahre jahren montag dienstag mittwoch donnerstag freitag samstag
sonntag januar februar märz mai juni juli oktober dezember
hier aujourd demain dernier dernière prochain prochaine semaine mois lundi mardi mercredi jeudi
vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre décembre
ayer hoy mañana anoche semana mes año años lunes martes miércoles jueves viernes sábado domingo
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
ontem hoje amanhã ano ieri oggi domani settimana mese anno
вчера сегодня завтра неделя неделю недели назад
""".split()
# Words that do so only with another word or a number next to them; each needs one of these.
_PHRASE_WORDS = frozenset("last next this few couple day days".split())
_PHRASE = (
    r"(?:last|next|this)\s+(?:night|spring|summer|autumn|fall|winter)"
    r"|(?:a\ few|couple\ of|\d+)\s+days?"
)
_NUMERIC = r"(?:19|20)\d\d|\d{1,2}[:.]\d\d|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}"
_TIME = re.compile(
    rf"\b(?:{'|'.join(_TIME_WORDS)}|{_PHRASE}|{_NUMERIC}|месяц\w*|год\w?)\b"
    r"""|昨天|今天|明天|前天|上周|下周|上个?月|去年|今年|明年|星期|周末|[0-9０-９]+[年月日号]
      |昨日|今日|明日|先週|来週|先月|来月|曜日
      |어제|오늘|내일|지난|다음\s*주|작년|올해|요일|[0-9]+[년월일]
      |कल|आज|परसों|पिछले|अगले|हफ़?्ते|महीने|साल
      |أمس|اليوم|غدا|الأسبوع|الشهر|السنة
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASCII_TIME = re.compile(rf"\b(?:{_PHRASE}|{_NUMERIC})\b", re.VERBOSE)
_WORD_SET = frozenset(_TIME_WORDS)
_ASCII_WORD = re.compile(r"\w+")
# What every numeric time holds, found by its first digit: a year, or digits beside a sign.
_NUMERIC_HINT = re.compile(r"\d(?:(?<=[12])[09]\d\d|[:./-]\d)")
_ASKS_WHEN = re.compile(
    r"""\b(?:when|what\s+(?:date|day|month|year|time)|which\s+(?:date|day|month|year|week)|
      how\s+long|how\s+many\s+(?:days|weeks|months|years)|wann|seit\s+wann|quand|cuándo|cuando|
      quando|когда)\b
      |什么时候|什麼時候|几时|何时|哪天|哪年|几月|いつ|何年|何月|何日|언제|कब|متى|เมื่อไหร่|เมื่อไร""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = 200  # characters that can decide about the end
_HEAD = 20_000  # characters searched for a time


def cues(text: str, words: Iterable[str] | None = None) -> int:
    """The bit set of cues in a text; ``words`` as ``speaks_of_time`` takes them."""
    found = 0
    tail = text[-_TAIL:]
    if _QUESTION_END.search(tail) and (
        not tail.rstrip().endswith(";") or _GREEK_QUESTION.search(tail)
    ):
        found |= ENDS_IN_QUESTION
    if speaks_of_time(text[:_HEAD], words if len(text) <= _HEAD else None):
        found |= SPEAKS_OF_TIME
    return found


def speaks_of_time(text: str, words: Iterable[str] | None = None) -> bool:
    """Whether a text names a time: a day, a month, a year, an hour, "last week", "3 days ago".

    Args:
        text: any text.
        words: its words in lower case, where the caller has them already; of ASCII text without
            underscores only.
    """
    if not text.isascii():
        return _TIME.search(text) is not None
    # The same, but far cheaper where there are no other letters: words are looked up.
    found = set(_ASCII_WORD.findall(text.lower()) if words is None else words)
    if not _WORD_SET.isdisjoint(found):
        return True
    if _PHRASE_WORDS.isdisjoint(found) and not _NUMERIC_HINT.search(text):
        return False
    return _ASCII_TIME.search(text.lower()) is not None


def asks_when(query: str) -> bool:
    """Whether a query asks for a time."""
    return _ASKS_WHEN.search(query) is not None
