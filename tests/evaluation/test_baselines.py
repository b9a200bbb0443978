"""The methods to compare with do what they are named for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from retain.errors import InvalidInput
from retain.evaluation.baselines import Skipped, open_baseline
from retain.evaluation.baselines.bm25 import Bm25Retriever
from retain.evaluation.baselines.dense import DenseRetriever
from retain.evaluation.baselines.grep import GrepRetriever
from retain.evaluation.retriever import Retriever, best, document
from retain.evaluation.sample import Question, Sample, Session, Turn
from retain.settings import Settings

AT = datetime(2024, 3, 3, 9, 5, tzinfo=UTC)
TEXTS = [
    "The ferry to the island leaves at noon.",
    "My sister paints ferries, and ferries only.",
    "We had soup.",
    "",
]
SESSION = Session("s", AT, [Turn(f"t{n}", "user", "Ola", text, AT) for n, text in enumerate(TEXTS)])


class LetterEmbedder:
    """Counts letters: similar spelling, similar vector."""

    name = "letters"
    dimension = 26

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Letter counts, of length 1."""
        counts = np.array([text.lower().count(chr(97 + n)) for n in range(26)], np.float32)
        return counts / max(float(np.linalg.norm(counts)), 1e-9)


def ask(retriever: Retriever, text: str, k: int = 3) -> list[str]:
    return list(retriever.ask(Question("q", text, "c", {}), k).turn_ids)


@pytest.fixture(params=["bm25", "grep", "dense"])
def retriever(request: pytest.FixtureRequest) -> Retriever:
    made: dict[str, Retriever] = {
        "bm25": Bm25Retriever(),
        "grep": GrepRetriever(),
        "dense": DenseRetriever(LetterEmbedder()),
    }
    one = made[request.param]
    one.begin(Sample("s", [SESSION], []))
    one.ingest([SESSION])
    return one


def test_the_turn_that_was_asked_for_comes_first(retriever: Retriever) -> None:
    assert ask(retriever, "when does the ferry to the island leave?")[0] == "t0"
    assert ask(retriever, "We had soup")[0] == "t2"


def test_no_more_than_k_and_each_once(retriever: Retriever) -> None:
    assert len(ask(retriever, "ferry", 2)) == 2
    everything = ask(retriever, "ferry", 50)
    assert sorted(everything) == ["t0", "t1", "t2"]


def test_a_new_sample_starts_from_nothing(retriever: Retriever) -> None:
    retriever.begin(Sample("other", [], []))
    assert ask(retriever, "ferry") == []


def test_what_comes_in_later_is_found_too(retriever: Retriever) -> None:
    late = Session("late", AT, [Turn("t9", "user", None, "The zebra crossed the quay.", AT)])
    retriever.ingest([late])
    assert ask(retriever, "zebra crossed the quay", 1) == ["t9"]
    retriever.end()


def test_bm25_knows_stems_and_rarity() -> None:
    retriever = Bm25Retriever()
    retriever.begin(Sample("s", [SESSION], []))
    retriever.ingest([SESSION])
    assert ask(retriever, "ferries")[0] == "t1"
    assert ask(retriever, "ferry soup")[0] == "t2"


def test_bm25_agrees_with_the_formula_by_hand() -> None:
    session = Session(
        "s", AT, [Turn("a", "user", "X", "apple", AT), Turn("b", "user", "X", "pear pear", AT)]
    )
    retriever = Bm25Retriever()
    retriever.begin(Sample("s", [session], []))
    retriever.ingest([session])
    # Documents: date (3 words), speaker, text: 5 and 6 words, mean 5.5; pear: in 1 of 2, tf 2.
    rarity = np.log(1 + 1.5 / 1.5)
    expected = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 6 / 5.5))
    found = retriever.ask(Question("q", "pear", "c", {}), 2)
    assert found.turn_ids == ["b", "a"]
    assert found.scores == pytest.approx([expected, 0])


def test_of_equals_the_first_said_comes_first() -> None:
    assert best(["a", "b", "c"], [1.0, 2.0, 1.0], 3).turn_ids == ["b", "a", "c"]


def test_a_document_writes_time_and_speaker_out() -> None:
    assert document(SESSION.turns[2]) == "[03 March 2024] Ola: We had soup."
    assert document(Turn("t", "assistant", None, "Yes.", AT)) == "[03 March 2024] assistant: Yes."


def test_a_baseline_whose_package_is_missing_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("retain.evaluation.baselines.mem0.find_spec", lambda _name: None)
    skipped = open_baseline("mem0", Settings())
    assert isinstance(skipped, Skipped)
    assert "pip install mem0ai" in skipped.reason


def test_an_unknown_baseline_lists_the_known() -> None:
    with pytest.raises(InvalidInput, match="known are bm25, dense, grep, mem0"):
        open_baseline("elastic", Settings())
