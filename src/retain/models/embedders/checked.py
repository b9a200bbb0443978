"""The guard around every embedder: what goes in is clean text, what comes out unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retain.domain.locks import FreshLock
from retain.errors import ConfigError
from retain.models.base import Embedder, PieceEmbedder
from retain.models.embedders.vectors import unit_rows
from retain.models.embedders.windows import windows
from retain.models.failure import named_failure


class RawEmbedder(Protocol):
    """What a provider implements: as ``Embedder``, but it need not know its dimension, nor
    normalise. A provider may also have ``window``: the characters of a text that it reads."""

    @property
    def name(self) -> str:
        """Identity of the model."""

    @property
    def dimension(self) -> int | None:
        """Components of a vector, or None to find out by asking."""

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """Vectors of stored texts, a row each."""

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""


def guard(inner: RawEmbedder) -> Embedder:
    """Wrap an embedder so that its answers are checked; word pieces stay available."""
    if isinstance(inner, PieceEmbedder):
        return CheckedPieceEmbedder(inner)
    return CheckedEmbedder(inner)


class CheckedEmbedder:
    """An embedder whose every answer is checked, and whose failures are ``ModelError``.

    A blank text is not sent to the model: its vector is zero. A text longer than the model's
    window is embedded in windows, and its vector is their mean by length.
    """

    def __init__(self, inner: RawEmbedder) -> None:
        name = inner.name
        if not isinstance(name, str) or not name.strip():
            raise ConfigError(
                f"an embedder's name must be a text that identifies its model, not {name!r}",
                field="embedder.name",
            )
        stated = inner.dimension
        if stated is not None and (not isinstance(stated, int) or stated < 1):
            raise ConfigError(
                f"the dimension of embedder {name!r} must be a positive integer, not {stated!r}",
                field="embedder.dimension",
            )
        self._inner = inner
        self._name = name
        self._dimension = stated
        self._window: int | None = getattr(inner, "window", None)
        self._probing = FreshLock()

    @property
    def name(self) -> str:
        """Identity of the model."""
        return self._name

    @property
    def dimension(self) -> int:
        """As the model states it; else found by embedding one word, once."""
        with self._probing.held:
            if self._dimension is None:
                with named_failure(self._name):
                    answer = self._inner.embed_query("dimension")
                probe = unit_rows([answer], count=1, dimension=None, name=self._name)
                self._dimension = int(probe.shape[1])
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of stored texts, a row each."""
        dimension = self.dimension
        pieces: list[str] = []
        owners: list[int] = []
        for place, text in enumerate(texts):
            for piece in self._pieces_of(text):
                pieces.append(piece)
                owners.append(place)
        if not pieces:
            return np.zeros((len(texts), dimension), np.float32)
        with named_failure(self._name):
            answer = self._inner.embed_documents(pieces)
        rows = unit_rows(answer, count=len(pieces), dimension=dimension, name=self._name)
        if owners == list(range(len(texts))):
            return rows
        weights = np.array([len(piece) for piece in pieces], np.float32)[:, None]
        sums = np.zeros((len(texts), dimension), np.float32)
        np.add.at(sums, owners, rows * weights)
        return unit_rows(sums, count=len(texts), dimension=dimension, name=self._name)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query."""
        dimension = self.dimension
        pieces = self._pieces_of(text)
        if not pieces:
            return np.zeros(dimension, np.float32)
        # A question is short; of one that is not, its beginning is what is asked.
        with named_failure(self._name):
            answer = self._inner.embed_query(pieces[0])
        rows = unit_rows([answer], count=1, dimension=dimension, name=self._name)
        row: NDArray[np.float32] = rows[0]
        return row

    def _pieces_of(self, text: str) -> list[str]:
        clean = _clean(text)
        if not clean.strip():
            return []
        if self._window is None or len(clean) <= self._window:
            return [clean]
        return windows(clean, self._window)


class CheckedPieceEmbedder(CheckedEmbedder):
    """The same for an embedder that has a vector for each word piece."""

    def __init__(self, inner: PieceEmbedder) -> None:
        super().__init__(inner)
        self._with_pieces: PieceEmbedder = inner

    def pieces(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Piece ids of each text, in order."""
        with named_failure(self._name):
            pieces: list[NDArray[np.uint32]] = self._with_pieces.pieces(texts)
        return pieces

    def piece_table(self) -> NDArray[np.float32]:
        """The vectors of all pieces."""
        with named_failure(self._name):
            table: NDArray[np.float32] = self._with_pieces.piece_table()
        return table


def _clean(text: str) -> str:
    """Without what no tokenizer or wire takes: lone surrogates and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
