"""Named ways to weigh the signals into one score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retain.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Profile:
    """How a ranking scores: ``windows`` counts the words of neighbouring turns; ``weights`` by
    signal; ``spread`` names the signals that are scaled to 0..1 among a query's candidates."""

    name: str
    weights: Mapping[str, float]
    spread: frozenset[str] = frozenset()
    windows: bool = True


DEFAULT = Profile(
    "default",
    {
        "window": 4.3,
        "following": -1.6,
        "cosine": 1.6,
        "near": 1.2,
        "far": 0.6,
        "conversation": 1.6,
        "late": 2.2,
        "speaker": 2.5,
        "first": 1.4,
        "after_question": 0.6,
        "time": 1.3,
        "interval": 1.8,
    },
    frozenset({"window", "following", "cosine", "near", "far", "conversation", "late"}),
)
PLAIN = Profile(
    "plain", {"window": 1.0, "cosine": 1.0}, frozenset({"window", "cosine"}), windows=True
)
REM = Profile("rem", {"similarity": 0.60, "recency": 0.25, "use": 0.15}, windows=False)

PROFILES: Mapping[str, Profile] = {one.name: one for one in (DEFAULT, PLAIN, REM)}


def profile_named(name: str) -> Profile:
    """The profile of this name.

    Raises:
        ConfigError: there is none.
    """
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(sorted(PROFILES))
        raise ConfigError(f"there is no ranking profile {name!r}; choose one of: {known}") from None
