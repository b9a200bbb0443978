"""Counting tokens for a budget, without knowing the model that will read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from retain.domain.locks import FreshLock
from retain.models.base import TokenCounter
from retain.models.wordllama import tokenizer

# A word with the blanks before it. Line breaks stand alone.
_WORD: Final = re.compile(r"[^\S\n]*\S+|[^\S\n]+")
_REMEMBERED: Final = 65_536
# What is longer is no word that comes again (or a script without blanks), and is counted in
# parts, since the tokenizer takes a whole word at once.
_LONG: Final = 64
_PART: Final = 2_000


class WordTokenCounter:
    """Counts the pieces of a 32,000-piece byte-pair vocabulary, word by word.

    The vocabulary is Llama 2's, which the default embedder uses too. It is smaller than those
    of current models (65,000 to 250,000), so it cuts a text into more pieces than they do, and a
    character that it lacks counts a token for each of its bytes. Where it knows a script better
    than an older vocabulary does (Cyrillic), a third of the bytes outside ASCII is the least
    that is counted. So a context within the budget by this count stays within it for current
    models, in any script.

    No piece reaches over a blank or a line break, so a count is a sum, which packing relies on:
    ``count(a + " " + b) == count(a) + count(b)`` and
    ``count(a + "\\n" + b) == count(a) + 1 + count(b)``, where ``b`` starts with no blank and
    ``a`` ends with none.
    """

    def __init__(self) -> None:
        self._pieces: Callable[[str], int] | None = None
        self._loading = FreshLock()

    def count(self, text: str) -> int:
        """How many tokens a model would see, at least.

        Args:
            text: any text; lone surrogates count as the mark that replaces them.

        Returns:
            0 for the empty text.

        Raises:
            ConfigError: the vocabulary's file is missing or damaged.
        """
        pieces = self._counting()
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return clean.count("\n") + sum(map(pieces, _WORD.findall(clean)))

    def _counting(self) -> Callable[[str], int]:
        with self._loading.held:
            if self._pieces is None:
                self._pieces = _word_counter(tokenizer())
            return self._pieces


def build_counter() -> TokenCounter:
    """The counter that budgets are measured by; it loads its vocabulary on first use."""
    return WordTokenCounter()


def _word_counter(vocabulary: Any) -> Callable[[str], int]:
    def encode(part: str) -> int:
        return len(vocabulary.encode(part, add_special_tokens=False))

    def tokens(word: str) -> int:
        parts = (word[start : start + _PART] for start in range(0, len(word), _PART))
        least = 0 if word.isascii() else _bytes_outside_ascii(word) // 3
        return max(sum(map(encode, parts)), least)

    remembered = lru_cache(_REMEMBERED)(tokens)

    def pieces(word: str) -> int:
        # The tokenizer puts one blank before whatever it is given.
        bare = word.removeprefix(" ") or word
        return remembered(bare) if len(bare) <= _LONG else tokens(bare)

    return pieces


def _bytes_outside_ascii(word: str) -> int:
    return sum(byte > 127 for byte in word.encode("utf-8"))
