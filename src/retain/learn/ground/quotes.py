"""Where the quotes of a candidate really stand."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher

from retain.domain.candidate import Quote

_NEAR_ENOUGH = 0.85
_LONGEST_FUZZY_QUOTE = 1_000
_LONGEST_FUZZY_TURN = 20_000


def place(quote: Quote, content: str) -> tuple[Quote | None, float]:
    """The quote where it stands in ``content``, and how alike the text there is (1: equal).

    A quote that stands there nearly word for word comes back with the words that stand there.
    """
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


def whole(quote: Quote, content: str) -> Quote:
    """The whole turn as the quote of a candidate that cites it without words."""
    return replace(quote, text=content, start=0, end=len(content))


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
