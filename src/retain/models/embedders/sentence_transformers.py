"""Models of the sentence-transformers library, local or downloaded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retain.domain.locks import FreshLock
from retain.models.extras import require
from retain.models.failure import named_failure

EXTRA: Final = "sentence-transformers"


class SentenceTransformersEmbedder:
    """Sentence vectors by PyTorch, with the query and document prompts that a model defines.

    Args:
        model: a model's name on its hub, or a folder.
        device: ``cpu``, ``cuda``, ...; the library decides if None.
        batch_size: texts a batch.
        model_kwargs: further arguments of ``SentenceTransformer``.

    Raises:
        MissingExtra: the package is not installed.
        ModelUnavailable: the model cannot be loaded.
    """

    dimension: int | None = None
    window = 1500

    def __init__(
        self,
        model: str = "sentence-transformers/all-MiniLM-L6-v2",
        *,
        device: str | None = None,
        batch_size: int = 32,
        model_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = f"sentence-transformers:{model}"
        self._batch_size = batch_size
        self._lock = FreshLock()
        module = require("sentence_transformers", EXTRA)
        with named_failure(self.name):
            self._model = module.SentenceTransformer(model, device=device, **(model_kwargs or {}))
        # Version 5 knows which side a text is on; before, prompts had to be named.
        self._as_document = getattr(self._model, "encode_document", self._model.encode)
        self._as_query = getattr(self._model, "encode_query", self._model.encode)

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """Vectors of stored texts, a row each."""
        with self._lock.held:
            return self._as_document(
                list(texts), batch_size=self._batch_size, show_progress_bar=False
            )

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        with self._lock.held:
            return self._as_query([text], show_progress_bar=False)[0]
