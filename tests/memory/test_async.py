"""AsyncMemory is Memory, awaited: the same verbs, arguments and answers."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from retain import AsyncMemory, Memory, Settings
from retain.errors import Closed, InvalidScope, NotFound
from retain.testing.embedders import HashEmbedder
from tests.conftest import TestClock

# Opening and closing differ by nature, and a way out of not opening is no verb of an instance.
OWN = {"change_embedder", "close", "from_config"}
VERBS = sorted(
    name
    for name, member in inspect.getmembers(Memory, callable)
    if not name.startswith("_") and name not in OWN
)


def test_both_have_the_same_verbs() -> None:
    awaited = {name for name in vars(AsyncMemory) if not name.startswith("_")}
    assert awaited == {*VERBS, *OWN}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_the_same_arguments_and_is_awaited(verb: str) -> None:
    plain, awaited = getattr(Memory, verb), getattr(AsyncMemory, verb)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert inspect.getdoc(awaited) == inspect.getdoc(plain)
    assert inspect.iscoroutinefunction(awaited)


def test_the_embedder_of_a_ledger_is_changed_before_it_opens(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    assert inspect.signature(AsyncMemory.change_embedder) == inspect.signature(
        Memory.change_embedder
    )
    with Memory(Settings(path=path, embedder=HashEmbedder(16))) as memory:
        memory.add("the violin is in the attic", user_id="u", infer=False)

    async def story() -> int:
        wanted = Settings(path=path, embedder=HashEmbedder(24))
        told: list[int] = []
        count = await AsyncMemory.change_embedder(
            wanted, progress=lambda done, _: told.append(done)
        )
        assert told == [1]
        async with AsyncMemory(wanted) as memory:
            assert (await memory.stats())["embedder"]["dimension"] == 24
        return count

    assert asyncio.run(story()) == 1


def test_both_are_opened_by_the_same_arguments() -> None:
    assert (
        inspect.signature(AsyncMemory.__init__).parameters.keys()
        == inspect.signature(Memory.__init__).parameters.keys()
    )


def test_a_conversation_is_learned_recalled_corrected_and_erased(
    tmp_path: Path, clock: TestClock
) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "ledger.db", clock=clock) as memory:
            added = await memory.add("I live in Oslo.", user_id="u", timestamp="2026-01-01")
            turn = added["results"][0]["id"]
            assert [row["kind"] for row in added["results"]] == ["message", "fact"]
            await memory.add("I live in Bergen now.", user_id="u", timestamp="2026-02-01")
            facts = await memory.get_all(user_id="u", kinds=["fact"])
            assert [item["memory"] for item in facts["results"]] == ["User lives in Bergen."]

            found = await memory.search("Where do I live?", user_id="u")
            assert any("Bergen" in item["memory"] for item in found["results"])
            recall = await memory.recall("Where do I live?", user_id="u", budget_tokens=200)
            assert "Bergen" in recall.context

            await memory.update(turn, "I lived in Oslo.")
            held = await memory.get(turn)
            assert held is not None
            assert held["memory"] == "I lived in Oslo."
            assert [row["event"] for row in await memory.history(turn)] == ["ADD", "UPDATE"]
            await memory.delete(turn)
            assert await memory.get(turn) is None
            await memory.restore(turn)
            assert await memory.get(turn) is not None

            receipt = await memory.erase(user_id="u")
            assert turn in receipt.memory_ids
            assert (await memory.get_all(user_id="u"))["results"] == []
            assert (await memory.check()).problems == []

    asyncio.run(story())


def test_errors_reach_the_caller() -> None:
    async def story() -> None:
        memory = AsyncMemory(":memory:")
        with pytest.raises(InvalidScope):
            await memory.add("whose?")
        with pytest.raises(NotFound):
            await memory.delete("00000000-0000-0000-0000-000000000000")
        memory.close()
        memory.close()
        with pytest.raises(Closed):
            await memory.get_all(user_id="u")

    asyncio.run(story())


def test_many_calls_at_once_lose_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "ledger.db") as memory:
            await asyncio.gather(
                *(memory.add(f"note {n}", user_id="u", infer=False) for n in range(40)),
                *(memory.search("note", user_id="u") for _ in range(10)),
            )
            held = await memory.get_all(user_id="u", top_k=100)
            assert {item["memory"] for item in held["results"]} == {f"note {n}" for n in range(40)}

    asyncio.run(story())


def test_a_cancelled_write_is_whole_or_absent(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "ledger.db") as memory:
            turns = [{"role": "user", "content": f"turn {n}"} for n in range(200)]
            writing = asyncio.ensure_future(memory.add(turns, user_id="u", infer=False))
            await asyncio.sleep(0)
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            # The next write waits for the one before it, which goes on in its thread.
            await memory.add("after", user_id="u", infer=False)
            held = await memory.get_all(user_id="u", top_k=1000)
            assert len(held["results"]) in (1, 201)
            assert (await memory.check()).problems == []

    asyncio.run(story())


def _by_config(kind: Callable[[dict[str, Any]], Any]) -> str:
    opened = kind({"path": ":memory:", "project": "p"})
    opened.close()
    return type(opened).__name__


def test_both_open_from_a_dict() -> None:
    assert _by_config(Memory.from_config) == "Memory"
    assert _by_config(AsyncMemory.from_config) == "AsyncMemory"
    AsyncMemory(Settings(path=":memory:")).close()
