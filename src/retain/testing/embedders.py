"""Embedders for tests: exact, without a model, or failing on demand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retain.errors import ConfigError, ModelUnavailable

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Vectors from the words of a text alone, the same on every machine and in every run.

    Each word has a pseudo-random direction drawn from its BLAKE2 digest; a text is the sum of
    its words' directions. Texts are as near as the words they share; meaning plays no part.

    Args:
        dimension: components of a vector.
        name: what the ledger knows this embedder by; the dimension is added to the default one.

    Raises:
        ConfigError: the dimension is no positive integer.
    """

    def __init__(self, dimension: int = 64, name: str | None = None) -> None:
        if dimension < 1:
            raise ConfigError(f"dimension must be 1 or more, not {dimension!r}", field="dimension")
        self.dimension = dimension
        self.name = name or f"hash:{dimension}"
        self._directions: dict[str, NDArray[np.float32]] = {}

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of stored texts, shape ``(len(texts), dimension)``; zero without a word."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for place, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                rows[place] += self._direction(word)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float32] = np.zeros_like(rows)
        np.divide(rows, lengths, out=unit, where=lengths > 0)
        return unit

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, shape ``(dimension,)``."""
        row: NDArray[np.float32] = self.embed_documents([text])[0]
        return row

    def _direction(self, word: str) -> NDArray[np.float32]:
        known = self._directions.get(word)
        if known is None:
            digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            draws = np.random.default_rng(int.from_bytes(digest, "big"))
            known = draws.standard_normal(self.dimension).astype(np.float32)
            self._directions[word] = known
        return known


class FailingEmbedder:
    """An embedder that works until it is told to fail, and fails until it is told to work.

    Args:
        error: what is raised while it fails.
        failing: whether it fails from the start.
        dimension: components of a vector.
    """

    def __init__(
        self, error: Exception | None = None, *, failing: bool = True, dimension: int = 64
    ) -> None:
        self._working = HashEmbedder(dimension)
        self._error = error or ModelUnavailable("the embedder was told to fail")
        self.failing = failing
        self.dimension = dimension
        self.name = self._working.name

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As ``HashEmbedder``, or the error."""
        if self.failing:
            raise self._error
        return self._working.embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """As ``HashEmbedder``, or the error."""
        if self.failing:
            raise self._error
        return self._working.embed_query(text)
