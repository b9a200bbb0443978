# ruff: noqa: E501 (patterns read best in one piece)
"""A text as grounding reads it: words with their places, what is denied, and the numbers.

One pass, whatever the language: only a word's script decides how it is cut.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from retain.analysis.words import STOP_WORDS, terms_of
from retain.learn.ground.lexicon import (
    DENSE_NEGATION,
    DENYING,
    NEGATORS,
    NEGATORS_AROUND,
    NUMBER_WORDS,
    ORDINALS,
)

MOST_CHARACTERS = 20_000  # of one source are read
_LINE_ENDS = dict.fromkeys(map(ord, "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
SENTENCE_GAP = 20  # places between two sentences, so that nearness ends with the sentence
FAR = 99  # no negation in the clause
_REACH = 4  # words behind a negator that it may deny
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u200c\u200d"
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = "\u3041-\u30ff"
_HANGUL = "\uac00-\ud7af"
_SCRIPTS = f"{_HAN}{_KANA}{_HANGUL}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,:]\d+)*)|(?P<dense>[{_SCRIPTS}]+)"
    rf"|(?P<word>(?!['’])(?:(?![{_SCRIPTS}])(?:[^\W_]|[{_MARKS}]|['’](?=[^\W\d_])))+)"
    r"|(?P<stop>[.!?]+(?=[\s\"”’')\]*]|$)|[。！？\n।؟]+)|(?P<pause>[,;:()，；：、،—–…])"
)
_DENSE = re.compile(f"[{_SCRIPTS}]")
_RUN = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<katakana>[\u30a1-\u30ff]+)|(?P<hiragana>[\u3041-\u309f]+)"
    f"|(?P<hangul>[{_HANGUL}]+)|(?P<other>[^{_HAN}{_KANA}{_HANGUL}]+)"
)
# Characters that only hold Chinese and Japanese sentences together: words are cut at them.
_HAN_JOINTS = re.compile(
    "用户|用戶|使用者|[的了是在我你他她它们們有和就也都吗嗎呢吧很会會要对對把被给給从從到与與及或将將让讓这這那个個]"
)
_PARTICLES = re.compile(
    "(?:에서|으로|까지|부터|에게|한테|보다|처럼|이라|은|는|이|가|을|를|의|에|도|와|과|로|만)$"
)
_ELIDED = frozenset(["l", "d", "j", "n", "m", "t", "s", "c", "qu", "un", "all", "dell", "nell", "dall", "sull", "quell"])  # fmt: skip
_UNIT_AFTER = re.compile(
    r"\s?(%|％|percent|per cent|prozent|pour cent|por ciento|por cento|per cento|процент\w*|퍼센트|प्रतिशत|°\s?[cf]\b|kg|km|cm|mm|mg|ml|lbs?\b|€|£|¥|元|円|원|k\b|m\b(?!\w)|bn\b)",
    re.IGNORECASE,
)
_UNIT_BEFORE = re.compile(r"([$€£¥₦₹₩]|(?:usd|eur|gbp|ngn|rp|idr|inr|cny|rmb))\s?$", re.IGNORECASE)
_POINT = re.compile(r"[.)]\**\s+\**\S")
_POINTED = re.compile(r"(?:^|[:,;.(\n—–*-])\s*\**$")
_PERCENT = re.compile(r"%|％|perc|per c|proz|pour|por|проц|퍼|प्र", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text: its value as canonical digits, where it is, its unit ("" for none).

    ``in_words`` if it is spelled out; ``marker`` if it only counts the points of a list.
    """

    value: str
    place: int
    unit: str
    surface: str
    start: int
    in_words: bool = False
    marker: bool = False


@dataclass(slots=True)
class Reading:
    """The words of a text side by side: as written, as compared, where, and how near a denial."""

    text: str
    surfaces: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    denied: list[int] = field(default_factory=list)
    opens: list[bool] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    negators: list[int] = field(default_factory=list)
    denials: list[int] = field(default_factory=list)
    denied_clauses: set[int] = field(default_factory=set)
    where: dict[int, list[int]] = field(default_factory=dict)


def read(text: str) -> Reading:
    """Read one text; its first 20,000 characters."""
    text = text[:MOST_CHARACTERS].translate(_LINE_ENDS)
    dense = not text.isascii()
    if dense:
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    reading = Reading(text)
    at = _Position()
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "number":
            reading.numbers.append(_number(match, text, at.place))
            _add(reading, match.group(), match.group(), match.start(), at)
        elif kind in {"word", "dense"}:
            for key, shown in _pieces(match.group()):
                _add(reading, key, shown, match.start(), at)
        else:
            if dense and DENSE_NEGATION.search(text, at.clause_from, match.start()):
                reading.denied_clauses.add(at.clause)
            at.pause(match.end(), stop=kind == "stop")
    if dense and DENSE_NEGATION.search(text, at.clause_from):
        reading.denied_clauses.add(at.clause)
    _finish(reading)
    return reading


_NEGATING = NEGATORS | NEGATORS_AROUND
_DENYING = DENYING | _NEGATING


@dataclass(slots=True)
class _Position:
    """Where the reading is: the next word's place, its clause and sentence."""

    place: int = 0
    clause: int = 0
    sentence: int = 0
    opens: bool = True
    clause_from: int = 0

    def pause(self, end: int, *, stop: bool) -> None:
        self.clause_from = end
        self.clause += 1
        self.place += SENTENCE_GAP if stop else 1
        if stop:
            self.sentence += 1
            self.opens = True


