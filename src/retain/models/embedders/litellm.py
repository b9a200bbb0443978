"""Embedding models of the many services that litellm speaks to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from retain.models.embedders.openai import rows_in_order
from retain.models.litellm import litellm


class LiteLLMEmbedder:
    """Embeddings by ``litellm.embedding``, in batches, with time limits and retries.

    Args:
        model: litellm's name, with the service first: ``cohere/embed-v4.0``.
        api_key: the key; the service's own environment variable if None.
        base_url: the endpoint, where it is not the service's own.
        api_version: the interface's version, where the service has several.
        dimensions: components to ask for; the model's own, found by asking, if None.
        batch_size: texts a request.
        timeout: seconds a request may take.
        max_retries: how often a request is tried again.
        extra: further arguments of ``litellm.embedding``.

    Raises:
        MissingExtra: the package is not installed.
    """

    window = 6000

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        api_version: str | None = None,
        dimensions: int | None = None,
        batch_size: int = 64,
        timeout: float = 30.0,
        max_retries: int = 3,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = f"litellm:{model}"
        self.dimension = dimensions
        self._batch_size = batch_size
        given = {
            "api_key": api_key,
            "api_base": base_url,
            "api_version": api_version,
            "dimensions": dimensions,
        }
        self._call = {
            "model": model,
            "timeout": timeout,
            "num_retries": max_retries,
            **{key: value for key, value in given.items() if value is not None},
            **(extra or {}),
        }
        self._litellm = litellm()

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """Vectors of stored texts, a row each."""
        rows: list[Any] = []
        for start in range(0, len(texts), self._batch_size):
            rows.extend(self._request(list(texts[start : start + self._batch_size])))
        return rows

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        return self._request([text])[0]

    def _request(self, texts: list[str]) -> list[Any]:
        answer = self._litellm.embedding(input=texts, **self._call)
        return rows_in_order(answer, len(texts), self.name)
