"""`retain bench` measures, prints a table or JSON, and writes a line a question."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Shell
from tests.evaluation.samples import locomo, write_json


def test_bench_prints_its_report(retain: Shell, tmp_path: Path) -> None:
    write_json(tmp_path / "locomo.json", locomo())
    words = ("bench", "locomo", "locomo.json", "--baseline", "bm25", "--output", "lines.jsonl")
    report = retain.ok(*words, "--json").json
    assert [method["name"] for method in report["methods"]] == ["retain", "bm25"]
    lines = (tmp_path / "lines.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 2 * report["questions"]
    assert all(json.loads(line) for line in lines)
    assert not retain.path.exists(), "the bench works on ledgers of its own"


def test_bench_prints_a_table_for_people(retain: Shell, tmp_path: Path) -> None:
    write_json(tmp_path / "locomo.json", locomo())
    table = retain.ok("bench", "locomo", "locomo.json").out
    for part in ("retain", "R@10", "search p50 ms"):
        assert part in table


def test_import_reads_a_locomo_conversation(retain: Shell, tmp_path: Path) -> None:
    write_json(tmp_path / "locomo.json", locomo())
    counts = retain.ok("import", "locomo.json", "--json").json
    assert counts["messages"] == 6
    assert "Kiwi" in retain.ok("search", "What is the parrot called?", "--user", "pair-1").out
