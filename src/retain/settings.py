"""Every setting, read once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model: its provider, and the provider's options (model, api_key, base_url, ...)."""

    provider: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """How an instance is put together.

    Attributes:
        path: the ledger's file; ``":memory:"`` for none; None for the default place
            (``RETAIN_PATH``, else ``retain.db`` in the user's data directory).
        project: the tenant; memories of one project are never seen from another.
        embedder: provider ``static`` (default, no download), ``minilm``, ``multilingual``,
            ``fastembed``, ``sentence-transformers``, ``openai``, ``litellm``.
        reranker: None, or provider ``sentence-transformers`` or ``litellm``.
        llm: a chat model; None learns by rules alone.
        profile: the ranking: ``default``, ``plain`` (BM25 and vectors, summed), ``rem``.
        custom_instructions: added to a model's extraction method.
        busy_timeout: seconds to wait for another writer.
        rerank_timeout: seconds a reranker may take before its answer is done without.
        cache_megabytes: what the search cache may hold, over all scopes.
        session_gap: seconds of silence after which a new turn starts a new session.
    """

    path: str | Path | None = None
    project: str = "default"
    embedder: ModelSettings = field(default_factory=lambda: ModelSettings("static"))
    reranker: ModelSettings | None = None
    llm: ModelSettings | None = None
    profile: str = "default"
    custom_instructions: str | None = None
    busy_timeout: float = 30.0
    rerank_timeout: float = 5.0
    cache_megabytes: int = 512
    session_gap: float = 3600.0

    def resolved_path(self) -> str:
        """The ledger's file as text, after ``RETAIN_PATH`` and the default place."""
        if self.path is not None:
            return str(self.path)
        named = os.environ.get("RETAIN_PATH")
        if named:
            return named
        from platformdirs import user_data_dir

        return str(Path(user_data_dir("retain", appauthor=False)) / "retain.db")
