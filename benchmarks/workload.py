"""The texts and queries that every library is measured with: the same for all, and repeatable."""

from __future__ import annotations

import random

_PEOPLE = (
    "Amara",
    "Bjorn",
    "Celeste",
    "Dmitri",
    "Esi",
    "Fumiko",
    "Gareth",
    "Halima",
    "Ines",
    "Jonas",
    "Keiko",
    "Lars",
)
_PLACES = (
    "Antwerp",
    "Bergen",
    "Cusco",
    "Dakar",
    "Essen",
    "Fukuoka",
    "Galway",
    "Hobart",
    "Izmir",
    "Jaipur",
    "Kampala",
    "Lyon",
)
_THINGS = (
    "accordion",
    "beehive",
    "canoe",
    "darkroom",
    "easel",
    "ferry",
    "greenhouse",
    "harp",
    "inkwell",
    "jukebox",
    "kiln",
    "loom",
    "microscope",
    "notebook",
    "oven",
    "printer",
    "quilt",
    "rowing-boat",
    "sundial",
    "typewriter",
    "umbrella",
    "van",
)
_DEEDS = (
    "built",
    "restored",
    "rented",
    "painted",
    "sold",
    "inherited",
    "photographed",
    "insured",
    "lent",
    "repaired",
)
_LOOKS = (
    "ancient",
    "bright",
    "crooked",
    "dented",
    "elegant",
    "faded",
    "green",
    "heavy",
    "light",
    "rusty",
    "smooth",
    "worn",
)
_WHYS = (
    "because the old one broke last winter",
    "after a long talk with the neighbours",
    "so that the children could learn on it",
    "although nobody had asked for one",
    "while the workshop was closed for repairs",
)


def text(number: int) -> str:
    """The memory with this number: about 18 words, of a vocabulary small enough to collide."""
    pick = random.Random(number * 2_654_435_761 + 11)
    return (
        f"{pick.choice(_PEOPLE)} {pick.choice(_DEEDS)} the {pick.choice(_LOOKS)} "
        f"{pick.choice(_THINGS)} in {pick.choice(_PLACES)} {pick.choice(_WHYS)}, "
        f"and paid {pick.randint(10, 9_999)} to {pick.choice(_PEOPLE)}"
    )


def query(number: int) -> str:
    """The query with this number: of three shapes that people ask in."""
    pick = random.Random(number * 40_503 + 5)
    shapes = (
        f"who {pick.choice(_DEEDS)} the {pick.choice(_LOOKS)} {pick.choice(_THINGS)}?",
        f"what did {pick.choice(_PEOPLE)} do in {pick.choice(_PLACES)} with {pick.choice(_PEOPLE)}",
        f"{pick.choice(_THINGS)} {pick.choice(_PLACES)} price",
    )
    return pick.choice(shapes)
