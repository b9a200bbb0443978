"""Learning with no model: facts with evidence, newer values, questions about the past."""

from __future__ import annotations

from typing import Any

from retain import Memory


def facts(memory: Memory, **asked: Any) -> list[str]:
    found = memory.get_all(filters={"user_id": "u"}, kinds=["fact"], top_k=100, **asked)
    return [item["memory"] for item in found["results"]]


def test_a_fact_cites_its_turn_and_quotes_it(memory: Memory) -> None:
    results = memory.add("Hi! I live in Oslo, by the way.", user_id="u")["results"]
    turn = results[0]
    fact = next(row for row in results if row["kind"] == "fact")
    why = memory.why(fact["id"])
    assert why["memory"]["sources"] == [turn["id"]]
    (evidence,) = why["evidence"]
    assert evidence["source_id"] == turn["id"]
    assert turn["memory"][evidence["start"] : evidence["end"]] == evidence["quote"]
    assert "Oslo" in evidence["quote"]
    assert why["derivation"]["method"].startswith("rules@")
    assert fact["id"] in memory.why(turn["id"])["supports"]


def test_infer_false_keeps_the_turns_only(memory: Memory) -> None:
    memory.add("I live in Oslo.", user_id="u", infer=False)
    assert facts(memory) == []


def test_a_fact_said_again_gains_evidence_and_no_row(memory: Memory) -> None:
    first = memory.add("I live in Oslo.", user_id="u", run_id="r0")["results"]
    fact = next(row["id"] for row in first if row["kind"] == "fact")
    for number in range(1, 5):
        memory.add("I live in Oslo.", user_id="u", run_id=f"r{number}")
    assert len(facts(memory)) == 1
    assert len(memory.why(fact)["evidence"]) == 5
    assert len(memory.get_all(filters={"user_id": "u"}, kinds=["message"])["results"]) == 5


def test_a_newer_home_replaces_the_older_and_as_of_answers_each(memory: Memory) -> None:
    for place, day in (("Oslo", "2024-01-10"), ("Bergen", "2024-06-10"), ("Rome", "2025-02-10")):
        memory.add(f"I live in {place} now.", user_id="u", timestamp=day)
    assert [("Rome" in fact) for fact in facts(memory)] == [True]
    assert len(facts(memory, include_superseded=True)) == 3
    for moment, place in (("2024-03-01", "Oslo"), ("2024-12-01", "Bergen"), ("2025-03-01", "Rome")):
        (fact,) = facts(memory, as_of=moment)
        assert place in fact
    assert facts(memory, as_of="2023-12-31") == []


def test_an_older_statement_that_arrives_late_does_not_replace_the_newer(memory: Memory) -> None:
    memory.add("I live in Rome now.", user_id="u", timestamp="2025-02-10")
    memory.add("I live in Oslo now.", user_id="u", timestamp="2024-01-10")
    (current,) = facts(memory)
    assert "Rome" in current
    (then,) = facts(memory, as_of="2024-06-01")
    assert "Oslo" in then


def test_a_supersession_is_on_record_and_reversible(memory: Memory) -> None:
    memory.add("I live in Oslo.", user_id="u", timestamp="2024-01-10")
    results = memory.add("I moved to Rome.", user_id="u", timestamp="2025-01-10")["results"]
    old = next(row for row in results if row["event"] == "SUPERSEDE")
    assert "Oslo" in old["memory"]
    assert [row["event"] for row in memory.history(old["id"])] == ["ADD", "SUPERSEDE"]
    memory.restore(old["id"])
    assert len(facts(memory)) == 2


def test_facts_of_one_user_never_touch_those_of_another(memory: Memory) -> None:
    memory.add("I live in Oslo.", user_id="u")
    memory.add("I live in Rome.", user_id="v")
    (mine,) = facts(memory)
    assert "Oslo" in mine


def test_recalled_context_is_not_learned_again(memory: Memory) -> None:
    memory.add("I live in Oslo.", user_id="u")
    context = memory.recall("where do I live?", user_id="u").context
    assert "Oslo" in context
    memory.add(f"{context}\nWhat shall I do today?", user_id="v")
    found = memory.get_all(filters={"user_id": "v"}, kinds=["fact"])["results"]
    assert found == []


def test_a_recalled_turn_says_which_of_its_facts_no_longer_hold(memory: Memory) -> None:
    memory.add("My name is Ida. I live in Oslo.", user_id="u", timestamp="2025-02-03")
    memory.add("I live in Bergen now.", user_id="u", timestamp="2025-06-20")

    def lines(**asked: Any) -> list[str]:
        recall = memory.recall("Where do I live?", user_id="u", budget_tokens=500, **asked)
        return [line for line in recall.context.splitlines() if "no longer" in line]

    (line,) = lines()
    assert "no longer: User lives in Oslo.) My name is Ida. I live in Oslo." in line
    assert len(lines(kinds=["message"])) == 1
    assert lines(as_of="2025-03-01") == []
    assert lines(as_of="2025-03-01", kinds=["message"]) == []
    assert lines(include_superseded=True) == []
    memory.add("I live in Oslo again.", user_id="u", timestamp="2025-09-01")
    (line,) = lines()
    assert "I live in Bergen now." in line


def test_leaving_ends_a_known_employer_and_says_nothing_of_a_place(memory: Memory) -> None:
    def jobs() -> list[str]:
        found = memory.get_all(user_id="u", kinds=["fact"])["results"]
        return [item["memory"] for item in found if item["attribute"] == "employer"]

    memory.add("I work at Spotify.", user_id="u", timestamp="2025-01-10")
    memory.add("I left Lisbon last week.", user_id="u", timestamp="2025-02-10")
    memory.add("I left Spotify at 5 today.", user_id="u", timestamp="2025-02-11")
    assert jobs() == ["User works at Spotify."]
    memory.add("I left Spotify last month.", user_id="u", timestamp="2025-09-10")
    assert jobs() == ["User does not work at Spotify any more (left in August 2025)."]
    assert "User left Lisbon in the week of 3 February 2025." in facts(memory)
