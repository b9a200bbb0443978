"""The default embedder: a static table of word-piece vectors, no network, no model run.

The table and its tokenizer are the two files that the ``wordllama`` package carries (MIT; a text's
vector is the mean of its pieces' vectors). They are read directly: importing the package itself
would load more, and its loader may download.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retain.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_SHA256 = {
    _WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    _TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
_PIECE_CHARS = 20_000  # a longer text is encoded in parts: the encoder's cost grows faster than it
_FEW_CHARS = 4_000  # characters up to which a batch is not worth waking threads for
_MOST_WORDS = 50_000  # short texts whose pieces are remembered: the words of queries come again
_WORD_CHARS = 24

_lock = threading.Lock()
_words: dict[str, NDArray[np.uint32]] = {}
_loaded: tuple[NDArray[np.float32], Any] | None = None


class StaticEmbedder:
    """Unit vectors of 256 components: mean of the pieces' vectors; nothing for an empty text.

    One table serves the whole process. Usable from many threads.

    Raises:
        ConfigError: the files are missing, or are not the ones this version was built for.
    """

    name = f"wordllama-l2-supercat-256@{_SHA256[_WEIGHTS][:12]}"
    dimension = 256

    def __init__(self) -> None:
        self._table, self._tokenizer = _load()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts, shape ``(len(texts), 256)``."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, pieces in enumerate(self.pieces(texts)):
            if len(pieces):
                total = self._table[pieces].sum(axis=0)
                length = float(np.sqrt(total @ total))
                if length:
                    vectors[row] = total / length
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, shape ``(256,)``."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector

    def pieces(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Piece ids of each text, in order, without special pieces."""
        if sum(map(len, texts)) <= _FEW_CHARS:
            return [self._short(text) for text in texts]
        clean = [_encodable(text) for text in texts]
        if any(len(text) > _PIECE_CHARS for text in clean):
            return [self._long(text) for text in clean]
        encoded = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        return [np.array(one.ids, np.uint32) for one in encoded]

    def piece_table(self) -> NDArray[np.float32]:
        """The vectors of all pieces, shape ``(32000, 256)``; read-only."""
        return self._table

    def _short(self, text: str) -> NDArray[np.uint32]:
        known = _words.get(text)
        if known is not None:
            return known
        encoded = self._tokenizer.encode(_encodable(text), add_special_tokens=False)
        pieces = np.array(encoded.ids, np.uint32)
        if len(text) <= _WORD_CHARS:
            if len(_words) >= _MOST_WORDS:
                _words.clear()
            _words[text] = pieces
        return pieces

    def _long(self, text: str) -> NDArray[np.uint32]:
        parts = [text[i : i + _PIECE_CHARS] for i in range(0, len(text), _PIECE_CHARS)] or [""]
        encoded = [self._tokenizer.encode(part, add_special_tokens=False).ids for part in parts]
        return np.concatenate([np.array(ids, np.uint32) for ids in encoded])


def _encodable(text: str) -> str:
    """The text without lone surrogates, which no encoder takes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _load() -> tuple[NDArray[np.float32], Any]:
    global _loaded  # noqa: PLW0603  one table a process
    with _lock:
        if _loaded is None:
            from safetensors.numpy import load
            from tokenizers import Tokenizer

            tensors = load(_verified(_WEIGHTS))
            table = np.ascontiguousarray(tensors["embedding.weight"], dtype=np.float32)
            table.setflags(write=False)
            tokenizer = Tokenizer.from_str(_verified(_TOKENIZER).decode("utf-8"))
            tokenizer.no_padding()
            tokenizer.no_truncation()
            _loaded = (table, tokenizer)
        return _loaded


def _verified(name: str) -> bytes:
    """The bytes of one file of the package, after comparing their checksum."""
    spec = importlib.util.find_spec("wordllama")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ConfigError(
            "the package 'wordllama', which carries the default embedder's table, is not "
            "installed; install it with: pip install 'wordllama>=0.4.0.post1'"
        )
    path = Path(places[0]) / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"the default embedder's file {str(path)!r} cannot be read ({error}); reinstall it "
            "with: pip install --force-reinstall 'wordllama>=0.4.0.post1'"
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != _SHA256[name]:
        raise ConfigError(
            f"the default embedder's file {str(path)!r} has sha256 {digest!r}, not "
            f"{_SHA256[name]!r}: another release of the table gives other vectors; install "
            "'wordllama==0.4.0.post1', or choose another embedder in the settings"
        )
    return content
