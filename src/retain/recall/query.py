"""A query, read once: its words, the times it names, and what kind of answer it asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retain.analysis.cues import ENDS_IN_QUESTION, asks_when, cues
from retain.analysis.times import TimeSpan, find_times
from retain.analysis.words import STOP_WORDS, terms_of, units, words

STOP_WEIGHT = 0.3
MOST_WORDS_OF_KEYWORDS = 12  # a longer text that is no question tells rather than asks
MOST_WORDS = 400  # of a query are looked up


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. ``terms`` holds each term once, with its ``weights`` (stop words count less).

    ``surfaces`` are the words as written, ``unit_terms`` the place of each one's term in ``terms``.
    """

    text: str
    terms: NDArray[np.uint64]
    weights: NDArray[np.float32]
    surfaces: tuple[str, ...]
    unit_terms: NDArray[np.int64]
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
    place = {term: number for number, term in enumerate(weights)}
    return Query(
        text=text,
        terms=np.array(list(weights), np.uint64),
        weights=np.array(list(weights.values()), np.float32),
        surfaces=tuple(unit.surface for unit in asked),
        unit_terms=np.array([place[unit.term] for unit in asked], np.int64),
        asks_when=asks_when(text),
        times=_asked_times(text, reference, len(asked)),
    )


def _asked_times(text: str, reference: int, length: int) -> tuple[TimeSpan, ...]:
    """The past times that a query asks about.

    Who tells at length what happened asks for something else, and so does who speaks of today;
    what lies ahead says nothing about when a memory was told.
    """
    asks = bool(cues(text) & ENDS_IN_QUESTION)
    if not asks and length > MOST_WORDS_OF_KEYWORDS:
        return ()
    return tuple(
        span
        for span in find_times(text, reference)
        if span.begin <= reference and (asks or span.end <= reference)
    )
