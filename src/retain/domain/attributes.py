"""Attributes of which a subject has one value at a time."""

from __future__ import annotations

from typing import Final

_SINGLE: Final = frozenset(
    {
        "age",
        "birth year",
        "birthday",
        "birthplace",
        "diet",
        "fiancé",
        "first name",
        "home",
        "job",
        "marital status",
        "name",
        "native language",
        "origin",
        "pronouns",
        "smoking",
        "spouse",
        "surname",
    }
)
_SINGLE_FAMILIES: Final = ("favourite:", "event:")
_OTHER_WORDS: Final = {
    "address": "home",
    "city": "home",
    "date of birth": "birthday",
    "full name": "name",
    "hometown": "origin",
    "location": "home",
    "occupation": "job",
    "profession": "job",
    "residence": "home",
}


def attribute_key(attribute: str) -> str:
    """An attribute as it is compared: one name for the usual words of the same thing."""
    key = " ".join(attribute.replace("_", " ").casefold().split())
    for favourite in ("favorite:", "favorite ", "favourite "):
        if key.startswith(favourite):
            return "favourite:" + key[len(favourite) :].strip()
    return _OTHER_WORDS.get(key, key)


def is_single(attribute: str) -> bool:
    """Whether a newer value of the attribute replaces the older one."""
    return attribute in _SINGLE or attribute.startswith(_SINGLE_FAMILIES)


def known_attributes() -> tuple[str, ...]:
    """The attributes of one value, by name, for the methods that ask a model for them."""
    return tuple(sorted(_SINGLE))
