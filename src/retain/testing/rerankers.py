"""Rerankers for tests: by shared words, failing, or not answering until they are released."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from threading import Event

_WORD = re.compile(r"\w+")


def word_overlap(query: str, text: str) -> float:
    """The share of the query's words that the text holds, 0..1."""
    asked = set(_WORD.findall(query.lower()))
    return len(asked.intersection(_WORD.findall(text.lower()))) / len(asked) if asked else 0.0


class FakeReranker:
    """Scores by a function of query and text; keeps what it was asked.

    Args:
        score: relevance of a text, 0..1; by shared words if left out.
        error: raised instead of an answer, if given.

    Attributes:
        asked: the (query, texts) of each call.
    """

    def __init__(
        self,
        score: Callable[[str, str], float] = word_overlap,
        *,
        error: Exception | None = None,
    ) -> None:
        self.name = "fake"
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self._score = score
        self._error = error

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One relevance each, in the order given, or the error."""
        self.asked.append((query, tuple(texts)))
        if self._error is not None:
            raise self._error
        return [self._score(query, text) for text in texts]


class HangingReranker(FakeReranker):
    """Does not answer before it is released: a model past its time limit, without a sleep.

    Attributes:
        started: set when a call has come in.
        release: set it to let all calls answer.
        answered: set when a call has answered.
    """

    def __init__(self, score: Callable[[str, str], float] = word_overlap) -> None:
        super().__init__(score)
        self.name = "hanging"
        self.started = Event()
        self.release = Event()
        self.answered = Event()

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """As ``FakeReranker``, once released."""
        self.started.set()
        self.release.wait()
        scores = super().rerank(query, texts)
        self.answered.set()
        return scores
