"""A query, read once: its words, the times it names, and what kind of answer it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retain.analysis.cues import ENDS_IN_QUESTION, asks_when, cues
from retain.analysis.kin import kin_of
from retain.analysis.times import TimeSpan, find_times
from retain.analysis.words import STOP_WORDS, terms_of, units, words

STOP_WEIGHT = 0.3
MOST_WORDS_OF_KEYWORDS = 12  # a longer text that is no question tells rather than asks
MOST_WORDS_OF_QUESTION = 40  # a longer text tells more than it asks
MOST_WORDS = 400  # of a query are looked up
_FIRST_PERSON = frozenset(
    """
    i me my mine myself we us our ours ich mich mir mein meine meinen meinem meiner wir uns unser
    unsere je j moi mon ma mes nous notre nos yo mi mis mío mía nosotros nuestro nuestra eu meu
    minha meus minhas nós nosso nossa io mio mia miei mie noi nostro nostra я меня мне мой моя моё
    мои мы нас нам наш наша 我 私 僕 俺 나는 내가 나의 내 저는 제가 저의 제 우리 मैं मैंने मेरा मेरी मेरे
    मुझे हम हमारा أنا نحن لي عندي
    """.split()
)
_SECOND_PERSON = frozenset(
    """
    you your yours du dich dir dein deine deinen deiner ihr euch euer tu te toi ton ta tes vous
    votre vos tú tus ti usted ustedes você teu tua teus lei tuo tua voi vostro ты тебя тебе твой
    твоя вы вас вам ваш ваша 你 您 あなた 君 너 너는 네가 당신 तुम तुम्हारा आप आपने आपका أنت أنتم لك
    """.split()
)


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. ``terms`` holds each term once, with its ``weights`` (stop words count less).

    ``asks`` says that it is a question, ``asks_of_self`` that it is one about the person who asks
    ("What did I say about ...?"). ``surfaces`` are the words as written, ``unit_terms`` the place
    of each one's term in ``terms``. ``kin`` holds terms that are taken for those at ``kin_places``.
    """

    text: str
    terms: NDArray[np.uint64]
    weights: NDArray[np.float32]
    surfaces: tuple[str, ...]
    unit_terms: NDArray[np.int64]
    kin: NDArray[np.uint64]
    kin_places: NDArray[np.int64]
    asks: bool
    asks_of_self: bool
    asks_when: bool
    times: tuple[TimeSpan, ...]


def read_query(text: str, reference: int) -> Query:
    """A query as asked at ``reference`` (microseconds since 1970): relative dates count from it."""
    found = words(text)[:MOST_WORDS]
    weights: dict[int, float] = {}
    for word, term in zip(found, terms_of(found), strict=True):
        weights[term] = STOP_WEIGHT if word in STOP_WORDS else 1.0
    asked = units(text)[:MOST_WORDS]
    for unit in asked:
        weights.setdefault(unit.term, STOP_WEIGHT if unit.stop else 1.0)
    asks = bool(cues(text) & ENDS_IN_QUESTION)
    place = {term: number for number, term in enumerate(weights)}
    kin = [(other, number) for term, number in place.items() for other in sorted(kin_of(term))]
    return Query(
        text=text,
        terms=np.array(list(weights), np.uint64),
        weights=np.array(list(weights.values()), np.float32),
        surfaces=tuple(unit.surface for unit in asked),
        unit_terms=np.array([place[unit.term] for unit in asked], np.int64),
        kin=np.array([other for other, _ in kin if other not in place], np.uint64),
        kin_places=np.array([number for other, number in kin if other not in place], np.int64),
        asks=asks,
        asks_of_self=asks and len(asked) <= MOST_WORDS_OF_QUESTION and _of_self(found),
        asks_when=asks_when(text),
        times=_asked_times(text, reference, len(asked), asks),
    )


def _of_self(found: Sequence[str]) -> bool:
    """Whether a text speaks of who says it, and not to whom it is said."""
    return not _FIRST_PERSON.isdisjoint(found) and _SECOND_PERSON.isdisjoint(found)


def _asked_times(text: str, reference: int, length: int, asks: bool) -> tuple[TimeSpan, ...]:
    """The past times that a query asks about.

    Who tells at length what happened asks for something else, and so does who speaks of today;
    what lies ahead says nothing about when a memory was told.
    """
    if not asks and length > MOST_WORDS_OF_KEYWORDS:
        return ()
    return tuple(
        span
        for span in find_times(text, reference)
        if span.begin <= reference and (asks or span.end <= reference)
    )
