"""What a statement that waits for a decision speaks against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retain.domain.kind import Kind, LinkType, Status
from retain.ledger.port import ReadTx
from retain.ledger.visibility import Visibility


def mark_disputed(tx: ReadTx, items: Sequence[dict[str, Any]], visibility: Visibility) -> None:
    """Give each derived memory that a disputed statement contradicts the mark ``disputed``.

    The statement itself is not shown: it is not held. One that was learned after the moment that
    ``visibility`` looks from counts for nothing.
    """
    derived = {item["id"]: item for item in items if item["kind"] != Kind.MESSAGE.value}
    against: dict[str, list[str]] = {}
    for link in tx.links_of(list(derived)) if derived else ():
        if link.type is LinkType.CONTRADICTS and link.target_id in derived:
            against.setdefault(link.source_id, []).append(link.target_id)
    for rival in tx.named(sorted(against)) if against else ():
        if rival.status is Status.DISPUTED and rival.begins_at <= visibility.moment:
            for memory_id in against[rival.id]:
                derived[memory_id]["disputed"] = True
