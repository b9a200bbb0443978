"""What turns said that no longer holds: the facts drawn from them that were replaced since.

A turn stays as it was said, so an old one may match a question better than the newer value does.
Two things follow: the newer value comes before the turn, and the turn says what is replaced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.port import ReadTx
from retain.ledger.visibility import Visibility

LOOKED_AT = 5  # turns, best first: an old value further down misleads nobody
LEAST_LIFTED = 0.1  # a newer value that matches the question less than this is about something else
LONGEST_CHAIN = 50  # replacements that are followed

_SOURCES = (Kind.MESSAGE.value, Kind.EPISODE.value)
Item = dict[str, Any]


@dataclass(slots=True)
class Derived:
    """The facts of one turn: those that hold, and those that were replaced."""

    holding: list[MemoryRecord] = field(default_factory=list)
    replaced: list[MemoryRecord] = field(default_factory=list)


def newer_first(tx: ReadTx, items: list[Item], visibility: Visibility) -> list[Item]:
    """Put the value that replaced a turn's before the turn, with the turn's score.

    Only where the question is about that value: where none of the turn's facts that still hold
    matches better. ``items`` are best first; so is the answer.
    """
    if visibility.include_superseded or not any(item["kind"] == Kind.FACT.value for item in items):
        return items
    scores = {item["id"]: item["score"] for item in items}
    turns = [item["id"] for item in items if item["kind"] == Kind.MESSAGE.value][:LOOKED_AT]
    derived = derived_from(tx, turns, visibility)
    replaced = [fact for one in derived.values() for fact in one.replaced]
    successors = _successors(tx, replaced, scores)
    lifted: dict[str, float] = {}
    for turn, facts in derived.items():
        newer = {successors[fact.id] for fact in facts.replaced if fact.id in successors}
        known = {one for one in newer if scores[one] >= LEAST_LIFTED}
        if not known:
            continue
        best = max(known, key=lambda one: (scores[one], one))
        rivals = [scores.get(fact.id, 0.0) for fact in facts.holding]
        if scores[best] >= max(rivals, default=0.0) and scores[best] < scores[turn]:
            lifted[best] = max(scores[turn], lifted.get(best, 0.0))
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
    turns = {item["id"]: item for item in items if item["kind"] in _SOURCES}
    for turn, facts in derived_from(tx, list(turns), visibility).items():
        if facts.replaced:
            turns[turn]["no_longer"] = [fact.text for fact in facts.replaced]


def derived_from(tx: ReadTx, turn_ids: Sequence[str], visibility: Visibility) -> dict[str, Derived]:
    """By turn, in the order asked, the facts that rest on it, as they stand at the moment that is
    looked from. A few statements, however many turns."""
    seen = replace(visibility, kinds=None, show_expired=True)
    supports = {
        (evidence.source_id, evidence.memory_id): None  # each once, oldest first
        for evidence in tx.supported_by(*turn_ids)
        if evidence.stance is Stance.SUPPORTS
    }
    facts = {fact.id: fact for fact in tx.named(list({fact: None for _, fact in supports}))}
    gone = {fact.id for fact in _no_longer_holding(tx, facts.values(), seen)}
    found = {turn: Derived() for turn in turn_ids}
    for turn, name in supports:
        fact = facts.get(name)
        if fact is not None and seen.shows(fact):
            found[turn].holding.append(fact)
        elif fact is not None and name in gone:
            found[turn].replaced.append(fact)
    return found


def _no_longer_holding(
    tx: ReadTx, facts: Iterable[MemoryRecord], visibility: Visibility
) -> Iterator[MemoryRecord]:
    """Those that were replaced, and not said again since, after another value."""
    by_scope: defaultdict[Scope, list[MemoryRecord]] = defaultdict(list)
    for fact in facts:
        if fact.status is Status.SUPERSEDED and not visibility.shows(fact):
            by_scope[fact.scope].append(fact)
    for scope, replaced in by_scope.items():
        alike = tx.facts_with_text(scope, *{fact.text for fact in replaced})
        held = {one.text for one in alike if visibility.shows(one)}
        yield from (fact for fact in replaced if fact.text not in held)


def _successors(
    tx: ReadTx, facts: Sequence[MemoryRecord], found: Mapping[str, float]
) -> dict[str, str]:
    """By fact, the id of what replaced it, or replaced that, as far as it was found."""
    ahead = {fact.id: fact.superseded_by for fact in facts if fact.superseded_by is not None}
    successors: dict[str, str] = {}
    for _ in range(LONGEST_CHAIN):
        successors.update({fact: name for fact, name in ahead.items() if name in found})
        ahead = {fact: name for fact, name in ahead.items() if name not in found}
        if not ahead:
            break
        further = {one.id: one.superseded_by for one in tx.named(sorted(set(ahead.values())))}
        steps = ((fact, further.get(name)) for fact, name in ahead.items())
        ahead = {fact: name for fact, name in steps if name is not None}
    return successors
