"""One set of vectors for all libraries, made once with Retain's default embedder.

The other library looks its vectors up in the table, at no cost to speak of; Retain embeds for
itself on every call. So the comparison of time favours the other one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from workload import query, text

QUERIES = 400
WARM = 1_000_000  # where timing.time_calls numbers its warm-up calls from


def texts_of(rows: int) -> list[str]:
    """Every text that a run of this size embeds: memories, the single adds after them, queries."""
    memories = [text(number) for number in range(rows + 2_000)]
    warm = [query(WARM + number) for number in range(10)]
    return list(dict.fromkeys(memories + [query(n) for n in range(QUERIES)] + warm))


class Table:
    """Vectors looked up by text; shaped like Mem0's embedding model."""

    def __init__(self, path: Path, rows: int) -> None:
        self._vectors = np.load(path, mmap_mode="r")
        self._place = {one: number for number, one in enumerate(texts_of(rows))}
        self.rows = rows
        self.dimension = int(self._vectors.shape[1])

        self.config = SimpleNamespace(embedding_dims=self.dimension, model="lookup")

    def embed(self, one: str, _action: Any = None) -> list[float]:
        """The vector of one text."""
        return list(map(float, self._vectors[self._place[one]]))

    def embed_batch(self, many: list[str], _action: Any = "add") -> list[list[float]]:
        """The vectors of several texts."""
        return [self.embed(one) for one in many]


def write_table(path: Path, rows: int) -> None:
    """Embed all texts of a run and save the vectors.

    The embedder's own vectors, not a search's: Retain also keeps chunks and word pieces.
    """
    from retain.models.embedders import build_embedder
    from retain.settings import ModelSettings

    embedder = build_embedder(ModelSettings("static"))
    np.save(path, embedder.embed_documents(texts_of(rows)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--rows", type=int, default=50_000)
    asked = parser.parse_args()
    write_table(asked.path, asked.rows)
