"""The account of one experience, described in a few fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from retain.domain.use import Outcome

MOST_ENTITIES: Final = 10
LONGEST_INTENT: Final = 100  # characters
LONGEST_CONTENT: Final = 1_000_000  # bytes of UTF-8


class Domain(StrEnum):
    """What kind of work it was."""

    CODING = "coding"
    WRITING = "writing"
    RESEARCH = "research"
    PLANNING = "planning"
    ANALYSIS = "analysis"
    COMMUNICATION = "communication"
    GENERAL = "general"


class Emotion(StrEnum):
    """The feeling that the account shows."""

    PRODUCTIVE = "productive"
    FRUSTRATED = "frustrated"
    CONFUSED = "confused"
    SATISFIED = "satisfied"
    URGENT = "urgent"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Episode:
    """What an episode is beside its text.

    ``importance`` is 0..1; ``intent`` what was wanted, in at most ``LONGEST_INTENT`` characters;
    ``parsed_by`` names what described it (``rules@1``, a method, ``caller``), and why if it was
    not what was asked for. ``consolidated_at`` is when a consolidation last took it in, in
    microseconds; None before.
    """

    outcome: Outcome = Outcome.UNKNOWN
    importance: float = 0.5
    domain: str = Domain.GENERAL
    emotion: str = Emotion.NEUTRAL
    intent: str = ""
    entities: Sequence[str] = ()
    parsed_by: str = "rules@1"
    consolidated_at: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.importance <= 1.0:
            raise ValueError(f"importance must be 0 to 1, got {self.importance!r}")
