"""Words that stand for each other when a person is asked about."""

from __future__ import annotations

import pytest

from retain.analysis.kin import kin_of
from retain.analysis.words import terms


def _kin(one: str, other: str) -> bool:
    return terms(other)[0] in kin_of(terms(one)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("job", "works"),
        ("home", "live"),
        ("birthday", "born"),
        ("married", "wife"),
        ("Beruf", "arbeite"),
    ],
)
def test_words_of_one_thing_are_kin(one: str, other: str) -> None:
    assert _kin(one, other)
    assert _kin(other, one)


def test_other_words_have_none() -> None:
    assert kin_of(terms("carpenter")[0]) == frozenset()
    assert not _kin("job", "home")
    assert not _kin("job", "job")
