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
# A new value of these stands beside the older ones, whoever calls it an update.
_MANY: Final = frozenset(
    """
    allergy brother child colleague condition course daughter dislikes event family friend goal
    hobby instrument interest knows language likes medication opinion owns parent pet plan
    possession project recommendation skill sister son sport student trip visited visits wants
    """.split()
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


def has_many(attribute: str) -> bool:
    """Whether an attribute is known to have several values at a time."""
    return attribute in _MANY or attribute.removesuffix("s") in _MANY


def known_attributes() -> tuple[str, ...]:
    """The attributes of one value, by name, for the methods that ask a model for them."""
    return tuple(sorted(_SINGLE))
