"""The reference ledger: one state, one lock."""

from __future__ import annotations

import copy
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.domain.use import Recalled
from retain.errors import Closed, Conflict
from retain.ledger.embedder import refuse_other_embedder
from retain.ledger.port import CheckReport, EmbedderIdentity
from retain.ledger.reference.reading import ReferenceRead
from retain.ledger.reference.state import State
from retain.ledger.reference.writing import ReferenceWrite
from retain.ledger.uses import WaitingRecalls


class ReferenceLedger:
    """Keeps everything in memory; every write copies it. For tests, not for use."""

    def __init__(self) -> None:
        self._state = State()
        self._lock = threading.Lock()
        self._closed = False
        self._recalls = WaitingRecalls()
        self._embedder: EmbedderIdentity | None = None

    @contextmanager
    def read(self) -> Iterator[ReferenceRead]:
        """One consistent state to read from."""
        self._refuse_closed()
        self._refuse_other_embedder()
        yield ReferenceRead(self._state)

    @contextmanager
    def write(self) -> Iterator[ReferenceWrite]:
        """One transaction: the copy becomes the state if the block ends well."""
        self._refuse_closed()
        with self._lock:
            self._refuse_other_embedder()
            draft = self._state.copy()
            tx = ReferenceWrite(draft)
            yield tx
            tx.keep_recalls(self._recalls.take())
            self._state = draft

    def note_recall(self, recalled: Recalled) -> None:
        """Remember a recall, with the next write."""
        self._recalls.note(recalled)

    def write_recalls(self) -> None:
        """Write the recalls that wait, if any do."""
        if self._recalls:
            with self.write():
                pass

    def embedder(self) -> EmbedderIdentity | None:
        """The embedder of the stored vectors; None in a new ledger."""
        self._refuse_closed()
        return self._state.embedder

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        """Read and write with vectors of this embedder alone; an empty ledger takes it."""
        self._refuse_closed()
        with self._lock:
            if self._state.embedder is None and not self._state.rows:
                self._state.embedder = identity
            refuse_other_embedder(":memory:", self._state.embedder, identity)
            self._embedder = identity

    def seal_erasure(self) -> bool:
        """There is no file that could hold anything."""
        self._refuse_closed()
        return True

    def receipts(self, limit: int) -> list[Receipt]:
        """The latest receipts, newest first."""
        self._refuse_closed()
        newest = [receipt for _, receipt in reversed(self._state.receipts.values())]
        return newest[: max(0, limit)]

    def check(self, repair: bool) -> CheckReport:  # noqa: ARG002 - nothing here can be mended
        """Nothing here can be out of step; memories without history are the one thing to find."""
        self._refuse_closed()
        silent = sum(1 for one in self._state.rows if one not in self._state.events)
        problems = [f"{silent} memories without history"] if silent else []
        return CheckReport(problems, [], {"memory": len(self._state.rows)})

    def backup(self, target: Path) -> None:
        """Write the counts: there is no file format to copy."""
        self._refuse_closed()
        if target.exists():
            raise Conflict(f"backup target {str(target)!r} exists: name a new file")
        target.write_text(repr(copy.copy(self._state)), encoding="utf-8")

    def stats(self) -> dict[str, Any]:
        """Counts by table, kind and status."""
        self._refuse_closed()
        records = [row.record for row in self._state.rows.values()]
        return {
            "tables": {"memory": len(records), "message": len(self._state.messages)},
            "kinds": dict(Counter(record.kind.value for record in records)),
            "statuses": dict(Counter(record.status.value for record in records)),
            "bytes": 0,
            "schema_version": 0,
            "path": ":memory:",
        }

    def reset(self, project: str) -> None:
        """Remove everything of a project for good."""
        with self.write() as tx:
            tx.erase_scope(tx.coverage(Scope(project)))
        kept = self._state.receipts.items()
        self._state.receipts = {i: pair for i, pair in kept if pair[0] != project}

    def close(self) -> None:
        """Later calls raise ``Closed``."""
        self._closed = True

    def _refuse_other_embedder(self) -> None:
        if self._embedder is not None:
            refuse_other_embedder(":memory:", self._state.embedder, self._embedder)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise Closed("the ledger was closed: open it again")