def _add(reading: Reading, key: str, shown: str, start: int, at: _Position) -> None:
    """One more word; what the text turns out to hold no word of is passed over."""
    if not key or not shown:
        return
    if key in _DENYING:
        reading.denials.append(len(reading.keys))
        if key in _NEGATING:
            reading.negators.append(len(reading.keys))
        if key in NEGATORS_AROUND:
            reading.denied_clauses.add(at.clause)
    reading.keys.append(key)
    reading.surfaces.append(shown)
    reading.places.append(at.place)
    reading.starts.append(start)
    reading.clauses.append(at.clause)
    reading.sentences.append(at.sentence)
    reading.opens.append(at.opens)
    at.place += 1
    at.opens = False


def _finish(reading: Reading) -> None:
    """Terms, the index of them, number words, and what the negators deny."""
    reading.terms = terms_of([stemmable(key) for key in reading.keys])
    where = reading.where
    for index, term in enumerate(reading.terms):
        where.setdefault(term, []).append(index)
    reading.denied = [FAR] * len(reading.keys)
    for index in reading.negators:
        _deny(reading, index)
    around = reading.denied_clauses
    if around:
        reading.denied = [
            min(near, 1) if clause in around else near
            for near, clause in zip(reading.denied, reading.clauses, strict=True)
        ]
    for index, key in enumerate(reading.keys):
        value = NUMBER_WORDS.get(key)
        if value is None:
            value = ORDINALS.get(key)
        if value is not None:
            reading.numbers.append(
                Number(
                    str(value),
                    reading.places[index],
                    "",
                    reading.surfaces[index],
                    reading.starts[index],
                    True,
                )
            )


def _deny(reading: Reading, index: int) -> None:
    clause = reading.clauses[index]
    passed = 0
    for at in range(index + 1, len(reading.keys)):
        if reading.clauses[at] != clause or passed >= _REACH:
            return
        if reading.keys[at] not in STOP_WORDS:
            passed += 1
            reading.denied[at] = min(reading.denied[at], passed)


@lru_cache(maxsize=20_000)
def _pieces(surface: str) -> tuple[tuple[str, str], ...]:
    """The words that one run of letters stands for, as compared and as written."""
    if not surface.isascii() and _DENSE.search(surface):
        return tuple(_dense(surface))
    key = surface.casefold()
    if "'" in key:
        return tuple(_apostrophes(key, surface))
    return ((key, surface),)


def _apostrophes(key: str, surface: str) -> list[tuple[str, str]]:
    if key.endswith("n't"):
        return [(key[:-3] if key != "can't" else "can", surface[:-3]), ("not", "not")]
    head, _, tail = key.partition("'")
    if head in _ELIDED and tail:
        return [(head, surface[: len(head)]), (tail, surface[len(head) + 1 :])]
    return [(head, surface[: len(head)])]


def _dense(surface: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for run in _RUN.finditer(surface):
        text, kind = run.group(), run.lastgroup
        if kind == "han":
            for part in _HAN_JOINTS.split(text):
                if len(part) == 1:
                    found.append((part, part))
                else:
                    found.extend((part[i : i + 2], part[i : i + 2]) for i in range(len(part) - 1))
        elif kind == "hangul":
            found.append((_PARTICLES.sub("", text) or text, text))
        elif kind == "other":
            if _DENSE.search(text):
                found.extend(
                    (text[i : i + 2], text[i : i + 2]) for i in range(max(1, len(text) - 1))
                )
            else:
                found.append((text.casefold(), text))
        elif kind == "katakana" and len(text) > 1:
            found.append((text, text))
    return found


def stemmable(key: str) -> str:
    """Korean words are compared by their first two syllables: what follows inflects them."""
    return key[:2] if len(key) > 2 and "\uac00" <= key[0] <= "\ud7af" else key


def _number(match: re.Match[str], text: str, place: int) -> Number:
    raw = match.group()
    unit = _unit(text, match.start(), match.end())
    marker = len(raw) < 3 and bool(
        _POINT.match(text, match.end())
        and _POINTED.search(text, max(0, match.start() - 6), match.start())
    )
    return Number(canonical(raw), place, unit, raw, match.start(), marker=marker)


def _unit(text: str, start: int, end: int) -> str:
    after = _UNIT_AFTER.match(text, end, end + 14)
    if after:
        unit = after.group(1).casefold().replace(" ", "")
        return "%" if _PERCENT.match(unit) else unit
    before = _UNIT_BEFORE.search(text, max(0, start - 5), start)
    return before.group(1).casefold() if before else ""


def canonical(raw: str) -> str:
    """A number as plain digits: no grouping, no leading zeros, no empty decimals."""
    if ":" in raw:
        return ":".join(part.lstrip("0") or "0" for part in raw.split(":"))
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", raw)
    plain = re.sub("[.,]", "", raw) if grouped else raw.replace(",", ".")
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return ".".join(str(_int(part)) if i == 0 else part for i, part in enumerate(plain.split(".")))


def _int(digits: str) -> str:
    # Digits of any script, but no arithmetic: a number may have thousands of them.
    plain = "".join(str(unicodedata.digit(one, 0)) for one in digits)
    return plain.lstrip("0") or "0"
