"""The gate of grounding: a derived statement is held as known only if its sources say it.

A rule's candidate is made of the words that it matched and is checked for names, numbers and dates
alone. Any other statement is read for what it claims, and each claim is looked for in the quotes,
in the turns around them and in the memories that it builds on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from retain.domain.candidate import Candidate, Quote
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.learn.ground import rules
from retain.learn.ground.quotes import place, whole
from retain.learn.ground.verdict import (
    PASSING_SCORE,
    SUPPORTS,
    Checker,
    Gate,
    Support,
    Verdict,
    accepts,
    how_found,
    not_supported,
)

if TYPE_CHECKING:
    from retain.learn.ground.judge import Judge

__all__ = [
    "PASSING_SCORE",
    "Checker",
    "Gate",
    "Support",
    "Verdict",
    "accepts",
    "ground",
    "ground_all",
]


def ground(
    candidate: Candidate,
    turns: Sequence[Message],
    *,
    memories: Sequence[MemoryRecord] = (),
    gate: Gate = Gate.STANDARD,
    checker: Checker | None = None,
) -> Verdict:
    """Judge ``candidate`` against the turns it was drawn from.

    Args:
        candidate: its quotes name turns by their place in ``turns``; a quote without words cites
            the whole turn.
        turns: the turns of the input, in order; the one before a cited turn is read with it.
        memories: memories that the candidate builds on, whose texts support it as well.
        gate: what ``Verdict.ok`` is judged by; with ``Gate.OFF`` only the citations are checked.
        checker: a second opinion on what passes or is in doubt; never on what is missing.

    Returns:
        The verdict; its reason names what is missing.
    """
    return ground_all([candidate], turns, memories=[memories], gate=gate, checker=checker)[0]


def ground_all(
    candidates: Sequence[Candidate],
    turns: Sequence[Message],
    *,
    memories: Sequence[Sequence[MemoryRecord]] = (),
    gate: Gate = Gate.STANDARD,
    checker: Checker | None = None,
) -> list[Verdict]:
    """Judge many candidates of the same turns: each turn is read once.

    ``memories`` holds those of each candidate, in the same order; or nothing. See ``ground``.
    """
    judge: Judge | None = None
    found = []
    for number, candidate in enumerate(candidates):
        cited = memories[number] if memories else ()
        cites, verdict = _cite(candidate, turns, cited, gate)
        if verdict is None and candidate.rule is not None and not cited:
            verdict = _of_rule(candidate, cites, turns, gate)
        if verdict is None:
            if judge is None:
                # What is read of a model's statement loads the word pieces: not for rules.
                from retain.learn.ground.judge import Judge

                judge = Judge(turns)
            verdict = judge.verdict(candidate, cites, cited, gate, checker)
        found.append(verdict)
    return found


def _cite(
    candidate: Candidate, turns: Sequence[Message], memories: Sequence[MemoryRecord], gate: Gate
) -> tuple[list[tuple[Quote, float]], Verdict | None]:
    """The quotes where they stand with how alike they are, 1 to 0; or why they do not."""
    if not candidate.quotes and not memories:
        return [], Verdict(
            Support.UNSUPPORTED, "none", 0.0, "the candidate cites nothing", (), gate
        )
    cites: list[tuple[Quote, float]] = []
    for quote in candidate.quotes:
        if not 0 <= quote.turn < len(turns):
            reason = "a quote names no message that was shown"
            return [], Verdict(Support.UNSUPPORTED, "none", 0.0, reason, (), gate)
        content = turns[quote.turn].content
        if not quote.text.strip():
            cites.append((whole(quote, content), 1.0))
            continue
        stands, likeness = place(quote, content)
        if stands is None and gate is Gate.OFF:
            stands = whole(quote, content)
        if stands is None:
            reason = f"{quote.text!r} is not in the turn"
            return [], Verdict(Support.UNSUPPORTED, "fuzzy", likeness, reason, (), gate)
        cites.append((stands, likeness))
    if gate is Gate.OFF:
        quotes = tuple(quote for quote, _likeness in cites)
        check = how_found(candidate, cites)
        return cites, Verdict(
            Support.PARTIAL, check, 0.0, "not checked: the gate is off", quotes, gate
        )
    return cites, None


def _of_rule(
    candidate: Candidate, cites: Sequence[tuple[Quote, float]], turns: Sequence[Message], gate: Gate
) -> Verdict:
    quotes = tuple(quote for quote, _likeness in cites)
    score = min(likeness for _quote, likeness in cites)
    check = "exact" if score == 1.0 else "fuzzy"
    missing = rules.unsupported(candidate, quotes, turns)
    if missing:
        return Verdict(Support.UNSUPPORTED, check, 0.0, not_supported(missing), quotes, gate)
    return Verdict(Support.SUPPORTED, check, score, SUPPORTS, quotes, gate)
