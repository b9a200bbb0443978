"""Cues in many languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain.analysis.cues import ENDS_IN_QUESTION, SPEAKS_OF_TIME, asks_when, cues, speaks_of_time


@pytest.mark.parametrize("text", ["How are you?", "你好吗？", 'She said "why?"', "كيف حالك؟"])
def test_a_text_ends_in_a_question(text: str) -> None:
    assert cues(text) & ENDS_IN_QUESTION


@pytest.mark.parametrize("text", ["Why? Because.", "x = 1;", "", "Fine!"])
def test_a_text_does_not_end_in_a_question(text: str) -> None:
    assert not cues(text) & ENDS_IN_QUESTION


@pytest.mark.parametrize(
    "text",
    ["We met yesterday", "in May 2023 it rained", "gestern im Kino", "昨天去了", "어제 갔어요"],
)
def test_a_text_speaks_of_time(text: str) -> None:
    assert cues(text) & SPEAKS_OF_TIME


def test_a_text_without_time() -> None:
    assert not cues("I like tea") & SPEAKS_OF_TIME


@pytest.mark.parametrize(
    "query",
    ["When did we meet?", "What year was it?", "Wann war das?", "什么时候去的", "언제 갔어?"],
)
def test_a_query_asks_when(query: str) -> None:
    assert asks_when(query)
    assert not asks_when("Where do I live?")


@pytest.mark.parametrize(
    "text", ["today", "Mondays", "Sunday it was", "last spring", "3 years", "letzter Montag"]
)
def test_one_word_is_enough_to_speak_of_time(text: str) -> None:
    assert cues(text) & SPEAKS_OF_TIME


PIECES = """last|night|this|a few|days|couple of|3|2023|12:30|1/2/24|week1|day|weeks|May|Sundays|
hier|tea|_today|x2024|spring|,|-""".replace("\n", "").split("|")


@given(st.lists(st.sampled_from(PIECES), max_size=6), st.sampled_from([" ", "  ", ""]))
def test_the_short_way_for_plain_letters_finds_what_the_long_way_finds(
    words: list[str], between: str
) -> None:
    text = between.join(words)
    assert speaks_of_time(text) == speaks_of_time(text + " é")
