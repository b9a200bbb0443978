"""The default embedder: a static table of word-piece vectors, no network, no model run.

The table and its tokenizer are those of ``retain.models.wordllama`` (MIT); a text's vector is the
mean of its pieces' vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from retain.models import wordllama

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_WORDS = 50_000  # words whose pieces are remembered; most words come again
_WORD_CHARS = 24  # a longer word is not remembered
_PIECE_CHARS = 20_000  # a longer one is encoded in parts: the encoder's cost grows faster than it

_words: dict[str, list[int]] = {}


def forget_words() -> None:
    """Forget the words that were seen: they may be of a text that was erased."""
    _words.clear()


class StaticEmbedder:
    """Unit vectors of 256 components: mean of the pieces' vectors; nothing for an empty text.

    One table serves the whole process. Usable from many threads.

    Raises:
        ConfigError: the files are missing, or are not the ones this version was built for.
    """

    name = wordllama.IDENTITY
    dimension = 256

    def __init__(self) -> None:
        self._table = wordllama.piece_table()
        self._tokenizer = wordllama.tokenizer()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts, shape ``(len(texts), 256)``."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, pieces in enumerate(self.pieces(texts)):
            if len(pieces):
                total = self._table[pieces].sum(axis=0)
                length = float(np.sqrt(total @ total))
                if length:
                    vectors[row] = total / length
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, shape ``(256,)``."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector

    def pieces(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Piece ids of each text, in order, without special pieces.

        No piece of this vocabulary reaches over a blank, so a text's pieces are those of its words,
        except where blanks stand together.
        """
        return [np.array(self._ids(text), np.uint32) for text in texts]

    def piece_table(self) -> NDArray[np.float32]:
        """The vectors of all pieces, shape ``(32000, 256)``; read-only."""
        return self._table

    def _ids(self, text: str) -> list[int]:
        words = text.split(" ")
        if "" in words:  # nothing, or blanks together, or at an end
            return self._encoded(text)
        ids: list[int] = []
        for word in words:
            known = _words.get(word)
            ids += self._learned(word) if known is None else known
        return ids

    def _learned(self, word: str) -> list[int]:
        ids = self._encoded(word)
        if len(word) <= _WORD_CHARS:
            if len(_words) >= _MOST_WORDS:
                _words.clear()
            _words[word] = ids
        return ids

    def _encoded(self, text: str) -> list[int]:
        text = _encodable(text)
        parts = (text[i : i + _PIECE_CHARS] for i in range(0, len(text), _PIECE_CHARS))
        return [
            one
            for part in parts
            for one in self._tokenizer.encode(part, add_special_tokens=False).ids
        ]


def _encodable(text: str) -> str:
    """The text without lone surrogates, which no encoder takes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
