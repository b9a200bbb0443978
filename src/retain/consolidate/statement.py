"""The sentences of episodes, as what may recur."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from retain.analysis.words import STOP_WORDS, terms_of, words
from retain.domain.use import Outcome

MOST_SENTENCES: Final = 40  # of one episode
READ: Final = 20_000  # characters of one episode
LEAST_WORDS, MOST_WORDS = 3, 60
LEAST_TERMS: Final = 3  # content words: what has fewer is a phrase, not an experience
_SENTENCE: Final = re.compile(r"[^.!?。！？…\n]+(?:\.(?=\S)[^.!?。！？…\n]+)*[.!?。！？…]*")
# In a transcript, what the agent itself said is no experience.
_SPEAKER: Final = re.compile(
    r"\s*(user|human|assistant|agent|ai|system|tool)\s*:\s*", re.IGNORECASE
)
_OTHERS: Final = frozenset({"assistant", "agent", "ai", "system", "tool"})
_HEADING: Final = re.compile(r"^\s*#|\*\*|:$")  # of a document, not a sentence
# How people keep a talk going: it recurs, and says nothing that lasts.
_TALK: Final = re.compile(
    r"(?:ah|oh|ok|okay|yes|yeah|yep|no|alright|all right|great|perfect|good|cool|thanks|thank you"
    r"|hello|hi|hey|bye|well|now|so|let['’]?s|let us|let me|i['’]ll|i will|i['’]?m ready|i am ready"
    r"|show me|tell me|give me|this (?:plan|looks?|makes|sounds|is)|that['’]?s|you['’]?re|you are)"
    r"(?!\w)(?=[\s,!.])",
    re.IGNORECASE,
)
_ASKS: Final = ("?", "？")
_DIGITS: Final = re.compile(r"^\d[\d.,:]*$")
_NOT: Final = re.compile(
    r"(?<!\w)(?:not|never|no|none|without|cannot|nothing|nicht|kein\w*|nie|ohne|pas|jamais|sans"
    r"|nunca|sin|não|nem|sem|не|нет|никогда|без)(?!\w)|n[’']t(?!\w)"
    r"|不|没|沒|別|未|ない|ません|なく|안\s|않|못|없|아니|नहीं|मत|لا\s|ليس|لم\s|لن\s|غير",
    re.IGNORECASE,
)


# What a wish is set against ("a window seat, not the aisle") is no part of it.
_CONTRAST: Final = re.compile(
    r",\s*(?:and\s+)?(?:no longer|not|nicht mehr|nicht|ya no|no|non plus|pas)\s[^,.;]*"
    r"|(?<!\w)(?:instead of|rather than|statt|anstelle von|en vez de|au lieu de)\s[^,.;]*,?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Told:
    """One episode to look at: an account of an experience. ``at`` is in microseconds."""

    id: str
    text: str
    at: int
    outcome: Outcome
    domain: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of one episode; ``start`` and ``end`` are where it stands in the text.

    ``terms`` are its content words as stems, without what it sets itself against; ``denies`` says
    that it holds a negation.
    """

    source: Told
    text: str
    start: int
    end: int
    terms: frozenset[int]
    denies: bool


def statements_of(told: Told) -> list[Statement]:
    """The sentences of an episode that say something."""
    return list(_statements(told))[:MOST_SENTENCES]


def statement(told: Told, text: str, start: int = 0) -> Statement:
    """One text as a statement."""
    said = _CONTRAST.sub(" ", text)
    found = words(said)
    content = [word for word in found if word not in STOP_WORDS and not _DIGITS.match(word)]
    return Statement(
        source=told,
        text=text,
        start=start,
        end=start + len(text),
        terms=frozenset(terms_of(content)),
        denies=_NOT.search(said) is not None,
    )


def texts(statements: Sequence[Statement]) -> list[str]:
    """Their texts, in order."""
    return [one.text for one in statements]


def _statements(told: Told) -> Iterator[Statement]:
    at, by_other = 0, False
    for line in told.text[:READ].splitlines(keepends=True):
        lead = _SPEAKER.match(line)
        if lead is not None:
            by_other = lead[1].casefold() in _OTHERS
        if not by_other and not _HEADING.search(line.rstrip()):
            for match in _SENTENCE.finditer(line, 0 if lead is None else lead.end()):
                text = match.group().strip()
                if (
                    text.endswith(_ASKS)
                    or _TALK.match(text)
                    or not LEAST_WORDS <= len(words(text)) <= MOST_WORDS
                ):
                    continue
                one = statement(told, text, at + match.start() + match.group().find(text))
                if len(one.terms) >= LEAST_TERMS:
                    yield one
        at += len(line)
