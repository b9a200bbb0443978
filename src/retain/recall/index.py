"""The columns of one partition in memory, built from scanned rows and kept current with them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retain.domain.features import Features
from retain.domain.kind import Kind
from retain.errors import LedgerCorrupt
from retain.ledger.port import ScanRow
from retain.ledger.visibility import KIND_CODES, Visibility
from retain.recall.growing import Growing
from retain.recall.postings import MOST_SLOTS, Postings
from retain.recall.vectors import Vectors
from retain.recall.view import View

_STATE = (
    "status", "kind", "said", "begins", "ends", "expires",
    "scope_id", "session", "position", "uses", "worth", "reply",
)  # fmt: skip
_OF_TEXT = ("length", "cues", "speaker")
_MOST_VIEWS = 4


class ScopeIndex:
    """What searches scan of one partition. Each version of a memory's features has one *slot*.

    A memory whose text changed gets a new slot and its old one is dead. An index never changes
    once made: ``advanced`` gives the next one, which shares what stayed the same.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.ids: list[str] = []
        self._slot_of: dict[int, int] = {}
        self._columns = {name: Growing(np.int64) for name in (*_STATE, *_OF_TEXT, "key")}
        self._alive = Growing(np.bool_)
        self.postings = Postings()
        self.vectors = Vectors(dimension)
        self._vector_ends = Growing(np.int64)
        self._pieces = Growing(np.uint32)
        self._piece_ends = Growing(np.int64)
        self._order: NDArray[np.int64] | None = None
        self._views: list[tuple[bytes, View]] = []
        self._lock = threading.Lock()

    @classmethod
    def of(cls, rows: Iterable[ScanRow], dimension: int) -> ScopeIndex:
        """A fresh index of rows."""
        index = cls(dimension)
        index._apply(rows)
        return index

    def __len__(self) -> int:
        return int(np.count_nonzero(self._alive.rows))

    @property
    def slots(self) -> int:
        """How many slots there are, dead ones too."""
        return len(self._alive)

    @property
    def mostly_dead(self) -> bool:
        """Whether so many texts were replaced that building anew is worth it."""
        return self.slots > 256 and 2 * len(self) < self.slots

    @property
    def nbytes(self) -> int:
        """Memory held, roughly."""
        parts = [*self._columns.values(), self._pieces, self._piece_ends, self._vector_ends]
        of_rows = 150 * self.slots  # ids and the dict
        return sum(p.nbytes for p in parts) + self.postings.nbytes + self.vectors.nbytes + of_rows

    def column(self, name: str) -> NDArray[np.int64]:
        """One column by slot: a name of ``ScanRow``, or ``length``, ``cues``, ``speaker``."""
        return self._columns[name].rows

    @property
    def columns(self) -> Mapping[str, NDArray[np.int64]]:
        """The columns that the visibility rule judges."""
        return {name: self._columns[name].rows for name in _STATE}

    def visible(
        self,
        visibility: Visibility,
        scopes: frozenset[int] | None = None,
        keys: Sequence[int] | None = None,
    ) -> NDArray[np.bool_]:
        """Which slots a read may see: the rule, in these scopes, of these keys (None: all)."""
        mask: NDArray[np.bool_] = visibility.judge(self.columns, _isin) & self._alive.rows
        if scopes is not None:
            mask &= _isin(self.column("scope_id"), sorted(scopes))
        if keys is not None:
            mask &= np.isin(self.column("key"), np.array(keys, np.int64))
        return mask

    def view(self, mask: NDArray[np.bool_]) -> View:
        """The visible slots, laid out in conversations; the latest few are kept."""
        wanted = mask.tobytes()
        with self._lock:
            for place, (known, view) in enumerate(self._views):
                if known == wanted:
                    if place:
                        self._views.insert(0, self._views.pop(place))
                    return view
            view = View(self, mask)
            self._views.insert(0, (wanted, view))
            del self._views[_MOST_VIEWS:]
            return view

    def advanced(self, rows: Iterable[ScanRow]) -> ScopeIndex:
        """An index with changes taken in. This one stays as it was; it may not be advanced again.

        Raises:
            LedgerCorrupt: a row that is new here comes without features, or with damaged ones.
        """
        twin = ScopeIndex(self.dimension)
        twin.ids, twin._slot_of = self.ids, self._slot_of
        twin._columns = {name: column.fork() for name, column in self._columns.items()}
        twin._alive = self._alive.fork()
        twin.postings, twin.vectors = self.postings.fork(), self.vectors.fork()
        twin._vector_ends = self._vector_ends.fork()
        twin._pieces, twin._piece_ends = self._pieces.fork(), self._piece_ends.fork()
        twin._apply(rows)
        return twin

    def _apply(self, rows: Iterable[ScanRow]) -> None:
        fresh: dict[int, ScanRow] = {}
        changed: dict[int, ScanRow] = {}
        dead: list[int] = []
        for row in rows:
            slot = self._slot_of.get(row.key)
            if row.features is not None:
                if slot is not None:
                    dead.append(slot)
                fresh[row.key] = row
            elif slot is None:
                raise _damaged(row.id, "is missing")
            else:
                changed[slot] = row
        if dead:
            self._alive = self._alive.replaced(dead, [False] * len(dead))
        if changed:
            slots = list(changed)
            for name in _STATE:
                values = [getattr(row, name) for row in changed.values()]
                self._columns[name] = self._columns[name].replaced(slots, values)
        if fresh:
            self._append(list(fresh.values()))
        self.postings.settle()

    def order(self) -> NDArray[np.int64]:
        """All slots, the turns first, by scope, session, position and key."""
        if self._order is None:
            column = self.column
            derived = column("kind") != KIND_CODES[Kind.MESSAGE]
            self._order = np.lexsort(
                (column("key"), column("position"), column("session"), column("scope_id"), derived)
            )
        return self._order

    def vector_bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First vector of each slot, and the one after its last."""
        return _starts(self._vector_ends.rows), self._vector_ends.rows

    def pieces(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
        """All word pieces, and where each slot's begin and end."""
        ends = self._piece_ends.rows
        return self._pieces.rows, _starts(ends), ends

    def _append(self, rows: list[ScanRow]) -> None:
        first = self.slots
        if first + len(rows) > MOST_SLOTS:
            raise ValueError(f"a partition holds at most {MOST_SLOTS} memories in a search")
        features: list[Features] = [row.features for row in rows if row.features is not None]
        stride = 4 + self.dimension
        for row, one in zip(rows, features, strict=True):
            if (
                len(one.terms) != 4 * len(one.counts)
                or len(one.pieces) % 4
                or len(one.vectors) % stride
            ):
                raise _damaged(row.id, "has a size that it cannot have")
        columns = self._columns
        columns["key"].extend([row.key for row in rows])
        for name in _STATE:
            columns[name].extend([getattr(row, name) for row in rows])
        for name in _OF_TEXT:
            columns[name].extend([getattr(one, name) for one in features])
        self.ids.extend([row.id for row in rows])
        self._slot_of.update({row.key: first + at for at, row in enumerate(rows)})
        self._alive.extend(np.ones(len(rows), np.bool_))
        sizes = [len(one.counts) for one in features]
        self.postings.extend(
            np.frombuffer(b"".join([one.terms for one in features]), "<u4"),
            np.repeat(np.arange(first, first + len(rows)), sizes),
            np.frombuffer(b"".join([one.counts for one in features]), np.uint8),
        )
        counts = np.array([len(one.vectors) for one in features]) // stride
        self._vector_ends.extend(len(self.vectors) + np.cumsum(counts))
        self.vectors.extend(b"".join([one.vectors for one in features]))
        lengths = np.array([len(one.pieces) for one in features]) // 4
        self._piece_ends.extend(len(self._pieces) + np.cumsum(lengths))
        self._pieces.extend(np.frombuffer(b"".join([one.pieces for one in features]), "<u4"))


def _damaged(memory_id: str, how: str) -> LedgerCorrupt:
    return LedgerCorrupt(
        f"what a search needs of memory {memory_id} {how}: rebuild it with reindex, or restore the "
        "ledger from a backup"
    )


def _starts(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.empty_like(ends)
    starts[:1] = 0
    starts[1:] = ends[:-1]
    return starts


def _isin(column: Any, values: Iterable[int]) -> Any:
    """Like ``numpy.isin``, far faster for a handful of values."""
    several = tuple(values)
    if len(several) > 8:
        return np.isin(column, several)
    mask = np.zeros(len(column), np.bool_)
    for value in several:
        mask |= column == value
    return mask
