"""What a failure leaves behind, and what it says."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from retain import Memory, Settings
from retain.errors import Conflict, Incomplete, ModelUnavailable
from retain.testing.embedders import FailingEmbedder


def kept(memory: Memory) -> int:
    return len(memory.get_all(user_id="u", top_k=10_000)["results"])


def test_an_embedder_that_fails_leaves_nothing_of_an_add() -> None:
    embedder = FailingEmbedder(failing=False)
    with Memory(Settings(path=":memory:", embedder=embedder)) as memory:
        embedder.failing = True
        with pytest.raises(ModelUnavailable):
            memory.add("the violin is in the attic", user_id="u")
        embedder.failing = False
        assert kept(memory) == 0
        assert memory.check().problems == []


def test_a_bulk_load_that_an_embedder_stops_says_what_is_kept() -> None:
    embedder = FailingEmbedder(failing=False)
    items = [{"messages": f"note {n}", "user_id": "u", "infer": False} for n in range(600)]

    def stop(done: int, total: int | None) -> None:
        assert total == 600
        embedder.failing = True

    with Memory(Settings(path=":memory:", embedder=embedder)) as memory:
        with pytest.raises(Incomplete, match="of 600 items") as stopped:
            memory.add_many(items, progress=stop)
        embedder.failing = False
        assert 0 < stopped.value.details["kept"] < 600
        assert kept(memory) == stopped.value.details["kept"]
        assert len(stopped.value.details["answers"]) == stopped.value.details["kept"]


def test_a_bulk_load_that_a_conflict_stops_says_what_is_kept(memory: Memory) -> None:
    memory.add("tea", user_id="u", infer=False, idempotency_key="k")
    items = [
        {"messages": "first", "user_id": "u", "infer": False},
        {"messages": "coffee", "user_id": "u", "infer": False, "idempotency_key": "k"},
    ]
    with pytest.raises(Incomplete, match="idempotency_key 'k'") as stopped:
        memory.add_many(items)
    assert isinstance(stopped.value.__cause__, Conflict)
    assert stopped.value.details["kept"] == 0
    assert kept(memory) == 1


@pytest.mark.parametrize(
    "fault",
    [
        OSError("no time server"),
        sqlite3.OperationalError("no table of hours"),
        UnicodeEncodeError("ascii", "é", 0, 1, "no such letter"),
        OverflowError("too late"),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_what_a_callers_own_code_raises_inside_a_write_is_not_blamed_on_the_ledger(
    fault: Exception, tmp_path: Path
) -> None:
    broken = False

    def clock() -> int:
        if broken:
            raise fault
        return 1_700_000_000_000_000

    with Memory(tmp_path / "ledger.db", clock=clock) as memory:
        one = memory.add("tea", user_id="u", infer=False)["results"][0]["id"]
        broken = True
        with pytest.raises(type(fault)) as raised:
            memory.update(one, "coffee")
        broken = False
        assert raised.value is fault
        assert [item["memory"] for item in memory.get_all(user_id="u")["results"]] == ["tea"]
