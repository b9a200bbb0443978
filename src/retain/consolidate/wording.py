"""A group in words: what an insight will say, and which sentences it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from retain.consolidate.judge import type_of
from retain.consolidate.recurring import Group
from retain.consolidate.statement import Statement
from retain.domain.derivation import Decision
from retain.domain.insight import LONGEST_INSIGHT, InsightType
from retain.domain.method import Method


@dataclass(frozen=True, slots=True)
class Wording:
    """One insight to be: its statement, its type, the sentences that bear it out."""

    text: str
    insight_type: InsightType
    members: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class Worded:
    """What became of a group: the wordings that hold, and what a model was asked and answered.

    ``refused`` are the statements that its sources do not bear out, each with the reason.
    """

    wordings: Sequence[Wording]
    refused: Sequence[Decision] = ()
    shown: Sequence[Statement] = ()  # what a model was asked about
    method: Method | None = None
    model: str | None = None
    raw: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)


class Generaliser(Protocol):
    """Puts a group in words."""

    def word(self, members: Sequence[Statement]) -> Worded:
        """The wordings of sentences that say the same, the best worded first."""


class Extractive:
    """Words a group by one of its own sentences: nothing is invented, and no model is needed."""

    def word(self, members: Sequence[Statement]) -> Worded:
        """The first sentence."""
        return Worded([Wording(shown(members[0].text), type_of(members), members)])


def middle_first(group: Group, members: Sequence[Statement]) -> list[Statement]:
    """Sentences of a group, that in its middle before the others, if it is among them."""
    return sorted(members, key=lambda one: one is not group.middle)


def shown(text: str) -> str:
    """A sentence on one line, cut with a mark where it is too long for an insight."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_INSIGHT else line[: LONGEST_INSIGHT - 1].rstrip() + "…"
