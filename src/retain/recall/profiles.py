"""Named ways to weigh the signals into one score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from retain.errors import ConfigError

FEW_ROWS = 8  # among so many, neighbours and places say little


@dataclass(frozen=True, slots=True)
class Profile:
    """How a ranking scores.

    ``weights`` by signal; ``spread`` names the signals that are scaled by their range among a
    query's candidates, with the least range of each; ``windows`` counts the words of neighbouring
    turns. ``support`` is what a conversation's second sign is worth: the points of its best turn
    that is not next to its best one, on a scale from the least to the best of all. ``few`` are the
    weights among ``FEW_ROWS`` visible rows or fewer; those of more rows lie in between.
    """

    name: str
    weights: Mapping[str, float]
    spread: Mapping[str, float] = field(default_factory=dict)
    windows: bool = True
    few: Mapping[str, float] | None = None
    support: float = 0.0

    def signals(self) -> frozenset[str]:
        """All signals that have a weight."""
        return frozenset(self.weights) | frozenset(self.few or ())

    def among(self, rows: int, talk: float) -> Mapping[str, float]:
        """The weights among so many visible rows, of whose turns so large a share (0..1) stands in
        conversations.

        The fewer do, the less it says that a turn stands in one: a turn that stands alone has no
        neighbours to speak for it.
        """
        few = self.weights if self.few is None else self.few
        share = min(1.0, FEW_ROWS / rows)
        return {
            name: ((1 - share) * self.weights.get(name, 0.0) + share * few.get(name, 0.0))
            * (talk if name in _OF_TALK else 1.0)
            for name in sorted(self.signals())
        }


_OF_TALK = frozenset({"following", "near", "far", "first"})
_LEAST = {
    "window": 0.25,
    "bm25": 0.25,
    "echo": 0.25,
    "answers": 0.25,
    "following": 0.25,
    "cosine": 0.25,
    "conversation": 0.25,
    "near": 0.5,
    "far": 0.5,
    "late": 0.3,
}
DEFAULT = Profile(
    "default",
    {
        "window": 4.3,
        "following": -1.0,
        "cosine": 2.0,
        "near": 2.0,
        "far": 1.0,
        "conversation": 1.4,
        "late": 1.2,
        "speaker": 2.5,
        "first": 1.4,
        "after_question": 0.6,
        "time": 1.5,
        "interval": 4.0,
        "question": -1.0,
        "slight": -1.0,
        "reply": -0.75,
        "recent": 2.0,
    },
    _LEAST,
    support=1.0,
    few={
        "window": 1.5,
        "bm25": 4.0,
        "cosine": 3.0,
        "near": 0.5,
        "conversation": 0.5,
        "late": 1.2,
        "speaker": 2.5,
        "after_question": 0.6,
        "time": 1.5,
        "interval": 4.0,
        "question": -2.0,
        "echo": -6.0,
        "answers": 5.0,
        "slight": -2.0,
        "fact": 0.5,
        "reply": -0.75,
        "recent": 1.0,
    },
)
PLAIN = Profile("plain", {"window": 1.0, "cosine": 1.0}, _LEAST)
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
