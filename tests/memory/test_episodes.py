"""Episodes: kept as given, described, in order, found by every condition."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from retain import AsyncMemory, Memory, Settings
from retain.errors import Conflict, InvalidInput, ModelUnavailable, TooLarge
from retain.testing.chat import ScriptedChat
from tests.conftest import TestClock

FIX = "The user asked me to fix the login bug. The deploy failed with a timeout."
INVOICE = "Ana wanted an invoice for May. I sent it and she thanked me."


def write(memory: Memory, content: str = FIX, **more: Any) -> dict[str, Any]:
    return memory.write_episode(content, **{"agent_id": "a", **more})


def ids(found: dict[str, Any]) -> list[str]:
    return [one["id"] for one in found["episodes"]]


def test_an_episode_is_kept_as_given_and_described(memory: Memory) -> None:
    content = f"  {FIX}\n\n  done \t"
    episode = write(memory, content, metadata={"k": 1}, user_id="u", run_id="r")
    assert episode["content"] == content
    assert episode["status"] == "stored"
    assert (episode["agent_id"], episode["user_id"], episode["run_id"]) == ("a", "u", "r")
    assert episode["intent"] == "The user asked me to fix the login bug."
    assert (episode["domain"], episode["outcome"]) == ("coding", "failure")
    assert episode["importance"] >= 0.8
    assert episode["metadata"] == {"k": 1}
    got = memory.get_episode(episode["id"])
    assert got is not None and {**got, "status": "stored"} == episode
    item = memory.get(episode["id"])
    assert item is not None and (item["kind"], item["outcome"]) == ("episode", "failure")
    assert memory.history(episode["id"])[0]["event"] == "ADD"
    assert memory.get_episode("no such id") is None


def test_what_the_caller_states_stands(memory: Memory) -> None:
    given: dict[str, Any] = {
        "outcome": "success", "importance": 0, "domain": "planning", "emotion": "urgent",
        "intent": "Get it out", "entities": ["CI"],
    }  # fmt: skip
    episode = write(memory, **given)
    assert {name: episode[name] for name in given} == given
    assert episode["parsed_by"] == "caller"
    partly = write(memory, importance=0.25)
    assert (partly["importance"], partly["parsed_by"]) == (0.25, "rules@1")


@pytest.mark.parametrize(
    ("content", "domain", "outcome", "importance"),
    [
        ("Routine check of the lights.", "general", "unknown", 0.3),
        ("She always asks for a vegetarian menu.", "general", "unknown", 0.8),
        ("Kunde bat um eine Rechnung. Erfolgreich erledigt.", "analysis", "success", 0.6),
        ("El cliente pidió reservar un viaje y falló el pago.", "planning", "failure", 0.8),
        ("代码有一个新的错误，部署失败。", "coding", "failure", 0.8),
        ("The first attempt failed, then it worked.", "general", "success", 0.6),
        ("I finished half of the draft.", "writing", "partial", 0.6),
    ],
)
def test_rules_describe_in_several_languages(
    memory: Memory, content: str, domain: str, outcome: str, importance: float
) -> None:
    episode = write(memory, content)
    assert (episode["domain"], episode["outcome"]) == (domain, outcome)
    assert episode["importance"] == importance
    assert 0 < len(episode["intent"]) <= 100


def test_each_follows_the_one_before_of_the_same_agent_and_user(memory: Memory) -> None:
    first, second = write(memory, "one"), write(memory, "two", run_id="r")
    other = write(memory, "three", user_id="u")
    assert other["previous_id"] is None
    third = write(memory, "four")
    assert (second["previous_id"], third["previous_id"]) == (first["id"], second["id"])
    got = memory.get_episode(second["id"])
    assert got is not None and got["next_id"] == third["id"]
    memory.delete(second["id"])
    around = memory.get_episode(first["id"]), memory.get_episode(third["id"])
    assert [one and (one["previous_id"], one["next_id"]) for one in around] == [
        (None, third["id"]), (first["id"], None),
    ]  # fmt: skip
    memory.restore(second["id"])
    again = memory.get_episode(third["id"])
    assert again is not None and again["previous_id"] == second["id"]
    memory.erase(second["id"])
    joined = memory.get_episode(third["id"])
    assert joined is not None and joined["previous_id"] == first["id"]
    assert memory.check().problems == []


def test_every_condition_narrows_and_the_total_is_true(memory: Memory, clock: TestClock) -> None:
    old = write(memory, timestamp="2025-05-01")
    write(memory, INVOICE)
    clock.move(days=1)
    late = write(memory, "Trip planned for Ana. Finished.", run_id="r")
    memory.add("no episode", agent_id="a", infer=False)
    write(memory, "of another", agent_id="b")
    everything = memory.episodes(agent_id="a")
    assert (everything["total"], everything["limit"], everything["offset"]) == (3, 20, 0)
    assert ids(everything)[0] == late["id"] and ids(everything)[-1] == old["id"]
    assert ids(memory.episodes(agent_id="a", limit=1, offset=2)) == [old["id"]]
    assert memory.episodes(agent_id="a", limit=0)["total"] == 3
    assert ids(memory.episodes(agent_id="a", outcome="failure")) == [old["id"]]
    assert memory.episodes(agent_id="a", domain="coding", outcome="success")["total"] == 0
    assert memory.episodes(agent_id="a", search="ANA")["total"] == 2
    assert ids(memory.episodes(agent_id="a", since="2026-03-02")) == [late["id"]]
    assert ids(memory.episodes(agent_id="a", until="2026-01-01")) == [old["id"]]
    assert memory.episodes(agent_id="a", consolidated=True)["total"] == 0
    assert memory.episodes(run_id="r")["total"] == 1
    memory.delete(late["id"])
    assert memory.episodes(agent_id="a")["total"] == 2
    found = memory.search("login", agent_id="a", filters={"outcome": "failure"})["results"]
    assert [one["id"] for one in found] == [old["id"]]
    context = memory.recall("login bug", agent_id="a", kinds=["episode"]).context
    assert "(episode, 2025-05-01, failure)" in context


def test_metadata_of_the_same_name_is_still_found(memory: Memory) -> None:
    memory.add("a", agent_id="a", infer=False, metadata={"outcome": "failure", "level": 3})
    write(memory)
    found = memory.get_all(agent_id="a", filters={"outcome": "failure"})["results"]
    assert len(found) == 2
    assert len(memory.get_all(agent_id="a", filters={"level": 3})["results"]) == 1
    assert memory.get_all(agent_id="a", filters={"importance": {"gte": 0.8}})["results"] != []


def test_a_key_keeps_it_once(memory: Memory) -> None:
    first = write(memory, idempotency_key="k")
    assert write(memory, idempotency_key="k")["id"] == first["id"]
    with pytest.raises(Conflict, match="another content"):
        write(memory, "something else", idempotency_key="k")
    assert memory.episodes(agent_id="a")["total"] == 1


def test_any_length_from_one_letter_to_a_million_bytes(memory: Memory) -> None:
    assert write(memory, "x")["content"] == "x"
    huge = "Zürich " * 125_000
    assert write(memory, huge)["content"] == huge
    with pytest.raises(TooLarge, match="1000006 bytes"):
        write(memory, "Zürich " * 125_000 + "xxxxxx")
    assert memory.episodes(agent_id="a")["total"] == 2


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({"content": ""}, "content is empty"),
    "no text": ({"content": 5}, "content"),
    "no agent": ({"agent_id": None}, "agent_id"),
    "outcome": ({"outcome": "great"}, "Invalid outcome: 'great'"),
    "importance 7": ({"importance": 7.0}, "importance must be a number from 0 to 1, got 7.0"),
    "importance nan": ({"importance": float("nan")}, "importance must be a number"),
    "importance bool": ({"importance": True}, "importance must be a number"),
    "domain": ({"domain": "cooking"}, "Invalid domain: 'cooking'"),
    "emotion": ({"emotion": "glad"}, "Invalid emotion: 'glad'"),
    "intent": ({"intent": "x" * 101}, "intent has 101 characters"),
    "entities": ({"entities": "Ana"}, "entities must be a list"),
    "many entities": ({"entities": ["x"] * 11}, "the limit is 10"),
    "timestamp": ({"timestamp": "soon"}, "timestamp"),
    "metadata": ({"metadata": 3}, "metadata must be a dict"),
    "key": ({"idempotency_key": ""}, "idempotency_key"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_kept_is_refused(memory: Memory, case: str) -> None:
    arguments, named = WRONG[case]
    with pytest.raises(InvalidInput, match=named):
        memory.write_episode(**{"content": FIX, "agent_id": "a", **arguments})
    assert memory.episodes(agent_id="a")["total"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"agent_id": "a", "limit": -1}, {"agent_id": "a", "limit": 10**6},
        {"agent_id": "a", "offset": 1.5}, {"agent_id": "a", "outcome": "great"},
        {"agent_id": "a", "domain": 3}, {"agent_id": "a", "consolidated": "yes"},
        {"agent_id": "a", "since": "soon"}, {"agent_id": "a", "search": 4},
    ],
)  # fmt: skip
def test_conditions_that_are_none_are_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        memory.episodes(**wrong)


def test_it_comes_back_from_an_export(
    memory: Memory, open_memory: Callable[[], Memory], tmp_path: Path
) -> None:
    write(memory, entities=["Ana"], user_id="u")
    second = write(memory, INVOICE, user_id="u", metadata={"k": 1})
    memory.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db") as other:
        assert other.import_file(tmp_path / "all.jsonl")["memories"] == 2
        assert other.get_episode(second["id"]) == memory.get_episode(second["id"])
        assert other.episodes(agent_id="a") == memory.episodes(agent_id="a")
        assert other.check().problems == []
        damaged = (
            (tmp_path / "all.jsonl").read_text().replace('"importance": 0.8', '"importance": 7')
        )
        (tmp_path / "bad.jsonl").write_text(damaged)
        other.reset()
        with pytest.raises(InvalidInput, match="importance must be 0 to 1, got 7"):
            other.import_file(tmp_path / "bad.jsonl")


def test_erased_is_gone_from_the_file(memory: Memory, tmp_path: Path) -> None:
    write(memory, "The XYZZY project failed.", intent="About XYZZY", entities=["XYZZY"])
    memory.erase(agent_id="a")
    memory.close()
    assert not any(b"XYZZY" in file.read_bytes() for file in tmp_path.glob("ledger.db*"))


ADD = """
import sys
from retain import Memory
with Memory(sys.argv[1]) as memory:
    for number in range(25):
        memory.write_episode(f"{sys.argv[2]} {number}", agent_id="a")
