"""What the core needs of a store. Every ledger implements this, and passes the conformance suite.

Writes happen in one ``write()`` block and are wholly there or wholly absent; reads happen in one
``read()`` block and see one state. Both honour a scope by its *coverage*: the partitions that may
hold its memories, and the exact scopes in them that belong to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from retain.domain.derivation import Derivation
from retain.domain.entity import Entity, Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.job import Job, JobStatus
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Judged, Recalled, Use
from retain.ledger.filters import Tree
from retain.ledger.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Place:
    """Where an exact scope is kept: its number, and the partition of its owner."""

    scope_id: int
    partition: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a scope reads: partitions, each with the exact scopes in it (None: all of them)."""

    parts: Mapping[int, frozenset[int] | None]


@dataclass(frozen=True, slots=True)
class PartitionState:
    """How far a partition has come. A cache of it is current while both numbers are equal.

    ``revision`` grows with every change; ``epoch`` changes when rows were removed for good or
    rebuilt, so that a cache starts anew.
    """

    epoch: int
    revision: int


class ScanRow(NamedTuple):
    """One memory as a search scans it: its state, and its features unless already known.

    A tuple, since it is made by the ten thousand.

    The integers are those of the visibility rule (``retain.ledger.visibility``): ``expires`` and
    ``ends`` are NEVER where open, ``begins`` is the start of validity, else when it was said.
    ``said`` is ``created_at``. ``worth`` is what its use led to, in ``WORTH_UNIT``ths. ``reply`` is
    1 for an assistant's turn. ``id`` breaks ties.
    """

    key: int
    id: str
    scope_id: int
    kind: int
    status: int
    said: int
    begins: int
    ends: int
    expires: int
    session: int
    position: int
    uses: int
    worth: int
    reply: int
    features: Features | None


