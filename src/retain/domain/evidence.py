"""Why a memory is held."""

from __future__ import annotations

from dataclasses import dataclass

from retain.domain.kind import Stance


@dataclass(frozen=True, slots=True)
class Evidence:
    """One source of one memory.

    ``source_id`` is the id of the memory that holds the source text (a turn or an episode), and
    ``start``/``end`` the span of ``quote`` in that text, in characters. ``check`` names how the
    quote was verified (``rule``, ``exact``, ``fuzzy``, ``caller``), ``score`` how well, 0..1.
    """

    memory_id: str
    source_id: str
    quote: str
    start: int
    end: int
    stance: Stance = Stance.SUPPORTS
    check: str = "exact"
    score: float = 1.0
    recorded_at: int = 0
