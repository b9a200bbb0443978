"""What is said again, changed and contradicted, with a chat model."""

from __future__ import annotations

from typing import Any

from retain import Memory
from retain.testing.chat import ScriptedChat
from tests.learning.conftest import Open, answer, asked, facts, relation, said


def home(place: str, quote: str, **more: Any) -> dict[str, Any]:
    slot = {"subject": "User", "attribute": "home", "value": place}
    return said(f"User lives in {place}.", quote, **slot, **more)


def test_the_same_conversation_twice_adds_evidence_alone(open_memory: Open) -> None:
    item = answer(home("Oslo", "I live in Oslo"))
    memory = open_memory(ScriptedChat([item, item]))
    turns = [{"role": "user", "content": "I live in Oslo"}]
    fact = memory.add(turns, user_id="ida")["results"][1]["id"]
    memory.add(turns, user_id="ida")
    assert facts(memory) == ["User lives in Oslo."]
    assert len(memory.why(fact)["evidence"]) == 2


def test_five_sessions_are_five_pieces_of_evidence(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([answer(home("Oslo", "live in Oslo"))] * 5))
    for number in range(5):
        memory.add(f"I still live in Oslo, day {number}", user_id="ida", run_id=f"r{number}")
    (fact,) = memory.get_all(user_id="ida", kinds=["fact"])["results"]
    assert len(memory.why(fact["id"])["evidence"]) == 5


def test_a_home_moved_three_times(open_memory: Open) -> None:
    places = ["Oslo", "Bergen", "Rome", "Lima"]
    memory = open_memory(ScriptedChat([answer(home(one, f"in {one}")) for one in places]))
    for month, place in enumerate(places, start=1):
        memory.add(f"I live in {place} now", user_id="ida", timestamp=f"2025-0{month}-01")
    assert facts(memory) == ["User lives in Lima."]
    for month, place in enumerate(places, start=1):
        assert facts(memory, as_of=f"2025-0{month}-15") == [f"User lives in {place}."]


def test_an_update_of_a_slot_that_no_rule_knows(open_memory: Open) -> None:
    def deadline(day: str, **more: Any) -> dict[str, Any]:
        slot = {"subject": "Apollo", "attribute": "deadline", "value": day}
        return answer(said(f"Apollo's deadline is {day}.", f"deadline is {day}", **slot, **more))

    chat = ScriptedChat(
        [deadline("Monday"), deadline("Friday", relation=relation("updates", "n1"))]
    )
    memory = open_memory(chat)
    old = memory.add("Apollo: the deadline is Monday", user_id="ida")["results"][1]["id"]
    memory.add("Apollo: the deadline is Friday", user_id="ida")
    assert facts(memory) == ["Apollo's deadline is Friday."]
    memory.restore(old)
    assert set(facts(memory)) == {"Apollo's deadline is Friday.", "Apollo's deadline is Monday."}


def _likes(thing: str, **more: Any) -> dict[str, Any]:
    return answer(said(f"User likes {thing}.", f"I like {thing}", **more))


def test_an_update_without_a_common_slot_is_disputed(open_memory: Open) -> None:
    chat = ScriptedChat([_likes("tea"), _likes("gin", relation=relation("updates", "n1"))])
    memory = open_memory(chat)
    tea = memory.add("I like tea", user_id="ida")["results"][1]["id"]
    told = memory.add("I like gin", user_id="ida")["results"][1]
    assert told["event"] == "DISPUTE"
    assert facts(memory) == ["User likes tea."]
    (disputed,) = memory.candidates(user_id="ida")
    assert (disputed["status"], disputed["relates_to"]) == ("disputed", tea)
    links = memory.why(tea)["links"]
    assert [(one["type"], one["source_id"]) for one in links] == [("contradicts", disputed["id"])]
    context = memory.recall("What does the user like?", user_id="ida").context
    assert ", disputed) User likes tea." in context
    assert "User likes gin" not in context
    memory.accept(disputed["id"])
    assert "disputed" not in memory.recall("What does the user like?", user_id="ida").context
    assert facts(memory) == ["User likes gin."]
    memory.restore(tea)
    assert set(facts(memory)) == {"User likes gin.", "User likes tea."}


def test_what_a_model_calls_the_same_must_say_the_same(open_memory: Open) -> None:
    chat = ScriptedChat(
        [
            answer(said("User owns 2 red bikes.", "I own 2 red bikes")),
            answer(
                said("User owns 2 bikes, red.", "2 red bikes", relation=relation("same", "n1")),
                said(
                    "User owns 3 red bikes.", "I own 3 red bikes", relation=relation("same", "n1")
                ),
            ),
        ]
    )
    memory = open_memory(chat)
    memory.add("I own 2 red bikes", user_id="ida")
    memory.add("Yes, 2 red bikes. No wait, I own 3 red bikes", user_id="ida")
    assert facts(memory) == ["User owns 3 red bikes.", "User owns 2 red bikes."]
    (first,) = (one for one in memory.get_all(user_id="ida")["results"] if "2 red" in one["memory"]
                and one["kind"] == "fact")  # fmt: skip
    assert len(memory.why(first["id"])["evidence"]) == 2


def test_a_label_that_was_not_shown_relates_to_nothing(open_memory: Open) -> None:
    chat = ScriptedChat([_likes("tea", relation=relation("contradicts", "n9"))])
    memory = open_memory(chat)
    memory.add("I like tea", user_id="ida")
    assert facts(memory) == ["User likes tea."]


def _recalled(memory: Memory) -> str:
    return memory.recall("What do I like?", user_id="ida").context


def test_recalled_text_is_not_learned_again(open_memory: Open) -> None:
    chat = ScriptedChat([_likes("oolong tea")])
    memory = open_memory(chat)
    memory.add("I like oolong tea", user_id="ida")
    context = _recalled(memory)
    assert "oolong" in context
    chat.then(
        answer(said("User likes oolong tea.", "User likes oolong tea")),
        answer(said("User is fond of oolong.", "User likes oolong tea", message="m2")),
    )
    memory.add(f"Context:\n{context}\nHello!", user_id="ida")
    assert "oolong" not in asked(chat).split("## New Messages")[1]
    memory.add(
        [
            {"role": "user", "content": "What shall I drink?"},
            {"role": "assistant", "content": "As I recall: User likes oolong tea. So, that."},
        ],
        user_id="ida",
    )
    assert facts(memory) == ["User likes oolong tea."]
    (fact,) = memory.get_all(user_id="ida", kinds=["fact"])["results"]
    assert len(memory.why(fact["id"])["evidence"]) == 1
    decision = memory.derivations(user_id="ida")[0]["decisions"][0]
    assert decision["reason"].startswith("the assistant repeats memory")
