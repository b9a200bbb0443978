"""Cuts a text into chunks of whole sentences."""

from __future__ import annotations

import re

# A sentence ends at a mark followed by space (or at once, where the script uses no spaces).
_SENTENCE = re.compile(r"[^.!?。！？।؟…\n]*(?:[.!?؟…]+(?=\s|$)|[.!?؟…]|[。！？।]+|\n+|$)")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]{2}|\w+")
LEAST_WORDS = 25
MOST_CHUNKS = 64


def chunks(text: str, least: int = LEAST_WORDS, most: int = MOST_CHUNKS) -> list[str]:
    """Consecutive chunks of whole sentences with at least ``least`` words each.

    Two characters count as a word in scripts without spaces. There are at most about ``most``
    chunks: long texts get longer ones. A remainder too short for its own joins the last chunk.
    A text of one chunk gives itself.
    """
    if len(text) < 2 * least:  # cannot hold two chunks
        return [text]
    total = len(_WORD.findall(text))
    least = max(least, -(-total // most))
    if total < 2 * least:
        return [text]
    cut: list[str] = []
    start, held, longest = 0, 0, 4 * least
    for match in _SENTENCE.finditer(text):
        size = len(_WORD.findall(match.group()))
        held += size
        if held < least:
            continue
        if held > longest:  # no sentence ends here: cut by words
            cut.extend(_by_words(text[start : match.end()], least))
        else:
            cut.append(text[start : match.end()])
        start, held = match.end(), 0
    if start < len(text):
        if held >= least or not cut:
            cut.append(text[start:])
        else:
            cut[-1] += text[start:]
    return cut


def _by_words(text: str, least: int) -> list[str]:
    ends = [match.end() for match in _WORD.finditer(text)]
    marks = [ends[i] for i in range(least - 1, len(ends) - least, least)]
    return [text[a:b] for a, b in zip([0, *marks], [*marks, len(text)], strict=True)]
