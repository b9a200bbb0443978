"""Chunks of whole sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retain.analysis.chunks import LEAST_WORDS, MOST_CHUNKS, chunks

SENTENCE = "We went down to the river with the dog and had a very long picnic there. "


def test_a_short_text_is_its_own_chunk() -> None:
    assert chunks("One. Two.") == ["One. Two."]
    assert chunks("") == [""]


def test_chunks_are_whole_sentences_of_enough_words() -> None:
    cut = chunks(SENTENCE * 6)
    assert len(cut) == 3
    assert all(len(chunk.split()) >= LEAST_WORDS for chunk in cut)
    assert all(chunk.rstrip().endswith(".") for chunk in cut)


def test_chinese_is_cut_at_its_own_marks() -> None:
    cut = chunks("我们昨天带着狗去了河边，在那里吃了很久的野餐，非常开心。" * 8)
    assert len(cut) > 1
    assert all(chunk.endswith("。") for chunk in cut)


def test_a_text_without_sentences_is_cut_by_words() -> None:
    assert len(chunks("word " * 1000)) > 10


def test_a_huge_text_has_few_chunks() -> None:
    assert 1 < len(chunks(SENTENCE * 5000)) <= MOST_CHUNKS + 1


@given(st.text(alphabet="ab c.?\n。", max_size=600))
def test_nothing_is_lost(text: str) -> None:
    assert "".join(chunks(text)) == text
