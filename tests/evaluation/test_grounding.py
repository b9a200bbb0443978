"""The gate is measured on true statements and on the same with one change."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from retain.domain.message import Message
from retain.evaluation.__main__ import run
from retain.evaluation.alterations import ALTERATIONS, join_halves, pool_of
from retain.evaluation.datasets.facts import Fact, read_multilingual_facts, read_realmem_facts
from retain.evaluation.grounding import run_grounding

TEXT = "I walked 12 km with Ivora on Tuesday, and she does not eat meat."


def fact(statement: str, text: str = TEXT, group: str = "a") -> Fact:
    return Fact(statement, "part", group, statement, (Message("0", "user", text, 0),), 0)


@pytest.mark.parametrize(
    ("kind", "statement", "differs"),
    [
        ("number", "User walked 12 km with Ivora.", "12"),
        ("name", "User walked 12 km with Ivora.", "Ivora"),
        ("date", "User walked with Ivora on Tuesday.", "Tuesday"),
        ("negation", "Ivora does not eat meat.", "not"),
    ],
)
def test_a_change_takes_out_what_was_true(kind: str, statement: str, differs: str) -> None:
    pool = pool_of([fact(statement), fact("The lamp is from Doreth.", "A lamp from Doreth.", "b")])
    altered = ALTERATIONS[kind](fact(statement), pool, random.Random(1))
    assert altered is not None
    assert altered != statement
    assert differs not in altered.split()


def test_a_negation_is_put_in_where_there_is_none() -> None:
    plain = fact("User prefers tea.")
    assert ALTERATIONS["negation"](plain, pool_of([plain]), random.Random(1)) == (
        "User does not prefer tea."
    )


def test_a_fact_with_nothing_to_change_is_left_out() -> None:
    plain = fact("Tea.")
    pool = pool_of([plain])
    assert all(alter(plain, pool, random.Random(1)) is None for alter in ALTERATIONS.values())


def test_halves_are_joined_only_if_the_second_is_foreign() -> None:
    mine = fact("User walked a long way and Ivora does not eat meat.")
    same = fact("User counted the cows and Ivora does not eat meat.", group="b")
    other = fact("User bought a boat and painted the harbour house.", group="c")
    assert join_halves(mine, pool_of([mine, same]), random.Random(1)) is None
    joined = join_halves(mine, pool_of([mine, other]), random.Random(1))
    assert joined == "User walked a long way and painted the harbour house."


def realmem(folder: Path) -> Path:
    memory = {"type": "Static", "source_content_snapshot": "", "source_role_snapshot": "User"}
    dialogue = {
        "session_uuid": "s",
        "current_time": "2026-01-11 (Sunday)",
        "dialogue_turns": [{"speaker": "User", "content": TEXT}],
        "extracted_memory": [
            {**memory, "index": "1", "content": "【Sport】 User walked 12 km.", "source_turn": 1},
            {**memory, "index": "2", "content": "User walked.", "source_turn": 0},
        ],
    }
    path = folder / "Someone_dialogues_1k.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"dialogues": [dialogue]}).encode()))
    return folder


def multilingual(folder: Path) -> Path:
    rows = {
        "dataset.jsonl": {"id": "mem_002", "text": TEXT},
        "dataset.de.jsonl": {"id": "mem_002", "text": "Ich ging 12 km mit Ivora spazieren."},
        "dataset.ko.jsonl": {"id": "mem_002", "text": "Ivora와 12km를 걸었다."},
        "labels.jsonl": {"id": "mem_002", "memories": [{"content": "User walked with Ivora."}]},
        "labels.ko.jsonl": {"id": "mem_002", "memories": [{"content": "Ivora와 걸었다."}]},
    }
    for name, row in rows.items():
        (folder / name).write_text(f"{json.dumps(row, ensure_ascii=False)}\n", "utf-8")
    return folder


def test_realmem_facts_come_with_their_turn(tmp_path: Path) -> None:
    facts = read_realmem_facts(realmem(tmp_path))
    assert [one.statement for one in facts.facts] == ["User walked 12 km."]
    assert facts.facts[0].turns[facts.facts[0].cited].content == TEXT
    assert facts.skipped == {"names no source turn": 1}


def test_multilingual_facts_pair_labels_with_texts(tmp_path: Path) -> None:
    facts = read_multilingual_facts(multilingual(tmp_path))
    assert [one.part for one in facts.facts] == ["en/en", "ko/ko", "en/de", "en/ko"]


def test_a_run_counts_what_each_gate_judges_right(tmp_path: Path) -> None:
    report = run_grounding("realmem", realmem(tmp_path))
    rates = {(rate.part, rate.kind): rate for rate in report.rates}
    assert rates["unseen", "true"].right == {"strict": 0.0, "standard": 1.0, "off": 1.0}
    assert rates["unseen", "number"].right == {"strict": 1.0, "standard": 1.0, "off": 0.0}
    assert report.unchanged["join"] == 1
    assert {point.accepted for point in report.curve} == {1.0}


def test_the_command_prints_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, lines = multilingual(tmp_path), tmp_path / "out.jsonl"
    assert run(["grounding", "multilingual", str(folder), "--json", "--output", str(lines)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["dataset"] == "multilingual"
    assert json.loads(lines.read_text("utf-8").splitlines()[0])["kind"] == "true"
    assert run(["grounding", "multilingual", str(folder)]) == 0
    assert "en/de" in capsys.readouterr().out


def test_a_folder_without_the_data_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["grounding", "multilingual", str(tmp_path)]) != 0
    assert "dataset.jsonl" in capsys.readouterr().err
