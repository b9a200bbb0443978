"""How well the gate of grounding tells true statements from altered ones.

Every fact of a data set is judged against the turn it was drawn from, as it is and with one change
at a time. A fact cites its turn as a whole, as a model does that names turns and quotes nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retain.domain.candidate import Candidate, Quote
from retain.errors import RetainError
from retain.evaluation.alterations import ALTERATIONS, Pool, pool_of
from retain.evaluation.datasets.facts import (
    Fact,
    Facts,
    read_multilingual_facts,
    read_realmem_facts,
)
from retain.learn.ground import Gate, Support, Verdict, accepts, ground

if TYPE_CHECKING:
    from rich.console import Group

READERS: dict[str, Callable[[Path], Facts]] = {
    "realmem": read_realmem_facts,
    "multilingual": read_multilingual_facts,
}
TRUE = "true"
_FITTED_PERSONAS = frozenset({"Adeleke_Okonjo", "Ethan_Hunt"})
_CURVE = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Trial:
    """One statement judged: ``kind`` is ``true`` or the kind of its change."""

    id: str
    part: str
    kind: str
    statement: str
    verdict: Verdict
    cpu_ms: float
    fitted: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """Statements of one kind in one part: how many, and the share that each gate judged right."""

    part: str
    kind: str
    count: int
    right: dict[str, float]


@dataclass(frozen=True, slots=True)
class Point:
    """Shares accepted of the true and rejected of the altered, were this the passing score."""

    score: float
    accepted: float
    rejected: float


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """What a run found.

    Attributes:
        dataset, context: what was judged, and how many turns before the cited one were cited too.
        skipped: facts left out, by reason.
        unchanged: by kind of change, the facts that have nothing of the kind.
        rates: by part and kind; the parts ``fitted`` and ``unseen`` sum up those that the gate's
            constants were fitted on, and the others.
        curve: for other passing scores than the standard gate's, over the unseen.
        cpu_p50_ms, cpu_p95_ms: of judging one statement.
    """

    dataset: str
    context: int
    skipped: dict[str, int]
    unchanged: dict[str, int]
    rates: Sequence[Rate]
    curve: Sequence[Point]
    cpu_p50_ms: float
    cpu_p95_ms: float
    trials: Sequence[Trial] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data without the single trials."""
        return {name: value for name, value in asdict(self).items() if name != "trials"}

    def table(self) -> Group:
        """The report for a terminal: per cent judged right, by gate."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table("part", "kind", "statements", *(gate.value for gate in Gate), title=(
            f"{self.dataset}: per cent right (true accepted, altered rejected)"
        ), title_justify="left")  # fmt: skip
        for rate in self.rates:
            shares = (f"{100 * rate.right[gate.value]:.1f}" for gate in Gate)
            table.add_row(rate.part, rate.kind, str(rate.count), *shares)
        curve = Table("passing score", "true accepted", "altered rejected", title=(
            "unseen, for other passing scores"
        ), title_justify="left")  # fmt: skip
        for point in self.curve:
            curve.add_row(
                f"{point.score:.2f}", f"{100 * point.accepted:.1f}", f"{100 * point.rejected:.1f}"
            )
        notes = [f"left out: {count} {reason}" for reason, count in self.skipped.items()]
        nothing = ", ".join(f"{kind} {count}" for kind, count in self.unchanged.items())
        notes.append(f"facts with nothing to change: {nothing}")
        notes.append(f"CPU a statement: p50 {self.cpu_p50_ms:.2f} ms, p95 {self.cpu_p95_ms:.2f} ms")
        return Group(table, curve, *(Text(note, style="dim") for note in notes))


def run_grounding(dataset: str, path: Path, *, context: int = 0) -> GroundingReport:
    """Judge the facts of a data set, and each with every change that it admits.

    Args:
        dataset: ``realmem`` or ``multilingual``.
        path: the data set's file or folder.
        context: how many turns before the cited one a fact cites as well.

    Raises:
        InvalidInput: nothing there, or something else.
    """
    facts = READERS[dataset](path)
    unchanged = dict.fromkeys(ALTERATIONS, 0)
    trials = list(_trials(facts.facts, context, unchanged))
    costs = sorted(trial.cpu_ms for trial in trials)
    unseen = [trial for trial in trials if not trial.fitted]
    return GroundingReport(
        dataset=facts.name,
        context=context,
        skipped=facts.skipped,
        unchanged=unchanged,
        rates=list(_rates(trials)),
        curve=[_point(unseen, score) for score in _CURVE],
        cpu_p50_ms=costs[len(costs) // 2] if costs else 0.0,
        cpu_p95_ms=costs[len(costs) * 95 // 100] if costs else 0.0,
        trials=trials,
    )


def _trials(facts: Sequence[Fact], context: int, unchanged: dict[str, int]) -> Iterator[Trial]:
    parts: dict[str, list[Fact]] = {}
    for fact in facts:
        parts.setdefault(fact.part, []).append(fact)
    for part in parts.values():
        pool = pool_of(part)
        for fact in part:
            for kind, statement in _statements(fact, pool):
                if statement is None:
                    unchanged[kind] += 1
                    continue
                started = time.process_time()
                verdict = ground(_candidate(statement, fact, context), fact.turns)
                spent = 1000 * (time.process_time() - started)
                yield Trial(fact.id, fact.part, kind, statement, verdict, spent, _is_fitted(fact))


def _statements(fact: Fact, pool: Pool) -> Iterator[tuple[str, str | None]]:
    yield TRUE, fact.statement
    for kind, alter in ALTERATIONS.items():
        yield kind, alter(fact, pool, random.Random(f"{fact.id}/{kind}"))


def _candidate(statement: str, fact: Fact, context: int) -> Candidate:
    first = max(0, fact.cited - context)
    return Candidate(
        statement, tuple(Quote(turn, "", 0, 0) for turn in range(first, fact.cited + 1))
    )


def _is_fitted(fact: Fact) -> bool:
    """Whether the gate's constants were fitted on it: two personas, and every other text."""
    if fact.part in _FITTED_PERSONAS:
        return True
    number = fact.group.removeprefix("mem_")
    return "/" in fact.part and number.isdecimal() and int(number) % 2 == 1


