"""Vectors alone: cosine of the question with every turn, by the embedder that Retain uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from retain.evaluation.baselines.corpus import Corpus
from retain.evaluation.baselines.embedding import embedder_of
from retain.evaluation.retriever import Ranked, best
from retain.evaluation.sample import Question, Sample, Session
from retain.models.base import Embedder
from retain.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DenseRetriever:
    """Exact search over the vectors of all turns."""

    name = "dense"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._corpus = Corpus()
        self._blocks: list[NDArray[np.float32]] = []

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """With the embedder of these settings."""
        return cls(embedder_of(settings))

    def begin(self, _sample: Sample, /) -> None:
        """Forget everything."""
        self._corpus = Corpus()
        self._blocks = []

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Embed every turn."""
        documents = self._corpus.extend(sessions)
        if documents:
            self._blocks.append(self._embedder.embed_documents(documents))

    def ask(self, question: Question, k: int) -> Ranked:
        """The turns whose vectors point most nearly the same way."""
        query = self._embedder.embed_query(question.text)
        scores = [score for block in self._blocks for score in (block @ query).tolist()]
        return best(self._corpus.ids, scores, k)

    def end(self) -> None:
        """Forget everything."""
        self.begin(Sample("", [], []))
