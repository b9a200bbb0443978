"""Models of the fastembed library; it downloads the one that is named, once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from retain.models.extras import require
from retain.models.failure import named_failure

EXTRA: Final = "fastembed"


class FastEmbedEmbedder:
    """Text embeddings by onnxruntime, with the query and passage forms that a model defines.

    Args:
        model: a model that fastembed lists.
        batch_size: texts a batch.
        cache_dir: where the model is kept; fastembed's own place if None.
        threads: how many one call may use; fastembed decides if None.

    Raises:
        MissingExtra: the package is not installed.
        ModelUnavailable: the model is unknown or cannot be loaded.
    """

    dimension: int | None = None
    window = 1500

    def __init__(
        self,
        model: str = "BAAI/bge-small-en-v1.5",
        *,
        batch_size: int = 64,
        cache_dir: str | None = None,
        threads: int | None = None,
    ) -> None:
        self.name = f"fastembed:{model}"
        self._batch_size = batch_size
        module = require("fastembed", EXTRA)
        with named_failure(self.name):
            self._model = module.TextEmbedding(model, cache_dir=cache_dir, threads=threads)

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """Vectors of stored texts, a row each."""
        return list(self._model.passage_embed(list(texts), batch_size=self._batch_size))

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        return next(iter(self._model.query_embed(text)))