@dataclass(frozen=True, slots=True)
class Turn:
    """The last turn of an exact scope: where a conversation goes on."""

    session: int
    position: int
    occurred_at: int


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Which embedder made the vectors of a ledger: name (with version) and dimension."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What an integrity check found. ``problems`` is empty when all is well.

    ``needs_reindex`` says that derived data is missing which only the texts can give back.
    ``unsealed`` counts erasures that are done, but whose bytes may still be in the file, since a
    reader, a full disk or a kill was in the way of rewriting it: a check with repair makes up for
    it, while no other connection reads for long.
    """

    problems: list[str]
    repaired: list[str] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    needs_reindex: bool = False
    unsealed: int = 0


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory with what is derived from its text. To store it, its ``key`` is given by the
    ledger."""

    record: MemoryRecord
    features: Features
    mentions: Sequence[Mention] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which episodes are asked for; None leaves a condition out. ``since`` and ``until`` bound when
    they happened (``until`` is left out); ``search`` is a text that they hold, whatever its case.
    """

    outcome: str | None = None
    domain: str | None = None
    consolidated: bool | None = None
    since: int | None = None
    until: int | None = None
    search: str | None = None


class ReadTx(Protocol):
    """One consistent state of the ledger."""

    def coverage(self, scope: Scope) -> Coverage:
        """The partitions and exact scopes that ``scope`` covers; empty if there are none."""

    def partition_state(self, partition: int) -> PartitionState:
        """How far the partition has come."""

    def scan(
        self, partition: int, after_revision: int, features_after_revision: int
    ) -> Iterator[ScanRow]:
        """Rows changed after a revision, by key; features only where they changed after theirs."""

    def memory(self, memory_id: str) -> MemoryRecord | None:
        """One memory by id, in any status."""

    def named(self, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        """Memories by id, in any status, in the order asked; unknown ids are left out."""

    def memories(self, keys: Sequence[int]) -> list[MemoryRecord]:
        """Memories by key, in the order asked; unknown keys are left out."""

    def page(
        self,
        coverage: Coverage,
        visibility: Visibility | None,
        before: int | None,
        limit: int,
        tree: Tree | None = None,
    ) -> list[MemoryRecord]:
        """Memories newest first (by sequence of recording, then key), below the cursor ``before``.

        ``visibility`` None means every row in every status. The cursor is the ``order`` of the last
        record of the previous page, as given by ``order_of``.

        ``tree`` is a filter that the caller judges each row by (``filters.matches``): a ledger may
        leave out rows that do not meet it, as far as it can tell, and never one that does.
        """

    def candidates(
        self, coverage: Coverage, visibility: Visibility | None, tree: Tree, limit: int
    ) -> list[int]:
        """Keys of what ``page`` would give from the newest on, without reading the memories."""

    def order_of(self, record: MemoryRecord) -> int:
        """The cursor of a record in ``page``."""

    def last_turn(self, scope: Scope) -> Turn | None:
        """Where the last conversation of this exact scope stands."""

    def recent_turns(self, scope: Scope, visibility: Visibility, limit: int) -> list[MemoryRecord]:
        """The last visible turns of this exact scope, oldest first."""

    def message(self, message_id: str) -> Message | None:
        """A message, verbatim."""

    def messages(self, message_ids: Sequence[str]) -> dict[str, Message]:
        """Messages by id; unknown ids are left out."""

    def turn_by_external_id(self, scope: Scope, external_id: str) -> MemoryRecord | None:
        """The turn of this exact scope that the caller sent under this id, if any."""

    def slot(self, scope: Scope, subject: str, attribute: str) -> list[MemoryRecord]:
        """Accepted facts of one slot of the scope's holder, oldest first."""

    def last_episode(self, scope: Scope) -> MemoryRecord | None:
        """The episode of the scope's holder that was recorded last and is not withdrawn."""

    def episodes(
        self, coverage: Coverage, visibility: Visibility, wanted: Wanted, limit: int, offset: int
    ) -> tuple[list[MemoryRecord], int]:
        """Visible episodes that are as wanted, latest experience first (by when it was, then key),
        from an offset on; and how many there are in all."""

    def waiting_episodes(self, project: str) -> int:
        """How many accepted episodes of a project no consolidation has looked at."""

    def insights(self, scope: Scope) -> list[MemoryRecord]:
        """The insights of the scope's holder in any status, oldest first."""

    def facts_with_text(self, scope: Scope, *texts: str) -> list[MemoryRecord]:
        """Accepted or superseded facts of the scope's holder with exactly one of these texts."""

    def evidence(self, memory_ids: Sequence[str]) -> list[Evidence]:
        """Evidence of these memories, oldest first."""

    def supported_by(self, *source_ids: str) -> list[Evidence]:
        """Evidence that rests on one of these sources, oldest first."""

    def links(self, memory_id: str) -> list[Link]:
        """Edges from or to a memory."""

    def links_of(self, memory_ids: Sequence[str]) -> list[Link]:
        """Edges from or to any of these memories, each once, oldest first."""

    def history(self, memory_id: str) -> list[Event]:
        """Events of a memory, oldest first."""

    def histories(self, memory_ids: Sequence[str]) -> dict[str, list[Event]]:
        """Events of each of these memories, oldest first; memories without any are left out."""

    def derivation(self, derivation_id: str) -> Derivation | None:
        """One derivation."""

    def derivations(self, coverage: Coverage, limit: int) -> list[Derivation]:
        """The latest derivations of a coverage, newest first."""

    def derivations_naming(self, memory_id: str) -> list[Derivation]:
        """The derivations that read a memory, were shown it, or decided on it, oldest first."""

    def method(self, method_id: str) -> Method | None:
        """A method that a derivation followed."""

    def unsettled(self, coverage: Coverage, limit: int) -> list[MemoryRecord]:
        """Candidates and disputed memories, newest first."""

    def job(self, job_id: str) -> Job | None:
        """One job."""

    def jobs(self, coverage: Coverage, status: JobStatus | None, limit: int) -> list[Job]:
        """The latest jobs of a coverage, newest first; of one status where given."""

    def due_job(self, project: str, now: int) -> Job | None:
        """The oldest job of a project that waits to be done, or whose lease has run out."""

    def open_job_for(self, memory_id: str) -> Job | None:
        """The job that works on a memory and is not done, if there is one."""

    def job_counts(self, project: str) -> Mapping[str, int]:
        """How many jobs a project has, by status."""

    def uses(self, memory_ids: Sequence[str]) -> dict[str, Use]:
        """How memories were used, by id, as far as it is written; unknown ids are left out."""

    def recalled(self, recall_id: str) -> list[str] | None:
        """The memories of a recall that are still there; None for one that is not known."""

    def judgements(self, memory_id: str) -> list[Judged]:
        """What was said of the recalls that used a memory, oldest first."""

    def mentions(self, memory_id: str) -> list[Mention]:
        """The names in a memory."""

    def entities(self, coverage: Coverage, visibility: Visibility, limit: int) -> list[Entity]:
        """Named things with visible mentions, most mentioned first."""

    def unrebuilt(self, after: int, limit: int) -> list[MemoryRecord]:
        """Memories that the rebuild under way has not reached, by key, above the key ``after``."""

    def total(self) -> int:
        """How many memories the ledger holds, in any status."""

    def idempotent(self, scope: Scope, key: str) -> str | None:
        """The stored answer (JSON) of an earlier write under this key in this exact scope."""


