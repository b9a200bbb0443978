"""A run: what is known when, what is written, what is reported."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from retain.errors import InvalidInput
from retain.evaluation import run_bench
from retain.evaluation.__main__ import run
from retain.evaluation.datasets import read_dataset
from retain.evaluation.report import BenchReport, Ingest, Judgement, percentile, summarise
from retain.evaluation.retriever import ContextMeasure, Ranked
from retain.evaluation.runner import Plan, run_methods
from retain.evaluation.sample import Question, Sample, Session
from tests.evaluation import samples


class Recorder:
    """A retriever that answers with all it knows, last first, and keeps a diary."""

    name = "recorder"

    def __init__(self, *, fail: bool = False) -> None:
        self.diary: list[str] = []
        self._known: list[str] = []
        self._fail = fail

    def begin(self, sample: Sample, /) -> None:
        """Start anew."""
        self.diary.append(f"begin {sample.id}")
        self._known = []

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Keep the turn ids."""
        self.diary.append(f"ingest {[session.id for session in sessions]}")
        self._known += [turn.id for session in sessions for turn in session.turns]

    def ask(self, question: Question, k: int) -> Ranked:
        """The last turns first."""
        if self._fail:
            raise RuntimeError("out of order")
        self.diary.append(f"ask {question.id}")
        found = self._known[::-1][:k]
        return Ranked(found, [1.0] * len(found))

    def context(self, question: Question, budget_tokens: int) -> ContextMeasure:
        """Cites the very first turn."""
        self.diary.append(f"context {question.id}")
        return ContextMeasure(budget_tokens - 1, frozenset(self._known[:1]))

    def end(self) -> None:
        """Write that it ended."""
        self.diary.append("end")


@pytest.fixture
def realmem(tmp_path: Path) -> Path:
    return samples.write_json(tmp_path / "Test_dialogues_1k.json", samples.realmem())


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    return samples.write_json(tmp_path / "locomo.json", samples.locomo())


@pytest.fixture
def longmemeval(tmp_path: Path) -> Path:
    return samples.write_json(tmp_path / "longmemeval.json", samples.longmemeval())


def ignore(_line: Mapping[str, Any]) -> None:
    """Throw a line of output away."""


def test_only_what_was_said_before_is_known_when_asked(realmem: Path) -> None:
    recorder = Recorder()
    run_methods(read_dataset("realmem", realmem), [recorder], Plan(50), ignore)
    assert recorder.diary == [
        "begin Test", "ingest ['u-kiln', 'u-run']", "ask Test/u-ask#0", "end",
    ]  # fmt: skip


def test_sessions_rank_where_their_first_turn_does(realmem: Path) -> None:
    lines: list[Mapping[str, Any]] = []
    (report,) = run_methods(read_dataset("realmem", realmem), [Recorder()], Plan(50), lines.append)
    (line,) = lines
    assert line["ranked"] == {"session": ["u-run", "u-kiln"]}
    assert report.overall.measures["session"]["hit@1"] == 0
    assert report.overall.measures["session"]["MRR"] == 0.5
    assert report.ingest.turns == 6


def test_a_failure_is_raised_and_the_retriever_ended(realmem: Path) -> None:
    recorder = Recorder(fail=True)
    with pytest.raises(RuntimeError, match="out of order"):
        run_methods(read_dataset("realmem", realmem), [recorder], Plan(5), ignore)
    assert recorder.diary[-1] == "end"


def test_the_context_is_judged_where_one_is_built(realmem: Path) -> None:
    data = read_dataset("realmem", realmem)
    (report,) = run_methods(data, [Recorder()], Plan(5, budget_tokens=100), ignore)
    assert report.context == {"tokens": 99, "recall": 1}
    (without,) = run_methods(data, [Recorder()], Plan(5), ignore)
    assert without.context is None


