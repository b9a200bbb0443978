"""Named things."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names a thing. ``name`` is the form shown; ``start``/``end`` in characters."""

    name: str
    start: int
    end: int
    type: str = "thing"  # person, place, organisation, date, thing: as far as rules can tell


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing of one owner, with the number of visible memories that name it."""

    id: str
    name: str
    type: str
    mentions: int
