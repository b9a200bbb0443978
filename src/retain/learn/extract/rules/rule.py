"""A rule as data, and what it finds in a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retain.learn.extract.rules.clause import is_unreal_after
from retain.learn.extract.rules.phrase import Reader, items, reported

# Building blocks of the patterns, which are matched right after the subject.
BE = r"(?:'m|'re|'s|m\b|\s+am|\s+are|\s+is)"
HAVE = r"(?:'ve|\s+have|\s+has)"
ADVERBS = (
    r"(?:\s+(?:really|absolutely|actually|also|still|currently|now|always|totally|generally|usually"
    r"|mostly|personally|definitely|certainly|do|does|simply|truly|recently|finally|both|all|just"
    r"|so"
    r"|originally|officially|only|already|quite|pretty|super|very|especially|particularly|mainly"
    r"|genuinely|strongly|much|secretly|kind of|presently|temporarily|happily|proudly)){0,3}"
)
NOT = r"(?:\s+(?:don't|dont|do not|doesn't|does not|no longer)|\s+(?:am|are|is) not|'m not|'re not)"


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a clause is about: the speaker, or one of theirs ("my sister Ana")."""

    subject: str
    label: str
    is_speaker: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """A clause with its subject read: ``text[at:]`` is what it says of ``person``."""

    person: Person
    text: str
    at: int
    is_possessed: bool = False  # the subject is something of theirs ("my name")


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact in a clause; ``says`` follows the person's label, ``end`` is in the clause."""

    rule: str
    person: Person
    attribute: str
    value: str | None
    says: str
    end: int
    single: bool = False
    ends: bool = False
    if_known: bool = False  # worth keeping only if it ends what is held
    is_past: bool = False  # the tense, by which time expressions after it are read
    is_change: bool = False  # something happened, so a date after it says when
    whole: bool = False  # ``says`` is the sentence itself, without the label
    by: str = ""  # the change that led here ("moved"), for the brackets after ``says``
    once: str = ""  # what to say instead of ``says`` if the change was long ago


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, how to read its object, and what the two say.

    ``pattern`` is matched where the subject ends. With ``object`` the value is read after it; else
    it is the pattern's group ``v``, or ``value``. ``says`` may use ``{v}`` and the groups, and
    ``{a}``, the article of the value.
    """

    name: str
    pattern: re.Pattern[str]
    attribute: str
    says: str
    object: Reader | None = None
    value: str | None = None
    single: bool = False
    ends: bool = False
    if_known: bool = False
    is_past: bool = False
    is_change: bool = False
    by: str = ""  # of a change that led to a state: how the change is called ("moved")
    once: str = ""  # and how it is told when it was long ago, for the state may be over
    speaker_only: bool = False
    possessed: bool = False  # of "my name is", not of "I"
    lists: bool = False  # a list of objects is as many facts
    refuse: re.Pattern[str] | None = None
    requires: tuple[str, Reader] | None = None  # a group, and what it must wholly be

    def find(self, told: Told) -> Iterator[Finding]:
        """What the rule finds in a clause: nothing, one fact, or one for each item of a list."""
        if self.speaker_only and not told.person.is_speaker:
            return
        at = told.at
        if self.possessed != told.is_possessed:
            if not self.possessed or not told.text.startswith("'s", at):
                return
            at += 2  # "my sister's birthday"
        match = self.pattern.match(told.text, at)
        if match is None:
            return
        groups = {name: text or "" for name, text in match.groupdict().items()}
        if self.requires is not None:
            group, reader = self.requires
            if reader(groups[group], 0) != len(groups[group]):
                return
        end = match.end()
        value = self.value if self.value is not None else groups.get("v")
        if self.object is not None:
            read = self.object(told.text, end)
            if read is None:
                return
            value, end = told.text[end:read].strip(), read
        if value is not None:
            value = reported(" ".join(value.split()))
            if self.refuse is not None and self.refuse.match(value):
                return
        if is_unreal_after(told.text[end : end + 40]):
            return
        for item in items(value) if self.lists and value is not None else [value]:
            yield Finding(
                rule=self.name,
                person=told.person,
                attribute=self.attribute.format(**groups),
                value=item,
                says=self.says.format(**{**groups, "v": item, "a": article(item or "")}),
                end=end,
                single=self.single,
                ends=self.ends,
                if_known=self.if_known,
                is_past=self.is_past,
                is_change=self.is_change,
                by=self.by,
                once=self.once.format(**{**groups, "v": item, "a": article(item or "")}),
            )


def article(noun: str) -> str:
    """The English indefinite article before a noun."""
    return "an" if _VOWEL.match(noun) else "a"


_VOWEL = re.compile(r"(?!uni|use|eu|one\b|u[tk])[aeiou]|hour|honest|heir", re.IGNORECASE)


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a rule: without regard to case."""
    return re.compile(pattern, re.IGNORECASE)


def alternatives(words: Sequence[str]) -> str:
    """Words as an alternation, longest first so that "step sister" is not read as "sister"."""
    return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))
