# ruff: noqa: E501 (tables of sentences)
"""What grounding promises of any text."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from retain.domain.candidate import Candidate, Quote
from retain.domain.message import Message
from retain.learn.ground import Gate, Support, accepts, ground

SENTENCES = (
    "I live in Oslo with Ana.", "I don't like olives.", "My sister is vegan.", "I pay 900 euros.",
    "I moved to Lisbon yesterday.", "Ich mag Oliven nicht.", "我不喜欢喝茶。", "저는 부산에 살아요.",
    "On Friday I meet Tom and 3 friends.", "Do you like tea?", "J'aime le café.", "मुझे चाय पसंद नहीं है।",
    "We never eat meat at home.", "I like olives.", "My name is Rex.",
)  # fmt: skip
STATEMENTS = (
    "User lives in Oslo.", "User likes olives.", "User does not like olives.", "User is vegan.",
    "User pays 900 euros.", "User moved to Lisbon.", "User's name is Rex.", "User meets Tom on Friday.",
    "用户不喜欢喝茶。", "User lives in Oslo with Tom.", "User eats meat.", "Nutzer mag Oliven nicht.",
)  # fmt: skip
RANK = {Support.UNSUPPORTED: 0, Support.PARTIAL: 1, Support.SUPPORTED: 2}
# Words and marks that the gate reads something into, among any other text.
PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        "not never don't Rex 42 3.5 50% 10:30 yesterday Friday May 2024-02-30 n't ' ’ - . ! ? 。 不 않 "
        "User's name is my sister 1. (2) 1,000 ² ٣ १२ ǅ İ ß".split(" ")
    ),
)
TEXTS = st.lists(PIECES, max_size=12).map(" ".join)


def turn(text: str, at: int = 0) -> Message:
    return Message("m", "user", text, at)


def cite(statement: str, *turns: int) -> Candidate:
    return Candidate(statement, tuple(Quote(one, "", 0, 0) for one in turns))


@settings(deadline=None)  # the first call reads the word pieces
@given(text=TEXTS)
def test_a_statement_copied_from_its_turn_is_supported(text: str) -> None:
    assume(text.strip())
    said = ground(cite(text, 0), [turn(text)])
    assert (said.support, said.score) == (Support.SUPPORTED, 1.0)
    quoted = ground(Candidate(text, (Quote(0, text, 0, len(text)),)), [turn(text)])
    assert accepts(quoted, Gate.STRICT)


@settings(max_examples=60, deadline=None)
@given(
    statement=st.sampled_from(STATEMENTS),
    texts=st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=5),
)
def test_one_more_turn_never_supports_less(statement: str, texts: list[str]) -> None:
    turns = [turn(text) for text in texts]
    before = ground(cite(statement, *range(len(texts) - 1)), turns)
    after = ground(cite(statement, *range(len(texts))), turns)
    assert RANK[after.support] >= RANK[before.support]
    assert after.score >= before.score - 1e-9


@settings(deadline=None)  # the first call reads the word pieces
@given(text=st.sampled_from(SENTENCES), number=st.integers(min_value=3_000, max_value=10**9))
def test_a_number_that_no_source_has_is_never_supported(text: str, number: int) -> None:
    for statement in (
        f"{text[:-1]} {number} times.",
        f"User saved {number} euros.",
        f"用户有{number}本书。",
    ):
        verdict = ground(cite(statement, 0), [turn(text)])
        assert (verdict.support, verdict.ok) == (Support.UNSUPPORTED, False)


@settings(deadline=None)  # the first call reads the word pieces
@given(
    statement=TEXTS,
    texts=st.lists(TEXTS, max_size=3),
    quotes=st.lists(
        st.builds(Quote, st.integers(-1, 3), TEXTS, st.integers(-5, 20), st.integers(-5, 20)),
        max_size=3,
    ),
    gate=st.sampled_from(Gate),
    at=st.integers(min_value=-(10**16), max_value=10**16),
)
def test_any_text_and_any_quotes_get_a_verdict(
    statement: str, texts: list[str], quotes: list[Quote], gate: Gate, at: int
) -> None:
    turns = [turn(text, at) for text in texts]
    verdict = ground(Candidate(statement, tuple(quotes)), turns, gate=gate)
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.reason
    for quote in verdict.quotes:
        assert turns[quote.turn].content[quote.start : quote.end] == quote.text
