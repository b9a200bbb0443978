"""Whether a candidate rests on the turns it cites.

Two questions, in any language: does each quote stand in its turn, and do the quotes support the
names, numbers and dates of the statement? Words that a statement only rephrases are not judged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from retain.domain.candidate import Candidate, Quote
from retain.domain.message import Message
from retain.learn.dates import find_dates

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# A name is a capitalised word that does not open the statement; scripts without case have none.
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NEAR_ENOUGH = 0.85
_LONGEST_FUZZY_QUOTE = 1_000
_LONGEST_FUZZY_TURN = 20_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate is grounded. ``check`` is ``exact`` or ``fuzzy``, ``score`` 0..1.

    ``quotes`` are the candidate's quotes at the spans where they really stand.
    """

    ok: bool
    check: str
    score: float
    reason: str
    quotes: tuple[Quote, ...] = ()


def ground(candidate: Candidate, turns: Sequence[Message]) -> Verdict:
    """Judge ``candidate`` against the turns it was drawn from (``Quote.turn`` counts them)."""
    if not candidate.quotes:
        return Verdict(False, "exact", 0.0, "the candidate cites nothing")
    check, score, placed = "exact", 1.0, []
    for quote in candidate.quotes:
        if not 0 <= quote.turn < len(turns):
            return Verdict(False, check, 0.0, f"there is no turn {quote.turn}")
        found, similarity = _place(quote, turns[quote.turn].content)
        if found is None:
            return Verdict(False, "fuzzy", similarity, f"{quote.text!r} is not in the turn")
        if similarity < 1.0:
            check, score = "fuzzy", min(score, similarity)
        placed.append(found)
    missing = _unsupported(candidate, placed, turns)
    if missing:
        named = ", ".join(repr(word) for word in missing)
        return Verdict(False, check, 0.0, f"the quotes do not support {named}", tuple(placed))
    return Verdict(True, check, score, "the quotes support the statement", tuple(placed))


def _place(quote: Quote, content: str) -> tuple[Quote | None, float]:
    """The quote where it stands in ``content``, and how alike the text there is (1: equal)."""
    if not quote.text.strip():
        return None, 0.0
    if quote.start >= 0 and content[quote.start : quote.end] == quote.text:
        return quote, 1.0
    at = content.find(quote.text)
    if at >= 0:
        return replace(quote, start=at, end=at + len(quote.text)), 1.0
    if len(quote.text) > _LONGEST_FUZZY_QUOTE or len(content) > _LONGEST_FUZZY_TURN:
        return None, 0.0
    return _nearest(quote, content)


def _nearest(quote: Quote, content: str) -> tuple[Quote | None, float]:
    """The span most like the quote: around its longest common run, of the quote's length."""
    wanted, given = quote.text.casefold(), content.casefold()
    if len(given) != len(content) or len(wanted) != len(quote.text):
        wanted, given = quote.text, content
    run = SequenceMatcher(None, given, wanted, autojunk=False).find_longest_match()
    start = max(0, run.a - run.b)
    end = min(len(content), start + len(wanted))
    similarity = SequenceMatcher(None, given[start:end], wanted, autojunk=False).ratio()
    if similarity < _NEAR_ENOUGH:
        return None, similarity
    return replace(quote, text=content[start:end], start=start, end=end), min(similarity, 0.999)


def _unsupported(
    candidate: Candidate, quotes: Sequence[Quote], turns: Sequence[Message]
) -> list[str]:
    """Names and numbers of the statement that neither quotes, speakers nor their dates hold."""
    support = [quote.text for quote in quotes]
    for quote in quotes:
        turn = turns[quote.turn]
        support.append(turn.actor or "")
        for past in (False, True):
            for when in find_dates(quote.text, turn.occurred_at, past=past):
                support += [when.iso, when.adverbial]
    words = {_key(word) for text in support for word in _WORD.findall(text)}
    numbers = {number for text in support for number in _NUMBER.findall(text)}
    numbers |= {part for number in numbers for part in re.findall(r"\d+", number)}
    numbers |= {str(int(number)) for number in numbers if number.isdecimal()}
    named = _names(candidate.statement)
    subject = {_key(word) for word in _WORD.findall(candidate.subject or "")}
    return [
        *(name for name in named if _key(name) not in words and _key(name) not in subject),
        *(number for number in _NUMBER.findall(candidate.statement) if number not in numbers),
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
