"""Notes without a subject, and answers that leave out the words of their question."""

from __future__ import annotations

import pytest

from retain.domain.instant import parse_instant
from retain.domain.message import Message
from retain.learn.extract.rules import extract
from retain.learn.ground import ground

SAID_AT = parse_instant("2025-06-04T10:00:00", "said")  # a Wednesday


def turn(text: str, role: str = "user", actor: str | None = None) -> Message:
    return Message(id="m", role=role, content=text, occurred_at=SAID_AT, actor=actor)


@pytest.mark.parametrize(
    ("note", "statement"),
    [
        ("User lives in Oslo.", "User lives in Oslo."),
        ("The user's wife is called Ana.", "User's wife is called Ana."),
        ("User has a sister named Layla who sings.", "User has a sister called Layla."),
        ("Likes pizza", "User likes pizza."),
        ("likes pizza", "User likes pizza."),
        ("Hates mushrooms.", "User dislikes mushrooms."),
        ("Prefers dark mode", "User prefers dark mode."),
        ("Lives in Dublin", "User lives in Dublin."),
        ("- Lives in Bonn", "User lives in Bonn."),
        ("Moved to Cork", "User lives in Cork."),
        ("Works as a paramedic", "User works as a paramedic."),
        ("Works at Siemens as a data engineer", "User works at Siemens."),
        ("Allergic to penicillin", "User is allergic to penicillin."),
        ("Vegan", "User is vegan."),
        ("Wife's name is Aoife", "User's wife is called Aoife."),
        ("Birthday: 14 March 1990", "User has their birthday on 14 March 1990."),
        ("Job: nurse", "User works as a nurse."),
    ],
)
def test_a_note_is_about_the_user(note: str, statement: str) -> None:
    [fact] = extract([turn(note)])
    assert fact.statement == statement
    [quote] = fact.quotes
    assert note[quote.start : quote.end] == quote.text
    assert ground(fact, [turn(note)]).ok


@pytest.mark.parametrize(
    ("note", "statements"),
    [
        ("User is vegan and likes hiking.", ["User is vegan.", "User likes hiking."]),
        ("Likes pizza, hates mushrooms", ["User likes pizza.", "User dislikes mushrooms."]),
        ("Lives in Paris; works as a chef", ["User lives in Paris.", "User works as a chef."]),
        ("Sister lives in Rome and works as a chef", ["User's sister lives in Rome."]),
        ("User has a sister who sings and works as a nurse", ["User has a sister."]),
    ],
)
def test_a_note_that_goes_on_is_about_the_same_person(note: str, statements: list[str]) -> None:
    assert [fact.statement for fact in extract([turn(note)])] == statements


@pytest.mark.parametrize(
    "text",
    [
        "Role: you are a helpful assistant",
        "Job: you are a helpful assistant",
        "Name: John's Pizza",
        "From Python 3.12 on this works",
        "Moved to GitHub Actions",
        "Works for me",
        "Works like a charm!",
        "works great at scale",
        "Allergic to penicillin?",
        "Likes this a lot",
        "Loves it",
        "Lives in the moment",
        "User interface design is hard",
        "User lives matter",
        "User stories are in the backlog",
        "User has an issue with login",
        "Is vegan cheese any good",
        "Wants to know if she lives in Rome",
        "Location: here",
        "From Monday on I am away",
    ],
)
def test_what_only_looks_like_a_note_is_none(text: str) -> None:
    assert extract([turn(text)]) == []


def test_in_a_conversation_a_missing_subject_may_be_anybody() -> None:
    turns = [turn("Where does your brother live?", "assistant"), turn("Lives in Dublin.")]
    assert extract(turns) == []
    assert extract([turn("Lives in Dublin.", actor="Tom")]) == []


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Where do you live?", "Oslo.", "User lives in Oslo."),
        ("Nice! And where do you live now?", "In Bergen, Norway", "User lives in Bergen, Norway."),
        ("What do you do?", "Carpenter, mostly stairs.", "User works as a carpenter."),
        ("What's your name?", "Tess", "User is called Tess."),
        ("Any dietary restrictions?", "Vegan", "User is vegan."),
        ("Where do you work?", "Acme", "User works at Acme."),
        ("How old are you?", "34", "User is 34 years old."),
        ("When is your birthday?", "May 3rd", "User has their birthday on May 3rd."),
        ("What are you allergic to?", "Peanuts", "User is allergic to peanuts."),
        ("What is your dog's name?", "Rex, he's lovely", "User's dog is called Rex."),
    ],
)
def test_a_short_answer_is_read_with_its_question(
    question: str, answer: str, statement: str
) -> None:
    turns = [turn(question, "assistant"), turn(answer)]
    [fact] = extract(turns)
    assert fact.statement == statement
    assert [quote.turn for quote in fact.quotes] == [1]
    assert ground(fact, turns).ok


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "Guess!"),
        ("Where do you live?", "Nowhere special"),
        ("Where do you live?", "London is where my mum lives"),
        ("Where do you live?", "Oslo?"),
        ("Where does your brother live?", "Oslo"),
        ("What do you do when it rains?", "Carpenter"),
        ("What is your name?", "Why?"),
        ("Any dietary restrictions?", "Not really"),
    ],
)
def test_no_answer_no_fact(question: str, answer: str) -> None:
    assert extract([turn(question, "assistant"), turn(answer)]) == []


def test_nobody_answers_their_own_question() -> None:
    assert extract([turn("Where do you live?"), turn("Oslo.")]) == []


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("We moved to Porto in May 2025.", "User lives in Porto (moved in May 2025)."),
        ("We moved to Porto.", "User lives in Porto."),
        ("I moved to Berlin in 2015.", "User moved to Berlin in 2015."),
        ("I started a job at Spotify in May 2025.", "User works at Spotify (started in May 2025)."),
        ("I work as a bookbinder in a workshop.", "User works as a bookbinder."),
        ("I have a dog named Biscuit and he's a beagle.", "User has a dog called Biscuit."),
        ("I've got a kitten, her name is Mochi.", "User has a kitten called Mochi."),
    ],
)  # fmt: skip
def test_a_fact_says_what_questions_are_about(text: str, statement: str) -> None:
    [fact] = extract([turn(text)])
    assert fact.statement == statement


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Postgres.",
        "We moved to CockroachDB.",
        "I moved to AWS.",
        "I moved to Sales.",
    ],
)
def test_nobody_lives_in_a_tool_or_a_department(text: str) -> None:
    assert extract([turn(text)]) == []


@pytest.mark.parametrize("text", ["I work as a team player.", "I work as a member of staff."])
def test_a_part_is_no_job(text: str) -> None:
    assert extract([turn(text)]) == []
