"""Erasure: what goes along, and the receipt that proves it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from retain.domain.ids import new_id
from retain.domain.memory import MemoryRecord
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.ledger.chain import close_gaps
from retain.ledger.paging import pages_of
from retain.ledger.port import Coverage, ReadTx, WriteTx
from retain.ledger.resting import resting_on
from retain.ledger.standing import lose_ground, move_on, pass_on


def read_everything(tx: ReadTx, scope: Scope) -> list[MemoryRecord]:
    """Every memory of a scope, in any status."""
    return [record for page in pages_of(tx, tx.coverage(scope), None) for record in page]


def erase_memories(
    tx: WriteTx, chosen: Sequence[MemoryRecord], coverage: Coverage | None, at: int
) -> tuple[dict[str, int], list[MemoryRecord], list[str]]:
    """Erase memories, with all that was derived from them alone; what they had replaced stands as
    if they had never been.

    Returns:
        Rows removed by table; the erased memories; ids of sources that are still held.
    """
    if coverage is not None:
        chosen = move_on(tx, chosen, at)
    gone = {record.id: record for record in chosen}
    # A withdrawn source still holds the text, so it still counts.
    projects = {record.scope.project for record in chosen}
    gone |= {
        record.id: record
        for record, _ in resting_on(tx, chosen, lambda _: True)
        if record.scope.project in projects
    }
    kept = sorted(
        {
            evidence.source_id
            for evidence in tx.evidence([record.id for record in chosen])
            if evidence.source_id not in gone
        }
    )
    lose_ground(tx, list(gone.values()), at)
    _forget_metadata(tx, gone)
    pass_on(tx, list(gone), at)
    close_gaps(tx, list(gone), at)
    removed = tx.erase(list(gone))
    if coverage is not None:
        for table, count in tx.erase_scope(coverage).items():
            removed[table] = removed.get(table, 0) + count
    return removed, list(gone.values()), kept


def _forget_metadata(tx: WriteTx, gone: Mapping[str, MemoryRecord]) -> None:
    """Give what stays, because another source says it too, the metadata of that source.

    A derived memory has the metadata of the call that it was first learned from: erased with that
    call's turns, they must not live on in it. What is not a source's own stays (the date of an
    event).
    """
    touched = {one.memory_id for one in tx.supported_by(*gone)} - gone.keys()
    for derived in tx.named(sorted(touched)):
        sources = {one.source_id: one for one in tx.evidence([derived.id])}
        records = {one.id: one for one in tx.named(sorted(sources))}
        erased = [gone[one] for one in sources if one in gone]
        left = [records[one] for one in sources if one in records and one not in gone]
        if not left or not derived.metadata:
            continue
        lost = {key for one in erased for key in one.metadata}
        own = {key: value for key, value in derived.metadata.items() if key not in lost}
        metadata = {**own, **left[0].metadata}
        if metadata != derived.metadata:
            tx.change(replace(derived, metadata=metadata))


def receipt_of(
    scope: Scope,
    gone: Sequence[MemoryRecord],
    kept_sources: Sequence[str],
    removed: Mapping[str, int],
    at: int,
    reason: str | None,
) -> Receipt:
    """The proof of an erasure. Each digest is SHA-256 of the salt and one erased text."""
    salt = secrets.token_hex(16)
    digests = (hashlib.sha256((salt + record.text).encode()).hexdigest() for record in gone)
    return Receipt(
        id=new_id(),
        at=at,
        scope=scope.ids(),
        memory_ids=tuple(sorted(record.id for record in gone)),
        removed=dict(removed),
        salt=salt,
        digests=tuple(sorted(digests)),
        file_clean=False,
        kept_sources=tuple(kept_sources),
        reason=reason,
    )
