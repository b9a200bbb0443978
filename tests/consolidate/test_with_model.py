"""Insights in a chat model's words: only what the shown episodes bear out is held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.errors import ModelAnswerInvalid, ModelUnavailable
from retain.testing.chat import ScriptedChat

TOLD = (
    "The deploy failed because the database migration timed out.",
    "Deploying failed again: the migration of the database timed out.",
    "Another failed deploy, the database migration timed out.",
)
GIVEN: dict[str, Any] = {
    "intent": "Deploy", "domain": "coding", "emotion": "neutral", "importance": 0.5,
    "entities": [],
}  # fmt: skip


def insight(statement: str, *labels: str, **more: Any) -> dict[str, Any]:
    quotes = [
        {"episode": label, "text": TOLD[int(label[1:]) - 1] if label[1:] in "123" else "x"}
        for label in labels
    ]
    return {"statement": statement, "type": "warning", "quotes": quotes, **more}


GOOD = insight("The deploy failed because the database migration timed out.", "e1", "e2", "e3")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    memories: list[Memory] = []

    def open_(*answers: Any) -> tuple[Memory, ScriptedChat]:
        chat = ScriptedChat(answers)
        memories.append(Memory(Settings(path=tmp_path / "m.db", llm=chat)))
        return memories[-1], chat

    yield open_
    for memory in memories:
        memory.close()


def live(memory: Memory) -> list[str]:
    return [
        memory.write_episode(
            text, agent_id="a", outcome="failure", timestamp=f"2026-02-0{n}", **GIVEN
        )["id"]
        for n, text in enumerate(TOLD, 1)
    ]


def held(memory: Memory) -> list[str]:
    return [one["memory"] for one in memory.insights(agent_id="a")["insights"]]


def test_a_model_words_it_and_the_record_is_kept(opened: Any) -> None:
    memory, chat = opened({"insights": [GOOD]})
    ids = live(memory)
    report = memory.consolidate(agent_id="a")
    assert held(memory) == [GOOD["statement"]]
    (found,) = memory.insights(agent_id="a")["insights"]
    assert (found["insight_type"], found["supports"], found["confidence"]) == ("warning", 3, 0.8)
    assert sorted(found["sources"]) == sorted(ids)
    derivation = memory.why(found["id"])["derivation"]
    assert (derivation["method"], derivation["model"]) == ("insights@1", "scripted")
    assert report["insights"][0]["change"] == "add"
    shown = chat.requests[0].messages[1].content
    assert all(text in shown for text in TOLD)
    cited = chat.requests[0].schema["properties"]["insights"]["items"]["properties"]["quotes"]
    assert cited["items"]["properties"]["episode"]["enum"] == ["e1", "e2", "e3"]
    assert memory.consolidate(agent_id="a")["insights"] == []
    assert len(chat.requests) == 1
    assert memory.check().problems == []


WRONG: dict[str, tuple[Any, str]] = {
    "an episode not shown": (insight("The deploy failed.", "e1", "e9"), "'e9', which was not"),
    "confidence 7": ({**GOOD, "confidence": 7, "statement": "The moon is made of cheese."}, ""),
    "nothing cited": ({**GOOD, "quotes": []}, "it cites nothing"),
    "no list of quotes": ({**GOOD, "quotes": "e1"}, "was not shown"),
    "an empty quote": ({**GOOD, "quotes": [{"episode": "e1", "text": " "}]}, "quotes nothing"),
    "another number": (insight("The deploy failed 40 times.", "e1", "e2"), "40"),
    "a name of nobody": (insight("The deploy failed because of Bob.", "e1", "e2"), "Bob"),
    "one episode": (insight("The deploy failed.", "e1"), "one is no pattern"),
    "a wrong quote": (
        {**GOOD, "quotes": [{"episode": "e1", "text": "all went well"}]}, "is not in the turn",
    ),
    "too long": ({**GOOD, "statement": "The deploy failed. " * 20}, "characters"),
    "empty": ({**GOOD, "statement": " "}, "characters"),
    "no statement": ({"type": "rule"}, "there is no statement"),
    "a text": ("The deploy failed.", "there is no statement"),
    "a number": (5, "there is no statement"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_borne_out_is_refused_on_the_record(opened: Any, case: str) -> None:
    item, named = WRONG[case]
    memory, _ = opened({"insights": [item]})
    live(memory)
    assert memory.consolidate(agent_id="a")["insights"] == []
    assert held(memory) == []
    (derivation,) = memory.derivations(agent_id="a")
    (decision,) = derivation["decisions"]
    assert decision["verdict"] in ("rejected", "malformed")
    assert named in decision["reason"]
    assert memory.check().problems == []


@pytest.mark.parametrize(
    "answer", [GOOD, [GOOD], {"insights": GOOD}, {"facts": [GOOD]}, {"insights": [GOOD, 5, None]}]
)
def test_another_shape_is_read(opened: Any, answer: Any) -> None:
    memory, _ = opened(answer)
    live(memory)
    memory.consolidate(agent_id="a")
    assert held(memory) == [GOOD["statement"]]


def test_confidence_is_never_the_models(opened: Any) -> None:
    memory, _ = opened({"insights": [{**GOOD, "confidence": 7.0, "type": "certainty"}]})
    live(memory)
    memory.consolidate(agent_id="a")
    (found,) = memory.insights(agent_id="a")["insights"]
    assert (found["confidence"], found["insight_type"]) == (0.8, "warning")


@pytest.mark.parametrize("answers", [("no", "still no"), ({"x": 1}, {"x": 1})])
def test_an_answer_that_cannot_be_read_leaves_everything_as_it_was(
    opened: Any, answers: tuple[Any, Any]
) -> None:
    memory, chat = opened(*answers)
    live(memory)
    with pytest.raises(ModelAnswerInvalid):
        memory.consolidate(agent_id="a")
    assert held(memory) == []
    assert memory.episodes(agent_id="a", consolidated=True)["total"] == 0
    chat.then(ModelUnavailable("down"))
    with pytest.raises(ModelUnavailable):
        memory.consolidate(agent_id="a")
    chat.then({"insights": [GOOD]})
    memory.consolidate(agent_id="a")
    assert held(memory) == [GOOD["statement"]]


def test_nothing_lasting_is_an_answer(opened: Any) -> None:
    memory, _ = opened({"insights": []})
    live(memory)
    assert memory.consolidate(agent_id="a") == {"episodes": 3, "insights": []}
    assert memory.episodes(agent_id="a", consolidated=True)["total"] == 3


def test_a_dry_run_asks_no_model(opened: Any) -> None:
    memory, chat = opened()
    live(memory)
    (row,) = memory.consolidate(agent_id="a", dry_run=True)["insights"]
    assert row["change"] == "add"
    assert chat.requests == []
