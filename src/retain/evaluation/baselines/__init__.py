"""Methods to compare with, on the same samples in the same run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retain.errors import InvalidInput, MissingExtra
from retain.evaluation.baselines.bm25 import Bm25Retriever
from retain.evaluation.baselines.dense import DenseRetriever
from retain.evaluation.baselines.grep import GrepRetriever
from retain.evaluation.baselines.mem0 import Mem0Retriever
from retain.evaluation.retriever import Retriever
from retain.settings import Settings

BASELINES: dict[str, Callable[[Settings], Retriever]] = {
    "bm25": lambda _settings: Bm25Retriever(),
    "dense": DenseRetriever.of,
    "grep": lambda _settings: GrepRetriever(),
    "mem0": Mem0Retriever.of,
}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A baseline that cannot run here, and why."""

    name: str
    reason: str


def open_baseline(name: str, settings: Settings) -> Retriever | Skipped:
    """The baseline of this name; ``Skipped`` if a package it needs is not installed.

    Raises:
        InvalidInput: there is no baseline of this name.
    """
    make = BASELINES.get(name)
    if make is None:
        raise InvalidInput(f"unknown baseline {name!r}; known are {', '.join(sorted(BASELINES))}")
    try:
        return make(settings)
    except MissingExtra as error:
        return Skipped(name, error.message)


__all__ = ["BASELINES", "Skipped", "open_baseline"]
