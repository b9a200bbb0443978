"""Reindex: all that is derived from the texts is made anew, beside readers and writers."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retain import Memory, Settings
from retain.errors import Conflict, ModelUnavailable
from retain.keep import keeper
from retain.testing.embedders import HashEmbedder

SIZE = 32


class Watched(HashEmbedder):
    """Tells each text that it embeds, before it does."""

    def __init__(self, dimension: int = SIZE) -> None:
        super().__init__(dimension)
        self.before: Callable[[str], None] = lambda _: None
        self.seen: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            self.before(text)
            self.seen.append(text)
        return super().embed_documents(texts)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with twenty notes, which a reindex takes in five batches."""
    monkeypatch.setattr(keeper, "BATCH", 4)
    path = tmp_path / "ledger.db"
    with Memory(Settings(path=path, embedder=HashEmbedder(SIZE))) as memory:
        memory.add_many([note(f"note {n} about Rex") for n in range(20)])
    return path


def note(text: str) -> dict[str, object]:
    return {"messages": text, "user_id": "u", "infer": False}


def texts(memory: Memory, query: str) -> list[str]:
    found = memory.search(query, user_id="u", top_k=10_000, threshold=None)["results"]
    return sorted(item["memory"] for item in found)


def test_others_write_while_a_reindex_embeds(path: Path) -> None:
    embedder = Watched()
    other = Memory(Settings(path=path, embedder=HashEmbedder(SIZE), busy_timeout=0))
    held = {item["memory"]: item["id"] for item in other.get_all(user_id="u", top_k=99)["results"]}

    def write(text: str) -> None:
        # With no time to wait for a lock: it would fail if the reindex held it.
        if text == "note 5 about Rex":
            other.update(held["note 3 about Rex"], "note 3 about Zoe")
            other.update(held[text], "note 5 about Zoe")
            other.delete(held["note 19 about Rex"])
            other.erase(held["note 6 about Rex"])
            other.add("note 20 about Rex", user_id="u", infer=False)

    with Memory(Settings(path=path, embedder=embedder)) as memory:
        embedder.before = write
        memory.reindex()
        assert memory.check().problems == []
        expected = {f"note {n} about Rex" for n in range(21)} - {
            f"note {n} about Rex" for n in (3, 5, 6, 19)
        } | {"note 3 about Zoe", "note 5 about Zoe"}
        assert set(texts(memory, "note")) == expected
        first = memory.search("Zoe", user_id="u", top_k=2)["results"]
        assert sorted(item["memory"] for item in first) == ["note 3 about Zoe", "note 5 about Zoe"]
    other.close()


def test_a_thread_that_keeps_adding_loses_nothing(path: Path) -> None:
    other = Memory(Settings(path=path, embedder=HashEmbedder(SIZE)))
    reindexed = threading.Event()
    added: list[str] = []

    def add() -> None:
        while not reindexed.is_set() or not added:
            text = f"added {len(added)}"
            other.add(text, user_id="u", infer=False)
            added.append(text)

    writer = threading.Thread(target=add)
    writer.start()
    with Memory(Settings(path=path, embedder=HashEmbedder(SIZE))) as memory:
        for _ in range(5):
            assert memory.reindex() >= 20
        reindexed.set()
        writer.join()
        assert set(texts(memory, "added")) >= set(added)
        assert memory.check().problems == []
    other.close()


def test_a_reindex_that_was_stopped_goes_on_where_it_was(path: Path) -> None:
    embedder = Watched()

    def fail(text: str) -> None:
        if text == "note 9 about Rex":
            raise ModelUnavailable("the embedder is gone")

    with Memory(Settings(path=path, embedder=embedder)) as memory:
        before = memory.search("note 7", user_id="u")
        embedder.before = fail
        with pytest.raises(ModelUnavailable):
            memory.reindex()
        assert memory.check().problems == []
        embedder.before = lambda _: None
        embedder.seen.clear()
        told: list[tuple[int, int | None]] = []
        assert memory.reindex(progress=lambda done, total: told.append((done, total))) == 20
        assert embedder.seen == [f"note {n} about Rex" for n in range(8, 20)]
        assert told == [(12, 20), (16, 20), (20, 20)]
        assert memory.search("note 7", user_id="u") == before


def test_a_change_of_embedder_that_was_stopped_leaves_the_old_one_in_use(path: Path) -> None:
    embedder = Watched(SIZE * 2)
    settings = Settings(path=path, embedder=embedder)

    def fail(text: str) -> None:
        if text == "note 9 about Rex":
            raise ModelUnavailable("the embedder is gone")

    embedder.before = fail
    with pytest.raises(ModelUnavailable):
        Memory.change_embedder(settings)
    with Memory(Settings(path=path, embedder=HashEmbedder(SIZE))) as memory:
        assert len(texts(memory, "note")) == 20
        memory.add("note 20 about Rex", user_id="u", infer=False)
    embedder.before = lambda _: None
    assert Memory.change_embedder(settings) == 21
    with Memory(settings) as memory:
        assert len(texts(memory, "note")) == 21
        assert memory.check().problems == []


def test_a_change_of_embedder_gives_up_on_writers_that_never_stop(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "MOST_ROUNDS", 3)
    embedder = Watched(SIZE * 2)
    with Memory(Settings(path=path, embedder=HashEmbedder(SIZE))) as old:
        done = 0

        def add(done_now: int, total: int | None) -> None:
            nonlocal done
            done = done_now
            old.add(f"one more than {total}", user_id="u", infer=False)

        with pytest.raises(Conflict, match="kept adding"):
            Memory.change_embedder(Settings(path=path, embedder=embedder), progress=add)
        assert done >= 20
        assert texts(old, "more") != []


def test_names_are_found_anew(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM mention")
        db.execute("DELETE FROM entity")
    db.close()
    with Memory(Settings(path=path, embedder=HashEmbedder(SIZE))) as memory:
        assert memory.entities(user_id="u") == []
        memory.reindex()
        named = {one["name"]: one["mentions"] for one in memory.entities(user_id="u")}
        assert named["Rex"] == 20


def test_what_is_erased_is_in_no_half_of_a_rebuild(path: Path, tmp_path: Path) -> None:
    embedder = Watched()

    def fail(text: str) -> None:
        if text == "note 9 about Rex":
            raise ModelUnavailable("the embedder is gone")

    with Memory(Settings(path=path, embedder=embedder)) as memory:
        embedder.before = fail
        with pytest.raises(ModelUnavailable):
            memory.reindex()
        memory.erase(user_id="u")
        assert memory.check().problems == []
    db = sqlite3.connect(tmp_path / "ledger.db")
    assert db.execute("SELECT count(*) FROM rebuilt").fetchone() == (0,)
    db.close()
