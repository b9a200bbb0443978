"""Erasure: what goes along, and the receipt that proves it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from retain.domain.entity import Mention
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.ids import new_id
from retain.domain.insight import LONGEST_INSIGHT
from retain.domain.kind import Action, Stance
from retain.domain.memory import MemoryRecord
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.ledger.chain import close_gaps
from retain.ledger.paging import pages_of
from retain.ledger.port import Coverage, NewMemory, ReadTx, WriteTx
from retain.ledger.rescore import rescore, rescored, resting_insights
from retain.ledger.resting import resting_on
from retain.ledger.standing import event_of, lose_ground, move_on, pass_on

Describe = Callable[[str], tuple[Features, Sequence[Mention]]]


def read_everything(tx: ReadTx, scope: Scope) -> list[MemoryRecord]:
    """Every memory of a scope, in any status."""
    return [record for page in pages_of(tx, tx.coverage(scope), None) for record in page]


def erase_memories(
    tx: WriteTx,
    chosen: Sequence[MemoryRecord],
    coverage: Coverage | None,
    at: int,
    described: Describe,
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
    touched = [one for one in resting_insights(tx, list(gone)) if one not in gone]
    reworded = _worded_by(tx, touched, gone)
    gone |= {old.id: old for old, _ in reworded}
    _forget_metadata(tx, gone)
    pass_on(tx, list(gone), at)
    close_gaps(tx, list(gone), at)
    removed = tx.erase(list(gone))
    for old, evidence in reworded:
        _word_anew(tx, old, evidence, at, described)
    rescore(tx, touched)
    if coverage is not None:
        for table, count in tx.erase_scope(coverage).items():
            removed[table] = removed.get(table, 0) + count
    return removed, list(gone.values()), kept


def _worded_by(
    tx: ReadTx, insight_ids: Sequence[str], gone: Mapping[str, MemoryRecord]
) -> list[tuple[MemoryRecord, list[Evidence]]]:
    """Insights in the words of an episode that goes, with the evidence that stays: those words are
    in their text and in their history, so they go too, and come back in other words."""
    found = []
    for insight in tx.named(insight_ids):
        evidence = tx.evidence([insight.id])
        left = [one for one in evidence if one.source_id not in gone]
        if not any(_plain(one.quote) == _plain(insight.text) for one in left):
            found.append((insight, left))
    return found


def _word_anew(
    tx: WriteTx,
    old: MemoryRecord,
    evidence: Sequence[Evidence],
    at: int,
    described: Describe,
) -> None:
    supports = [one for one in evidence if one.stance is Stance.SUPPORTS]
    if not supports:
        return
    text = " ".join(supports[0].quote.split())[:LONGEST_INSIGHT]
    features, mentions = described(text)
    fresh = replace(old, id=new_id(), key=0, text=text, derivation_id=None, superseded_by=None)
    (stored,) = tx.add_memories([NewMemory(rescored(tx, fresh), features, mentions)])
    tx.add_evidence([replace(one, memory_id=stored.id) for one in evidence])
    reason = "what it was worded by was erased"
    tx.add_events([event_of(stored, Action.ADD, at, None, text, reason)])
    tx.change(rescored(tx, stored))


def _plain(text: str) -> str:
    return " ".join(text.split())


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
