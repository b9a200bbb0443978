"""What a statement claims: names, numbers, times, denials, and the words that carry its meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from retain.analysis.time_words import MONTHS, WEEKDAYS
from retain.analysis.words import STOP_WORDS
from retain.learn.ground.lexicon import (
    CLAIMED_NAME,
    FRAME,
    KIN,
    NAMES_THAT_ARE_WORDS,
    NEGATORS,
    NEGATORS_AROUND,
    NUMBER_WORDS,
    NUMBER_WORDS_ALSO_ELSE,
    ORDINALS,
    ROLES,
    TELLING,
)
from retain.learn.ground.reading import Number, Reading, stemmable
from retain.models import wordllama

_HEADS = 3  # content words behind a negator that the statement may mean to deny
_NOT_ONLY = frozenset("only just yet merely nur seulement solo sólo apenas только".split())
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|ein|eine|mit|für|von|den|dem|des|sich|auf)\b")
_OTHER_LATIN = re.compile(r"\b(?:the|of|to|is|le|la|el|les|de|il|di|que|est|es|é|na|da)\b")


@dataclass(frozen=True, slots=True)
class Content:
    """One word that carries meaning: where it is in the reading; or only sums up (``telling``)."""

    index: int
    key: str
    term: int
    telling: bool = False


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation of the statement: the negator, and the words that it may deny."""

    negator: int
    heads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claims:
    """All that a statement claims. Names are indices of words in the reading."""

    reading: Reading
    names: tuple[int, ...]
    numbers: tuple[Number, ...]
    content: tuple[Content, ...]
    denials: tuple[Denial, ...]
    own_name: str | None


def claims_of(reading: Reading) -> Claims:
    """Read the claims of a statement."""
    german = bool(_GERMAN.search(reading.text)) and not _OTHER_LATIN.search(reading.text)
    names: list[int] = []
    content: list[Content] = []
    for index, key in enumerate(reading.keys):
        if key in ROLES or not key:
            continue
        if _is_name(reading, index, german):
            names.append(index)
        if _carries(key):
            content.append(Content(index, key, reading.terms[index], _is_telling(key)))
    numbers = tuple(
        number
        for number in reading.numbers
        if not number.marker
        and (
            not number.in_words
            or (number.surface.casefold() not in NUMBER_WORDS_ALSO_ELSE and int(number.value) > 2)
        )
    )
    return Claims(
        reading, tuple(names), numbers, tuple(content), _denials(reading), own_name(reading.text)
    )


def _carries(key: str) -> bool:
    return not (
        key in STOP_WORDS
        or key in FRAME
        or key in NEGATORS
        or key in NEGATORS_AROUND
        or key[0].isdigit()
        or key in NUMBER_WORDS
        or key in ORDINALS
        or (len(key) < 2 and key.isascii())
    )


def _is_telling(key: str) -> bool:
    # What ends a Korean clause is its verb, which inflects beyond any cut of ours.
    return stemmable(key) in TELLING or (key[-1] in "다요죠까" and len(key) > 1)


def _is_name(reading: Reading, index: int, german: bool) -> bool:
    surface, key = reading.surfaces[index], reading.keys[index]
    if key in KIN or key in WEEKDAYS or key in MONTHS or len(surface) < 2 or key in STOP_WORDS:
        return False
    if not surface[0].isupper():
        # In a script without capitals, a word of another script or of Katakana is a name.
        return not reading.text.isascii() and _is_foreign(surface, reading)
    if key in FRAME or key in NUMBER_WORDS or key in ORDINALS:
        return False
    if german:
        return len(surface) > 2 and not reading.opens[index] and not is_ordinary(key)
    if reading.opens[index]:
        return not is_ordinary(key) and not _is_inflected(key)
    return key in NAMES_THAT_ARE_WORDS or not is_ordinary(key)


def _is_foreign(surface: str, reading: Reading) -> bool:
    return "\u30a1" <= surface[0] <= "\u30ff" and len(surface) > 2 and max(reading.text) >= "\u4e00"


def _is_inflected(key: str) -> bool:
    """Whether an opening word is an inflected ordinary word ("Promised", "Switching")."""
    for ending in ("ing", "ed", "es", "s", "ly"):
        stem = key.removesuffix(ending)
        if stem == key or len(stem) < 3:
            continue
        forms = [stem, f"{stem}e"]
        if stem[-1] == stem[-2]:  # "planned"
            forms.append(stem[:-1])
        if any(map(is_ordinary, forms)):
            return True
    return False


@lru_cache(maxsize=20_000)
def is_ordinary(key: str) -> bool:
    """Whether a word is more usual with a small letter than with a capital.

    Told by the vocabulary of word pieces: its pieces are numbered from the frequent to the rare.
    """
    pieces = wordllama.tokenizer()
    small = pieces.encode(key, add_special_tokens=False).ids
    large = pieces.encode(key.capitalize(), add_special_tokens=False).ids
    return len(small) == 1 and (len(large) > 1 or small[0] < large[0])


def _denials(reading: Reading) -> tuple[Denial, ...]:
    found = []
    for index in reading.negators:
        clause = reading.clauses[index]
        following = [
            at for at in range(index + 1, len(reading.keys)) if reading.clauses[at] == clause
        ]
        if following and reading.keys[following[0]] in _NOT_ONLY:
            continue
        heads = [
            at
            for at in following
            if reading.keys[at] not in STOP_WORDS and reading.keys[at] not in FRAME
        ][:_HEADS]
        if not heads:  # the negation closes its clause
            heads = [
                at
                for at in range(index)
                if reading.clauses[at] == clause and _carries(reading.keys[at])
            ][-_HEADS:]
        found.append(Denial(index, tuple(heads)))
    told = {reading.clauses[denial.negator] for denial in found}
    for clause in sorted(reading.denied_clauses - told):
        words = [
            at
            for at, key in enumerate(reading.keys)
            if reading.clauses[at] == clause and _carries(key)
        ]
        if words:
            found.append(Denial(words[-1], tuple(words[-_HEADS:])))
    return tuple(found)


def own_name(statement: str) -> str | None:
    """The name that a statement says the user has, or None."""
    match = CLAIMED_NAME.search(statement.strip())
    if match is None:
        return None
    name = next(part for part in match.groups() if part is not None)
    return (
        re.split(r"[,.;(\n]| and | but | who ", name.strip(" \"'“”«»"))[0].strip(" \"'“”«».")
        or None
    )
