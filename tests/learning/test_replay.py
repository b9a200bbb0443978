"""A derivation can be run again, without writing."""

from __future__ import annotations

import pytest

from retain.errors import ConfigError, Conflict, InvalidInput, NotFound
from retain.testing.chat import ScriptedChat
from tests.learning.conftest import Open, answer, facts, said

OSLO = "I live in Oslo and I like tea"


def test_a_replay_shows_what_differs_and_writes_nothing(open_memory: Open) -> None:
    home, tea = said("User lives in Oslo.", "live in Oslo"), said("User likes tea.", "I like tea")
    bergen = said("User lives in Bergen.", "live in Oslo")
    memory = open_memory(ScriptedChat([answer(home, bergen)]))
    memory.add(OSLO, user_id="ida", prompt="Mind the home.")
    (derivation,) = memory.derivations(user_id="ida")
    before = memory.stats()["tables"]
    other = ScriptedChat([answer(home, tea)], name="other")
    found = memory.replay(derivation["id"], model=other)
    assert memory.stats()["tables"] == before
    assert found["model"] == "other"
    assert [one["statement"] for one in found["only_now"]] == ["User likes tea."]
    assert [one["statement"] for one in found["only_before"]] == ["User lives in Bergen."]
    assert found["changed"] == []
    assert other.requests[0].messages[1].content.endswith("Mind the home.")
    assert facts(memory) == ["User lives in Oslo."]


def test_what_cannot_be_run_again_says_so(open_memory: Open) -> None:
    memory = open_memory()
    memory.add("I live in Oslo", user_id="ida")
    (derivation,) = memory.derivations(user_id="ida")
    with pytest.raises(ConfigError, match="needs a chat model"):
        memory.replay(derivation["id"])
    with pytest.raises(Conflict, match="without a model"):
        memory.replay(derivation["id"], model=ScriptedChat())
    with pytest.raises(NotFound):
        memory.replay("nothing", model=ScriptedChat())
    learning = open_memory(ScriptedChat([answer()]))
    learning.add("hm", user_id="otto")
    (derivation,) = learning.derivations(user_id="otto")
    with pytest.raises(InvalidInput, match="conversation-facts@1"):
        learning.replay(derivation["id"], method="nothing@1")
