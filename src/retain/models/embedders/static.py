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

_PIECE_CHARS = 20_000  # a longer text is encoded in parts: the encoder's cost grows faster than it
_FEW_CHARS = 4_000  # characters up to which a batch is not worth waking threads for
_MOST_WORDS = 50_000  # short texts whose pieces are remembered: the words of queries come again
_WORD_CHARS = 24

_words: dict[str, NDArray[np.uint32]] = {}


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
        """Piece ids of each text, in order, without special pieces."""
        if sum(map(len, texts)) <= _FEW_CHARS:
            return [self._short(text) for text in texts]
        clean = [_encodable(text) for text in texts]
        if any(len(text) > _PIECE_CHARS for text in clean):
            return [self._long(text) for text in clean]
        encoded = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        return [np.array(one.ids, np.uint32) for one in encoded]

    def piece_table(self) -> NDArray[np.float32]:
        """The vectors of all pieces, shape ``(32000, 256)``; read-only."""
        return self._table

    def _short(self, text: str) -> NDArray[np.uint32]:
        known = _words.get(text)
        if known is not None:
            return known
        encoded = self._tokenizer.encode(_encodable(text), add_special_tokens=False)
        pieces = np.array(encoded.ids, np.uint32)
        if len(text) <= _WORD_CHARS:
            if len(_words) >= _MOST_WORDS:
                _words.clear()
            _words[text] = pieces
        return pieces

    def _long(self, text: str) -> NDArray[np.uint32]:
        parts = [text[i : i + _PIECE_CHARS] for i in range(0, len(text), _PIECE_CHARS)] or [""]
        encoded = [self._tokenizer.encode(part, add_special_tokens=False).ids for part in parts]
        return np.concatenate([np.array(ids, np.uint32) for ids in encoded])


def _encodable(text: str) -> str:
    """The text without lone surrogates, which no encoder takes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
