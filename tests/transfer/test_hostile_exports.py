"""An export that was edited by hand reaches nothing outside the project that imports it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from retain import Memory
from retain.errors import InvalidInput
from retain.settings import Settings

SECRET = "The code of the safe is Xylophon7."


@pytest.fixture
def victim(tmp_path: Path) -> Any:
    with Memory(Settings(path=tmp_path / "m.db", project="victim")) as memory:
        memory.add([{"role": "user", "content": SECRET}], user_id="v")
        memory.add("I live in Oslo", user_id="v")
        yield memory


@pytest.fixture
def attacker(tmp_path: Path) -> Any:
    with Memory(Settings(path=tmp_path / "m.db", project="attacker")) as memory:
        memory.add("I live in Rome", user_id="a")
        yield memory


def exported(memory: Memory, path: Path) -> list[dict[str, Any]]:
    memory.export(path)
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return path


def test_what_a_line_joins_must_be_of_the_project(
    victim: Memory, attacker: Memory, tmp_path: Path
) -> None:
    secret = victim.get_all(user_id="v", kinds=["message"])["results"][1]
    before = victim.why(secret["id"])
    mine = attacker.get_all(user_id="a", kinds=["fact"])["results"][0]["id"]
    lines = exported(attacker, tmp_path / "mine.jsonl")
    evidence = next(one for one in lines if one.get("line") == "evidence")
    forged = [
        lines[0],
        {**evidence, "memory_id": mine, "source_id": secret["id"], "quote": "The", "start": 0,
         "end": 3},
        {**evidence, "memory_id": secret["id"], "source_id": mine},
        {"line": "link", "source_id": mine, "type": "supersedes", "target_id": secret["id"],
         "at": "2025-01-01T00:00:00+00:00", "reason": "pwn"},
        {"line": "derivation", "id": "d", "method": "m@1", "at": "2025-01-01T00:00:00+00:00",
         "input_ids": [secret["id"]], "scope": {"user_id": "a"}, "parameters": {}},
    ]  # fmt: skip
    attacker.import_file(write(tmp_path / "forged.jsonl", forged))
    assert SECRET not in json.dumps(attacker.why(mine))
    assert victim.why(secret["id"]) == before
    attacker.erase(user_id="a")
    assert victim.why(secret["id"]) == before
    assert victim.check().problems == []


def test_a_memory_brings_the_message_it_is_a_view_on(
    victim: Memory, attacker: Memory, tmp_path: Path
) -> None:
    theirs = exported(victim, tmp_path / "theirs.jsonl")
    message = next(one["message_id"] for one in theirs if one.get("message_id"))
    lines = exported(attacker, tmp_path / "mine.jsonl")
    turn = next(one for one in lines if one.get("message"))
    stolen = {key: value for key, value in turn.items() if key != "message"}
    stolen |= {"id": "00000000-0000-7000-8000-000000000000", "message_id": message}
    with pytest.raises(InvalidInput, match="must be the id of the message on the line"):
        attacker.import_file(write(tmp_path / "forged.jsonl", [lines[0], stolen]))
    assert len(victim.get_all(user_id="v")["results"]) == 3


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\x1c", "\x0b", "\r"])
def test_any_line_mark_in_a_text_survives_an_export(tmp_path: Path, mark: str) -> None:
    text = f"before{mark}after"
    with Memory(tmp_path / "one.db") as one, Memory(tmp_path / "two.db") as two:
        one.add(text, user_id="u", metadata={"k": text}, infer=False)
        one.export(tmp_path / "all.jsonl")
        two.import_file(tmp_path / "all.jsonl")
        assert two.get_all(user_id="u") == one.get_all(user_id="u")


ODD: list[Any] = [None, 5, "x", [], {}, True, -1, 2**70, 1e308, "\u0000"]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_field_of_another_type_is_refused_before_anything_is_written(
    attacker: Memory, tmp_path: Path, odd: object
) -> None:
    lines = exported(attacker, tmp_path / "mine.jsonl")
    fields = [(at, name) for at, line in enumerate(lines[1:], 1) for name in line]
    for number, (at, name) in enumerate(fields):
        edited = [dict(line) for line in lines]
        edited[at][name] = odd
        file = write(tmp_path / "edited.jsonl", edited)
        with Memory(tmp_path / f"{number}.db") as memory:
            try:
                memory.import_file(file)
            except InvalidInput as error:
                assert f"line {at + 1}" in error.message or "no line of an export" in error.message
                assert memory.stats()["tables"]["memory"] == 0
            assert memory.check().problems == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"role":"user","content":"x","timestamp":' + "9" * 5000 + "}",
        '{"results": 5}',
        '{"messages": "x", "user_id": "u", "infer": "yes"}',
    ],
    ids=["deep", "digits", "results", "infer"],
)
def test_odd_json_is_refused(memory: Memory, tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.json").write_text(text, "utf-8")
    with pytest.raises(InvalidInput):
        memory.import_file(tmp_path / "odd.json", user_id="u")


def test_a_made_up_derivation_shows_nothing_of_another_project(
    victim: Memory, attacker: Memory, tmp_path: Path
) -> None:
    theirs = victim.get_all(user_id="v", kinds=["fact"])["results"][0]
    derivation = victim.why(theirs["id"])["derivation"]["id"]
    lines = exported(attacker, tmp_path / "mine.jsonl")
    fact = next(one for one in lines if one.get("kind") == "fact")
    fact |= {"id": "00000000-0000-7000-8000-000000000000", "derivation_id": derivation}
    attacker.import_file(write(tmp_path / "forged.jsonl", [lines[0], fact]))
    assert attacker.why(fact["id"])["derivation"] is None
    attacker.export(tmp_path / "again.jsonl")
    assert derivation not in (tmp_path / "again.jsonl").read_text("utf-8").replace(
        json.dumps(fact["derivation_id"]), "", 1
    )
