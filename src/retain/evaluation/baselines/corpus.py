"""The turns that a baseline has taken in: their ids, and their texts as documents."""

from __future__ import annotations

from collections.abc import Sequence

from retain.evaluation.retriever import document
from retain.evaluation.sample import Session


class Corpus:
    """Grows by sessions; empty turns hold nothing to find and are left out."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def extend(self, sessions: Sequence[Session]) -> list[str]:
        """Take in sessions; the documents that are new."""
        turns = [turn for session in sessions for turn in session.turns if turn.text.strip()]
        self.ids.extend(turn.id for turn in turns)
        return [document(turn) for turn in turns]
