"""A generalisation of several episodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LONGEST_INSIGHT: Final = 200  # characters of its statement


class InsightType(StrEnum):
    """What an insight says."""

    PREFERENCE = "preference"  # what somebody wants, likes or avoids
    RULE = "rule"  # what must or must not be done
    PATTERN = "pattern"  # what keeps happening
    SKILL = "skill"  # how something is done that has worked
    FACT = "fact"  # what is so
    WARNING = "warning"  # an error to avoid


@dataclass(frozen=True, slots=True)
class Insight:
    """What an insight is beside its text.

    ``confidence`` is 0..1, by the documented formula over ``supports`` and ``contradictions``, the
    numbers of episodes; ``level`` is 1 for insights from episodes, one more than the highest level
    that it generalises for others.
    """

    insight_type: InsightType = InsightType.PATTERN
    confidence: float = 0.5
    supports: int = 0
    contradictions: int = 0
    domain: str = "general"
    level: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must be 0 to 1, got {self.confidence!r}")


def confidence_of(supports: int, contradictions: int) -> float:
    """How likely the next episode that speaks of it agrees: ``(s + 1) / (s + c + 2)``, the mean of
    the posterior of a proportion with a uniform prior (Laplace's rule of succession).

    It rises with every support, falls with every contradiction, and never reaches 0 or 1.
    """
    return (supports + 1) / (supports + contradictions + 2)
