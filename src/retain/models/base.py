"""The protocols that models are used through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors. ``name`` identifies model and version, for the ledger."""

    @property
    def name(self) -> str:
        """Stable identity of the model and its version."""

    @property
    def dimension(self) -> int:
        """Components a vector has."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of stored texts, shape ``(len(texts), dimension)``, rows of length 1 (or 0)."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, shape ``(dimension,)``."""


@runtime_checkable
class PieceEmbedder(Embedder, Protocol):
    """An embedder with a fixed vector for each word piece, so that texts compare word by word."""

    def pieces(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Piece ids of each text, in order."""

    def piece_table(self) -> NDArray[np.float32]:
        """The vectors of all pieces, shape ``(pieces, dimension)``; read-only, not normalised."""


def piece_embedder(embedder: Embedder) -> PieceEmbedder | None:
    """The embedder, if it has word pieces."""
    return cast(PieceEmbedder, embedder) if _has_pieces(type(embedder)) else None


@lru_cache
def _has_pieces(kind: type) -> bool:
    """Whether a class has what ``PieceEmbedder`` adds. Remembered: to ask costs as much as to
    search a few rows."""
    return hasattr(kind, "pieces") and hasattr(kind, "piece_table")


class Reranker(Protocol):
    """Scores texts against a query with a dearer model."""

    @property
    def name(self) -> str:
        """Stable identity of the model."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One relevance each, 0..1, in the order given."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a chat model; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a chat model is asked.

    ``schema`` is a JSON schema that the answer must meet (None: free text), ``max_tokens`` the
    most that it may answer.
    """

    messages: Sequence[ChatMessage]
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a chat model answered. ``finish`` says why it ended (``stop``, ``length``, ...)."""

    text: str
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0


class ChatModel(Protocol):
    """Answers messages with a text."""

    @property
    def name(self) -> str:
        """Stable identity of the model, for the record."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What shapes its answers (temperature, ...); never a secret."""

    @property
    def window(self) -> int:
        """Tokens that prompt and answer may have together."""

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Answer.

        Raises:
            ModelUnavailable: it could not be reached, refused, or ran out of time.
        """


class TokenCounter(Protocol):
    """Counts the tokens of a text."""

    def count(self, text: str) -> int:
        """How many tokens a model would see, at least."""
