"""Learning in the background, after a crash, and erased with what it is about."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from retain import AsyncMemory, Memory
from retain.errors import ConfigError, Conflict, Incomplete, ModelUnavailable, NotFound
from retain.models.base import ChatRequest
from retain.settings import Settings
from retain.testing.chat import ScriptedChat
from retain.testing.clock import FakeClock
from tests.learning.conftest import Open, answer, facts, said

OSLO = "I live in Oslo"
LEARNED = answer(said("User lives in Oslo.", OSLO))


def test_add_returns_at_once_and_the_background_learns(open_memory: Open) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(_request: ChatRequest) -> Any:
        begun.set()
        assert go_on.wait(10)
        return LEARNED

    memory = open_memory(ScriptedChat([slowly]))
    told = memory.add(OSLO, user_id="ida", wait=False)
    assert told["status"] == "pending"
    assert [one["memory"] for one in told["results"]] == [OSLO]
    assert begun.wait(10)
    assert memory.job(told["job_id"])["status"] == "running"
    with pytest.raises(Conflict, match="is being worked on"):
        memory.retry(told["job_id"])
    go_on.set()
    memory.close()
    later = open_memory(ScriptedChat())
    job = later.job(told["job_id"])
    assert (job["status"], [one["event"] for one in job["results"]]) == ("done", ["ADD"])
    assert facts(later) == ["User lives in Oslo."]


def test_what_a_crash_left_is_done_by_the_next(tmp_path: Path) -> None:
    clock = FakeClock()
    path = tmp_path / "m.db"

    def crash(_request: ChatRequest) -> Any:
        raise KeyboardInterrupt

    def opened(chat: Any) -> Memory:
        return Memory(Settings(path=path, llm=chat), clock=clock)

    with opened(ScriptedChat([crash])) as memory, pytest.raises(KeyboardInterrupt):
        memory.add(OSLO, user_id="ida")
    with opened(ScriptedChat([LEARNED])) as memory:
        assert memory.work() == {"done": 1, "failed": 0}
        assert memory.work() == {"done": 0, "failed": 0}
        assert facts(memory) == ["User lives in Oslo."]


def test_the_background_tries_again_what_may_pass_and_gives_up_at_last(tmp_path: Path) -> None:
    clock = FakeClock()
    busy = ModelUnavailable("busy", reason="rate_limit", retry_after=60)
    tried = threading.Event()

    def first(_request: ChatRequest) -> Any:
        tried.set()
        return busy

    path = tmp_path / "m.db"
    with Memory(Settings(path=path, llm=ScriptedChat([first])), clock=clock) as memory:
        job = memory.add(OSLO, user_id="ida", wait=False)["job_id"]
        assert tried.wait(10)
    with Memory(Settings(path=path, llm=ScriptedChat([busy] * 4)), clock=clock) as memory:
        for attempts in range(2, 6):
            assert memory.work() == {"done": 0, "failed": 0}  # not due yet
            assert (memory.job(job)["status"], memory.job(job)["attempts"]) == (
                "pending",
                attempts - 1,
            )
            clock.set(clock.now + timedelta(seconds=61))
            assert memory.work() == {"done": 0, "failed": 1}
        assert memory.job(job)["status"] == "failed"
        assert "busy" in memory.job(job)["error"]
        with pytest.raises(NotFound):
            memory.retry("nothing")


def test_without_a_model_there_is_no_work_to_do(open_memory: Open) -> None:
    memory = open_memory()
    with pytest.raises(ConfigError, match="needs a chat model"):
        memory.work()
    assert "job_id" not in memory.add(OSLO, user_id="ida", wait=False)
    assert facts(memory) == ["User lives in Oslo."]


def test_jobs_are_those_of_the_scope(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([LEARNED, LEARNED]))
    memory.add(OSLO, user_id="ida")
    memory.add(OSLO, user_id="otto")
    assert len(memory.jobs(user_id="ida")) == len(memory.derivations(user_id="otto")) == 1
    assert memory.jobs(user_id="eve") == memory.candidates(user_id="eve") == []


def test_erasing_takes_the_records_of_learning_along(open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory(ScriptedChat([answer(said("User hides Xylophon7.", "hide Xylophon7"))]))
    memory.add("I hide Xylophon7", user_id="ida", prompt="Mind it.")
    receipt = memory.erase(user_id="ida")
    assert receipt.file_clean
    assert {"job", "derivation"} <= set(receipt.removed)
    memory.close()
    for file in tmp_path.iterdir():
        assert b"Xylophon7" not in file.read_bytes()


def test_a_memory_that_was_erased_while_the_model_thought_leaves_nothing(
    open_memory: Open,
) -> None:
    memory = open_memory()

    def erase(_request: ChatRequest) -> Any:
        memory.erase(user_id="ida")
        return LEARNED

    learning = open_memory(ScriptedChat([erase]))
    with pytest.raises(Conflict, match="erased"):
        learning.add(OSLO, user_id="ida")
    assert learning.get_all(user_id="ida")["results"] == []
    assert learning.check().problems == []


async def _add(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    settings = Settings(path=path, llm=ScriptedChat([LEARNED]))
    async with AsyncMemory(settings) as memory:
        told = await memory.add(OSLO, user_id="ida")
        return told, await memory.derivations(user_id="ida")


def test_the_same_awaited(tmp_path: Path) -> None:
    import asyncio

    told, derivations = asyncio.run(_add(tmp_path / "m.db"))
    assert [one["memory"] for one in told["results"]] == [OSLO, "User lives in Oslo."]
    assert derivations[0]["model"] == "scripted"


def test_a_lease_ends_with_time(tmp_path: Path) -> None:
    clock = FakeClock()
    path = tmp_path / "m.db"
    with Memory(Settings(path=path, llm=ScriptedChat()), clock=clock) as other:

        def stalls(_request: ChatRequest) -> Any:
            clock.set(clock.now + timedelta(hours=1))
            with Memory(Settings(path=path, llm=ScriptedChat([LEARNED])), clock=clock) as quick:
                assert quick.work() == {"done": 1, "failed": 0}
            return answer(said("User lives in Oslo, says the slow one.", OSLO))

        with (
            Memory(Settings(path=path, llm=ScriptedChat([stalls])), clock=clock) as slow,
            pytest.raises(Conflict, match="taken over"),
        ):
            slow.add(OSLO, user_id="ida")
        assert facts(other) == ["User lives in Oslo."]


def test_an_import_learns_what_the_model_failed_to_learn_the_first_time(
    open_memory: Open, tmp_path: Path
) -> None:
    source = tmp_path / "talk.jsonl"
    source.write_text(
        '{"user_id": "ida", "messages": [{"role": "user", "content": "I live in Oslo."}]}\n'
    )
    chat = ScriptedChat([ModelUnavailable("down")])
    memory = open_memory(chat)
    with pytest.raises(Incomplete):
        memory.import_file(source)
    assert facts(memory) == []
    chat.then(answer(said("User lives in Oslo.", "I live in Oslo")))
    assert memory.import_file(source) == {"messages": 0, "memories": 1, "skipped": 0}
    assert facts(memory) == ["User lives in Oslo."]
    assert memory.import_file(source) == {"messages": 0, "memories": 0, "skipped": 1}
    assert len(memory.get_all(user_id="ida", kinds=["message"])["results"]) == 1
