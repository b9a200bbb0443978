"""Readers of public data sets, given by path: none is shipped, none is downloaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from retain.errors import InvalidInput
from retain.evaluation.datasets.locomo import read_locomo
from retain.evaluation.datasets.longmemeval import read_longmemeval
from retain.evaluation.datasets.realmem import read_realmem
from retain.evaluation.sample import Dataset

READERS: dict[str, Callable[[Path], Dataset]] = {
    "locomo": read_locomo,
    "longmemeval": read_longmemeval,
    "realmem": read_realmem,
}


def read_dataset(name: str, path: Path) -> Dataset:
    """The data set of this name, from a file or folder.

    Raises:
        InvalidInput: an unknown name, or a path that does not hold this data set.
    """
    reader = READERS.get(name)
    if reader is None:
        raise InvalidInput(f"unknown data set {name!r}; known are {', '.join(sorted(READERS))}")
    return reader(path)


__all__ = ["READERS", "read_dataset"]
