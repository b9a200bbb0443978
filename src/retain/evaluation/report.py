"""What a run found: figures by method, level of evidence and category."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Judgement:
    """One question answered: the measures of each level, and what it cost in milliseconds."""

    category: str
    measures: Mapping[str, Mapping[str, float]]
    wall_ms: float
    cpu_ms: float
    context_tokens: int | None = None
    context_recall: float | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one search, by nearest rank."""

    wall_p50_ms: float
    wall_p95_ms: float
    cpu_p50_ms: float
    cpu_p95_ms: float


@dataclass(frozen=True, slots=True)
class Ingest:
    """What taking in all samples cost."""

    turns: int
    wall_s: float
    cpu_s: float

    @property
    def turns_per_s(self) -> float:
        """Turns a second, by the clock on the wall."""
        return self.turns / self.wall_s if self.wall_s else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """Means over a group of questions: for each level, the value of each measure."""

    questions: int
    measures: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class MethodReport:
    """How one method did. ``context`` holds means: ``tokens`` and ``recall`` of the evidence."""

    name: str
    overall: Score
    categories: Mapping[str, Score]
    search: Latency
    ingest: Ingest
    context: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class BenchReport:
    """A whole run.

    Attributes:
        dataset, samples, questions, turns: what was asked; ``excluded`` counts questions left out.
        k: how many results each search was asked for.
        profile, embedder: how Retain was set up.
        methods: one report each, Retain first.
        not_run: baselines that could not run, with the reason.
        environment: versions and machine.
    """

    dataset: str
    samples: int
    questions: int
    turns: int
    k: int
    profile: str
    embedder: str
    methods: Sequence[MethodReport]
    excluded: Mapping[str, int] = field(default_factory=dict)
    not_run: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, ready for JSON; shares are 0..1."""
        plain = asdict(self)
        for method, told in zip(self.methods, plain["methods"], strict=True):
            told["ingest"]["turns_per_s"] = round(method.ingest.turns_per_s, 1)
        return plain

    def table(self) -> Group:
        """The report for a terminal: per cent, one table for each level of evidence."""
        from rich.console import Group
        from rich.text import Text

        levels = list(self.methods[0].overall.measures) if self.methods else []
        notes = [f"{name} was not run: {reason}" for name, reason in self.not_run.items()]
        left_out = ", ".join(f"{count} {reason}" for reason, count in self.excluded.items())
        if left_out:
            notes.append(f"questions left out: {left_out}")
        return Group(
            *(self._level_table(level) for level in levels),
            self._cost_table(),
            *(Text(note, style="dim") for note in notes),
        )

    def _level_table(self, level: str) -> Table:
        from rich.table import Table

        names = list(self.methods[0].overall.measures[level])
        title = f"{self.dataset}: evidence by {level}, per cent"
        table = Table("method", "questions", *names, title=title, title_justify="left")
        for method in self.methods:
            table.add_row(method.name, *_cells(method.overall, level, names), style="bold")
            for category, score in sorted(method.categories.items()):
                if level in score.measures:
                    table.add_row(f"  {category}", *_cells(score, level, names))
            table.add_section()
        return table

    def _cost_table(self) -> Table:
        from rich.table import Table

        table = Table(
            "method", "search p50 ms", "p95 ms", "CPU p50 ms", "CPU p95 ms", "turns/s in",
            "context tokens", "evidence in it",
            title=f"{self.turns} turns, k={self.k}, embedder {self.embedder}",
            title_justify="left",
        )  # fmt: skip
        for method in self.methods:
            context = method.context or {}
            table.add_row(
                method.name,
                *(f"{one:.2f}" for one in asdict(method.search).values()),
                f"{method.ingest.turns_per_s:.0f}",
                f"{context['tokens']:.0f}" if context else "",
                f"{100 * context['recall']:.1f}" if context else "",
            )
        return table


def summarise(name: str, judgements: Sequence[Judgement], ingest: Ingest) -> MethodReport:
    """Means over the questions (each counts once, whatever its sample), and percentiles of time."""
    groups: dict[str, list[Judgement]] = {}
    for one in judgements:
        groups.setdefault(one.category, []).append(one)
    return MethodReport(
        name=name,
        overall=_score(judgements),
        categories={category: _score(group) for category, group in sorted(groups.items())},
        search=Latency(
            wall_p50_ms=percentile([one.wall_ms for one in judgements], 0.5),
            wall_p95_ms=percentile([one.wall_ms for one in judgements], 0.95),
            cpu_p50_ms=percentile([one.cpu_ms for one in judgements], 0.5),
            cpu_p95_ms=percentile([one.cpu_ms for one in judgements], 0.95),
        ),
        ingest=ingest,
        context=_context(judgements),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: the least value that ``share`` (0..1) of them do not exceed."""
    if not values:
        return 0.0
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _score(judgements: Sequence[Judgement]) -> Score:
    """Means by level and measure; a question without evidence on a level does not count on it."""
    collected: dict[str, dict[str, list[float]]] = {}
    for one in judgements:
        for level, measures in one.measures.items():
            for measure, value in measures.items():
                collected.setdefault(level, {}).setdefault(measure, []).append(value)
    means = {
        level: {measure: math.fsum(values) / len(values) for measure, values in measures.items()}
        for level, measures in collected.items()
    }
    return Score(len(judgements), means)


def _context(judgements: Sequence[Judgement]) -> dict[str, float] | None:
    tokens = [one.context_tokens for one in judgements if one.context_tokens is not None]
    recalls = [one.context_recall for one in judgements if one.context_recall is not None]
    if not tokens or not recalls:
        return None
    return {"tokens": sum(tokens) / len(tokens), "recall": math.fsum(recalls) / len(recalls)}


def _cells(score: Score, level: str, names: Sequence[str]) -> list[str]:
    return [str(score.questions), *(f"{100 * score.measures[level][name]:.1f}" for name in names)]
