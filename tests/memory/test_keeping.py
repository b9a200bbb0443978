"""Care of the ledger: reindex, another embedder, backup, check and repair."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.errors import (
    Conflict,
    EmbedderMismatch,
    InvalidInput,
    LedgerCorrupt,
    RetainError,
)
from retain.testing.embedders import HashEmbedder

TEXTS = ["the violin is in the attic", "the ferry leaves at seven", "basil grows on the sill"]


def fill(memory: Memory) -> None:
    memory.add_many([{"messages": text, "user_id": "u", "infer": False} for text in TEXTS])


def answer(memory: Memory, query: str) -> str:
    return str(memory.search(query, user_id="u")["results"][0]["memory"])


def test_reindex_tells_its_progress_and_changes_no_answer(memory: Memory) -> None:
    fill(memory)
    before = memory.search("ferry", user_id="u")
    told: list[tuple[int, int | None]] = []
    assert memory.reindex(progress=lambda done, total: told.append((done, total))) == 3
    assert told[-1] == (3, 3)
    assert memory.search("ferry", user_id="u") == before


def test_another_embedder_is_refused_until_the_vectors_are_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    one = Settings(path=path, embedder=HashEmbedder(32))
    other = Settings(path=path, embedder=HashEmbedder(48))
    with Memory(one) as memory:
        fill(memory)
    with pytest.raises(EmbedderMismatch, match="reindex"):
        Memory(other)
    assert Memory.change_embedder(other) == 3
    with Memory(other) as memory:
        assert answer(memory, "ferry") == TEXTS[1]
        assert memory.stats()["embedder"] == {"name": "hash:48", "dimension": 48}
        assert memory.check().problems == []
    with pytest.raises(EmbedderMismatch):
        Memory(one)


def test_an_open_instance_notices_a_reindex_of_another(tmp_path: Path) -> None:
    settings = Settings(path=tmp_path / "ledger.db", embedder=HashEmbedder(32))
    with Memory(settings) as one, Memory(settings) as other:
        fill(one)
        assert answer(one, "violin") == TEXTS[0]
        other.reindex()
        assert answer(one, "violin") == TEXTS[0]


def test_a_backup_is_a_ledger_of_its_own(memory: Memory, tmp_path: Path) -> None:
    fill(memory)
    copy = memory.backup(tmp_path / "copies" / "copy.db")
    memory.erase(user_id="u")
    with Memory(copy) as restored:
        assert answer(restored, "basil") == TEXTS[2]
        assert restored.check().problems == []


def test_a_backup_never_replaces_a_file(memory: Memory, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious", encoding="utf-8")
    with pytest.raises(Conflict, match=r"copy\.db"):
        memory.backup(target)
    assert target.read_text(encoding="utf-8") == "precious"


def test_repair_rebuilds_what_the_texts_can_give_back(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Memory(path) as memory:
        fill(memory)
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM features")
    db.close()
    with Memory(path) as memory:
        report = memory.check()
        assert report.needs_reindex
        assert len(report.problems) == 1
        assert "3 memories" in report.problems[0]
        mended = memory.check(repair=True)
        assert mended.problems == []
        assert "3 memories reindexed" in mended.repaired
        assert answer(memory, "violin") == TEXTS[0]
        assert memory.check().problems == []


def test_an_open_instance_is_refused_once_the_embedder_is_another(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    other = Settings(path=path, embedder=HashEmbedder(48))
    with Memory(Settings(path=path, embedder=HashEmbedder(32))) as memory:
        fill(memory)
        answer(memory, "ferry")
        assert Memory.change_embedder(other) == 3
        acts: list[Callable[[], object]] = [
            lambda: answer(memory, "ferry"),
            lambda: memory.add("another", user_id="u", infer=False),
            memory.reindex,
        ]
        for act in acts:
            with pytest.raises(EmbedderMismatch, match="hash:48"):
                act()
        assert memory.check().problems == []
    with Memory(other) as memory:
        assert answer(memory, "ferry") == TEXTS[1]
        assert len(memory.get_all(user_id="u")["results"]) == 3


@pytest.mark.parametrize("column", ["vectors", "counts", "pieces"])
def test_features_of_a_wrong_size_are_told_and_mended(tmp_path: Path, column: str) -> None:
    path = tmp_path / "ledger.db"
    with Memory(Settings(path=path, embedder=HashEmbedder(32))) as memory:
        fill(memory)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE features SET {column} = x'00'")
    db.close()
    with Memory(Settings(path=path, embedder=HashEmbedder(32))) as memory:
        with pytest.raises(LedgerCorrupt, match="reindex"):
            answer(memory, "ferry")
        assert memory.check().needs_reindex
        assert memory.check(repair=True).problems == []
        assert answer(memory, "ferry") == TEXTS[1]


def test_check_with_repair_makes_up_for_a_seal_that_was_prevented(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    settings = Settings(path=path, embedder=HashEmbedder(32), busy_timeout=0.05)
    with Memory(settings) as memory:
        fill(memory)
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memory").fetchone()
        assert not memory.erase(user_id="u").file_clean
        assert memory.check(repair=True).unsealed == 1
        reader.close()
        assert memory.check().unsealed == 1
        report = memory.check(repair=True)
        assert (report.problems, report.unsealed) == ([], 0)
        assert any("1 erasures" in one for one in report.repaired)
        assert [one.file_clean for one in memory.receipts()] == [True]
        held = b"".join(one.read_bytes() for one in tmp_path.iterdir())
        assert b"ferry" not in held


def test_a_backup_may_have_any_name(memory: Memory, tmp_path: Path, monkeypatch: Any) -> None:
    fill(memory)
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x?mode=memory", "what %20 now?"):
        memory.backup(name)
        with Memory(tmp_path / name) as restored:
            assert answer(restored, "basil") == TEXTS[2]


def test_a_stored_value_that_cannot_be_read_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    settings = Settings(path=path, embedder=HashEmbedder(32))
    with Memory(settings) as memory:
        memory.add("with metadata", user_id="u", infer=False, metadata={"n": 1})
    for change in ("metadata = '{'", "kind = 99", "text = CAST(x'ff' AS TEXT)"):
        with sqlite3.connect(path) as db:
            db.execute(f"UPDATE memory SET {change}")
        db.close()
        with Memory(settings) as memory, pytest.raises(LedgerCorrupt, match="damaged"):
            memory.get_all(user_id="u")
        with sqlite3.connect(path) as db:
            db.execute("UPDATE memory SET metadata = NULL, kind = 0, text = NULL")
        db.close()


def test_a_killed_backup_leaves_no_file_under_its_name(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        fill(memory)
    script = (
        "import os, sqlite3, sys\n"
        "from retain import Memory\n"
        "import retain.ledger.sqlite.backup as step\n"
        "step._take_name = lambda part, target: os._exit(9)\n"
        "Memory(sys.argv[1]).backup(sys.argv[2])\n"
    )
    target = tmp_path / "copy.db"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "m.db", target], check=False)
    assert done.returncode == 9
    assert not target.exists()
    assert [name.suffix for name in tmp_path.glob("copy.db*")] == [".part"]
    with Memory(tmp_path / "m.db") as memory:
        memory.backup(target)
    with Memory(target) as copy:
        assert answer(copy, "ferry") == TEXTS[1]


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/.."])
def test_a_folder_is_no_target(memory: Memory, tmp_path: Path, name: str) -> None:
    target = name if name in ("", "/") else f"{tmp_path}/{name}"
    for write in (memory.export, memory.backup):
        with pytest.raises((InvalidInput, Conflict)):
            write(target)
    assert [*tmp_path.rglob("*.part"), *tmp_path.parent.glob("*.part")] == []


def test_an_export_under_a_file_says_why_it_cannot_be(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    with pytest.raises(InvalidInput, match="cannot write the export"):
        memory.export(tmp_path / "plain" / "out.jsonl")
    with pytest.raises(RetainError, match="plain"):
        memory.backup(tmp_path / "plain" / "copy.db")
