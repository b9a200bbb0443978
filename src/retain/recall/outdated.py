"""What turns said that no longer holds: the facts drawn from them that were replaced since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from retain.domain.kind import Kind, Stance, Status
from retain.domain.memory import MemoryRecord
from retain.ledger.port import ReadTx
from retain.ledger.visibility import Visibility


def mark_outdated(tx: ReadTx, items: list[dict[str, Any]], visibility: Visibility) -> None:
    """Give each turn that states replaced facts their texts, under ``no_longer``.

    What is replaced is so at the moment that ``visibility`` looks from. A fact that is to be seen
    stands on a line of its own with its end, so nothing is marked where replaced facts are shown.
    """
    if visibility.include_superseded:
        return
    seen = replace(visibility, kinds=None, show_expired=True)
    for item in items:
        if item["kind"] != Kind.MESSAGE.value:
            continue
        ids = dict.fromkeys(
            evidence.memory_id
            for evidence in tx.supported_by(item["id"])
            if evidence.stance is Stance.SUPPORTS
        )
        facts = [fact for fact in map(tx.memory, ids) if fact is not None]
        replaced = [fact.text for fact in facts if _no_longer_holds(tx, fact, seen)]
        if replaced:
            item["no_longer"] = replaced


def _no_longer_holds(tx: ReadTx, fact: MemoryRecord, visibility: Visibility) -> bool:
    if fact.status is not Status.SUPERSEDED or visibility.shows(fact):
        return False
    # It may have been said again since, after another value.
    return not any(visibility.shows(one) for one in tx.facts_with_text(fact.scope, fact.text))
