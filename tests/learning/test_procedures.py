"""Procedures written by a chat model keep results as they were, or say what they lost."""

from __future__ import annotations

import pytest

from retain.errors import ModelAnswerInvalid
from retain.learn.fidelity import fidelity
from retain.testing.chat import ScriptedChat
from tests.learning.conftest import Open

WORK = [
    {"role": "user", "content": "Find the cheapest flight from Oslo to Rome on 2025-03-04."},
    {"role": "assistant", "content": "Opened https://air.example/s?q=OSL-FCO. Cheapest: 1,249 NOK"},
    {"role": "assistant", "content": 'Error: "seat map timed out (E-504)". Saved /tmp/offers.json'},
]
WHOLE = (
    "Task: the cheapest flight from Oslo to Rome on 2025-03-04.\n"
    "1. Action: opened https://air.example/s?q=OSL-FCO. Result: cheapest 1,249 NOK.\n"
    '2. Errors: "seat map timed out (E-504)". State: saved /tmp/offers.json.\n'
    "Plan: book it."
)


def add(memory: object, **more: object) -> list[dict[str, str]]:
    found: list[dict[str, str]] = memory.add(  # type: ignore[attr-defined]
        WORK, agent_id="bot", memory_type="procedural_memory", **more
    )["results"]
    return found


def test_a_summary_is_kept_with_the_messages_it_rests_on(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([WHOLE]))
    results = add(memory)
    assert (results[0]["kind"], results[0]["memory"]) == ("procedure", WHOLE)
    assert [one["kind"] for one in results[1:]] == ["message"] * 3
    why = memory.why(results[0]["id"])
    assert [one["source"] for one in why["evidence"]] == [one["content"] for one in WORK]
    (derivation,) = memory.derivations(agent_id="bot")
    assert derivation["method"] == "procedure@1"
    assert derivation["usage"]["fidelity"] == {
        "results": 5, "missing": [], "altered": [], "invented": []
    }  # fmt: skip


ALTERED = (
    WHOLE.replace("1,249", "1,294").replace("(E-504)", "").replace("Plan:", "Paid 77 NOK. Plan:")
)


def test_what_a_summary_lost_or_altered_is_reported(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([ALTERED]))
    add(memory)
    (derivation,) = memory.derivations(agent_id="bot")
    report = derivation["usage"]["fidelity"]
    assert {"was": "1,249", "is": "1,294"} in report["altered"]
    assert "77" in report["invented"]
    assert "E-504" in " ".join(report["missing"] + [one["was"] for one in report["altered"]])
    assert "'1,249' became '1,294'" in derivation["decisions"][0]["reason"]
    assert len(memory.get_all(agent_id="bot", kinds=["procedure"])["results"]) == 1


def test_the_strict_gate_refuses_it(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat([ALTERED]), gate="strict")
    assert add(memory)[0]["event"] == "CANDIDATE"
    assert memory.get_all(agent_id="bot", kinds=["procedure"])["results"] == []
    (refused,) = memory.candidates(agent_id="bot")
    assert "'1,249' became '1,294'" in refused["reason"]


def test_a_prompt_replaces_the_method(open_memory: Open) -> None:
    chat = ScriptedChat([WHOLE])
    memory = open_memory(chat)
    add(memory, prompt="Two lines at most.")
    assert chat.requests[0].messages[0].content == "Two lines at most."
    assert memory.derivations(agent_id="bot")[0]["method"].startswith("custom@")


def test_an_empty_summary_is_refused(open_memory: Open) -> None:
    memory = open_memory(ScriptedChat(["  "]))
    with pytest.raises(ModelAnswerInvalid, match="empty summary"):
        add(memory)
    assert memory.get_all(agent_id="bot", kinds=["procedure"])["results"] == []
    assert len(memory.get_all(agent_id="bot")["results"]) == 3


@pytest.mark.parametrize(
    ("source", "summary", "missing", "invented"),
    [
        ("Found 12 items at https://a.b/c", "12 items: https://a.b/c", [], []),
        ("Found 12 items", "Found 112 items", ["12"], ["112"]),
        ("id_9f3a2b ok", "done", ["id_9f3a2b"], []),
        ("价格是 3999 元", "价格：3999 元", [], []),
        ("mail ada@example.org", "mailed ada@example.com", [], []),
        ("1. a\n2. b", "1. a\n2. b\n3. c", [], []),
        ("x" * 10, "y" * 10, [], []),
    ],
)
def test_results_are_compared_letter_by_letter(
    source: str, summary: str, missing: list[str], invented: list[str]
) -> None:
    report = fidelity([source], summary)
    changed = [one for pair in report.altered for one in pair]
    assert [*report.missing, *changed[::2]] == missing or report.altered
    assert list(report.invented) == [one for one in invented if one not in changed]
