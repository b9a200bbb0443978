"""What is measured: anything that takes in sessions and answers a question with turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from retain.evaluation.sample import Question, Sample, Session, Turn


@dataclass(frozen=True, slots=True)
class Ranked:
    """An answer: ids of turns, best first, each once, and the score of each."""

    turn_ids: Sequence[str]
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class ContextMeasure:
    """A context text that was put together for a question: its size, and the turns it cites."""

    tokens: int
    turn_ids: frozenset[str]


class Retriever(Protocol):
    """One method under test. Calls come as: begin, then ingest and ask in any mixture, then end."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    def begin(self, sample: Sample, /) -> None:
        """Start from nothing, for this sample; its sessions come through ``ingest``."""

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Take in sessions, in the order in which they took place."""

    def ask(self, question: Question, k: int) -> Ranked:
        """The turns that answer a question, ``k`` results at most."""

    def end(self) -> None:
        """Give back what ``begin`` took; also after a failure."""


@runtime_checkable
class ContextBuilder(Protocol):
    """A retriever that also packs a context for a prompt."""

    def context(self, question: Question, budget_tokens: int) -> ContextMeasure:
        """The context of a question within a budget of tokens."""


def document(turn: Turn) -> str:
    """A turn as one text for methods that know nothing of time or speaker: both written out."""
    speaker = turn.speaker or turn.role
    return f"[{turn.at:%d %B %Y}] {speaker}: {turn.text}"


def best(turn_ids: Sequence[str], scores: Sequence[float], k: int) -> Ranked:
    """The ``k`` best by score; of equals, the one that was said first comes first."""
    order = sorted(range(len(scores)), key=lambda place: -scores[place])[:k]
    return Ranked([turn_ids[one] for one in order], [float(scores[one]) for one in order])
