"""Hosted rerankers of the many services that litellm speaks to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from retain.errors import ModelAnswerInvalid
from retain.models.failure import named_failure
from retain.models.litellm import litellm


class LiteLLMReranker:
    """Relevance by ``litellm.rerank``.

    Args:
        model: litellm's name, with the service first: ``cohere/rerank-v3.5``.
        api_key: the key; the service's own environment variable if None.
        base_url: the endpoint, where it is not the service's own.
        timeout: seconds a request may take.
        max_retries: how often a request is tried again.
        extra: further arguments of ``litellm.rerank``.

    Raises:
        MissingExtra: the package is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 10.0,
        max_retries: int = 1,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = f"litellm:{model}"
        given = {"api_key": api_key, "api_base": base_url}
        self._call = {
            "model": model,
            "timeout": timeout,
            "num_retries": max_retries,
            **{key: value for key, value in given.items() if value is not None},
            **(extra or {}),
        }
        self._litellm = litellm()

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One relevance each, 0..1, in the order given."""
        if not texts:
            return []
        with named_failure(self.name):
            answer = self._litellm.rerank(
                query=query,
                documents=list(texts),
                top_n=len(texts),
                return_documents=False,
                **self._call,
            )
        return scores_in_order(answer, len(texts), self.name)


def scores_in_order(answer: Any, count: int, name: str) -> list[float]:
    """The relevances of an answer, which comes best first, in the order of the texts sent.

    Raises:
        ModelAnswerInvalid: it is of another shape, or not one relevance for each text.
    """
    results = getattr(answer, "results", None) or []
    scores: dict[int, float] = {}
    for entry in results:
        get = entry.get if isinstance(entry, Mapping) else vars(entry).get
        index, score = get("index"), get("relevance_score")
        if isinstance(index, int) and isinstance(score, int | float):
            scores[index] = float(score)
    if sorted(scores) != list(range(count)):
        raw = repr(answer)[:500]
        raise ModelAnswerInvalid(
            f"model {name!r} answered {len(scores)} relevances to {count} texts: {raw[:200]}",
            model=name,
            raw=raw,
        )
    return [scores[place] for place in range(count)]
