"""How what recurs stands to the insights that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retain.consolidate.recurring import Group, alike, changed_between, core, shared_weight
from retain.consolidate.statement import Statement
from retain.domain.kind import Status

LEAST_NEAR: Final = 0.4  # of the weight of the words of two sentences about the same wish


class Change(StrEnum):
    """What becomes of a group."""

    ADD = "add"
    REINFORCE = "reinforce"  # an insight is said by more episodes
    CONTRADICT = "contradict"  # it speaks against an insight, and neither is older
    SUPERSEDE = "supersede"  # it replaces an insight that held before
    NOTHING = "nothing"  # all of it is known


@dataclass(slots=True)
class Held:
    """An insight that is known: its statement, and the sentences that it rests on."""

    id: str
    status: Status
    said: Statement
    vector: NDArray[np.float32]
    evidence: list[Statement] = field(default_factory=list)
    changed_at: int = 0  # when it was last withdrawn or superseded


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a group, why, and of which insight; ``fresh`` are its new sentences."""

    change: Change
    reason: str
    of: Held | None = None
    fresh: Sequence[Statement] = ()


def compare(
    group: Group,
    vectors: Mapping[int, NDArray[np.float32]],
    known: Sequence[Held],
    weights: Mapping[int, float],
    least: int,
) -> Verdict:
    """How a group stands to the known insights.

    Args:
        group: what recurs.
        vectors: of its sentences, by ``id`` of the object.
        known: all insights of the holder, in any status.
        weights: of words.
        least: episodes that a withdrawn insight needs anew to be held again.
    """
    replaced: Held | None = None
    against: Held | None = None
    for held in sorted(known, key=lambda one: -_overlap(group, one)):
        likeness = _likeness(group, vectors, held, weights)
        if not likeness and not _overlap(group, held):
            if (
                held.status is Status.ACCEPTED
                and _is_near(group, held, weights)
                and changed_between(held.evidence, group.members)
            ):
                replaced = replaced or held
            elif _opposed(group, vectors, held, weights) and held.status is Status.ACCEPTED:
                if _is_later(group, held):
                    replaced = replaced or held
                else:
                    against = against or held
            continue
        if held.evidence and changed_between(held.evidence, group.members):
            if held.status is Status.ACCEPTED:
                replaced = replaced or held
            continue
        return _known(group, held, least)
    if replaced is not None:
        return Verdict(
            Change.SUPERSEDE, f"all of it is later than {replaced.said.text!r}", replaced
        )
    if against is not None:
        return Verdict(Change.CONTRADICT, f"it denies {against.said.text!r}", against)
    return Verdict(Change.ADD, f"said in {len(group.members)} episodes")


def _known(group: Group, held: Held, least: int) -> Verdict:
    cited = {one.source.id for one in held.evidence}
    fresh = [one for one in group.members if one.source.id not in cited]
    if held.status in (Status.WITHDRAWN, Status.ARCHIVED, Status.SUPERSEDED):
        later = [one for one in fresh if one.source.at > held.changed_at]
        if len(later) < least:
            return Verdict(Change.NOTHING, f"{held.said.text!r} is {held.status.value}", held)
        return Verdict(Change.ADD, f"said in {len(later)} episodes since", None, later)
    if not fresh:
        return Verdict(Change.NOTHING, f"{held.said.text!r} is known", held)
    reason = f"{len(fresh)} more episodes say {held.said.text!r}"
    return Verdict(Change.REINFORCE, reason, held, fresh)


def _overlap(group: Group, held: Held) -> int:
    """How many sentences of a group an insight rests on already."""
    cited = {(one.source.id, one.start) for one in held.evidence}
    return sum((one.source.id, one.start) in cited for one in group.members)


def _likeness(
    group: Group,
    vectors: Mapping[int, NDArray[np.float32]],
    held: Held,
    weights: Mapping[int, float],
) -> float:
    cosine = float(vectors[id(group.middle)] @ held.vector)
    return alike(group.middle, held.said, cosine, weights)


def _is_near(group: Group, held: Held, weights: Mapping[int, float]) -> bool:
    """Whether what most sentences of the group say shares much of its words with what most of the
    insight's say."""
    return shared_weight(core(group.members), core(held.evidence), weights) >= LEAST_NEAR


def _opposed(
    group: Group,
    vectors: Mapping[int, NDArray[np.float32]],
    held: Held,
    weights: Mapping[int, float],
) -> bool:
    """Whether one denies what the other affirms, in nearly the same words."""
    if group.middle.denies == held.said.denies:
        return False
    cosine = float(vectors[id(group.middle)] @ held.vector)
    return alike(group.middle, held.said, cosine, weights, opposed=True) > 0


def _is_later(group: Group, held: Held) -> bool:
    last = max((one.source.at for one in held.evidence), default=held.said.source.at)
    return min(one.source.at for one in group.members) > last
