"""What rests on what: derived memories that fall with their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from retain.domain.kind import Kind, Stance
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx


def still_said(
    tx: ReadTx, chosen: Sequence[MemoryRecord], counts: Callable[[MemoryRecord], bool]
) -> Iterator[tuple[MemoryRecord, MemoryRecord]]:
    """Those of the chosen that a source outside of them supports too, of the same holder.

    Args:
        tx: where to look.
        chosen: the memories of a scope that goes.
        counts: whether a source still counts.

    Yields:
        Each with the first such source.
    """
    going = {record.id: record for record in chosen}
    supports = [
        evidence
        for evidence in tx.evidence([one.id for one in chosen if one.kind is not Kind.MESSAGE])
        if evidence.stance is Stance.SUPPORTS and evidence.source_id not in going
    ]
    sources = {one.id: one for one in tx.named(sorted({one.source_id for one in supports}))}
    seen: set[str] = set()
    for evidence in supports:
        record, source = going[evidence.memory_id], sources.get(evidence.source_id)
        if source is None or record.id in seen or not counts(source):
            continue
        if source.scope.holder == record.scope.holder:
            seen.add(record.id)
            yield record, source


def resting_on(
    tx: ReadTx, chosen: Sequence[MemoryRecord], counts: Callable[[MemoryRecord], bool]
) -> Iterator[tuple[MemoryRecord, str]]:
    """Memories derived from the chosen ones that nothing else supports, then those derived from
    these, and so on.

    Args:
        tx: where to look.
        chosen: the sources that fall.
        counts: whether a memory still counts, as a support of others and as one that can fall.

    Yields:
        Each memory once, with the id of the source that it falls with.
    """
    gone = {record.id for record in chosen}
    level = list(gone)
    while level:
        fell_with: dict[str, str] = {}
        for evidence in tx.supported_by(*level):
            if evidence.stance is Stance.SUPPORTS and evidence.memory_id not in gone:
                fell_with.setdefault(evidence.memory_id, evidence.source_id)
        supports: dict[str, set[str]] = {memory_id: set() for memory_id in fell_with}
        for evidence in tx.evidence(list(fell_with)):
            if evidence.stance is Stance.SUPPORTS and evidence.source_id not in gone:
                supports[evidence.memory_id].add(evidence.source_id)
        others = {one.id: one for one in tx.named(sorted(set().union(*supports.values())))}
        level = []
        for derived in tx.named(list(fell_with)):
            still = (others[one] for one in supports[derived.id] if one in others)
            if counts(derived) and not any(counts(one) for one in still):
                gone.add(derived.id)
                level.append(derived.id)
                yield derived, fell_with[derived.id]
