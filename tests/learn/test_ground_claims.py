# ruff: noqa: E501 (tables: a language a row reads best)
"""A model's statement is held only if what it cites says it: in any language, of the right one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from retain.domain.candidate import Candidate, Quote
from retain.domain.instant import parse_instant
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.learn.ground import (
    PASSING_SCORE,
    Gate,
    Support,
    Verdict,
    accepts,
    ground,
    ground_all,
)

SAID_AT = parse_instant("2024-06-05", "at")  # a Wednesday


def turn(text: str, role: str = "user", actor: str | None = None) -> Message:
    return Message("m", role, text, SAID_AT, actor=actor)


def cite(statement: str, *turns: int) -> Candidate:
    """A candidate that cites whole turns, the first unless told otherwise."""
    return Candidate(statement, tuple(Quote(one, "", 0, 0) for one in turns or (0,)))


def judge(statement: str, *texts: str) -> Verdict:
    """The verdict on a statement that cites the last of the turns."""
    return ground(cite(statement, len(texts) - 1), [turn(text) for text in texts])


# --- what a small model is known to invent ------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "text", "named"),
    [
        ("User's name is Rex.", "My dog Rex loves the park.", "Rex"),
        ("User is called Rex.", "This morning I walked with Rex.", "Rex"),
        ("Rex is the user's name.", "I'm Rex's owner and I love him.", "Rex"),
        ("User's friend is Alice Johnson.", "I had lunch with a friend today.", "Alice"),
        ("User is vegan.", "I love cooking pasta for my family on Sundays.", "vegan"),
        ("User is vegan and lives in Berlin.", "I live in Berlin.", "vegan"),
    ],
)
def test_inventions_are_refused_and_named(statement: str, text: str, named: str) -> None:
    verdict = judge(statement, text)
    assert not verdict.ok
    assert named in verdict.reason


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("User's name is Rex.", "Hi, I'm Rex and I live in Oslo."),
        ("User's name is Rex.", "My name is Rex."),
        ("User has a dog named Rex.", "My dog Rex loves the park."),
        ("User's dog is named Rex.", "I walked my dog Rex."),
        ("User is vegan.", "I'm vegan, so no cheese for me."),
        ("User lives in Berlin.", "I live in Berlin."),
        ("User resides in Berlin.", "I live in Berlin."),
        ("User has two children.", "We have 2 children."),
        ("User has 3 cats.", "I have three cats."),
    ],
)
def test_what_is_said_is_held(statement: str, text: str) -> None:
    verdict = judge(statement, text)
    assert verdict.ok, verdict.reason


def test_the_speakers_own_name_needs_no_quote() -> None:
    told = [turn("I moved to Oslo.", actor="Ingrid")]
    assert ground(cite("Ingrid moved to Oslo."), told).ok
    assert ground(cite("User's name is Ingrid."), told).ok
    assert not ground(cite("Astrid moved to Oslo."), told).ok


# --- of whom ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("User is vegan.", "My sister is vegan."),
        ("User loves sushi.", "My wife loves sushi."),
        ("User works at Acme.", "My brother works at Acme."),
        ("User's sister loves sushi.", "I love sushi."),
    ],
)
def test_what_is_said_of_another_is_not_held_of_the_user(statement: str, text: str) -> None:
    assert not judge(statement, text).ok


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("User's sister is vegan.", "My sister is vegan."),
        ("User and their sister love sushi.", "My sister and I love sushi."),
        ("User loves sushi.", "My sister and I love sushi."),
    ],
)
def test_relatives_are_told_apart(statement: str, text: str) -> None:
    verdict = judge(statement, text)
    assert verdict.ok, verdict.reason


# --- numbers and dates --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "text", "holds"),
    [
        ("User pays 900 euros rent.", "I pay 900 euros rent.", True),
        ("User pays 950 euros rent.", "I pay 900 euros rent.", False),
        ("User saved 250000 naira.", "I saved 250,000 naira.", True),
        ("The discount is 20%.", "They gave me a discount of 20 percent.", True),
        ("The discount is 20%.", "They gave me a discount of 20 kg.", False),
        ("User moved to Oslo on 4 June 2024.", "I moved to Oslo yesterday.", True),
        ("User moved to Oslo on 2024-06-04.", "I moved to Oslo yesterday.", True),
        ("User moved to Oslo on 2024-06-03.", "I moved to Oslo yesterday.", False),
        ("User moved to Oslo on Tuesday.", "I moved to Oslo yesterday.", True),
        ("User moved to Oslo on Friday.", "I moved to Oslo yesterday.", False),
        ("User moved to Oslo yesterday.", "I moved to Oslo yesterday.", True),
        ("User moves to Oslo tomorrow.", "I moved to Oslo yesterday.", False),
        ("User trains on Monday.", "I train on Monday and rest on Friday.", True),
    ],
)
def test_numbers_and_dates_follow_from_the_source(statement: str, text: str, holds: bool) -> None:
    assert judge(statement, text).ok is holds


def test_a_number_that_stands_elsewhere_is_refused() -> None:
    text = "The gym session takes 45 minutes at the club, and the bus ticket costs 3 euros a ride."
    assert judge("The bus ticket costs 3 euros a ride.", text).ok
    verdict = judge("The bus ticket costs 45 euros a ride.", text)
    assert not verdict.ok
    assert "45" in verdict.reason


# --- negation, in every language that is spoken of ----------------------------------------------

DENIALS = [
    ("en", "User likes olives.", "User does not like olives.", "I like olives.", "I don't like olives."),
    ("en", "User eats meat.", "User no longer eats meat.", "I eat meat.", "I no longer eat meat."),
    ("en", "User smokes.", "User never smokes.", "I smoke.", "I never smoke."),
    ("en", "User can swim.", "User cannot swim.", "I can swim.", "I can't swim."),
    ("de", "Nutzer mag Oliven.", "Nutzer mag Oliven nicht.", "Ich mag Oliven.", "Ich mag Oliven nicht."),
    ("de", "Nutzer isst Fleisch.", "Nutzer isst kein Fleisch.", "Anna isst Fleisch.", "Anna isst kein Fleisch."),
    ("fr", "L'utilisateur aime les olives.", "L'utilisateur n'aime pas les olives.", "J'aime les olives.", "Je n'aime pas les olives."),
    ("es", "Al usuario le gustan las aceitunas.", "Al usuario no le gustan las aceitunas.", "Me gustan las aceitunas.", "No me gustan las aceitunas."),
    ("it", "L'utente mangia carne.", "L'utente non mangia carne.", "Anna mangia carne.", "Anna non mangia carne."),
    ("pt", "O usuário come carne.", "O usuário não come carne.", "Ela come carne.", "Ela não come carne."),
    ("ru", "Пользователь любит оливки.", "Пользователь не любит оливки.", "Я люблю оливки.", "Я не люблю оливки."),
    ("zh", "用户喜欢橄榄。", "用户不喜欢橄榄。", "我喜欢橄榄。", "我不喜欢橄榄。"),
    ("ja", "ユーザーは猫が好きだ。", "ユーザーは猫が好きではない。", "私は猫が好きです。", "私は猫が好きではない。"),
    ("ko", "사용자는 올리브를 좋아한다.", "사용자는 올리브를 좋아하지 않는다.", "저는 올리브를 좋아해요.", "저는 올리브를 좋아하지 않아요."),
    ("ar", "المستخدم يحب الزيتون.", "المستخدم لا يحب الزيتون.", "أنا أحب الزيتون.", "أنا لا أحب الزيتون."),
    ("hi", "उपयोगकर्ता को चाय पसंद है।", "उपयोगकर्ता को चाय पसंद नहीं है।", "मुझे चाय पसंद है।", "मुझे चाय पसंद नहीं है।"),
]  # fmt: skip


@pytest.mark.parametrize(("tongue", "yes", "no", "said_yes", "said_no"), DENIALS)
def test_a_negation_put_in_or_left_out_is_refused(
    tongue: str, yes: str, no: str, said_yes: str, said_no: str
) -> None:
    assert judge(yes, said_yes).ok, judge(yes, said_yes).reason
    assert judge(no, said_no).ok, judge(no, said_no).reason
    assert not judge(no, said_yes).ok
    assert not judge(yes, said_no).ok


@pytest.mark.parametrize(
    ("statement", "text", "holds"),
    [
        ("User does not like olives.", "I hate olives.", True),
        ("User dislikes olives.", "I like olives.", False),
        ("User likes olives.", "I hate olives.", False),
        ("User does not smoke.", "I stopped smoking a while ago.", True),
        ("User likes tea.", "I don't like coffee, I like tea.", True),
    ],
)
def test_opposites_and_endings_count_as_negation(statement: str, text: str, holds: bool) -> None:
    assert judge(statement, text).ok is holds


# --- content ------------------------------------------------------------------------------------


def test_a_half_of_another_fact_is_refused() -> None:
    text = "I moved the archive to the cellar because the attic leaks when it rains."
    assert judge("User moved the archive to the cellar because the attic leaks.", text).ok
    verdict = judge(
        "User moved the archive to the cellar for the marathon training in the hills.", text
    )
    assert not verdict.ok
    assert "marathon" in verdict.reason


MULTILINGUAL = [
    ("Die Nutzerin zog mit Ana nach Lissabon.", "Ich zog mit Ana nach Lissabon.", "Die Nutzerin zog mit Ana nach Porto."),
    ("L'utilisateur travaille chez Renault.", "Je travaille chez Renault.", "L'utilisateur travaille chez Peugeot."),
    ("El usuario vive en Sevilla.", "Vivo en Sevilla.", "El usuario vive en Bilbao."),
    ("L'utente lavora a Torino.", "Lavoro a Torino.", "L'utente lavora a Milano."),
    ("O usuário trabalha em Recife.", "Eu trabalho em Recife.", "O usuário trabalha em Manaus."),
    ("Пользователь живёт в Казани.", "Я живу в Казани.", "Пользователь живёт в Самаре."),
    ("用户住在北京。", "我住在北京。", "用户住在上海。"),
    ("ユーザーは東京に住んでいる。", "私は東京に住んでいます。", "ユーザーは大阪に住んでいる。"),
    ("사용자는 부산에 산다.", "저는 부산에 살아요.", "사용자는 대구에 산다."),
    ("المستخدم يسكن في القاهرة.", "أنا أسكن في القاهرة.", "المستخدم يسكن في بغداد."),
    ("उपयोगकर्ता दिल्ली में रहता है।", "मैं दिल्ली में रहता हूँ।", "उपयोगकर्ता मुंबई में रहता है।"),
]  # fmt: skip


@pytest.mark.parametrize(("true", "text", "false"), MULTILINGUAL)
def test_names_and_words_are_checked_in_any_language(true: str, text: str, false: str) -> None:
    assert judge(true, text).ok, judge(true, text).reason
    assert not judge(false, text).ok


def test_a_statement_in_another_language_needs_marks_and_is_never_wholly_supported() -> None:
    text = "Ich habe mit Ivora beschlossen, dass wir den Bericht ab jetzt am 14 April abgeben."
    marked = judge("Ivora agreed that the report is due on April 14.", text)
    assert (marked.ok, marked.support) == (True, Support.PARTIAL)
    assert not judge("Saela agreed that the report is due on April 14.", text).ok
    assert not judge("The report was a waste of the money of all of the members.", text).ok


# --- what supports ------------------------------------------------------------------------------


def test_a_short_answer_is_read_with_the_turn_it_answers() -> None:
    turns = [turn("Do you live in Berlin these days?", "assistant"), turn("Yes, since spring!")]
    verdict = ground(cite("User lives in Berlin.", 1), turns)
    assert verdict.ok
    assert verdict.support is Support.PARTIAL
    assert not accepts(verdict, Gate.STRICT)


def test_memories_support_what_builds_on_them() -> None:
    known = MemoryRecord(
        "k", Scope(user_id="u"), Kind.FACT, "User has a dog named Rex.", SAID_AT, SAID_AT, SAID_AT
    )
    told = [turn("He is four years old now.")]
    candidate = cite("User has a dog named Rex who is four years old.")
    assert not ground(candidate, told).ok
    assert ground(candidate, told, memories=[known]).ok
    alone = ground(Candidate("User has a dog named Rex.", ()), [], memories=[known])
    assert (alone.ok, alone.check) == (True, "memory")


def test_each_gate_lets_pass_what_it_says() -> None:
    quoted = Candidate("User lives in Oslo.", (Quote(0, "I live in Oslo", 0, 14),))
    told = [turn("I live in Oslo.")]
    for gate in Gate:
        assert ground(quoted, told, gate=gate).ok
    unquoted = ground(cite("User lives in Oslo."), told)
    assert (unquoted.check, accepts(unquoted, Gate.STANDARD)) == ("turn", True)
    assert not accepts(unquoted, Gate.STRICT)
    invented = cite("User lives in Bergen.")
    assert ground(invented, told, gate=Gate.OFF).ok
    assert not ground(cite("User lives in Oslo.", 5), told, gate=Gate.OFF).ok
    assert not ground(Candidate("User lives in Oslo.", ()), told, gate=Gate.OFF).ok


def test_quotes_come_back_where_they_stand() -> None:
    told = [turn("Well, I live in Oslo now.")]
    placed = ground(Candidate("User lives in Oslo.", (Quote(0, "I live in Oslo", 0, 3),)), told)
    assert placed.quotes == (Quote(0, "I live in Oslo", 6, 20),)
    whole = ground(cite("User lives in Oslo."), told)
    assert whole.quotes == (Quote(0, told[0].content, 0, len(told[0].content)),)


def test_a_turn_that_says_otherwise_supports_nothing() -> None:
    texts = ["I don't like olives.", "I like olives."]
    turns = [turn(text) for text in texts]
    assert not ground(cite("User likes olives.", 0), turns).ok
    assert ground(cite("User likes olives.", 0, 1), turns).ok


class Fixed:
    """A checker that always answers the same, and remembers what it was asked."""

    name = "fixed"

    def __init__(self, score: float | None) -> None:
        self.score = score
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def check(self, statement: str, sources: Sequence[str]) -> float | None:
        self.asked.append((statement, tuple(sources)))
        return self.score


def test_a_checker_may_refuse_or_lift_what_is_in_doubt() -> None:
    told = [turn("We talked about the garden and about tulips for hours.")]
    doubtful = cite("User keeps tulips and benches.")
    known = cite("User talked about tulips for hours.")
    assert ground(doubtful, told).score < PASSING_SCORE
    assert ground(doubtful, told, checker=Fixed(0.9)).ok
    refused = ground(known, told, checker=Fixed(0.1))
    assert (refused.ok, refused.check, refused.score) == (False, "fixed", 0.1)
    assert ground(known, told, checker=Fixed(None)) == ground(known, told)


def test_a_checker_is_not_asked_where_something_is_missing() -> None:
    checker = Fixed(1.0)
    assert not ground(cite("User lives in Bergen."), [turn("I live in Oslo.")], checker=checker).ok
    assert checker.asked == []


def test_many_are_judged_as_one_by_one() -> None:
    turns = [turn("I live in Oslo with Ana."), turn("I don't like olives.")]
    candidates = [
        cite("User lives in Oslo."),
        cite("User likes olives.", 1),
        cite("User lives with Ana in Oslo.", 0, 1),
    ]
    assert ground_all(candidates, turns) == [ground(one, turns) for one in candidates]
