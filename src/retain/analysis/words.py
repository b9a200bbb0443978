"""Words of a text in any language, and their stems as 32-bit terms.

Deterministic and independent of the text's language: only the script of a word decides how it is
cut and stemmed. Scripts written without spaces become overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import Stemmer  # type: ignore[import-not-found]  # a C extension without stubs

from retain.domain.locks import FreshLock

# Marks that belong to the word before them but are no `\w` (Indic vowel signs, points, accents).
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u08d3-\u0963\u0966-\u0dff\u0e31"
    "\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18\u0f19\u0f35\u0f37\u0f39"
    "\u0f3e-\u0f84\u0f86\u0f87\u0f8d-\u0fbc\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064"
    "\u1067-\u106d\u1071-\u1074\u1082-\u108d\u135d-\u135f\u17b4-\u17d3\u17dd\u180b-\u180d"
    "\u1ab0-\u1aff\u1b00-\u1b44\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ufe00-\ufe0f"
    "\ufe20-\ufe2f"
)
_JOINERS = "\u200c\u200d\u00ad"  # inside a word, without meaning for matching
_WORD = re.compile(rf"(?:[^\W_]|[{_MARKS}{_JOINERS}])+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_UNSPACED = "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese...
_DENSE = re.compile(f"[{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]")
_RUN = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<kana>[{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)"
    f"|(?P<unspaced>[{_UNSPACED}]+)|(?P<rest>[^{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]+)"
)
_PAIRED = re.compile(f"[{_HAN}{_KANA}]+")
# First code point after a script's block, in ascending order, with the stemmer of that script.
_STEMMERS = (
    (0x0370, "english"),
    (0x0400, "greek"),
    (0x0530, "russian"),
    (0x0590, "armenian"),
    (0x0600, None),
    (0x0700, "arabic"),
    (0x0900, None),
    (0x0980, "hindi"),
    (0x0B80, None),
    (0x0C00, "tamil"),
    (0x1E00, None),
    (0x1F00, "english"),
    (0x2000, "greek"),
)
_ACCENTED_SCRIPTS = ("english", "greek")
_CACHE_LIMIT = 200_000

# Words that hold a sentence together. They count for less, never for nothing.
STOP_WORDS: frozenset[str] = frozenset(
    """
    a about after again all also am an and any are as at be because been before being between both
    but by can could d did do does doing don down during each few for from further had has have
    having he her here hers herself him himself his how i if in into is it its itself just ll m me
    might more most my myself no nor not now of off on once only or other our ours out over own re
    s same she should so some such t than that the their theirs them themselves then there these
    they this those through to too under until up ve very was we were what when where which while
    who whom why will with would you your yours yourself
    aber als am auch auf aus bei bin bis das dass dem den der des die du ein eine einem einen einer
    er es für hat habe haben hatte ich ihr im ist mein mich mir mit nach nicht noch sie sind so und
    uns vom von vor war warum was wann wer wie wir wo zu zum zur
    au aux avec ce ces cette dans de des du elle en est et eu il ils je la le les leur lui mais me
    mon ma mes ne nous on ou où par pas pour qu que quand quel quelle qui quoi sa se ses son sont
    sur ta te tu un une vous
    al como con cual cuando cuándo de del donde dónde el ella en era es ese esta este fue ha hay la
    las le lo los me mi mis muy no para pero por porque que qué quien quién se ser si sin su sus te
    tiene tu un una y ya yo
    ao aos com como da das de do dos e ela ele em eu foi mas meu minha na não nas nem no nos o os
    ou para pela pelo por qual quando que quem se sem seu sua são também um uma você
    che chi ci come cosa cui da dal dalla dei del della di dove e gli ha ho il io la le lei lo lui
    ma mi mio nel nella non per perché più quale quando sei si sono suo ti tra un una
    а без бы был была были было быть в вам вас вот вы где да для до его ее если есть еще же за и из
    или им их к как когда кто ли меня мне мой мы на не него нет но о об он она они от по при с так
    такой там то у уже что это я
    में है हैं का की के को से और पर यह वह मैं मेरा मेरी मेरे ने हो था थी थे क्या कब कहाँ कौन कि भी तो एक
    في من على إلى عن ما هو هي هذا هذه ذلك التي الذي أن إن لا لم لن قد كان كانت متى أين كيف و أو ثم
    的 了 是 在 我 你 他 她 它 们 有 和 就 不 也 都 吗 呢 吧 什么 怎么 哪 这 那
    は が を に で と も の へ か な だ です ます した して いる この その これ それ
    은 는 이 가 을 를 에 의 도 와 과 로 으로 에서 그 저 나 내
    """.split()
)

_lock = FreshLock()
_stemmers: dict[str, Callable[[str], str]] = {}
_terms: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Unit:
    """One word of a query: as written, and as the term that it is looked up by."""

    surface: str
    term: int
    stop: bool


def hash_term(stem: str) -> int:
    """A stem as an unsigned 32-bit integer (CRC-32 of its UTF-8); lone surrogates are allowed."""
    return zlib.crc32(stem.encode("utf-8", "surrogatepass"))


def words(text: str) -> list[str]:
    """The words of a text, normalised (NFKC, case folded), in order.

    Runs of Han and Kana give each Han character and each pair of neighbours; Hangul words give
    themselves and their pairs; Thai, Lao, Burmese and Khmer runs give their pairs.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", text).casefold()
    found = _WORD.findall(folded)
    if not _DENSE.search(folded):
        return found
    cut: list[str] = []
    for word in found:
        if _DENSE.search(word):
            _cut_dense(word, cut)
        else:
            cut.append(word)
    return cut


