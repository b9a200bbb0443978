"""Everything a ledger holds, in dicts of immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final

from retain.domain.derivation import Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.job import Job
from retain.domain.kind import LinkType
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Judged, Recalled, Use
from retain.ledger.port import EmbedderIdentity, PartitionState, Place, Turn

UNUSED: Final = Use()


@dataclass(frozen=True, slots=True)
class Row:
    """A memory with all that is kept beside it. Revisions are those of its partition."""

    record: MemoryRecord
    features: Features
    mentions: tuple[Mention, ...]
    order: int
    revision: int
    features_revision: int
    use: Use = UNUSED


@dataclass(slots=True)
class State:
    """One state of a ledger; a write works on a copy of it."""

    numbers: int = 0  # the last number given to anything: partitions, scopes, keys, order
    owners: dict[tuple[str, tuple[str, str]], int] = field(default_factory=dict)
    partitions: dict[int, PartitionState] = field(default_factory=dict)
    places: dict[Scope, Place] = field(default_factory=dict)
    turns: dict[Scope, Turn] = field(default_factory=dict)
    messages: dict[str, tuple[Scope, Message]] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    evidence: dict[tuple[str, str, int, int], Evidence] = field(default_factory=dict)
    links: dict[tuple[str, LinkType, str], Link] = field(default_factory=dict)
    events: dict[str, tuple[Event, ...]] = field(default_factory=dict)
    derivations: dict[str, Derivation] = field(default_factory=dict)
    methods: dict[str, Method] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    answers: dict[tuple[Scope, str], str] = field(default_factory=dict)
    recalls: dict[str, tuple[Recalled, Judged | None]] = field(default_factory=dict)
    receipts: dict[str, tuple[str | None, Receipt]] = field(default_factory=dict)
    embedder: EmbedderIdentity | None = None
    rebuilding: EmbedderIdentity | None = None
    rebuilt: dict[str, Features] = field(default_factory=dict)

    def copy(self) -> State:
        """A state that can be changed without changing this one."""
        twin = State()
        for one in fields(self):
            value = getattr(self, one.name)
            setattr(twin, one.name, dict(value) if isinstance(value, dict) else value)
        return twin

    def next_number(self) -> int:
        """A number that was never given before."""
        self.numbers += 1
        return self.numbers
