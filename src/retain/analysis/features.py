"""What a search scans of a text: describes texts in batches, and reads descriptions back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from struct import pack
from typing import TYPE_CHECKING

import numpy as np

from retain.analysis.chunks import LEAST_WORDS, chunks
from retain.analysis.cues import cues
from retain.analysis.words import terms_of, words
from retain.domain.features import Features
from retain.models.base import Embedder, piece_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_PIECES = 2048  # of a text are kept for comparing word by word
_CHUNK_CHARS = 8_000  # of a chunk are embedded; a chunk is this long only in huge texts
_SCALE = 4  # bytes of a vector's scale
_MOST_COUNT = 255

if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("retain keeps packed arrays in little-endian order; this machine differs")


def describe(
    texts: Sequence[str], speakers: Sequence[str | None], embedder: Embedder
) -> list[Features]:
    """The features of texts, each said by the speaker of the same place (None: nobody named).

    A speaker's name counts as the first word of the text, for words and for meaning.
    """
    named = [
        f"{speaker}: {text}" if speaker else text
        for text, speaker in zip(texts, speakers, strict=True)
    ]
    worded = [words(text) for text in named]
    # Of these the words are all that chunks and cues ask for.
    plain = [text.isascii() and "_" not in text for text in named]
    parts = [
        [text[:_CHUNK_CHARS]]
        if is_plain and len(found) < 2 * LEAST_WORDS
        else [chunk[:_CHUNK_CHARS] for chunk in chunks(text)]
        for text, found, is_plain in zip(named, worded, plain, strict=True)
    ]
    flat = [chunk for of_text in parts for chunk in of_text]
    with_pieces = piece_embedder(embedder)
    if with_pieces is not None:
        pieces = with_pieces.pieces(flat)
        sums = _sums(pieces, with_pieces.piece_table())
    else:
        pieces = []
        sums = embedder.embed_documents(flat)
    packed = _pack(sums, [len(of_text) for of_text in parts], texts, embedder)
    names = {speaker: words(speaker) for speaker in set(speakers) if speaker}
    described = []
    at = 0
    for text, speaker, found, is_plain, of_text, vectors in zip(
        texts, speakers, worded, plain, parts, packed, strict=True
    ):
        ids, counts, length = _counted(terms_of(found))
        mine = pieces[at : at + len(of_text)]
        at += len(of_text)
        name = names[speaker] if speaker else []
        described.append(
            Features(
                terms=ids,
                counts=counts,
                length=length,
                vectors=vectors,
                pieces=_joined(mine)[:MOST_PIECES].tobytes() if mine else b"",
                cues=cues(text, found[len(name) :] if is_plain else None),
                speaker=_first_term(name),
            )
        )
    return described


def speaker_term(name: str | None) -> int:
    """The number a speaker is known by: the term of the first word of the name; 0 for nobody.

    A question names a speaker when one of its words has this term.
    """
    return _first_term(words(name)) if name else 0


def _first_term(found: Sequence[str]) -> int:
    return terms_of(found[:1])[0] if found else 0


def unpack_terms(features: Features) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Terms, ascending, and how often each occurs (at most 255)."""
    return np.frombuffer(features.terms, "<u4"), np.frombuffer(features.counts, np.uint8)


def unpack_pieces(features: Features) -> NDArray[np.uint32]:
    """Ids of the word pieces in text order."""
    return np.frombuffer(features.pieces, "<u4")


def unpack_vectors(features: Features, dimension: int) -> NDArray[np.float32]:
    """The vectors, shape ``(1 or more, dimension)``: the whole text, then its chunks."""
    rows = np.frombuffer(features.vectors, np.uint8).reshape(-1, _SCALE + dimension)
    scales = np.ascontiguousarray(rows[:, :_SCALE]).view("<f4")
    vectors: NDArray[np.float32] = rows[:, _SCALE:].view(np.int8) * scales
    return vectors


def _counted(found: list[int]) -> tuple[bytes, bytes, int]:
    counted: dict[int, int] = {}
    for term in found:
        counted[term] = counted.get(term, 0) + 1
    each = sorted(counted)
    counts = [counted[term] for term in each]
    if len(found) > _MOST_COUNT:
        counts = [min(count, _MOST_COUNT) for count in counts]
    return pack(f"<{len(each)}I", *each), bytes(counts), len(found)


def _joined(arrays: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _sums(pieces: list[NDArray[np.uint32]], table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Per chunk the sum of its pieces' vectors."""
    sums = np.zeros((len(pieces), table.shape[1]), np.float32)
    for row, ids in enumerate(pieces):
        if len(ids):
            table[ids].sum(axis=0, out=sums[row])
    return sums


def _pack(
    sums: NDArray[np.float32], sizes: list[int], texts: Sequence[str], embedder: Embedder
) -> list[bytes]:
    """Per text its vectors as bytes: the whole, then the chunks where there are several."""
    several = [row for row, size in enumerate(sizes) if size > 1]
    if not several:
        packed = _quantised(sums)
        return [one.tobytes() for one in packed]
    starts = np.cumsum([0, *sizes[:-1]])
    if piece_embedder(embedder) is not None:
        wholes = np.add.reduceat(sums, starts, axis=0)
    else:
        wholes = sums[starts]
        wholes[several] = embedder.embed_documents([texts[row][:_CHUNK_CHARS] for row in several])
    whole, part = _quantised(wholes), _quantised(sums)
    return [
        whole[row].tobytes() + (part[start : start + size].tobytes() if size > 1 else b"")
        for row, (start, size) in enumerate(zip(starts.tolist(), sizes, strict=True))
    ]


def _quantised(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Rows of length 1 as int8 with a float32 scale in front; a zero row stays zero."""
    peaks = np.abs(vectors).max(axis=1, initial=0.0, keepdims=True)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    peaks[peaks == 0] = 1.0
    lengths[lengths == 0] = 1.0
    rows = np.empty((len(vectors), _SCALE + vectors.shape[1]), np.uint8)
    rows[:, _SCALE:] = np.rint(vectors * (127.0 / peaks)).astype(np.int8).view(np.uint8)
    rows[:, :_SCALE] = (peaks / (127.0 * lengths)).astype("<f4").view(np.uint8)
    return rows
