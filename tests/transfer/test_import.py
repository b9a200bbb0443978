"""Plain conversations, in every form that is read, and our own export."""

from __future__ import annotations

import gzip
import json
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.errors import Incomplete, InvalidInput, InvalidScope
from retain.testing.embedders import FailingEmbedder, HashEmbedder
from retain.transfer import porter

HELLO = {"role": "user", "content": "the violin is in the attic"}
REPLY = {"role": "assistant", "name": "Max", "content": "which attic do you mean"}
LOCOMO = {
    "sample_id": "sample-1",
    "conversation": {
        "speaker_a": "Ida",
        "speaker_b": "Max",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ida", "dia_id": "D1:1", "text": HELLO["content"]},
            {"speaker": "Max", "dia_id": "D1:2", "text": REPLY["content"]},
        ],
    },
}
MEM0 = {
    "results": [
        {
            "id": "old-1",
            "memory": HELLO["content"],
            "user_id": "u",
            "created_at": "2025-05-01T10:00:00+00:00",
            "metadata": {"topic": "music"},
        }
    ]
}


def write(folder: Path, *values: Any, name: str = "in.json") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    return path


def texts(memory: Memory, user: str = "u") -> set[str]:
    found = memory.get_all(user_id=user, kinds=["message"], top_k=100)["results"]
    return {item["memory"] for item in found}


@pytest.mark.parametrize(
    "values",
    [
        [[HELLO, REPLY]],
        [{"messages": [HELLO, REPLY]}],
        [[{"messages": [HELLO]}, {"messages": [REPLY]}]],
        [{"messages": [HELLO]}, {"messages": [REPLY]}],
        [[HELLO], [REPLY]],
        [HELLO, REPLY],
        [{"conversations": [[HELLO, REPLY]]}],
        [{"conversations": [{"messages": [HELLO]}, {"messages": [REPLY]}]}],
    ],
    ids=["list", "object", "objects", "lines", "lists", "messages", "under", "objects under"],
)
def test_every_form_of_conversation_is_read(
    memory: Memory, tmp_path: Path, values: list[Any]
) -> None:
    counts = memory.import_file(write(tmp_path, *values), user_id="u", infer=False)
    assert counts == {"messages": 2, "memories": 2, "skipped": 0}
    assert texts(memory) == {HELLO["content"], REPLY["content"]}


