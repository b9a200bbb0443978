"""The core facts in languages other than English: the clause itself is the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from retain.learn.extract.rules.speech import Speech
from retain.learn.extract.rules.tongues import TONGUES

_SINGLE = frozenset(["name", "home", "employer", "job", "diet"])
_UPPER = r"[A-ZÀ-ÖØ-ÞĄĆĘŁŃŚŹŻŠČŽĐŐŰА-ЯЁ]"
_NAME = (
    rf"(?P<v>(?-i:{_UPPER})[\w'’&.-]*\w(?:[ ](?:(?:de|del|da|do|dos|di|la|von|van|am)[ ])?"
    rf"(?-i:{_UPPER})[\w'’&.-]*\w){{0,3}})"
)
_THING = r"(?P<v>[^\W\d_][^.,;:!?…\n()\"«»]{1,48}?)"
# A clause of a script without spaces or capitals: one short run up to its mark.
_RUN = (
    r"(?P<v>(?:[^\W_]|[·・ー\u0900-\u0903\u093a-\u094f\u0962\u0963]){1,14}?(?:[ ](?:[^\W_]"
    r"|[\u0900-\u0903\u093a-\u094f\u0962\u0963]){1,14}?){0,2})"
)
_SENTENCE = re.compile(r"[^.!?…。！？\n]*(?:[.!?…。！？]+|\n|\Z)")
_ASKS = re.compile(r"[?？]|(?:吗|呢|か|까|니)[。.!！]*\s*\Z")
_LONGEST_TEXT = 4_000
_LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class ForeignFact:
    """A fact as it stands in the turn: its span there, its attribute and its value."""

    language: str
    start: int
    end: int
    attribute: str
    value: str
    single: bool
    ends: bool


def foreign_facts(speech: Speech) -> Iterator[ForeignFact]:
    """The facts of the core set that the turn states in a language other than English.

    Only the first 4,000 characters are read: longer turns in the first person are mostly pasted.
    """
    text = speech.text[:_LONGEST_TEXT]
    for language in _languages(text):
        for match in _SENTENCE.finditer(text):
            sentence = match.group()
            if not sentence.strip() or len(sentence) > _LONGEST_SENTENCE or _ASKS.search(sentence):
                continue
            if _unreal(language).search(sentence):
                continue
            yield from _in_sentence(language, speech, sentence, match.start())


def _languages(text: str) -> list[str]:
    if text.isascii():
        if _any_ascii_trigger().search(text) is None:
            return []
        return [name for name in _ASCII_TONGUES if _trigger(name).search(text)]
    return [name for name in TONGUES if _trigger(name).search(text)]


_ASCII_TONGUES = ("de", "es", "fr", "pt", "it")


def _in_sentence(language: str, speech: Speech, sentence: str, at: int) -> Iterator[ForeignFact]:
    claimed: list[tuple[int, int]] = []
    for attribute, pattern in _patterns(language):
        for match in pattern.finditer(sentence):
            start, value_end = match.start("said"), match.end("v")
            value = match.group("v").strip()
            overlaps = any(start < other_end and other < value_end for other, other_end in claimed)
            if overlaps or not value or speech.is_quoted(at + start):
                continue
            if _pointing(language).match(value):
                continue
            said = _REST_OF_WORD.match(sentence, match.end())
            end = said.end() if said else match.end()
            claimed.append((start, end))
            yield ForeignFact(
                language=language,
                start=at + start,
                end=at + end,
                attribute=attribute.removeprefix("-"),
                value=value,
                single=attribute in _SINGLE,
                ends=attribute.startswith("-"),
            )


@cache
def _any_ascii_trigger() -> re.Pattern[str]:
    return re.compile("|".join(TONGUES[name].trigger for name in _ASCII_TONGUES), re.IGNORECASE)


@cache
def _trigger(language: str) -> re.Pattern[str]:
    return re.compile(TONGUES[language].trigger, re.IGNORECASE)


@cache
def _unreal(language: str) -> re.Pattern[str]:
    words = TONGUES[language].unreal
    spaced = language not in ("zh", "ja", "ko")
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" if spaced else words, re.IGNORECASE)


@cache
def _pointing(language: str) -> re.Pattern[str]:
    words = TONGUES[language].pointing
    return re.compile(rf"(?:{words})(?!\w)" if language not in ("zh", "ja", "ko") else words, re.I)


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The compiled patterns of a language; those that take back come first."""
    tongue = TONGUES[language]
    joins = rf"|\s(?:{tongue.joins})(?!\w)" if tongue.joins else ""
    clause_ends = rf"(?=\s*(?:\Z|[.,;:!…。，！；、\n()«»\"]){joins})"
    run_ends = rf"(?=了|的|\s*(?:\Z|[.,;:!…。，！；、\n()]){joins})"
    opens = (
        r"(?:\A|(?<=[,;:，；：、.!。！(]))\s{0,3}"
        rf"(?:(?:{tongue.openers})[\s,，、!！]{{0,3}}){{0,2}}"
    )
    also = rf"|(?<=\s)(?:{_also(language)})\s" if _also(language) else ""
    compiled = []
    ordered = sorted(tongue.patterns.items(), key=lambda item: not item[0].startswith("-"))
    for attribute, sources in ordered:
        for source in sources:
            ends = clause_ends if "{T}" in source else ""
            if "{K}" in source and "{K}(?=" not in source:
                ends = run_ends
            if "{N}" in source:
                ends = r"(?![\w-])"
            body = (
                source.replace("{N}", _NAME)
                .replace("{T}", _THING)
                .replace("{K}", _RUN)
                .replace("{W}", r"(?P<v>\w{3,20}?)")
                .replace("{V}(?:", "(?P<v>")
            )
            lookahead = _LOOKED_AT.sub(r"(?:\1)", body) if "{K}(?=" in source else body
            pattern = rf"(?:{opens}{also})(?P<said>{lookahead}){ends}"
            compiled.append((attribute, re.compile(pattern, re.IGNORECASE)))
    return tuple(compiled)


_REST_OF_WORD = re.compile(r"[\w\u0900-\u0903\u093a-\u094f]*")  # Korean endings differ
# What must follow a value in a language that puts its verb last belongs to the statement.
_LOOKED_AT = re.compile(r"\(\?=((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\Z")


def _also(language: str) -> str:
    return {"de": "und", "es": "y", "fr": "et", "pt": "e", "it": "e", "ru": "и|а", "hi": "और"}.get(
        language, ""
    )
