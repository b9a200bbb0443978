"""A statement that may become a memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord


@dataclass(frozen=True, slots=True)
class Quote:
    """The span of a turn that a candidate rests on. ``turn`` counts the turns of the input."""

    turn: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that may become a memory, with the quotes it rests on.

    ``subject``/``attribute``/``value`` name its slot where it has one. ``single`` says the slot
    holds one value at a time, so that a newer one supersedes; ``ends`` says that the statement
    takes back the value (``"I no longer live in Oslo"``), ``if_known`` that it says nothing worth
    keeping unless that value is held (``"I left Acme"``). ``valid_from``/``valid_until`` in
    microseconds since 1970, where the text says so.
    """

    statement: str
    quotes: tuple[Quote, ...]
    kind: Kind = Kind.FACT
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    single: bool = False
    ends: bool = False
    if_known: bool = False
    valid_from: int | None = None
    valid_until: int | None = None
    attributed_to: str | None = None
    actor: str | None = None
    rule: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Relation(StrEnum):
    """How a statement stands to a memory that is already held."""

    NEW = "new"
    SAME = "same"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    EXTENDS = "extends"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of a candidate: how it stands to what is known, and why.

    ``of`` is the memory that ``relation`` is to; ``related`` are others that it has to do with.
    An opinion alone changes nothing that is held.
    """

    relation: Relation = Relation.NEW
    of: MemoryRecord | None = None
    reason: str | None = None
    related: tuple[MemoryRecord, ...] = ()