class WriteTx(ReadTx, Protocol):
    """One write: all of it or none."""

    def remember(self, scope: Scope, key: str, answer: str) -> None:
        """Keep the answer of this write under an idempotency key. It must hold ids, never text."""

    def add_messages(self, scope: Scope, messages: Sequence[Message]) -> None:
        """Keep turns verbatim."""

    def add_memories(self, memories: Sequence[NewMemory]) -> list[MemoryRecord]:
        """Store memories; returns them with their keys."""

    def change(
        self,
        record: MemoryRecord,
        *,
        features: Features | None = None,
        mentions: Sequence[Mention] | None = None,
    ) -> None:
        """Replace the stored record of the same key; features and mentions where given."""

    def move(self, memory_id: str, scope: Scope) -> None:
        """Put a memory into another scope of the same holder.

        Raises:
            NotFound: there is no such memory.
            Conflict: the scope is another holder's.
        """

    def add_evidence(self, evidence: Sequence[Evidence]) -> None:
        """Add evidence; the same source for the same memory and span counts once."""

    def add_links(self, links: Sequence[Link]) -> None:
        """Draw edges; the same edge counts once."""

    def remove_links(self, source_id: str, target_id: str) -> None:
        """Remove the edges from one memory to another."""

    def add_events(self, events: Sequence[Event]) -> None:
        """Append to history."""

    def add_derivation(self, derivation: Derivation) -> None:
        """Keep the record of a derivation."""

    def add_method(self, method: Method) -> None:
        """Keep a method; one that is known already stays as it is."""

    def judge(self, judged: Judged) -> None:
        """Keep what somebody says of a recall, in place of what was said before; the memories that
        it used count it. It is erased with any of them.

        Raises:
            NotFound: the recall is not known.
        """

    def save_job(self, job: Job) -> None:
        """Keep a job, new or changed. It is erased with any memory that it names."""

    def erase(self, memory_ids: Sequence[str]) -> dict[str, int]:
        """Remove memories, their messages, evidence, links, mentions, history, features, and every
        derivation, job or stored answer that names them, for good. Rows removed, by table."""

    def erase_scope(self, coverage: Coverage) -> dict[str, int]:
        """Remove everything that the coverage holds, for good. Rows removed, by table."""

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep the proof of an erasure."""

    def begin_rebuild(self, identity: EmbedderIdentity) -> int:
        """Start making derived data anew for an embedder, or go on with that if it was started
        already; how many memories are rebuilt. What was rebuilt for another embedder is dropped."""

    def rebuild(self, identity: EmbedderIdentity, memories: Sequence[NewMemory]) -> None:
        """Keep features that were made anew, beside those in use, and put mentions in use. Memories
        whose text or actor is no longer that of the record are left out.

        Raises:
            Conflict: this rebuild is not under way.
        """

    def finish_rebuild(self, identity: EmbedderIdentity) -> int | None:
        """Put what was rebuilt in use, start the partitions' epochs anew and record the embedder;
        how many memories. None, and nothing is done, if the embedder is a new one and a memory was
        not reached.

        Raises:
            Conflict: this rebuild is not under way.
        """

    def set_embedder(self, identity: EmbedderIdentity) -> None:
        """Record which embedder the vectors are of."""


class Ledger(Protocol):
    """A store."""

    def read(self) -> AbstractContextManager[ReadTx]:
        """One consistent state to read from."""

    def write(self) -> AbstractContextManager[WriteTx]:
        """One transaction; committed durably at the end of the block, undone if it raises."""

    def note_recall(self, recalled: Recalled) -> None:
        """Remember a recall, and count one use of each of its memories. It writes nothing now: the
        next write carries it, or ``close``, which rather loses it than fails or waits long."""

    def write_recalls(self) -> None:
        """Write the recalls that wait, if any do."""

    def embedder(self) -> EmbedderIdentity | None:
        """The embedder of the stored vectors; None in a new ledger."""

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        """Read and write with vectors of this embedder alone. A ledger that holds nothing yet takes
        it as its own.

        Raises:
            EmbedderMismatch: the stored vectors are of another embedder. Every later ``read`` and
                ``write`` raises it too, once another instance has changed the embedder.
        """

    def seal_erasure(self) -> bool:
        """Fold logs into the store and cut them, so that nothing erased is left in the files."""

    def receipts(self, limit: int) -> list[Receipt]:
        """The latest receipts, newest first."""

    def check(self, repair: bool) -> CheckReport:
        """Check integrity; with ``repair``, rebuild derived rows that are missing or stale."""

    def backup(self, target: Path) -> None:
        """Write a consistent copy to a new file."""

    def stats(self) -> dict[str, Any]:
        """Counts by table, kind and status; size on disk; schema version."""

    def reset(self, project: str) -> None:
        """Remove everything of a project for good."""

    def close(self) -> None:
        """Give back every handle. Later calls raise ``Closed``."""
