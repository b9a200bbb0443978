"""Favourites: "my favourite colour is green", "jazz is my favourite kind of music"."""

from __future__ import annotations

from collections.abc import Iterator

from retain.learn.extract.rules.clause import is_unreal_after
from retain.learn.extract.rules.phrase import reported
from retain.learn.extract.rules.rule import Finding, Told
from retain.learn.extract.rules.taste import FAVOURITE, favourite_value


def favourites(told: Told) -> Iterator[Finding]:
    """The favourite that a clause names, as the attribute ``favourite:<kind>``."""
    at = told.at + 2 if told.text.startswith("'s", told.at) else told.at
    match = FAVOURITE.match(told.text, at)
    if match is None or (at == told.at and not told.is_possessed):
        return
    end = favourite_value(told.text, match.end())
    if end is None or is_unreal_after(told.text[end : end + 40]):
        return
    kind = " ".join(match.group("kind").lower().split())
    value = reported(told.text[match.end() : end].strip())
    if value[:1] in '"“«':
        value = value[1:-1].rstrip(",.")
    if not value or (kind.endswith(("s'", "s")) and not kind.endswith(("ss", "series"))):
        return  # several favourites, of which these are some
    yield Finding(
        rule="taste.favourite",
        person=told.person,
        attribute=f"favourite:{kind}",
        value=value,
        says=f"'s favourite {kind} is {value}",
        end=end,
        single=True,
    )
