"""BM25 over single turns (Robertson and Zaragoza 2009), English stems: the classic to beat."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from retain.evaluation.baselines.corpus import Corpus
from retain.evaluation.retriever import Ranked, best
from retain.evaluation.sample import Question, Sample, Session

K1 = 1.2
B = 0.75

_WORD = re.compile(r"\w+")


class _Stemmer(Protocol):
    def stemWords(self, words: Sequence[str]) -> list[str]: ...


class Bm25Retriever:
    """``idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))``, summed."""

    name = "bm25"

    def __init__(self) -> None:
        from Stemmer import Stemmer  # type: ignore[import-not-found]

        self._stemmer: _Stemmer = Stemmer("english")
        self._reset()

    def _reset(self) -> None:
        self._corpus = Corpus()
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []

    def begin(self, _sample: Sample, /) -> None:
        """Forget everything."""
        self._reset()

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Count the stems of every turn."""
        for text in self._corpus.extend(sessions):
            stems = self._stems(text)
            for stem, count in Counter(stems).items():
                self._postings.setdefault(stem, []).append((len(self._lengths), count))
            self._lengths.append(len(stems))

    def ask(self, question: Question, k: int) -> Ranked:
        """Score every turn; those that share no stem with the question come last."""
        total = len(self._lengths)
        scores = [0.0] * total
        mean = sum(self._lengths) / total if total else 1.0
        for stem in set(self._stems(question.text)):
            postings = self._postings.get(stem, ())
            rarity = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings:
                damping = K1 * (1 - B + B * self._lengths[place] / mean)
                scores[place] += rarity * count * (K1 + 1) / (count + damping)
        return best(self._corpus.ids, scores, k)

    def end(self) -> None:
        """Forget everything."""
        self._reset()

    def _stems(self, text: str) -> list[str]:
        return self._stemmer.stemWords(_WORD.findall(text.casefold()))
