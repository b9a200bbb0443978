"""An embeddings object of LangChain, used as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retain.errors import ConfigError


class LangchainEmbedder:
    """Delegates to the ``embed_documents`` and ``embed_query`` of the caller's object.

    Args:
        model: the object.
        name: identifies its model; by default its class and what it calls its model.

    Raises:
        ConfigError: the object lacks one of the two methods.
    """

    dimension: int | None = None

    def __init__(self, model: Any, name: str | None = None) -> None:
        for method in ("embed_documents", "embed_query"):
            if not callable(getattr(model, method, None)):
                raise ConfigError(
                    f"embedder provider 'langchain' needs an embeddings object as its option "
                    f"'model'; {model!r} has no method {method!r}",
                    field="embedder.model",
                )
        called = getattr(model, "model", None) or getattr(model, "model_name", None)
        label = ":".join(str(part) for part in (type(model).__name__, called) if part)
        self.name = f"langchain:{name or label}"
        self._model = model

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """Vectors of stored texts, a row each."""
        return self._model.embed_documents(list(texts))

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        return self._model.embed_query(text)