def test_a_gzipped_file_is_read(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "in.json.gz"
    path.write_bytes(gzip.compress(json.dumps([HELLO]).encode()))
    assert memory.import_file(path, user_id="u", infer=False)["messages"] == 1


def test_a_file_of_locomo_keeps_speakers_times_and_ids(memory: Memory, tmp_path: Path) -> None:
    memory.import_file(write(tmp_path, LOCOMO), infer=False)
    held = memory.get_all(user_id="sample-1")["results"]
    first = next(item for item in held if item["message_id"] == "D1:1")
    assert first["memory"] == HELLO["content"]
    assert first["actor_id"] == "Ida"
    assert first["created_at"].startswith("2023-05-08T13:56")


def test_a_broken_file_of_locomo_is_refused_by_its_place(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, {"sample_id": "s", "conversation": {"speaker_a": "Ida"}})
    with pytest.raises(InvalidInput, match=r"in\.json.*has no 'session_1'"):
        memory.import_file(path)


def test_what_mem0_listed_is_kept_as_it_was(memory: Memory, tmp_path: Path) -> None:
    memory.import_file(write(tmp_path, MEM0))
    [item] = memory.get_all(user_id="u")["results"]
    assert item["memory"] == HELLO["content"]
    assert item["message_id"] == "old-1"
    assert item["metadata"] == {"topic": "music"}
    assert item["created_at"] == "2025-05-01T10:00:00+00:00"


def test_importing_twice_adds_nothing(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, {"messages": [HELLO, REPLY]}, {"messages": [HELLO]})
    first = memory.import_file(path, user_id="u")
    assert first["messages"] == 3
    again = memory.import_file(path, user_id="u")
    assert again == {"messages": 0, "memories": 0, "skipped": 2}


def test_an_identity_given_with_the_import_wins(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, {"messages": [HELLO], "user_id": "written"})
    memory.import_file(path, user_id="given", infer=False)
    assert texts(memory, "given") == {HELLO["content"]}
    assert texts(memory, "written") == set()


def test_a_conversation_of_nobody_is_refused_and_nothing_is_kept(
    memory: Memory, tmp_path: Path
) -> None:
    path = write(tmp_path, {"messages": [HELLO], "user_id": "u"}, {"messages": [REPLY]})
    with pytest.raises(InvalidScope, match="conversation 1 of"):
        memory.import_file(path)
    assert texts(memory) == set()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{nonsense", "neither JSON nor JSON Lines"),
        (b"\xff\xfe\xff", "not UTF-8"),
        (b"\x1f\x8b\x08broken", "cannot read"),
        (b"42", "no conversation but int"),
        (b'{"other": 1}', "has none of 'messages'"),
        (b'{"results": [{"id": 1}]}', "no text under 'memory'"),
        (b'{"format": "retain-export", "version": 99}', "version 99"),
        (b'{"format": "retain-export", "version": 1}\n{"line": "spell"}', "no line of an export"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    memory: Memory, tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "in.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=said):
        memory.import_file(path, user_id="u" if b"retain-export" not in content else None)
    assert memory.stats()["kinds"] == {}


def test_a_missing_file_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere\.json"):
        memory.import_file(tmp_path / "nowhere.json", user_id="u")


def test_an_export_comes_back_with_its_history_links_and_evidence(
    memory: Memory, tmp_path: Path
) -> None:
    memory.add("I live in Oslo.", user_id="u", timestamp="2026-01-01")
    memory.add("I live in Bergen now.", user_id="u", timestamp="2026-02-01")
    facts = memory.get_all(user_id="u", kinds=["fact"], include_superseded=True)["results"]
    before = [memory.why(item["id"]) for item in facts]
    assert memory.export(tmp_path / "out.jsonl") == 4
    with Memory(":memory:") as other:
        counts = other.import_file(tmp_path / "out.jsonl")
        assert counts == {"messages": 2, "memories": 4, "skipped": 0}
        assert [other.why(item["id"]) for item in facts] == before
        assert other.check().problems == []
        assert other.import_file(tmp_path / "out.jsonl")["skipped"] == 4


def test_an_export_that_fails_leaves_the_earlier_file(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot write the export"):
        memory.export(tmp_path / "no" / "such" / "folder.jsonl")
    target = tmp_path / "out.jsonl"
    target.write_text("earlier", encoding="utf-8")
    memory.close()
    with pytest.raises(RuntimeError):
        memory.export(target)
    assert target.read_text(encoding="utf-8") == "earlier"
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_a_bad_line_of_an_export_leaves_the_ledger_as_it_was(
    memory: Memory, tmp_path: Path
) -> None:
    memory.add("I live in Oslo.", user_id="u")
    memory.export(tmp_path / "out.jsonl")
    whole = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    broken = json.loads(whole[-1]) | {"at": "never"}
    (tmp_path / "bad.jsonl").write_text(
        "\n".join([*whole[:-1], json.dumps(broken)]), encoding="utf-8"
    )
    with Memory(":memory:") as other:
        with pytest.raises(InvalidInput, match=f"line {len(whole)}"):
            other.import_file(tmp_path / "bad.jsonl")
        assert other.stats()["kinds"] == {}


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """An export of six sessions, larger than what an import keeps at once."""
    with Memory(Settings(path=tmp_path / "from.db", embedder=HashEmbedder(16))) as memory:
        for day in range(1, 7):
            turns = [{"role": "user", "content": f"day {day}, note {n}"} for n in range(3)]
            memory.add(turns, user_id="u", infer=False, timestamp=f"2025-01-0{day}")
        memory.add("I live in Oslo.", user_id="u")
        memory.export(tmp_path / "out.jsonl")
    return tmp_path / "out.jsonl"


def placed(memory: Memory, folder: Path) -> list[Any]:
    """Text and place of every memory, as an export tells them."""
    memory.export(folder / "again.jsonl")
    rows = map(json.loads, (folder / "again.jsonl").read_text("utf-8").splitlines())
    return [
        (row["text"], row["session"], row["position"])
        for row in rows
        if row.get("line") == "memory"
    ]


@pytest.mark.parametrize("before", [0, 2])
def test_an_import_that_was_stopped_is_completed_as_if_it_had_not_been(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    monkeypatch.setattr(porter, "BATCH", 4)
    embedder = FailingEmbedder(failing=False)

    def stop(done: int, total: int | None) -> None:
        assert total == 20
        embedder.failing = done == 8

    def fill(memory: Memory) -> None:
        for n in range(before):
            memory.add(f"earlier {n}", user_id="u", infer=False, timestamp=f"2024-01-0{n + 1}")

    with Memory(Settings(path=tmp_path / "whole.db", embedder=embedder)) as memory:
        fill(memory)
        memory.import_file(exported)
        whole = placed(memory, tmp_path)
    with Memory(Settings(path=tmp_path / "halves.db", embedder=embedder)) as memory:
        fill(memory)
        with pytest.raises(Incomplete, match="8 of 20"):
            memory.import_file(exported, progress=stop)
        embedder.failing = False
        counts = memory.import_file(exported)
        assert (counts["memories"], counts["skipped"]) == (12, 8)
        assert placed(memory, tmp_path) == whole
        again = memory.import_file(exported)
        assert (again["memories"], again["skipped"]) == (0, 20)
        assert memory.check().problems == []


class Counted(sqlite3.Connection):
    """Counts the questions that are asked of any ledger."""

    asked = 0

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        Counted.asked += statement.lstrip().startswith("SELECT")
        return super().execute(statement, *values)


@pytest.mark.parametrize("verb", ["export", "erase"])
def test_the_questions_that_are_asked_do_not_grow_with_the_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Counted))
    asked = []
    for count in (10, 200):
        settings = Settings(path=tmp_path / f"{count}.db", embedder=HashEmbedder(16))
        with Memory(settings) as memory:
            memory.add_many(
                [{"messages": f"note {n}", "user_id": "u", "infer": False} for n in range(count)]
            )
            before = Counted.asked
            if verb == "export":
                assert memory.export(tmp_path / "out.jsonl") == count
            else:
                assert memory.erase(user_id="u").removed["memory"] == count
            asked.append(Counted.asked - before)
    assert asked[1] - asked[0] < 10  # a few pages more, not one for each memory
