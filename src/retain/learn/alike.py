"""Whether two statements say the same, judged by their words."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from retain.analysis.words import STOP_WORDS, terms_of, words

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME: Final = re.compile(r"(?<=\s)[A-ZÀ-ÞА-Я][\w'’-]*")
_NOT: Final = re.compile(
    r"\b(?:not|never|no|none|without|cannot|stopped|quit|nicht|kein\w*|nie|ohne|pas|jamais|sans"
    r"|nunca|sin|non|mai|senza|não|nem|sem|не|нет|никогда|без)\b|n[’']t\b"
    r"|不|没|沒|別|未|ない|ません|なく|안\s|않|못|없|아니|नहीं|नही|मत|لا\s|ليس|لم\s|لن\s|غير",
    re.IGNORECASE,
)
LEAST_SHARED: Final = 0.6  # of the words of the two together


def says_the_same(one: str, other: str) -> bool:
    """Whether two statements agree in numbers, names and negation, and in most of their words.

    Meant for statements that a model already holds to be the same: it refuses what differs in a
    detail, and does not find paraphrases.
    """
    one, other = (unicodedata.normalize("NFKC", text) for text in (one, other))
    if set(_NUMBER.findall(one)) != set(_NUMBER.findall(other)):
        return False
    if bool(_NOT.search(one)) != bool(_NOT.search(other)):
        return False
    if _names(one) != _names(other):
        return False
    mine, theirs = _terms(one), _terms(other)
    shared = len(mine & theirs)
    return bool(shared) and shared >= LEAST_SHARED * len(mine | theirs)


def _names(text: str) -> set[str]:
    return {name.casefold().removesuffix("'s") for name in _NAME.findall(text)}


def _terms(text: str) -> set[int]:
    return set(terms_of([word for word in words(text) if word not in STOP_WORDS]))
