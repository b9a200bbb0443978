"""Words and terms in many languages."""

from __future__ import annotations

import pytest

from retain.analysis.words import hash_term, stems, terms, units, words


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("She was running home", "run"),  # English
        ("Die Äpfel der Großmutter", "GROSSMUTTER"),  # German
        ("Je préfère le café noir", "cafe"),  # French, without its accent
        ("Me gusta la canción", "cancion"),  # Spanish
        ("Он любит кошек и собак", "собака"),  # Russian, another case
        ("Моя ёлка", "елка"),  # Russian, the letter often written without dots
        ("أحب القطط كثيرا", "قطط"),  # Arabic, without the article
        ("मैं हिन्दी पढ़ता हूँ", "हिन्दी"),  # Hindi, with vowel signs
        ("我昨天去了北京动物园", "动物园"),  # Chinese
        ("今日は東京でラーメンを食べた", "ラーメン"),  # Japanese
        ("저는 서울에서 살아요", "서울"),  # Korean, with a particle
        ("ผมชอบกินข้าวผัด", "ข้าวผัด"),  # Thai
        ("Αγαπώ τη θάλασσα", "θαλασσα"),  # Greek, without its accent
    ],
)
def test_a_text_is_found_by_its_own_words(text: str, other: str) -> None:
    assert set(terms(other)) & set(terms(text))


@pytest.mark.parametrize(
    ("text", "stranger"),
    [
        ("She was running home", "cooking"),
        ("我昨天去了北京", "上海"),
        ("저는 서울에서 살아요", "부산"),
        ("मैं हिन्दी पढ़ता हूँ", "बिल्ली"),
        ("Он любит кошек", "поезд"),
    ],
)
def test_a_text_is_not_found_by_other_words(text: str, stranger: str) -> None:
    assert not set(terms(stranger)) & set(terms(text))


def test_marks_stay_within_their_word() -> None:
    assert words("हिन्दी में") == ["हिन्दी", "में"]
    assert len(words("اَلسَّلَامُ عَلَيْكُمْ")) == 2


def test_width_and_case_do_not_matter() -> None:
    assert terms("ＡＢＣ Straße") == terms("abc STRASSE")


def test_han_is_found_by_one_character_and_by_pairs() -> None:
    assert words("北京") == ["北", "京", "北京"]


def test_a_word_between_scripts_is_cut_where_the_script_changes() -> None:
    assert "python" in words("用python写程序")


def test_surrogates_and_controls_do_no_harm() -> None:
    assert words("\x00a\ud800b\x07") == ["a", "b"]
    assert isinstance(hash_term("\ud800"), int)


def test_terms_are_unsigned_32_bit_and_stable() -> None:
    assert terms("memory") == [hash_term(stems("memory")[0])]
    assert 0 <= hash_term("memori") < 2**32


def test_units_of_a_query_are_its_words_as_written() -> None:
    found = units("What did Caroline research?")
    assert [unit.surface for unit in found] == ["What", "did", "Caroline", "research"]
    assert [unit.stop for unit in found] == [True, True, False, False]
    assert [unit.surface for unit in units("北京 trip")] == ["北", "京", "trip"]
