"""What a search scans of one memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Features:
    """Derived from a memory's text; packed arrays, little-endian. Rebuilt by ``reindex``.

    ``terms``: uint32 hashes of the text's stems, ascending, each once; ``counts``: uint8 each,
    saturating; ``length``: words in the text. ``vectors``: one or more quantised vectors (the whole
    text first, then its chunks if it has more than one), each a float32 scale followed by int8
    components. ``pieces``: uint32 ids of the embedder's word pieces in text order, empty where the
    embedder has no word vectors. ``cues``: a bit set (see ``retain.analysis.features``).
    ``speaker``: uint32 hash of who spoke, 0 if nobody is named.
    """

    terms: bytes
    counts: bytes
    length: int
    vectors: bytes
    pieces: bytes
    cues: int
    speaker: int