def test_progress_counts_questions_of_all_methods(locomo: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    run_methods(
        read_dataset("locomo", locomo),
        [Recorder(), Recorder()],
        Plan(5),
        ignore,
        lambda done, total: seen.append((done, total)),
    )
    assert seen == [(number, 10) for number in range(1, 11)]


def test_means_count_every_question_once_and_by_category() -> None:
    def one(category: str, value: float, level: str = "turn") -> Judgement:
        return Judgement(category, {level: {"MRR": value}}, wall_ms=1, cpu_ms=1)

    judgements = [one("a", 1), one("a", 0), one("a", 0.5), one("b", 1), one("b", 0, "session")]
    report = summarise("m", judgements, Ingest(10, 2.0, 1.0))
    assert report.overall.measures == {"turn": {"MRR": 0.625}, "session": {"MRR": 0}}
    assert report.categories["a"].measures["turn"]["MRR"] == 0.5
    assert report.categories["b"].questions == 2
    assert report.ingest.turns_per_s == 5


def test_percentiles_are_by_nearest_rank() -> None:
    values = [float(number) for number in range(1, 21)]
    assert percentile(values, 0.5) == 10
    assert percentile(values, 0.95) == 19
    assert percentile([3.0], 0.95) == 3
    assert percentile([], 0.5) == 0


@pytest.mark.parametrize("argument", ["limit", "k", "budget_tokens"])
def test_numbers_below_one_are_refused(locomo: Path, argument: str) -> None:
    with pytest.raises(InvalidInput, match=f"{argument} must be 1 or more, got 0"):
        run_bench("locomo", locomo, **{argument: 0})  # type: ignore[arg-type]


# -- Retain itself, through its public API --------------------------------------------------


def test_retain_finds_the_turns_of_a_dialogue(locomo: Path, tmp_path: Path) -> None:
    output = tmp_path / "out" / "locomo.jsonl"
    report = run_bench("locomo", locomo, baselines=["bm25", "grep"], output=output)
    retain = report.methods[0]
    assert retain.name == "retain"
    assert retain.overall.measures["turn"]["R@30"] == 1
    assert [method.name for method in report.methods] == ["retain", "bm25", "grep"]
    lines = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert len(lines) == 15
    assert lines[0]["query"] == "What is Nora's parrot called?"
    assert lines[0]["gold"] == {"turn": ["D1:1"]}
    assert lines[0]["ranked"]["turn"][0] == "D1:1"
    assert set(lines[0]["measures"]["turn"]) == set(retain.overall.measures["turn"])


def test_retain_finds_the_sessions_of_a_haystack(longmemeval: Path) -> None:
    report = run_bench("longmemeval", longmemeval, budget_tokens=300)
    retain = report.methods[0]
    assert report.questions == 2
    assert retain.overall.measures["session"]["all@5"] == 1
    assert retain.overall.measures["turn"]["R@30"] == 1
    assert retain.context is not None
    assert 0 < retain.context["tokens"] <= 300


def test_retain_is_not_asked_about_the_future(realmem: Path) -> None:
    report = run_bench("realmem", realmem)
    assert report.methods[0].overall.measures["session"]["hit@1"] == 1


def test_a_report_is_plain_data_and_a_table(locomo: Path) -> None:
    report = run_bench("locomo", locomo, limit=1, k=10)
    plain = json.loads(json.dumps(report.to_dict()))
    assert (plain["dataset"], plain["samples"], plain["questions"], plain["k"]) == (
        "locomo",
        1,
        5,
        10,
    )
    assert plain["embedder"]
    assert plain["excluded"] == {"no resolvable evidence": 2, "adversarial": 1}
    assert plain["environment"]["processors"] >= 1
    assert plain["methods"][0]["ingest"]["turns"] == 6
    assert "single-hop" in rendered(report)


def test_the_command_prints_json(locomo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["locomo", str(locomo), "--json", "--no-infer", "--profile", "plain"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["profile"] == "plain"
    assert printed["methods"][0]["name"] == "retain (plain)"


def test_the_command_reports_a_wrong_file_with_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["locomo", str(tmp_path / "gone.json")]) == InvalidInput.exit_code
    assert "gone.json" in capsys.readouterr().err


def rendered(report: BenchReport, width: int = 200) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(report.table())
    return console.export_text()
