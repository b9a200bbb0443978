"""Text that came out of memory: it is not learned again, or every fact became its own evidence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# The fence that ``recall`` puts around a context. One that is not closed hides the rest.
_FENCE = re.compile(r"<retain-memory\b[^>]{0,500}>|</retain-memory\s{0,9}>", re.IGNORECASE)
_NOT_WORD = re.compile(r"[\W_]+")
LEAST_ECHO = 12  # characters: shorter pieces are said by chance


def without_recalled(text: str) -> str:
    """The text with line breaks in place of what stands between fences: every place stays."""
    return blanked(text, _recalled_spans(text)) if "retain-memory" in text.casefold() else text


def echoes(piece: str, memory: str) -> bool:
    """Whether a piece of a text repeats a memory, or a part of it, letter by letter.

    Case, width, spaces and punctuation do not count.
    """
    said = _plain(piece)
    return len(said) >= LEAST_ECHO and said in _plain(memory)


def _plain(text: str) -> str:
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with line breaks in place of spans, of the same length."""
    if not spans:
        return text
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], "\n" * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _recalled_spans(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened, depth = 0, 0
    for match in _FENCE.finditer(text):
        if match.group().startswith("</"):
            depth = max(0, depth - 1)
            if depth == 0 and (not spans or spans[-1][1] <= opened):
                spans.append((opened, match.end()))
                opened = match.end()
        else:
            if depth == 0:
                opened = match.start()
            depth += 1
    if depth:
        spans.append((opened, len(text)))
    return spans
