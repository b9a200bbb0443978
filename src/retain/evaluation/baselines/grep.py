"""What a patient reader with grep would find: the turns that share most words with the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retain.evaluation.baselines.corpus import Corpus
from retain.evaluation.retriever import Ranked, best
from retain.evaluation.sample import Question, Sample, Session

_WORD = re.compile(r"\w+")


class GrepRetriever:
    """Counts the different words of the question that occur in the turn, case aside."""

    name = "grep"

    def __init__(self) -> None:
        self._corpus = Corpus()
        self._words: list[frozenset[str]] = []

    def begin(self, _sample: Sample, /) -> None:
        """Forget everything."""
        self._corpus = Corpus()
        self._words = []

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Keep the set of words of every turn."""
        self._words.extend(map(_words, self._corpus.extend(sessions)))

    def ask(self, question: Question, k: int) -> Ranked:
        """The turns with the largest overlap."""
        wanted = _words(question.text)
        return best(self._corpus.ids, [float(len(wanted & words)) for words in self._words], k)

    def end(self) -> None:
        """Forget everything."""
        self.begin(Sample("", [], []))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