def _rates(trials: Sequence[Trial]) -> Iterator[Rate]:
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        parts = [trial.part, "fitted" if trial.fitted else "unseen"]
        if "/" in trial.part and not trial.fitted:
            parts.append(f"{trial.part} unseen")
        for part in parts:
            groups.setdefault((part, trial.kind), []).append(trial)
            if trial.kind != TRUE:
                groups.setdefault((part, "altered"), []).append(trial)
    for (part, kind), group in sorted(groups.items()):
        right = {
            gate.value: sum(accepts(one.verdict, gate) == (kind == TRUE) for one in group)
            / len(group)
            for gate in Gate
        }
        yield Rate(part, kind, len(group), right)


def _point(trials: Sequence[Trial], score: float) -> Point:
    def passes(verdict: Verdict) -> bool:
        return verdict.support is Support.SUPPORTED or (
            verdict.support is Support.PARTIAL and verdict.score >= score
        )

    true = [passes(trial.verdict) for trial in trials if trial.kind == TRUE]
    altered = [not passes(trial.verdict) for trial in trials if trial.kind != TRUE]
    return Point(score, _share(true), _share(altered))


def _share(of: Sequence[bool]) -> float:
    return sum(of) / len(of) if of else 0.0


def run(arguments: Sequence[str]) -> int:
    """``grounding DATASET PATH``: parse, measure, print; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m retain.evaluation grounding", description=__doc__
    )
    parser.add_argument("dataset", choices=sorted(READERS))
    parser.add_argument("path", type=Path, help="the data set's folder")
    parser.add_argument("--context", type=int, default=0, help="turns before it to cite as well")
    parser.add_argument("--output", type=Path, help="a file for one JSON line per statement")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    asked = parser.parse_args(arguments)
    try:
        report = run_grounding(asked.dataset, asked.path, context=asked.context)
    except RetainError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return error.exit_code
    if asked.output:
        lines = (json.dumps(asdict(trial), ensure_ascii=False) for trial in report.trials)
        asked.output.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    if asked.json:
        print(json.dumps(report.to_dict(), indent=2))
    else:
        from rich.console import Console

        Console().print(report.table())
    return 0