"""


def test_no_two_of_many_writers_share_a_predecessor(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    Memory(path).close()
    writers = [subprocess.Popen([sys.executable, "-c", ADD, path, str(n)]) for n in range(4)]
    assert [one.wait() for one in writers] == [0] * 4
    with Memory(path) as memory:
        found = memory.episodes(agent_id="a", limit=1000)["episodes"]
        assert len(found) == 100
        before = [one["previous_id"] for one in found if one["previous_id"] is not None]
        assert len(set(before)) == len(before) == 99
        (current,) = (one for one in found if one["previous_id"] is None)
        by_id = {one["id"]: one for one in found}
        seen = 1
        while current["next_id"] is not None:
            current = by_id[current["next_id"]]
            seen += 1
        assert seen == 100


def answer(**changed: Any) -> dict[str, Any]:
    return {
        "intent": "Fix the login", "entities": ["login", "Bob"], "domain": "coding",
        "emotion": "frustrated", "importance": 0.9, "outcome": "failure", **changed,
    }  # fmt: skip


def with_model(tmp_path: Path, *answers: Any) -> Memory:
    return Memory(Settings(path=tmp_path / "model.db", llm=ScriptedChat(answers)))


def test_a_model_describes_and_what_it_invents_is_left_out(tmp_path: Path) -> None:
    with with_model(tmp_path, answer()) as memory:
        episode = write(memory)
        assert (episode["intent"], episode["importance"]) == ("Fix the login", 0.9)
        assert episode["entities"] == ["login"]
        assert episode["parsed_by"] == "episode@1"
        (derivation,) = memory.derivations(episode["id"])
        assert "does not name 'Bob'" in derivation["decisions"][0]["reason"]
        assert derivation["method"] == "episode@1"


@pytest.mark.parametrize(
    "wrong",
    [
        {"importance": 7}, {"importance": "high"}, {"importance": None}, {"importance": True},
        {"domain": "cooking"}, {"emotion": 3}, {"outcome": []}, {"intent": ""}, {"intent": 5},
        {"entities": "Ana"}, {"entities": [1, None]},
    ],
)  # fmt: skip
def test_a_field_of_a_wrong_kind_falls_back_to_the_rules(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    with with_model(tmp_path, answer(**wrong)) as memory, Memory(":memory:") as plain:
        episode, by_rules = write(memory), write(plain)
        (name,) = wrong
        expected = [] if name == "entities" and isinstance(wrong[name], list) else by_rules[name]
        assert episode[name] == expected
        assert episode["parsed_by"] == "episode@1"


def test_a_model_that_fails_loses_nothing_and_is_told(tmp_path: Path) -> None:
    failures: tuple[Any, ...] = (ModelUnavailable("no route"), "no json")
    for number, failing in enumerate(failures):
        with Memory(
            Settings(path=tmp_path / f"{number}.db", llm=ScriptedChat([failing] * 2))
        ) as memory:
            episode = write(memory)
            assert episode["content"] == FIX
            assert episode["outcome"] == "failure"
            assert "for the model failed" in episode["parsed_by"]


def test_the_same_awaited() -> None:
    async def run() -> int:
        async with AsyncMemory(":memory:") as memory:
            episode = await memory.write_episode(FIX, agent_id="a")
            assert (await memory.get_episode(episode["id"])) is not None
            return int((await memory.episodes(agent_id="a"))["total"])

    assert asyncio.run(run()) == 1
