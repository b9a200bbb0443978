# ruff: noqa: E501 (patterns read best in one piece)
"""True statements made false, one change at a time, by rules that say when a change is none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from retain.evaluation.datasets.facts import Fact


@dataclass(frozen=True, slots=True)
class Pool:
    """What a change may borrow from: the facts of the same part, and the names in them."""

    facts: Sequence[Fact]
    names: frozenset[str]


# A change gives the false statement, or None where the fact has nothing of the kind.
Alteration = Callable[[Fact, Pool, random.Random], str | None]

_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_KOREAN_WEEKDAYS = "월요일 화요일 수요일 목요일 금요일 토요일 일요일".split()
_OPPOSITE_DAYS = {"today": "tomorrow", "tomorrow": "yesterday", "yesterday": "tomorrow",
                  "tonight": "tomorrow night", "오늘": "내일", "내일": "어제"}  # fmt: skip
_DATE = re.compile(
    r"(?P<iso>\b\d{4}-\d\d-\d\d\b)"
    rf"|(?P<weekday>\b(?:{'|'.join(_WEEKDAYS)})\b|{'|'.join(_KOREAN_WEEKDAYS)})"
    rf"|(?P<month_day>\b(?:{'|'.join(_MONTHS)})\s\d{{1,2}}\b)|(?P<day_month>\b\d{{1,2}}\s(?:{'|'.join(_MONTHS)})\b)"
    r"|(?P<korean>\d{1,2}월 \d{1,2}일)|(?P<near>\b(?:today|tomorrow|yesterday|tonight)\b|오늘|내일)"
    r"|(?P<year>\b(?:19|20)\d\d\b)",
    re.IGNORECASE,
)
# A number that is not part of a word or a longer number, and does not count the points of a list.
_NUMBER = re.compile(
    r"(?<![\w.,:/-])\d+(?:[.,]\d+)*(?![\w/-]|[.,:]\d)(?!\.\s)(?!\)\s)|(?<!\w)\d+(?=%|°|kg|k\b)"
)
_NAME = re.compile(
    r"(?<=[\w,)'\"] )[A-ZÀ-Þ][a-zà-ÿ]{2,}(?!\w)|(?<![A-Za-z])[A-Z][a-z]{2,}(?=[가-힣])"
)
_NO_NAMES = frozenset(
    "user users assistant the this and for with was has are its their".split()
) | {one.lower() for one in (*_WEEKDAYS, *_MONTHS)}
_NEGATION = re.compile(
    r"\b(?:does|do|did|is|are|was|were|has|have|had|will|would|should|could|can) not\b ?"
    r"|\bcannot\b|\bnot\b ?|\bnever\b ?|\bno longer\b ?",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|has been|have been|has|have|will|would|should|could|can|must)\b(?! not\b| no\b)"
)
_THIRD_PERSON = re.compile(
    r"^(?P<who>(?:The )?(?:User|Assistant|[A-Z]\w+(?: [A-Z]\w+)?)) (?P<verb>[a-z]{2,}s)\b"
)
_OPENING = re.compile(
    r"^(?P<verb>Will|Confirmed|Decided|Chose|Using|Switching|Building|Adopting|Adjusting)\b"
)
_STEMS = {
    "has": "have",
    "does": "do",
    "goes": "go",
    "is": "be",
    "wishes": "wish",
    "focuses": "focus",
}
_KOREAN_ENDINGS = (
    ("지 않는다", "는다"), ("지 않을 것이다", "을 것이다"), ("지 않습니다", "습니다"),
    ("한다.", "하지 않는다."), ("했다.", "하지 않았다."), ("합니다.", "하지 않습니다."),
    ("할 것이다.", "하지 않을 것이다."), ("입니다.", "이 아닙니다."), ("이다.", "이 아니다."),
    ("있다.", "있지 않다."), ("된다.", "되지 않는다."), ("되었다.", "되지 않았다."),
    ("났다.", "나지 않았다."), ("겠다.", "지 않겠다."), ("시킨다.", "시키지 않는다."),
)  # fmt: skip
_HALF = re.compile(
    r"[;,] | (?:and|because|with|for|to|by|over|rather|than|as|in|on|at|of|from|that) "
)
_SMALL = re.compile(r"(?<![^\W_])[a-zà-ÿ]{3,}(?![^\W_])")
_CONTENT = re.compile(r"[^\W\d_]{4,}|[가-힣]{2,}|\d+")
_MOST_SHARED = 0.8  # of a half's words: with more in the source, nothing foreign was joined


def change_number(fact: Fact, _pool: Pool, rng: random.Random) -> str | None:
    """Another number of the same length in place of one that is no date and no point of a list."""
    dated = [match.span() for match in _DATE.finditer(fact.statement)]
    found = [
        match
        for match in _NUMBER.finditer(fact.statement)
        if not any(start <= match.start() < end for start, end in dated)
    ]
    if not found:
        return None
    match = rng.choice(found)
    return _replaced(fact.statement, match, _other_number(match.group(), rng))


def _other_number(raw: str, rng: random.Random) -> str:
    digits = [at for at, one in enumerate(raw) if one.isdigit()]
    while True:
        changed = list(raw)
        for at in digits[:2]:
            changed[at] = str(rng.randrange(1 if at == 0 else 0, 10))
        if "".join(changed) != raw:
            return "".join(changed)


def swap_name(fact: Fact, pool: Pool, rng: random.Random) -> str | None:
    """Another fact's name in place of one."""
    mine = [one for one in _capitalised(fact.statement) if one.group() in pool.names]
    words = fact.statement.casefold()
    others = sorted(one for one in pool.names if one.casefold() not in words)
    if not mine or not others:
        return None
    return _replaced(fact.statement, rng.choice(mine), rng.choice(others))


