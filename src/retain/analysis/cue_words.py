"""Lists of words as one pattern."""

from __future__ import annotations

import re
from typing import Final

_NO_BLANKS: Final = re.compile(r"[぀-ヿ㐀-鿿가-힣฀-๿]")


def pattern(words: str) -> re.Pattern[str]:
    """One pattern for words that are separated by ``|``; ``*`` at the end means any ending.

    Each is found as a whole word in any case, or, in scripts without blanks, anywhere.
    """
    parts = []
    for word in words.split("|"):
        stem, star = (word[:-1], r"\w*") if word.endswith("*") else (word, "")
        bare = re.escape(stem).replace(r"\ ", r"\s+")
        parts.append(bare if _NO_BLANKS.search(word) else rf"(?<!\w){bare}{star}(?!\w)")
    return re.compile("|".join(parts), re.IGNORECASE)
