"""Retain itself under test, through the public API only, as a caller with defaults would use it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from retain.evaluation.retriever import ContextMeasure, Ranked
from retain.evaluation.sample import Question, Sample, Session
from retain.memory import Memory
from retain.settings import Settings


class RetainRetriever:
    """A fresh ledger file and a user of its own for each sample; a session is one ``add``.

    Every turn carries the data set's id, its speaker's name and its time; the session is the
    ``run_id``. A derived memory (a fact) stands for the turns it rests on.

    Args:
        settings: how to open the instance; its path is replaced.
        infer: also derive facts while ingesting, as ``add`` does by default.
    """

    def __init__(self, settings: Settings, *, infer: bool = True) -> None:
        self._settings = settings
        self._infer = infer
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._memory: Memory | None = None
        self._user = ""
        self._turn_of: dict[str, str] = {}

    @property
    def name(self) -> str:
        """``retain``, with the profile if it is not the default."""
        profile = self._settings.profile
        return "retain" if profile == "default" else f"retain ({profile})"

    def begin(self, sample: Sample, /) -> None:
        """Open a ledger of its own for the sample."""
        self._folder = tempfile.TemporaryDirectory(prefix="retain-bench-")
        self._memory = Memory(replace(self._settings, path=Path(self._folder.name) / "bench.db"))
        self._user = f"bench-{sample.id}".replace(" ", "-")
        self._turn_of = {}

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Add the sessions in bulk, backfilled with their dates."""
        items = (self._item(session) for session in sessions)
        for answer in self._open().add_many(items):
            for result in answer["results"]:
                if "message_id" in result:
                    self._turn_of[result["id"]] = result["message_id"]

    def ask(self, question: Question, k: int) -> Ranked:
        """Search with defaults; each turn counts where it appears first."""
        answer = self._open().search(
            question.text,
            filters={"user_id": self._user},
            top_k=k,
            threshold=None,
            reference_date=question.asked_at,
        )
        return self._ranked(answer["results"])

    def context(self, question: Question, budget_tokens: int) -> ContextMeasure:
        """Recall with defaults, within the budget."""
        recall = self._open().recall(
            question.text,
            filters={"user_id": self._user},
            budget_tokens=budget_tokens,
            top_k=100,
            reference_date=question.asked_at,
        )
        cited = {citation.memory_id for citation in recall.citations}
        cited |= {source for citation in recall.citations for source in citation.sources}
        turns = frozenset(self._turn_of[one] for one in cited if one in self._turn_of)
        return ContextMeasure(recall.tokens, turns)

    def end(self) -> None:
        """Close the ledger and remove it."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def embedder_name(self) -> str:
        """The embedder's identity, as an empty ledger of these settings reports it."""
        with Memory(replace(self._settings, path=":memory:")) as memory:
            return str(memory.stats()["embedder"]["name"])

    def _open(self) -> Memory:
        if self._memory is None:
            raise RuntimeError("ingest and ask come between begin and end")
        return self._memory

    def _item(self, session: Session) -> dict[str, Any]:
        return {
            "user_id": self._user,
            "run_id": session.id,
            "timestamp": session.at,
            "infer": self._infer,
            "messages": [
                {
                    "role": turn.role,
                    "content": turn.text,
                    "id": turn.id,
                    **({"name": turn.speaker} if turn.speaker else {}),
                }
                for turn in session.turns
                if turn.text.strip()
            ],
        }

    def _ranked(self, items: Sequence[Mapping[str, Any]]) -> Ranked:
        scores: dict[str, float] = {}
        for item in items:
            for turn in self._turns(item):
                scores.setdefault(turn, float(item["score"]))
        return Ranked(list(scores), list(scores.values()))

    def _turns(self, item: Mapping[str, Any]) -> list[str]:
        if "message_id" in item:
            return [item["message_id"]]
        sources = item.get("sources", ())
        return [self._turn_of[source] for source in sources if source in self._turn_of]
