"""Which things a text names."""

from __future__ import annotations

import sys

import pytest

from retain.analysis.entities import find_mentions
from retain.analysis.entities_spacy import spacy_finder
from retain.errors import MissingExtra

NAMED = [
    ("I went to Paris with Ana.", ["Paris", "Ana"]),
    ("Hey Caroline! Thanks, Melanie!", ["Caroline", "Melanie"]),
    ("We met Ana de la Cruz at MoMA.", ["Ana de la Cruz", "MoMA"]),
    ("Dr. Smith called. So did Mr Jones.", ["Dr. Smith", "Mr Jones"]),
    ("Melanie's painting is great.", ["Melanie"]),
    ("Yesterday Maria Lopez joined NASA.", ["Maria Lopez", "NASA"]),
    ("iPhone and GitHub are products.", ["iPhone", "GitHub"]),
    ('We watched "Sunset Boulevard" today.', ["Sunset Boulevard"]),
    ("Mail ana@example.org or @joe_b", ["ana@example.org", "@joe_b"]),
    ("See https://www.example.org/a?b=1 for more", ["example.org"]),
    ("It is on June 12, 2024 in Rome.", ["June 12, 2024", "Rome"]),
    ("Ich wohne in Berlin und arbeite mit Anna.", ["Berlin", "Anna"]),
    ("我昨天看了《红楼梦》。", ["红楼梦"]),
    ("王先生用 iPhone 拍照", ["王", "iPhone"]),
    ("田中さんとスターバックスに行った", ["田中", "スターバックス"]),
    ("김철수 씨가 왔어요", ["김철수"]),
    ("Я живу в Москве с Анной.", ["Москве", "Анной"]),
    ("قابلت السيد أحمد أمس", ["أحمد"]),
]

NAMELESS = [
    "Work was hard today.", "Thanks! That is great.", "I love it. You should try it, too.",
    "Honestly, I am tired.", "What do you mean?", "On Monday I rest.", "", "   ", "THIS IS SO LOUD",
    "Der Hund und die Katze sind ein Paar.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), NAMED)
def test_names_are_found_where_they_stand(text: str, names: list[str]) -> None:
    mentions = find_mentions(text)
    assert [mention.name for mention in mentions] == names
    assert all(text[mention.start : mention.end] == mention.name for mention in mentions)


@pytest.mark.parametrize("text", NAMELESS)
def test_a_capital_that_only_opens_a_sentence_names_nothing(text: str) -> None:
    assert find_mentions(text) == []


def test_a_known_name_counts_where_it_opens_a_sentence() -> None:
    assert find_mentions("Robin says hi.") == []
    assert [mention.name for mention in find_mentions("Robin says hi.", ["Robin"])] == ["Robin"]


def test_mentions_of_one_text_are_bounded() -> None:
    assert len(find_mentions("I saw Ana, and Bob. " * 5_000)) == 64


def test_spacy_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)  # what Python does where it is missing
    with pytest.raises(MissingExtra, match=r"retain\[spacy\]"):
        spacy_finder()
