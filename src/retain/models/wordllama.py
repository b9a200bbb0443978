"""The two files of the ``wordllama`` package: a table of word-piece vectors, and its tokenizer.

They are read directly and verified: importing the package itself would load more, and its loader
may download. One table and one tokenizer serve the whole process.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from retain.domain.locks import FreshLock
from retain.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"
_SHA256: Final = {
    _WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    _TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
IDENTITY: Final = f"wordllama-l2-supercat-256@{_SHA256[_WEIGHTS][:12]}"
_loading = FreshLock()


def piece_table() -> NDArray[np.float32]:
    """The vectors of all pieces, shape ``(32000, 256)``; read-only.

    Raises:
        ConfigError: the file is missing, or is not the one this version was built for.
    """
    with _loading.held:
        return _table()


def tokenizer() -> Any:
    """The tokenizer of the pieces, without padding and truncation; usable from many threads.

    Raises:
        ConfigError: the file is missing, or is not the one this version was built for.
    """
    with _loading.held:
        return _pieces()


@lru_cache(maxsize=1)
def _table() -> NDArray[np.float32]:
    import numpy as np
    from safetensors.numpy import load

    table = np.ascontiguousarray(load(_verified(_WEIGHTS))["embedding.weight"], dtype=np.float32)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=1)
def _pieces() -> Any:
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_str(_verified(_TOKENIZER).decode("utf-8"))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


def _verified(name: str) -> bytes:
    """The bytes of one file of the package, after comparing their checksum."""
    spec = find_spec("wordllama")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ConfigError(
            "the package 'wordllama', which carries the default embedder's table and the "
            "vocabulary that tokens are counted by, is not installed; install it with: "
            "pip install 'wordllama>=0.4.0.post1'"
        )
    path = Path(places[0]) / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"the file {str(path)!r} cannot be read ({error}); reinstall it with: "
            "pip install --force-reinstall 'wordllama>=0.4.0.post1'"
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != _SHA256[name]:
        raise ConfigError(
            f"the file {str(path)!r} has sha256 {digest!r}, not {_SHA256[name]!r}: another release "
            "of it gives other vectors and counts; install 'wordllama==0.4.0.post1', or choose "
            "another embedder in the settings"
        )
    return content
