"""Running a data set through Retain and baselines: sample by sample, each from nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from retain.errors import InvalidInput
from retain.evaluation.baselines import Skipped, open_baseline
from retain.evaluation.datasets import read_dataset
from retain.evaluation.environment import describe_environment
from retain.evaluation.metrics import first_appearances, measure, recall_at
from retain.evaluation.product import RetainRetriever
from retain.evaluation.report import BenchReport, Ingest, Judgement, MethodReport, summarise
from retain.evaluation.retriever import ContextBuilder, Ranked, Retriever
from retain.evaluation.sample import Dataset, Question, Sample
from retain.settings import Settings

Progress = Callable[[int, int | None], None]
Record = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How to ask: results a search, and the budget of a context (None: build none)."""

    k: int
    budget_tokens: int | None = None


def run_bench(
    dataset: str,
    path: Path,
    *,
    profile: str | None = None,
    baselines: Sequence[str] = (),
    limit: int | None = None,
    k: int | None = None,
    output: Path | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    budget_tokens: int | None = None,
    infer: bool = True,
) -> BenchReport:
    """Measure recall on a data set, Retain and baselines side by side.

    Args:
        dataset: ``locomo``, ``longmemeval`` or ``realmem``.
        path: the data set's file (or folder); nothing is downloaded.
        profile: ranking of Retain; None takes that of the settings.
        baselines: names among ``bm25``, ``dense``, ``grep``, ``mem0``, to run after Retain.
        limit: only the first samples; None for all.
        k: results to ask each search for; None takes what the deepest measure needs.
        output: a file for one JSON line per method and question.
        settings: how to open Retain; its path is replaced by a temporary one for each sample.
        progress: called with (questions answered, questions in all), over all methods.
        budget_tokens: also build a context of this size for each question.
        infer: also derive facts while ingesting.

    Raises:
        InvalidInput: an unknown data set or baseline, a file that is something else, or a number
            out of range.
    """
    _refuse_below_one(limit=limit, k=k, budget_tokens=budget_tokens)
    chosen = settings or Settings()
    if profile is not None:
        chosen = replace(chosen, profile=profile)
    data = read_dataset(dataset, path).limited(limit)
    product = RetainRetriever(chosen, infer=infer)
    opened = [open_baseline(name, chosen) for name in first_appearances(baselines)]
    retrievers: list[Retriever] = [
        product,
        *(one for one in opened if not isinstance(one, Skipped)),
    ]
    with _recorder(output) as record:
        methods = run_methods(
            data, retrievers, Plan(k or data.depth, budget_tokens), record, progress
        )
    return BenchReport(
        dataset=data.name,
        samples=len(data.samples),
        questions=data.question_count(),
        turns=methods[0].ingest.turns,
        k=k or data.depth,
        profile=chosen.profile,
        embedder=product.embedder_name(),
        methods=methods,
        excluded=data.skipped,
        not_run={one.name: one.reason for one in opened if isinstance(one, Skipped)},
        environment=describe_environment(),
    )


def run_methods(
    data: Dataset,
    retrievers: Sequence[Retriever],
    plan: Plan,
    record: Record,
    progress: Progress | None = None,
) -> list[MethodReport]:
    """Every method on every sample of a data set; a report each, in the order given."""
    total = data.question_count() * len(retrievers)
    answered = 0
    reports = []
    for retriever in retrievers:
        judgements: list[Judgement] = []
        ingests: list[Ingest] = []
        for sample in data.samples:
            run = _SampleRun(data, sample, retriever, plan, record)
            for judgement in run.judgements():
                judgements.append(judgement)
                answered += 1
                if progress:
                    progress(answered, total)
            ingests.append(run.ingest())
        reports.append(summarise(retriever.name, judgements, _sum(ingests)))
    return reports


