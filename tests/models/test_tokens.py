"""Counting tokens for a budget."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retain.models.tokens import build_counter

COUNTER = build_counter()


def test_nothing_counts_nothing() -> None:
    assert COUNTER.count("") == 0


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("the cat sat on the mat", 6, 8),
        ("今日は学校へ行きました", 8, 33),
        ("Сегодня я был дома", 9, 18),
        ("मैं घर गया था", 8, 40),
        ("👍🏽🎉", 3, 16),
        ("1234567890", 4, 12),
    ],
)
def test_counts_are_plausible_in_any_script(text: str, least: int, most: int) -> None:
    assert least <= COUNTER.count(text) <= most


LINE = st.text(st.characters(exclude_categories=["Zs", "Zl", "Zp", "Cc"]), min_size=1, max_size=80)


@settings(deadline=None)
@given(LINE, LINE)
def test_counts_add_up_over_lines_and_words(first: str, second: str) -> None:
    both = COUNTER.count(first) + COUNTER.count(second)
    assert COUNTER.count(f"{first}\n{second}") == both + 1
    assert COUNTER.count(f"{first} {second}") == both


@settings(deadline=None)
@given(st.text(max_size=200))
def test_a_visible_text_counts_at_least_one(text: str) -> None:
    assert COUNTER.count(text) >= (1 if text.strip() else 0)


def test_lone_surrogates_are_counted() -> None:
    assert COUNTER.count("a\ud800") >= 1


def test_a_very_long_word_is_counted_whole() -> None:
    assert COUNTER.count("漢" * 100_000) >= 100_000


# Texts, with the tokens that the vocabulary cl100k makes of them.
ELSEWHERE = [
    ("ฉันย้ายไปอยู่เชียงใหม่เมื่อเดือนที่แล้วและทำงานเป็นครูสอนภาษาอังกฤษ", 66),
    ("好きな本は村上春樹の『ノルウェイの森』だと言っていた。", 32),
    ("მე თბილისში ვცხოვრობ", 38),
    ("ကျွန်တော် ရန်ကုန်မြို့မှာ နေပါတယ်", 64),
    ("ང་ལྷ་ས་ལ་སྡོད་ཀྱི་ཡོད།", 47),
    ("Я переехал в Москву в прошлом месяце", 21),
    ("انتقلت إلى القاهرة الشهر الماضي وأعمل مدرسة للغة الإنجليزية.", 44),
]


@pytest.mark.parametrize(("text", "tokens"), ELSEWHERE)
def test_no_script_counts_less_than_another_vocabulary_makes_of_it(text: str, tokens: int) -> None:
    assert COUNTER.count(text) >= tokens


def test_a_long_compound_counts_by_its_letters() -> None:
    assert COUNTER.count("Donaudampfschifffahrtsgesellschaftskapitän") >= 16
