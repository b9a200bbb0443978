"""Mem0's open-source ``Memory`` with a local Qdrant, if it is installed: raw adds, our vectors.

No model is called: turns are added with ``infer=False``, and its embedding model is replaced by the
embedder that Retain uses, so that only what is done with the vectors differs.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from retain.errors import MissingExtra
from retain.evaluation.baselines.corpus import Corpus
from retain.evaluation.baselines.embedding import embedder_of
from retain.evaluation.retriever import Ranked
from retain.evaluation.sample import Question, Sample, Session
from retain.models.base import Embedder
from retain.settings import Settings

USER = "bench"


class Mem0Retriever:
    """One ``add`` a turn, dated and with its speaker written out; ``search`` with its defaults."""

    name = "mem0"

    def __init__(self, embedder: Embedder) -> None:
        missing = [one for one in ("mem0", "qdrant_client") if find_spec(one) is None]
        if missing:
            raise MissingExtra(
                f"the baseline 'mem0' needs {' and '.join(missing)}: "
                "pip install mem0ai qdrant-client"
            )
        self._embedder = embedder
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._memory: Any = None
        self._corpus = Corpus()
        self._turn_of: dict[str, str] = {}

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """With the embedder of these settings."""
        return cls(embedder_of(settings))

    def begin(self, _sample: Sample, /) -> None:
        """Open an empty store in a folder of its own."""
        self._folder = tempfile.TemporaryDirectory(prefix="retain-bench-mem0-")
        self._corpus = Corpus()
        self._turn_of = {}
        self._memory = _open_mem0(Path(self._folder.name), self._embedder)

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Add turn by turn: it has no bulk call that keeps turns as they are."""
        before = len(self._corpus.ids)
        documents = self._corpus.extend(sessions)
        for turn_id, text in zip(self._corpus.ids[before:], documents, strict=True):
            (added,) = self._memory.add(text, user_id=USER, infer=False)["results"]
            self._turn_of[added["id"]] = turn_id

    def ask(self, question: Question, k: int) -> Ranked:
        """Search; no threshold, as for the others."""
        found = self._memory.search(
            question.text, filters={"user_id": USER}, top_k=k, threshold=0.0
        )["results"]
        return Ranked(
            [self._turn_of[item["id"]] for item in found], [float(item["score"]) for item in found]
        )

    def end(self) -> None:
        """Close the store, the Qdrant client too, and remove it."""
        if self._memory is not None:
            self._memory.close()
            self._memory.vector_store.client.close()
            self._memory = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class _EmbeddingModel:
    """Our embedder in the shape of Mem0's."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector of one text, of a query or a document."""
        if memory_action == "search":
            return list(map(float, self._embedder.embed_query(text)))
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str], _action: str = "add") -> list[list[float]]:
        """The vectors of documents."""
        vectors: list[list[float]] = self._embedder.embed_documents(texts).tolist()
        return vectors


def _open_mem0(folder: Path, embedder: Embedder) -> Any:
    # It reads these while it is imported: no telemetry, nothing outside the folder.
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "home"))
    # It wants a key for the models that it builds and that are never called.
    os.environ.setdefault("OPENAI_API_KEY", "unused")
    from mem0 import Memory as Mem0  # type: ignore[import-not-found]

    store = {
        "path": str(folder / "qdrant"),
        "collection_name": "bench",
        "embedding_model_dims": embedder.dimension,
    }
    memory = Mem0.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = _EmbeddingModel(embedder)
    return memory
