"""What turns said that no longer holds: the facts drawn from them that were replaced since.

A turn stays as it was said, so an old one may match a question better than the newer value does.
Two things follow: the newer value comes before the turn, and the turn says what is replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx
from retain.ledger.visibility import Visibility

LOOKED_AT = 5  # turns, best first: an old value further down misleads nobody
LEAST_LIFTED = 0.1  # a newer value that matches the question less than this is about something else
LONGEST_CHAIN = 50  # replacements that are followed

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Derived:
    """The facts of one turn: those that hold, and those that were replaced."""

    holding: Sequence[MemoryRecord]
    replaced: Sequence[MemoryRecord]


def newer_first(tx: ReadTx, items: list[Item], visibility: Visibility) -> list[Item]:
    """Put the value that replaced a turn's before the turn, with the turn's score.

    Only where the question is about that value: where none of the turn's facts that still hold
    matches better. ``items`` are best first; so is the answer.
    """
    if visibility.include_superseded or not any(item["kind"] == Kind.FACT.value for item in items):
        return items
    scores = {item["id"]: item["score"] for item in items}
    lifted: dict[str, float] = {}
    for item in [one for one in items if one["kind"] == Kind.MESSAGE.value][:LOOKED_AT]:
        derived = derived_from(tx, item["id"], visibility)
        newer = [_successor(tx, fact, scores) for fact in derived.replaced]
        known = {one for one in newer if one is not None and scores[one] >= LEAST_LIFTED}
        if not known:
            continue
        best = max(known, key=lambda one: (scores[one], one))
        rivals = [scores.get(fact.id, 0.0) for fact in derived.holding]
        if scores[best] >= max(rivals, default=0.0) and scores[best] < item["score"]:
            lifted[best] = max(item["score"], lifted.get(best, 0.0))
    if not lifted:
        return items
    raised = [_raised(item, lifted[item["id"]]) if item["id"] in lifted else item for item in items]
    return sorted(raised, key=lambda item: (-item["score"], item["id"] not in lifted))


def _raised(item: Item, score: float) -> Item:
    raised = {**item, "score": score}
    if "score_details" in item:
        raised["score_details"] = {**item["score_details"], "final_score": score, "newer": 1.0}
    return raised


def mark_outdated(tx: ReadTx, items: Sequence[Item], visibility: Visibility) -> None:
    """Give each turn that states replaced facts their texts, under ``no_longer``.

    What is replaced is so at the moment that ``visibility`` looks from. Where replaced facts are
    asked for, each stands on a line of its own with its end, and nothing is marked.
    """
    if visibility.include_superseded:
        return
    for item in items:
        if item["kind"] == Kind.MESSAGE.value:
            replaced = derived_from(tx, item["id"], visibility).replaced
            if replaced:
                item["no_longer"] = [fact.text for fact in replaced]


def derived_from(tx: ReadTx, turn_id: str, visibility: Visibility) -> Derived:
    """The facts that rest on a turn, as they stand at the moment that is looked from."""
    seen = replace(visibility, kinds=None, show_expired=True)
    ids = dict.fromkeys(
        evidence.memory_id
        for evidence in tx.supported_by(turn_id)
        if evidence.stance is Stance.SUPPORTS
    )
    facts = [fact for fact in map(tx.memory, ids) if fact is not None]
    return Derived(
        holding=[fact for fact in facts if seen.shows(fact)],
        replaced=[fact for fact in facts if _no_longer_holds(tx, fact, seen)],
    )


def _no_longer_holds(tx: ReadTx, fact: MemoryRecord, visibility: Visibility) -> bool:
    if fact.status is not Status.SUPERSEDED or visibility.shows(fact):
        return False
    # It may have been said again since, after another value.
    return not any(visibility.shows(one) for one in tx.facts_with_text(fact.scope, fact.text))


def _successor(tx: ReadTx, fact: MemoryRecord, found: dict[str, float]) -> str | None:
    """The id of what replaced a fact, or replaced that, as far as it was found."""
    current: MemoryRecord | None = fact
    for _ in range(LONGEST_CHAIN):
        if current is None or current.superseded_by is None:
            return None
        if current.superseded_by in found:
            return current.superseded_by
        current = tx.memory(current.superseded_by)
    return None
