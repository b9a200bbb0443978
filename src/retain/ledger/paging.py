"""Reading everything of a coverage, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator

from retain.domain.memory import MemoryRecord
from retain.ledger.filters import Tree
from retain.ledger.port import Coverage, ReadTx
from retain.ledger.visibility import Visibility

PAGE = 1000


def pages_of(
    tx: ReadTx,
    coverage: Coverage,
    visibility: Visibility | None,
    size: int = PAGE,
    tree: Tree | None = None,
) -> Iterator[list[MemoryRecord]]:
    """All memories of a coverage in pages, newest first; ``visibility`` None means any status.

    ``size`` is that of the first page; where it is small, those that follow grow.
    Those that cannot meet the filter ``tree`` may be left out; the others are still to be judged.
    """
    cursor: int | None = None
    while True:
        records = tx.page(coverage, visibility, cursor, size, tree)
        if records:
            yield records
        if len(records) < size:
            return
        cursor = tx.order_of(records[-1])
        size = max(size, min(4 * size, PAGE))
