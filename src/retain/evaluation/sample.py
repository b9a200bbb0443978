"""What a data set is made of: dated conversations, and questions with gold evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from retain.transfer.dialogue import Session, Turn

__all__ = ["Dataset", "Question", "Sample", "Session", "Turn"]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the evidence a good answer needs.

    Attributes:
        id: unique in the data set.
        category: the data set's own name of the kind of question.
        gold: for each level (``turn``, ``session``) the ids of the evidence, never empty.
        asked_at: the moment from which relative dates count, where the data set names one.
        known: how many sessions, from the first, have taken place when it is asked; None: all.
    """

    id: str
    text: str
    category: str
    gold: Mapping[str, frozenset[str]]
    asked_at: datetime | None = None
    known: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One memory to build, and what to ask of it. Sessions are in the order they took place."""

    id: str
    sessions: Sequence[Session]
    questions: Sequence[Question]

    def turns(self) -> Iterator[Turn]:
        """All turns, in order."""
        for session in self.sessions:
            yield from session.turns

    def session_of_turn(self) -> dict[str, str]:
        """The id of the session that holds each turn."""
        return {turn.id: session.id for session in self.sessions for turn in session.turns}


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set, and how it is judged.

    Attributes:
        measures: for each level of evidence the measures to report (``retain.evaluation.metrics``).
        depth: how many results to ask for, so that the deepest measure is served.
        skipped: questions left out, by reason.
    """

    name: str
    samples: Sequence[Sample]
    measures: Mapping[str, Sequence[str]]
    depth: int
    skipped: Mapping[str, int] = field(default_factory=dict)

    def limited(self, samples: int | None) -> Dataset:
        """The same data set with its first samples only; all of them for None."""
        if samples is None:
            return self
        return Dataset(
            self.name, self.samples[:samples], self.measures, self.depth, dict(self.skipped)
        )

    def question_count(self) -> int:
        """How many questions are asked in all."""
        return sum(len(sample.questions) for sample in self.samples)
