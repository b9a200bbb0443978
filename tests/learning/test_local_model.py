"""Learning with a real, small and unreliable model over HTTP: nothing that it invents is held."""

from __future__ import annotations

from pathlib import Path

import pytest

from retain import Memory
from retain.errors import ModelAnswerInvalid
from retain.settings import Settings
from tests.learning.local_model import served_model

# What this model is known to invent from texts like these: names out of the instructions, the dog's
# name for the user's, a diet that nobody mentioned.
SAID = (
    "My dog Rex is brown and he loves the beach.",
    "I live in Oslo and work as a nurse.",
    "My sister Anna turned 30 on Friday.",
    "We are moving to Lisbon in March.",
    "Book me a table for two at seven.",
    "Thanks, that is very kind of you!",
)
NEVER_SAID = ("bergen", "vegan", "vegetarian", "peanut", "name is rex", "called rex", "colour")


@pytest.mark.model
def test_a_real_model_learns_nothing_that_was_not_said(tmp_path: Path) -> None:
    with (
        served_model() as llm,
        Memory(Settings(path=tmp_path / "m.db", llm=llm)) as memory,
    ):
        answered = 0
        for text in SAID:
            try:
                memory.add(text, user_id="u")
                answered += 1
            except ModelAnswerInvalid as error:
                assert error.details["raw"]
        turns = memory.get_all(user_id="u", kinds=["message"])["results"]
        assert sorted(turn["memory"] for turn in turns) == sorted(SAID)
        # A grammar holds it to the schema; an answer that runs on to the limit is an error, and how
        # many do so depends on how a processor rounds. All six have not been seen to.
        assert answered
        for fact in memory.get_all(user_id="u", kinds=["fact"], top_k=1000)["results"]:
            said = fact["memory"].casefold()
            assert not any(word in said for word in NEVER_SAID), said
            assert memory.why(fact["id"])["evidence"]
        assert len(memory.derivations(user_id="u")) == answered
        assert memory.check().problems == []