class _SampleRun:
    """One method on one sample: what is known grows as far as each question needs."""

    def __init__(
        self, data: Dataset, sample: Sample, retriever: Retriever, plan: Plan, record: Record
    ) -> None:
        self._measures = {
            level: {name: measure(name) for name in names} for level, names in data.measures.items()
        }
        self._sample = sample
        self._retriever = retriever
        self._plan = plan
        self._record = record
        self._session_of = sample.session_of_turn()
        self._known = 0
        self._turns = 0
        self._wall = 0.0
        self._cpu = 0.0

    def judgements(self) -> Iterator[Judgement]:
        """Answer the questions in the order in which they can be asked."""
        every = len(self._sample.sessions)
        questions = sorted(
            self._sample.questions, key=lambda one: every if one.known is None else one.known
        )
        try:
            self._retriever.begin(self._sample)
            for question in questions:
                self._learn(every if question.known is None else question.known)
                yield self._judge(question)
        finally:
            self._retriever.end()

    def ingest(self) -> Ingest:
        """What the sessions cost so far."""
        return Ingest(self._turns, self._wall, self._cpu)

    def _learn(self, until: int) -> None:
        news = self._sample.sessions[self._known : until]
        if not news:
            return
        wall, cpu = time.perf_counter(), time.process_time()
        self._retriever.ingest(news)
        self._wall += time.perf_counter() - wall
        self._cpu += time.process_time() - cpu
        self._turns += sum(len(session.turns) for session in news)
        self._known = until

    def _judge(self, question: Question) -> Judgement:
        wall, cpu = time.perf_counter(), time.process_time()
        ranked = self._retriever.ask(question, self._plan.k)
        cpu_ms = (time.process_time() - cpu) * 1e3
        wall_ms = (time.perf_counter() - wall) * 1e3
        rankings = {
            "turn": list(ranked.turn_ids),
            "session": first_appearances([self._session_of[one] for one in ranked.turn_ids]),
        }
        values = {
            level: {name: judge(rankings[level], gold) for name, judge in judges.items()}
            for level, judges in self._measures.items()
            if (gold := question.gold.get(level))
        }
        tokens, recall = self._context(question)
        judgement = Judgement(question.category, values, wall_ms, cpu_ms, tokens, recall)
        self._write(question, ranked, rankings, judgement)
        return judgement

    def _context(self, question: Question) -> tuple[int | None, float | None]:
        budget = self._plan.budget_tokens
        if budget is None or not isinstance(self._retriever, ContextBuilder):
            return None, None
        built = self._retriever.context(question, budget)
        level = "turn" if "turn" in question.gold else "session"
        cited = sorted(built.turn_ids)
        if level == "session":
            cited = first_appearances([self._session_of[one] for one in cited])
        return built.tokens, recall_at(cited, question.gold[level], max(1, len(cited)))

    def _write(
        self,
        question: Question,
        ranked: Ranked,
        rankings: Mapping[str, Sequence[str]],
        judgement: Judgement,
    ) -> None:
        line: dict[str, Any] = {
            "method": self._retriever.name,
            "sample": self._sample.id,
            "question": question.id,
            "category": question.category,
            "query": question.text,
            "gold": {level: sorted(ids) for level, ids in question.gold.items()},
            "ranked": {level: list(rankings[level]) for level in judgement.measures},
            "scores": [round(score, 6) for score in ranked.scores],
            "measures": judgement.measures,
            "wall_ms": round(judgement.wall_ms, 4),
            "cpu_ms": round(judgement.cpu_ms, 4),
        }
        if judgement.context_tokens is not None:
            line["context_tokens"] = judgement.context_tokens
            line["context_recall"] = judgement.context_recall
        self._record(line)


@contextmanager
def _recorder(output: Path | None) -> Iterator[Record]:
    if output is None:
        yield lambda _line: None
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        file = output.open("w", encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"cannot write to {str(output)!r}: {error.strerror}") from error
    with file:
        yield lambda line: _write_line(file, line)


def _write_line(file: TextIO, line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _sum(ingests: Sequence[Ingest]) -> Ingest:
    return Ingest(
        sum(one.turns for one in ingests),
        sum(one.wall_s for one in ingests),
        sum(one.cpu_s for one in ingests),
    )


def _refuse_below_one(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise InvalidInput(f"{name} must be 1 or more, got {number!r}")
