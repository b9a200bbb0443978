"""An account described by rules, in any language as far as its words are known."""

from __future__ import annotations

import re
from typing import Final

from retain.analysis.entities import EntityFinder
from retain.domain.episode import LONGEST_INTENT, MOST_ENTITIES, Domain, Emotion, Episode
from retain.domain.use import Outcome
from retain.learn.episode.words import (
    DOMAINS,
    EMOTIONS,
    FAILED,
    NOVEL,
    PARTLY,
    PREFERS,
    SUCCEEDED,
    WANTED,
)

METHOD: Final = "rules@1"
READ: Final = 20_000  # characters of an account that rules look at
_SENTENCES: Final = re.compile(r"(?<=[.!?。！？…])\s+|\n+|(?<=[。！？])")
_LEADING: Final = re.compile(r"^(?:user|assistant|agent|system)\s*:\s*", re.IGNORECASE)
_STRIKING, _ORDINARY, _ROUTINE = 0.8, 0.6, 0.3


def parse(content: str, outcome: Outcome, find_mentions: EntityFinder) -> Episode:
    """Describe an account.

    Args:
        content: its text.
        outcome: what the caller said; ``UNKNOWN`` lets the text speak, where it is plain.
        find_mentions: finds the named things.
    """
    text = content[:READ]
    told = outcome if outcome is not Outcome.UNKNOWN else outcome_of(text)
    names = dict.fromkeys(mention.name for mention in find_mentions(text))
    return Episode(
        outcome=told,
        importance=importance_of(text, told),
        domain=_domain_of(text) or Domain.GENERAL.value,
        emotion=_emotion_of(text) or Emotion.NEUTRAL.value,
        intent=intent_of(text),
        entities=tuple(names)[:MOST_ENTITIES],
        parsed_by=METHOD,
    )


def outcome_of(text: str) -> Outcome:
    """How it went, if the text says one thing and not another.

    Both a failure and a success: the one that is told last.
    """
    if PARTLY.search(text):
        return Outcome.PARTIAL
    failed, succeeded = _last(FAILED, text), _last(SUCCEEDED, text)
    if failed == succeeded:  # neither is told
        return Outcome.UNKNOWN
    return Outcome.FAILURE if failed > succeeded else Outcome.SUCCESS


def importance_of(text: str, outcome: Outcome) -> float:
    """Striking (an error, a stated preference, something new), ordinary, or routine."""
    if outcome is Outcome.FAILURE or PREFERS.search(text) or NOVEL.search(text):
        return _STRIKING
    if outcome is not Outcome.UNKNOWN or WANTED.search(text):
        return _ORDINARY
    return _ROUTINE


def intent_of(text: str) -> str:
    """The first sentence that says what was wanted, else the first, cut at a word."""
    sentences = [_LEADING.sub("", one.strip()) for one in _SENTENCES.split(text)]
    sentences = [one for one in sentences if one]
    if not sentences:
        return ""
    chosen = next((one for one in sentences if WANTED.search(one)), sentences[0])
    return shortened(chosen, LONGEST_INTENT)


def shortened(text: str, most: int) -> str:
    """A text on one line of at most so many characters, cut at a blank if there is one."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    head = line[: most - 1]
    at = head.rfind(" ")
    return (head[:at] if at > most // 2 else head).rstrip(" ,;:") + "…"


def _domain_of(text: str) -> str | None:
    counted = {name: len(found.findall(text)) for name, found in DOMAINS.items()}
    best = max(counted, key=lambda name: counted[name])
    return best if counted[best] else None


def _emotion_of(text: str) -> str | None:
    return next((name for name, found in EMOTIONS.items() if found.search(text)), None)


def _last(words: re.Pattern[str], text: str) -> int:
    last = -1
    for match in words.finditer(text):
        last = match.start()
    return last
