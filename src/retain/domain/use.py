"""How memories were used, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PRIOR: Final = 4  # judged uses without effect that every memory is taken to begin with
WORTH_UNIT: Final = 1000  # of worth, as the integers that a search scans


class Outcome(StrEnum):
    """How something went."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Recalled:
    """One recall and the memories that its context held, by id. ``at`` is in microseconds."""

    id: str
    memory_ids: Sequence[str]
    at: int


@dataclass(frozen=True, slots=True)
class Judged:
    """What somebody said of a recall."""

    recall_id: str
    outcome: Outcome
    at: int
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """How a memory was used.

    ``count`` contexts held it, the last one at ``last_at`` (microseconds; None before the first);
    ``helped`` of those led to a success, ``hurt`` to a failure.
    """

    count: int = 0
    last_at: int | None = None
    helped: int = 0
    hurt: int = 0

    @property
    def worth(self) -> float:
        """What its use led to, between -1 and 1: the mean of successes (1) and failures (-1), drawn
        towards 0 as by ``PRIOR`` uses of neither kind (additive smoothing)."""
        return (self.helped - self.hurt) / (self.helped + self.hurt + PRIOR)

    @property
    def scanned_worth(self) -> int:
        """Its worth as a search scans it: in ``WORTH_UNIT``ths, cut towards 0."""
        return int(WORTH_UNIT * (self.helped - self.hurt) / (self.helped + self.hurt + PRIOR))