def stem(word: str) -> str:
    """The stem of a normalised word, by the script of its first letter."""
    for joiner in _JOINERS:
        if joiner in word:
            word = word.replace(joiner, "")
    name = _stemmer_name(word)
    if not word.isascii():
        word = word.replace("ё", "е")
        if name in _ACCENTED_SCRIPTS:
            plain = unicodedata.normalize("NFKD", word)
            word = "".join(c for c in plain if not unicodedata.combining(c))
    if name is None or word.isdigit():
        return word
    with _lock.held:  # a Stemmer may not be used by two threads at once
        stemmer = _stemmers.get(name)
        if stemmer is None:
            stemmer = _stemmers[name] = Stemmer.Stemmer(name, 0).stemWord
        return stemmer(word)


def stems(text: str) -> list[str]:
    """The stems of a text's words, in order."""
    return [stem(word) for word in words(text)]


def terms(text: str) -> list[int]:
    """The terms (hashed stems) of a text's words, in order."""
    return terms_of(words(text))


def terms_of(found: Iterable[str]) -> list[int]:
    """The terms of normalised words."""
    known = _terms
    result = []
    for word in found:
        term = known.get(word)
        result.append(_learn(word) if term is None else term)
    return result


def units(text: str) -> list[Unit]:
    """The words of a query as written, each with its term; pairs of characters are left out.

    Han text gives its characters, Hangul and Thai their whole runs.
    """
    found: list[Unit] = []
    plain = unicodedata.normalize("NFKC", text)
    for match in _WORD.finditer(plain):
        surface = match.group()
        if not surface.isascii() and _DENSE.search(surface):
            for run in _RUN.finditer(surface):
                pieces = run.group() if run.lastgroup == "han" else (run.group(),)
                found.extend(_unit(piece) for piece in pieces)
        else:
            found.append(_unit(surface))
    return found


def _unit(surface: str) -> Unit:
    word = surface.casefold()
    return Unit(surface, terms_of((word,))[0], word in STOP_WORDS)


def forget_words() -> None:
    """Forget the words that were seen: they may be of a text that was erased."""
    _terms.clear()


def _learn(word: str) -> int:
    term = hash_term(stem(word))
    if len(_terms) >= _CACHE_LIMIT:
        _terms.clear()
    if len(word) <= 64:
        _terms[word] = term
    return term


def _stemmer_name(word: str) -> str | None:
    first = ord(word[0]) if word else 0x10FFFF
    for end, name in _STEMMERS:
        if first < end:
            return name
    return None


def _cut_dense(word: str, into: list[str]) -> None:
    for run in _RUN.finditer(word):
        text = run.group()
        kind = run.lastgroup
        if kind == "rest":
            into.append(text)
        elif kind == "hangul":
            into.append(text)
            if len(text) > 2:
                into.extend(text[i : i + 2] for i in range(len(text) - 1))
        elif kind == "unspaced":
            into.extend(text[i : i + 2] for i in range(max(1, len(text) - 1)))
        elif kind == "han":
            into.extend(text)
        elif len(text) > 2:  # a run of Kana is often a word of its own
            into.append(text)
    for run in _PAIRED.finditer(word):
        text = run.group()
        into.extend(text[i : i + 2] for i in range(len(text) - 1))
        if len(text) == 1 and _KANA_ONE.match(text):
            into.append(text)


_KANA_ONE = re.compile(f"[{_KANA}]")