def pool_of(facts: Sequence[Fact]) -> Pool:
    """The facts with the names in them: capitalised inside a sentence, and never written small."""
    texts = {turn.content for fact in facts for turn in fact.turns}
    small = {word for text in texts for word in _SMALL.findall(text)}
    small |= {word for fact in facts for word in _SMALL.findall(fact.statement)}
    found = {one.group() for fact in facts for one in _capitalised(fact.statement)}
    return Pool(facts, frozenset(one for one in found if one.lower() not in small))


def _capitalised(statement: str) -> list[re.Match[str]]:
    return [one for one in _NAME.finditer(statement) if one.group().lower() not in _NO_NAMES]


def negate(fact: Fact, _pool: Pool, _rng: random.Random) -> str | None:
    """The first negation taken out; where there is none, the main verb negated."""
    text = fact.statement
    if re.search("[가-힣]", text):
        return _negated_korean(text)
    match = _NEGATION.search(text)
    if match and not re.match(r"not (?:only|just|yet)", text[match.start() :], re.IGNORECASE):
        return _affirmed(text, match)
    auxiliary, verb = _AUXILIARY.search(text), _THIRD_PERSON.search(text)
    if (
        verb
        and verb["verb"] not in ("is", "has", "was")
        and (not auxiliary or verb.end() <= auxiliary.start())
    ):
        return f"{verb['who']} does not {_infinitive(verb['verb'])}{text[verb.end() :]}"
    if auxiliary:
        return f"{text[: auxiliary.end()]} not{text[auxiliary.end() :]}"
    opening = _OPENING.match(text)
    if opening:
        rest = text[opening.end() :]
        return (
            f"Will not{rest}" if opening["verb"] == "Will" else f"Not {text[0].lower()}{text[1:]}"
        )
    return None


def _affirmed(text: str, match: re.Match[str]) -> str:
    found = match.group().lower().split()
    kept = {"does": "", "do": "", "did": "", "cannot": "can "}.get(found[0])
    if kept is None:
        kept = f"{found[0]} " if found[-1] == "not" and len(found) == 2 else ""
    return f"{text[: match.start()]}{kept}{text[match.end() :].lstrip()}"


