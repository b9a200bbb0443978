"""What is checked of a rule's candidate: names, numbers and dates.

A rule composes its statement from the words it matched, so that nothing else can be wrong; and
rules are many, so that this must cost little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from retain.domain.candidate import Candidate, Quote
from retain.domain.message import Message
from retain.learn.dates import find_dates

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# A name is a capitalised word that does not open the statement; scripts without case have none.
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def unsupported(
    candidate: Candidate, quotes: Sequence[Quote], turns: Sequence[Message]
) -> list[str]:
    """Names and numbers of the statement that neither quotes, speakers nor their dates hold."""
    claimed = _names(candidate.statement)
    numbers = _NUMBER.findall(candidate.statement)
    if not claimed and not numbers:
        return []
    subject = candidate.subject or ""
    texts: list[str] = []
    for quote in quotes:
        texts += [quote.text, turns[quote.turn].actor or ""]
    lacking = _lacking(claimed, numbers, subject, texts)
    if lacking:  # only then is it worth asking what dates follow
        for quote in quotes:
            for past in (False, True):
                for when in find_dates(quote.text, turns[quote.turn].occurred_at, past=past):
                    texts += [when.iso, when.adverbial]
        lacking = _lacking(claimed, numbers, subject, texts)
    return lacking


def _lacking(
    claimed: Sequence[str], numbers: Sequence[str], subject: str, texts: Sequence[str]
) -> list[str]:
    """The names and numbers that no text has; parts of numbers count."""
    words = {_key(word) for text in (subject, *texts) for word in _WORD.findall(text)}
    known = {number for text in texts for number in _NUMBER.findall(text)} if numbers else set()
    known |= {part for number in known for part in re.findall(r"\d+", number)}
    known |= {str(int(number)) for number in known if number.isdecimal() and len(number) < 20}
    return [
        *(name for name in claimed if _key(name) not in words),
        *(number for number in numbers if number not in known),
    ]


def _names(statement: str) -> list[str]:
    return [
        match.group()
        for match in _WORD.finditer(statement)
        if match.start() > 0 and match.group()[0].isupper()
    ]


def _key(word: str) -> str:
    """A word for comparison: NFKC, casefolded, without a possessive ending."""
    folded = unicodedata.normalize("NFKC", word).casefold().replace("’", "'")
    return folded.removesuffix("'s").strip("'-")
