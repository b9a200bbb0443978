"""What a program written for Mem0 relies on when a model extracts its facts."""

from __future__ import annotations

import re
from typing import Any

from retain.models.base import ChatRequest
from retain.testing.chat import ScriptedChat
from tests.learning.conftest import Open, asked, facts

TALK = [
    {"role": "user", "content": "My dog Poppy is brown"},
    {"role": "assistant", "content": "Poppy sounds lovely"},
]


def echo(request: ChatRequest) -> dict[str, Any]:
    """Each new message as a fact, in Mem0's form of an answer."""
    shown = request.messages[1].content
    new = shown[shown.index("## New Messages") : shown.index("## Observation Date")]
    said = re.findall(r"^(user|assistant): (.+)$", new, re.MULTILINE)
    return {
        "memory": [
            {"id": str(number), "text": text, "attributed_to": role}
            for number, (role, text) in enumerate(said)
        ]
    }


def test_facts_are_added_listed_and_found(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([echo], repeat=True))
    added = memory.add(TALK, user_id="ida", metadata={"m": 1})["results"]
    learned = [one for one in added if one["kind"] == "fact"]
    assert [(one["memory"], one["event"]) for one in learned] == [
        (message["content"], "ADD") for message in TALK
    ]
    held = {one["id"]: one for one in memory.get_all(filters={"user_id": "ida"})["results"]}
    for one in learned:
        assert held[one["id"]]["metadata"]["m"] == 1
        assert held[one["id"]]["user_id"] == "ida"
    roles = [held[one["id"]]["attributed_to"] for one in learned]
    assert roles == ["user", "assistant"]
    found = memory.search("brown dog", filters={"user_id": "ida"})["results"]
    assert found[0]["memory"] == "My dog Poppy is brown"


def test_the_same_again_adds_no_fact(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([echo], repeat=True))
    memory.add(TALK, user_id="ida")
    again = memory.add(TALK, user_id="ida")["results"]
    assert {one["event"] for one in again if one["kind"] == "fact"} <= {"NONE"}
    assert len(facts(memory)) == 2


def test_a_model_can_only_add(open_memory: Open) -> None:
    """An answer that names an event or an id deletes and overwrites nothing."""
    chat = ScriptedChat([echo])
    memory = open_memory(chat)
    first = [one for one in memory.add(TALK, user_id="ida")["results"] if one["kind"] == "fact"]
    item = {"text": "My dog Poppy is brown", "event": "DELETE", "id": first[1]["id"]}
    chat.then({"memory": [item, {"text": None}, {"text": 5}]})
    memory.add("My dog Poppy is brown", user_id="ida")
    assert sorted(facts(memory)) == sorted(message["content"] for message in TALK)


def test_messages_are_kept_when_nothing_is_learned(open_memory: Open) -> None:
    chat = ScriptedChat([{"memory": []}, {"memory": []}])
    memory = open_memory(chat)
    memory.add("Hm.", user_id="ida", run_id="r1")
    memory.add("Well.", user_id="ida", run_id="r1")
    assert facts(memory) == []
    assert "user: Hm." in asked(chat).partition("## New Messages")[0]


def test_the_last_ten_messages_of_the_exact_scope_are_shown(open_memory: Open) -> None:
    chat = ScriptedChat([{"memory": []}], repeat=True)
    memory = open_memory(chat)
    for number in range(12):
        memory.add(f"turn number {number}", user_id="ida", run_id="r1")
    memory.add("another run", user_id="ida", run_id="r2")
    memory.add("another user", user_id="ben", run_id="r1")
    memory.add("now", user_id="ida", run_id="r1")
    earlier = asked(chat).partition("## Last Messages")[2].partition("## New Messages")[0]
    assert [int(one) for one in re.findall(r"turn number (\d+)", earlier)] == list(range(2, 12))
    assert "another" not in earlier


def test_an_agents_own_memory_is_asked_for_from_its_side(open_memory: Open) -> None:
    chat = ScriptedChat([{"memory": []}], repeat=True)
    memory = open_memory(chat)
    memory.add("Hello.", agent_id="desk")
    memory.add("Hello.", agent_id="desk", user_id="ida")
    alone, with_user = (request.messages[0].content for request in chat.requests)
    assert "belong to an agent" in alone
    assert "belong to an agent" not in with_user
