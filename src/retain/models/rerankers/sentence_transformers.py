"""Cross-encoders of the sentence-transformers library, local or downloaded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from retain.domain.locks import FreshLock
from retain.models.extras import require
from retain.models.failure import named_failure

EXTRA: Final = "sentence-transformers"


class CrossEncoderReranker:
    """Relevance of query and text read together, by PyTorch.

    Args:
        model: a cross-encoder's name on its hub, or a folder.
        device: ``cpu``, ``cuda``, ...; the library decides if None.
        batch_size: pairs a batch.
        max_length: tokens of a pair that are read; the model's own limit if None.
        model_kwargs: further arguments of ``CrossEncoder``.

    Raises:
        MissingExtra: the package is not installed.
        ModelUnavailable: the model cannot be loaded.
    """

    def __init__(
        self,
        model: str = "cross-encoder/ms-marco-MiniLM-L-6-v2",
        *,
        device: str | None = None,
        batch_size: int = 32,
        max_length: int | None = None,
        model_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = f"sentence-transformers:{model}"
        self._batch_size = batch_size
        self._lock = FreshLock()
        module = require("sentence_transformers", EXTRA)
        torch = require("torch", EXTRA)
        # The model's own activation differs from model to model: ask for the plain outputs.
        self._plain = torch.nn.Identity()
        with named_failure(self.name):
            self._model = module.CrossEncoder(
                model, device=device, max_length=max_length, **(model_kwargs or {})
            )

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One relevance each, 0..1, in the order given."""
        if not texts:
            return []
        with self._lock.held, named_failure(self.name):
            outputs = self._model.predict(
                [(query, text) for text in texts],
                batch_size=self._batch_size,
                show_progress_bar=False,
                activation_fn=self._plain,
            )
        return logistic(np.asarray(outputs, np.float64).reshape(len(texts), -1)[:, -1])


def logistic(outputs: Any) -> list[float]:
    """Unbounded outputs brought to 0..1, in the same order: ``1 / (1 + exp(-x))``."""
    # By tanh, which does not overflow for large outputs.
    return [float(value) for value in 0.5 * (1.0 + np.tanh(0.5 * np.asarray(outputs)))]
