"""Words that mean nearly the same, by the static vectors of their pieces."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from retain.models import wordllama

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_WORDS = 8_192  # vectors remembered
_MOST_PIECES = 3  # a word of more pieces has no meaning of its own in the table
_vectors: dict[str, NDArray[np.float32] | None] = {}


def likeness(words: Sequence[tuple[str, AbstractSet[str]]], others: Sequence[str]) -> list[float]:
    """For each word the cosine to the nearest of ``others``; 0 where there is none.

    With each word come those that it is not to be compared with, such as its opposites.
    """
    import numpy as np

    known = [(one, vector) for one in others if (vector := _vector(one)) is not None]
    if not known:
        return [0.0] * len(words)
    table = np.stack([vector for _one, vector in known])
    found = []
    for word, barred in words:
        vector = _vector(word)
        if vector is None:
            found.append(0.0)
            continue
        alike = table @ vector
        if barred:
            alike[[one in barred for one, _vector in known]] = 0.0
        found.append(float(alike.max()))
    return found


def _vector(word: str) -> NDArray[np.float32] | None:
    try:
        return _vectors[word]
    except KeyError:
        pass
    import numpy as np

    vector: NDArray[np.float32] | None = None
    if len(word) > 2 and word.isascii() and word.isalpha():
        ids = wordllama.tokenizer().encode(word, add_special_tokens=False).ids
        if 0 < len(ids) <= _MOST_PIECES:
            total = wordllama.piece_table()[ids].sum(axis=0)
            length = float(np.sqrt(total @ total))
            vector = total / length if length else None
    if len(_vectors) >= _MOST_WORDS:
        _vectors.clear()
    _vectors[word] = vector
    return vector
