"""A store of a few turns answers the questions that people begin with."""

from __future__ import annotations

import pytest

from retain import Memory
from tests.recall.small_cases import Case, read_cases

# Known to fail: nothing says that a dentist is a job, or that "mi piace" is not about "la mia".
UNANSWERED = {"What do I do for work?", "Qual è la mia professione?"}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case.language}-{case.query}",
            marks=[pytest.mark.xfail] if case.query in UNANSWERED else [],
        )
        for case in read_cases()
    ],
)
def test_the_answer_comes_among_the_first(memory: Memory, case: Case) -> None:
    memory.add(case.messages, user_id="u")
    found = memory.search(case.query, user_id="u")["results"][: case.first]
    assert any(case.answer in item["memory"] for item in found), found


def test_a_question_gives_way_to_its_answer_only_when_asked(memory: Memory) -> None:
    memory.add(
        [
            {"role": "user", "content": "Where do you live?"},
            {"role": "assistant", "content": "Oslo."},
        ],
        user_id="u",
    )
    asked, told = (
        [item["memory"] for item in memory.search(query, user_id="u")["results"]]
        for query in ("Where do you live?", "where you live")
    )
    assert asked[0] == "Oslo."
    assert told[0] == "Where do you live?"


def test_a_short_turn_that_holds_a_word_of_the_query_is_not_slighted(memory: Memory) -> None:
    memory.add(
        [
            {"role": "user", "content": "We adopted a cat from the shelter last week."},
            {"role": "assistant", "content": "How nice!"},
            {"role": "user", "content": "Luna bites."},
        ],
        user_id="u",
        infer=False,
    )
    found = memory.search("Does Luna bite?", user_id="u", explain=True)["results"]
    assert found[0]["memory"] == "Luna bites."
    assert found[0]["score_details"]["slight"] == 0
