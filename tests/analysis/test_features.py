"""Features of texts, and the default embedder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from retain.analysis.features import (
    describe,
    speaker_term,
    unpack_pieces,
    unpack_terms,
    unpack_vectors,
)
from retain.analysis.words import terms
from retain.models.base import PieceEmbedder
from retain.models.embedders.static import StaticEmbedder

EMBEDDER = StaticEmbedder()
LONG = "We went down to the river with the dog and had a very long picnic there. " * 8


def test_terms_come_back_sorted_with_their_counts() -> None:
    features = describe(["tea and tea and cake"], [None], EMBEDDER)[0]
    ids, counts = unpack_terms(features)
    assert ids.tolist() == sorted(set(terms("tea and cake")))
    assert dict(zip(ids.tolist(), counts.tolist(), strict=True))[terms("tea")[0]] == 2
    assert features.length == 5


def test_vectors_come_back_nearly_as_embedded() -> None:
    features = describe(["a walk in the park"], [None], EMBEDDER)[0]
    vectors = unpack_vectors(features, 256)
    assert vectors.shape == (1, 256)
    assert float(vectors[0] @ EMBEDDER.embed_query("a walk in the park")) > 0.999


def test_a_long_text_has_the_whole_first_and_then_its_chunks() -> None:
    features = describe([LONG], [None], EMBEDDER)[0]
    vectors = unpack_vectors(features, 256)
    assert len(vectors) > 2
    assert float(vectors[0] @ EMBEDDER.embed_query(LONG)) > 0.99


def test_the_speaker_counts_as_a_word_and_is_named() -> None:
    features = describe(["I like tea"], ["Anna Lee"], EMBEDDER)[0]
    assert features.speaker == speaker_term("Anna") == terms("anna")[0]
    assert terms("anna")[0] in unpack_terms(features)[0].tolist()
    assert describe(["I like tea"], [None], EMBEDDER)[0].speaker == 0


def test_texts_in_a_batch_are_described_as_alone() -> None:
    texts = ["I like tea", "", LONG, "我喜欢茶", "\ud800 broken"]
    together = describe(texts, [None] * len(texts), EMBEDDER)
    assert together == [describe([text], [None], EMBEDDER)[0] for text in texts]


def test_an_empty_text_has_a_vector_of_nothing() -> None:
    features = describe([""], [None], EMBEDDER)[0]
    assert not unpack_vectors(features, 256).any()
    assert len(unpack_pieces(features)) == 0
    assert features.length == 0


def test_a_huge_text_stays_small() -> None:
    features = describe(["river bank " * 100_000], [None], EMBEDDER)[0]
    assert len(features.vectors) <= 66 * 260
    assert len(features.pieces) <= 4 * 2048


class Letters:
    """An embedder without word pieces: how often each letter occurs."""

    name = "letters"
    dimension = 26

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array(
            [[t.lower().count(chr(97 + i)) for i in range(26)] for t in texts], np.float32
        )
        lengths = np.maximum(np.sqrt((rows**2).sum(axis=1, keepdims=True)), np.float32(1e-9))
        units: NDArray[np.float32] = rows / lengths
        return units

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector


def test_any_embedder_will_do() -> None:
    embedder = Letters()
    short, long = describe(["abc", LONG], [None, None], embedder)
    assert unpack_vectors(short, 26).shape == (1, 26)
    assert len(unpack_vectors(long, 26)) > 2
    assert short.pieces == b""


def test_the_default_embedder_compares_word_by_word() -> None:
    assert isinstance(EMBEDDER, PieceEmbedder)
    assert EMBEDDER.piece_table().shape[1] == EMBEDDER.dimension
    assert np.linalg.norm(EMBEDDER.embed_query("tea")) == pytest.approx(1.0, abs=1e-5)
    assert not EMBEDDER.embed_query("").any()
    near = EMBEDDER.embed_query("dog") @ EMBEDDER.embed_query("puppy")
    assert near > EMBEDDER.embed_query("dog") @ EMBEDDER.embed_query("contract") + 0.2
