"""Rerankers and the time limit they work under."""

from __future__ import annotations

import inspect
import math
import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from retain.errors import ConfigError, MissingExtra, ModelAnswerInvalid, ModelUnavailable
from retain.models.choice import ModelSettings
from retain.models.rerankers import RERANKERS, build_reranker
from retain.models.rerankers.litellm import scores_in_order
from retain.models.rerankers.sentence_transformers import logistic
from retain.recall.rerank import rerank_pool
from retain.testing.rerankers import FakeReranker, HangingReranker

TEXTS = ["the cat", "a dog and a cat", "fish"]


def test_scores_come_in_the_order_of_the_pool() -> None:
    outcome = rerank_pool(FakeReranker(), "a dog", TEXTS, timeout=30)
    assert outcome.scores == (0.0, 1.0, 0.0)
    assert not outcome.timed_out


def test_an_empty_pool_asks_nothing() -> None:
    reranker = FakeReranker()
    assert rerank_pool(reranker, "q", [], timeout=30).scores == ()
    assert reranker.asked == []


def test_a_model_past_its_time_is_left_behind() -> None:
    reranker = HangingReranker()
    outcome = rerank_pool(reranker, "q", TEXTS, timeout=0.01)
    assert outcome.scores is None
    assert outcome.timed_out
    assert not reranker.answered.is_set()
    reranker.release.set()
    assert reranker.answered.wait(30)


def test_a_failure_keeps_its_cause() -> None:
    reason = OSError("no route")
    with pytest.raises(ModelUnavailable, match="no route") as caught:
        rerank_pool(FakeReranker(error=reason), "q", TEXTS, timeout=30)
    assert caught.value.__cause__ is reason


def test_an_error_of_ours_passes_unchanged() -> None:
    reason = ModelAnswerInvalid("odd", raw="x")
    with pytest.raises(ModelAnswerInvalid) as caught:
        rerank_pool(FakeReranker(error=reason), "q", TEXTS, timeout=30)
    assert caught.value is reason


class Answering:
    """Answers what a test says."""

    name = "answering"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def rerank(self, query: str, texts: Any) -> Any:
        assert query
        assert texts
        return self.answer


@pytest.mark.parametrize(
    "answer", [[0.5], [0.1, 0.2, math.nan], [0.1, 0.2, 7.0], [0.1, 0.2, -1], None, ["a", "b", "c"]]
)
def test_a_wrong_answer_is_an_error(answer: Any) -> None:
    with pytest.raises(ModelAnswerInvalid, match="answering"):
        rerank_pool(Answering(answer), "q", TEXTS, timeout=30)


@pytest.mark.parametrize(
    ("provider", "options"), [("sentence-transformers", {}), ("litellm", {"model": "cohere/x"})]
)
def test_a_missing_package_names_the_extra(
    provider: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, provider.replace("-", "_"), None)
    with pytest.raises(MissingExtra, match=rf"retain\[{provider}\]"):
        build_reranker(ModelSettings(provider, options))


@pytest.mark.parametrize("provider", sorted(RERANKERS))
def test_the_stated_options_are_the_ones_a_provider_takes(provider: str) -> None:
    entry = RERANKERS[provider]
    takes = inspect.signature(getattr(import_module(entry.module), entry.attribute)).parameters
    assert set(takes) == set(entry.options)


def test_a_callers_own_is_used_as_it_is() -> None:
    own = FakeReranker()
    assert build_reranker(own) is own
    with pytest.raises(ConfigError, match="no reranker"):
        build_reranker(object())  # type: ignore[arg-type]


def test_unbounded_outputs_become_relevances_in_the_same_order() -> None:
    scores = logistic([-1000.0, -1.0, 0.0, 1.0, 1000.0])
    assert scores == sorted(scores)
    assert (scores[0], scores[2], scores[-1]) == (0.0, 0.5, 1.0)
    assert math.isclose(scores[3], 1 / (1 + math.exp(-1)))


def test_a_hosted_answer_is_put_in_the_order_of_the_texts() -> None:
    results = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]
    assert scores_in_order(SimpleNamespace(results=results), 2, "m") == [0.2, 0.9]
    with pytest.raises(ModelAnswerInvalid, match="2 relevances to 3 texts"):
        scores_in_order(SimpleNamespace(results=results), 3, "m")