def _infinitive(verb: str) -> str:
    if verb in _STEMS:
        return _STEMS[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1]


def _negated_korean(text: str) -> str | None:
    text = text if text.endswith(".") else f"{text}."
    for ending, other in _KOREAN_ENDINGS:
        if ending.endswith("."):
            if text.endswith(ending):
                return text.removesuffix(ending) + other
        elif ending in text:
            return text.replace(ending, other, 1)
    return None


def shift_date(fact: Fact, _pool: Pool, rng: random.Random) -> str | None:
    """Another day, month, weekday or year in place of one."""
    found = list(_DATE.finditer(fact.statement))
    if not found:
        return None
    match = rng.choice(found)
    kind, text = match.lastgroup or "", match.group()
    return _replaced(fact.statement, match, _SHIFTS[kind](text, rng))


def _other(of: Sequence[str], text: str, rng: random.Random) -> str:
    return rng.choice([one for one in of if one.lower() != text.lower()])


def _shifted_day(text: str, rng: random.Random) -> str:
    day = int(re.search(r"\d+(?!월)(?=\D*$)", text).group())  # type: ignore[union-attr]
    other = rng.choice([one for one in range(1, 29) if one != day])
    return re.sub(r"\d+(?!월)(?=\D*$)", str(other), text)


def _shifted_iso(text: str, rng: random.Random) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days=rng.randrange(1, 60))).isoformat()
    except ValueError:
        return f"{text[:-2]}{rng.randrange(10, 29)}"


_SHIFTS: dict[str, Callable[[str, random.Random], str]] = {
    "iso": _shifted_iso,
    "weekday": lambda text, rng: _other(
        _WEEKDAYS if text.isascii() else _KOREAN_WEEKDAYS, text, rng
    ),
    "month_day": _shifted_day,
    "day_month": lambda text, rng: (
        f"{rng.choice([n for n in range(1, 29) if n != int(text.split()[0])])} {text.split()[1]}"
    ),
    "korean": _shifted_day,
    "near": lambda text, _rng: _OPPOSITE_DAYS[text.lower()],
    "year": lambda text, rng: str(int(text) + rng.choice((-2, -1, 1, 2, 3))),
}


def join_halves(fact: Fact, pool: Pool, rng: random.Random) -> str | None:
    """The first half of the fact and the second half of one with another source.

    Left out where most of the foreign half's words stand in the cited turn anyway.
    """
    elsewhere = [other for other in pool.facts if other.group != fact.group]
    if not elsewhere:
        return None
    other = rng.choice(elsewhere)
    mine, theirs = _halves(fact.statement), _halves(other.statement)
    if mine is None or theirs is None:
        return None
    content = fact.turns[fact.cited].content.casefold()
    words = {word[:6] for word in _CONTENT.findall(theirs[1].casefold())}
    if not words or sum(word in content for word in words) >= _MOST_SHARED * len(words):
        return None
    return f"{mine[0].rstrip(' ,;')} {theirs[1].lstrip(' ,;')}"


def _halves(statement: str) -> tuple[str, str] | None:
    middle = len(statement) / 2
    cuts = [match.start() for match in _HALF.finditer(statement)] or [
        match.start() for match in re.finditer(" ", statement)
    ]
    if not cuts:
        return None
    cut = min(cuts, key=lambda one: abs(one - middle))
    if not 0.2 * len(statement) <= cut <= 0.8 * len(statement):
        return None
    return statement[:cut], statement[cut:]


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return f"{text[: match.start()]}{by}{text[match.end() :]}"


ALTERATIONS: dict[str, Alteration] = {
    "number": change_number,
    "name": swap_name,
    "negation": negate,
    "date": shift_date,
    "join": join_halves,
}
