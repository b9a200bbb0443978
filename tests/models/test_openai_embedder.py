"""The contract of an OpenAI-compatible endpoint, over real HTTP."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retain.errors import ConfigError, ModelAnswerInvalid, ModelUnavailable
from retain.models.base import Embedder
from retain.models.choice import ModelSettings
from retain.models.embedders import build_embedder

from .endpoint import Endpoint, serve_embeddings, vectors

pytest.importorskip("openai", reason="the extra 'openai' is not installed")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serve_embeddings() as endpoint:
        yield endpoint


def embedder_of(endpoint: Endpoint, **options: Any) -> Embedder:
    given = {"model": "m", "api_key": "k", "base_url": endpoint.url, "max_retries": 1, **options}
    return build_embedder(ModelSettings("openai", given))


def test_vectors_come_in_the_order_of_the_texts_and_of_length_one(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint, dimensions=4)
    rows = embedder.embed_documents(["aaaaaaaaa", "b"])
    assert rows.shape == (2, 4)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0, 0] > rows[1, 0]
    assert endpoint.asked[0]["authorization"] == "Bearer k"
    assert endpoint.asked[0]["path"] == "/v1/embeddings"
    assert embedder.name == "openai:m"


def test_texts_go_in_batches(endpoint: Endpoint) -> None:
    rows = embedder_of(endpoint, dimensions=4, batch_size=2).embed_documents(list("abcde"))
    assert len(rows) == 5
    assert [len(asked["input"]) for asked in endpoint.asked] == [2, 2, 1]


def test_an_unknown_dimension_is_found_by_asking_once(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint)
    assert (embedder.dimension, embedder.dimension) == (4, 4)
    assert len(endpoint.asked) == 1


def test_a_stated_dimension_needs_no_request(endpoint: Endpoint) -> None:
    assert embedder_of(endpoint, dimensions=7).dimension == 7
    assert embedder_of(endpoint, model="text-embedding-3-large").dimension == 3072
    assert endpoint.asked == []


@pytest.mark.parametrize("request_it", [True, False])
def test_the_dimension_is_requested_unless_told_not_to(
    endpoint: Endpoint, request_it: bool
) -> None:
    embedder_of(endpoint, dimensions=4, request_dimensions=request_it).embed_query("x")
    assert endpoint.asked[0].get("dimensions") == (4 if request_it else None)


def test_blank_texts_are_not_sent_and_are_zero(endpoint: Endpoint) -> None:
    rows = embedder_of(endpoint, dimensions=4).embed_documents(["", "word", " \n"])
    assert endpoint.asked[0]["input"] == ["word"]
    assert not rows[0].any()
    assert not rows[2].any()
    assert rows[1].any()


def test_lone_surrogates_do_not_break_the_request(endpoint: Endpoint) -> None:
    embedder_of(endpoint, dimensions=4).embed_query("a\ud800b")
    assert endpoint.asked[0]["input"] == ["a?b"]


def test_a_long_text_is_embedded_in_windows(endpoint: Endpoint) -> None:
    rows = embedder_of(endpoint, dimensions=4).embed_documents(["word " * 4000, "b"])
    sent = endpoint.asked[0]["input"]
    assert len(sent) == 4
    assert max(map(len, sent)) <= 8000
    assert rows.shape == (2, 4)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.queued = [(status, {"Retry-After": "0", "retry-after-ms": "1"}, {"error": "later"})]
    assert embedder_of(endpoint, dimensions=4).embed_query("x").shape == (4,)
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_lasting_failure_is_an_error_with_its_cause(endpoint: Endpoint, status: int) -> None:
    endpoint.usual = lambda _: (status, {}, {"error": {"message": "no such thing"}})
    with pytest.raises(ModelUnavailable, match=r"openai:m.*no such thing") as caught:
        embedder_of(endpoint, dimensions=4, max_retries=0).embed_query("x")
    assert caught.value.__cause__ is not None


def test_an_unreachable_endpoint_is_an_error() -> None:
    with serve_embeddings() as gone:
        pass
    with pytest.raises(ModelUnavailable):
        embedder_of(gone, dimensions=4, max_retries=0).embed_query("x")


def answer(*embeddings: Any) -> dict[str, Any]:
    data = [{"index": place, "embedding": row} for place, row in enumerate(embeddings)]
    return {"object": "list", "model": "m", "data": data}


@pytest.mark.parametrize(
    "wrong",
    [
        answer(),
        answer([1.0] * 4, [1.0] * 4),
        answer([1.0] * 5),
        answer([]),
        answer([math.nan, 1.0, 1.0, 1.0]),
        answer([math.inf, 1.0, 1.0, 1.0]),
        answer(["a", "b", "c", "d"]),
        answer(None),
        {"object": "list", "data": None},
        {"error": "but status 200"},
        {"object": "list", "data": [{"index": 3, "embedding": [1.0] * 4}]},
    ],
)
def test_an_answer_that_cannot_be_used_is_an_error(endpoint: Endpoint, wrong: Any) -> None:
    endpoint.usual = lambda _: (200, {}, wrong)
    with pytest.raises(ModelAnswerInvalid) as caught:
        embedder_of(endpoint, dimensions=4).embed_query("x")
    assert "openai:m" in caught.value.message
    assert "raw" in caught.value.details


def test_without_a_key_the_error_says_where_to_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        build_embedder(ModelSettings("openai"))


def test_the_same_answer_serves_documents_and_queries(endpoint: Endpoint) -> None:
    endpoint.usual = lambda body: (200, {}, vectors(body, 3))
    embedder = embedder_of(endpoint)
    assert np.allclose(embedder.embed_documents(["abc"])[0], embedder.embed_query("abc"))
