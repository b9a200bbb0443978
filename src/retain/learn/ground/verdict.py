"""What grounding answers, and what each gate lets pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from retain.domain.candidate import Candidate, Quote

# A partly supported statement passes the standard gate from this score on.
PASSING_SCORE: Final = 0.5


SUPPORTS: Final = "the quotes support the statement"


class Gate(StrEnum):
    """How much a derived statement must have to its name before it is held as known."""

    STRICT = "strict"  # all of it supported, by quotes that stand in their turns
    STANDARD = "standard"  # supported, or partly supported with a score of PASSING_SCORE
    OFF = "off"  # anything that cites turns or memories that exist


class Support(StrEnum):
    """How much of a statement its sources say."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"


class Checker(Protocol):
    """A second opinion on a statement, such as a model of entailment."""

    @property
    def name(self) -> str:
        """Stable identity of the checker, kept with the verdict."""

    def check(self, statement: str, sources: Sequence[str]) -> float | None:
        """How sure it is, 0..1, that the sources say the statement; None: it cannot tell."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate is grounded.

    Attributes:
        support: how much of the statement the sources say.
        check: how the worst of the evidence was found: ``exact``, ``fuzzy``, ``turn`` (a whole
            turn is cited), ``memory`` (only memories are), ``none``; or a checker's name.
        score: 0..1.
        reason: what is missing, by name; or what holds.
        quotes: the candidate's quotes at the spans where they really stand.
        gate: what ``ok`` is judged by.
    """

    support: Support
    check: str
    score: float
    reason: str
    quotes: tuple[Quote, ...] = ()
    gate: Gate = Gate.STANDARD

    @property
    def ok(self) -> bool:
        """Whether the statement may be held as known."""
        return accepts(self, self.gate)


def accepts(verdict: Verdict, gate: Gate) -> bool:
    """Whether a gate lets a verdict pass."""
    if gate is Gate.OFF:
        return verdict.check != "none"
    if gate is Gate.STRICT:
        return verdict.support is Support.SUPPORTED and verdict.check in {"exact", "fuzzy"}
    if verdict.support is Support.PARTIAL:
        return verdict.score >= PASSING_SCORE
    return verdict.support is Support.SUPPORTED


def how_found(candidate: Candidate, cites: Sequence[tuple[Quote, float]]) -> str:
    """How the worst of a candidate's citations was found, as ``Verdict.check`` names it."""
    if not candidate.quotes:
        return "memory"
    if any(not quote.text.strip() for quote in candidate.quotes):
        return "turn"
    return "exact" if all(likeness == 1.0 for _quote, likeness in cites) else "fuzzy"


def not_supported(missing: Sequence[str]) -> str:
    """The reason that names what the quotes do not support."""
    return f"the quotes do not support {', '.join(map(repr, missing))}"
