"""Episodes one after another: each follows the one before it, of the same holder.

The edges stay when an episode is withdrawn, so that it has its place when it is restored; who asks
for a neighbour is led past those that do not show. Only an erasure closes the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retain.domain.kind import LinkType
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx, WriteTx


def neighbours(
    tx: ReadTx, memory_id: str, shows: Callable[[MemoryRecord], bool]
) -> tuple[str | None, str | None]:
    """The nearest episode before and the nearest one after that show."""
    return _along(tx, memory_id, shows, back=True), _along(tx, memory_id, shows, back=False)


def close_gaps(tx: WriteTx, going: Sequence[str], at: int) -> None:
    """Before memories are erased: what followed an episode among them follows the one before."""
    gone = set(going)
    edges = [one for one in tx.links_of(going) if one.type is LinkType.FOLLOWS]
    before = {one.source_id: one.target_id for one in edges if one.source_id in gone}
    for edge in edges:
        if edge.target_id not in gone or edge.source_id in gone:
            continue
        heir: str | None = edge.target_id
        while heir in gone:
            heir = before.get(heir)
        if heir is not None:
            tx.add_links([Link(edge.source_id, LinkType.FOLLOWS, heir, at)])


def _along(
    tx: ReadTx, memory_id: str, shows: Callable[[MemoryRecord], bool], *, back: bool
) -> str | None:
    passed = {memory_id}
    current = memory_id
    while True:
        following = [
            (link.target_id if back else link.source_id)
            for link in tx.links(current)
            if link.type is LinkType.FOLLOWS
            and (link.source_id if back else link.target_id) == current
        ]
        found = [one for one in tx.named(following) if one.id not in passed]
        if not found:
            return None
        shown = next((one for one in found if shows(one)), None)
        if shown is not None:
            return shown.id
        current = found[0].id
        passed.add(current)
