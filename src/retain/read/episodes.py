"""Reads of episodes: one, or a list by conditions, with their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from retain.clock import Clock
from retain.domain.episode import Domain, Episode
from retain.domain.insight import Insight, InsightType
from retain.domain.instant import iso, parse_instant
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.plain import optional_text, plain_count, plain_flag, plain_share, shown
from retain.domain.scope import Scope
from retain.domain.use import Outcome
from retain.errors import InvalidInput, InvalidScope
from retain.ledger.chain import neighbours
from retain.ledger.paging import pages_of
from retain.ledger.port import Ledger, ReadTx, Wanted
from retain.ledger.visibility import Visibility
from retain.read.reader import items_of

MOST_LISTED: Final = 10_000


class EpisodeReader:
    """Reads one project's episodes."""

    def __init__(self, ledger: Ledger, project: str, clock: Clock) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock

    def get(self, episode_id: object) -> dict[str, Any] | None:
        """One visible episode, or None."""
        if not isinstance(episode_id, str):
            raise InvalidInput(f"episode_id must be a text, got {shown(episode_id)}")
        seen = self._seen()
        with self._ledger.read() as tx:
            record = tx.memory(episode_id)
            if record is None or record.scope.project != self._project or not seen.shows(record):
                return None
            return _items(tx, [record], seen)[0]

    def list(
        self, scope: Scope, *, limit: object, offset: object, **conditions: object
    ) -> dict[str, Any]:
        """Visible episodes of a scope, latest first."""
        most, first = _page(limit, offset)
        wanted = _wanted(**conditions)
        if scope.is_empty:
            raise InvalidScope("episodes needs at least one of: agent_id, user_id, run_id")
        seen = self._seen()
        with self._ledger.read() as tx:
            found, total = tx.episodes(tx.coverage(scope), seen, wanted, most, first)
            items = _items(tx, found, seen)
        return {"episodes": items, "total": total, "limit": most, "offset": first}

    def insights(
        self,
        scope: Scope,
        *,
        insight_type: object,
        domain: object,
        least_confidence: object,
        include_superseded: object,
        limit: object,
        offset: object,
    ) -> dict[str, Any]:
        """Visible insights of a scope, the best supported first."""
        if scope.is_empty:
            raise InvalidScope("insights needs at least one of: agent_id, user_id")
        most, first = _page(limit, offset)
        kind = _word(insight_type, [one.value for one in InsightType], "insight_type")
        field = _word(domain, [one.value for one in Domain], "domain")
        least = plain_share(least_confidence, "least_confidence")
        seen = Visibility(
            now=self._clock(),
            kinds=frozenset({Kind.INSIGHT}),
            include_superseded=plain_flag(include_superseded, "include_superseded"),
        )
        with self._ledger.read() as tx:
            found = [
                (record, record.details)
                for page in pages_of(tx, tx.coverage(scope), seen)
                for record in page
                if isinstance(record.details, Insight)
            ]
            chosen = [
                (record, details)
                for record, details in found
                if kind in (None, details.insight_type)
                and field in (None, details.domain)
                and details.confidence >= least
            ]
            chosen.sort(key=lambda one: (-one[1].confidence, -one[1].supports, one[0].id))
            items = items_of(tx, [record for record, _ in chosen[first : first + most]])
        return {"insights": items, "total": len(chosen), "limit": most, "offset": first}

    def _seen(self) -> Visibility:
        return Visibility(now=self._clock(), kinds=frozenset({Kind.EPISODE}))


def _wanted(
    *,
    outcome: object,
    domain: object,
    consolidated: object,
    search: object,
    since: object,
    until: object,
) -> Wanted:
    return Wanted(
        outcome=_word(outcome, [one.value for one in Outcome], "outcome"),
        domain=_word(domain, [one.value for one in Domain], "domain"),
        consolidated=None if consolidated is None else plain_flag(consolidated, "consolidated"),
        since=_moment(since, "since"),
        until=_moment(until, "until"),
        search=optional_text(search, "search") or None,
    )


def _page(limit: object, offset: object) -> tuple[int, int]:
    most, first = plain_count(limit, "limit"), plain_count(offset, "offset")
    if most > MOST_LISTED:
        raise InvalidInput(f"limit must be at most {MOST_LISTED}, got {most}")
    return most, first


def _items(tx: ReadTx, records: Sequence[MemoryRecord], seen: Visibility) -> list[dict[str, Any]]:
    uses = tx.uses([record.id for record in records])
    insights = Visibility(now=seen.now, kinds=frozenset({Kind.INSIGHT}))
    return [_item(tx, record, seen, insights, uses[record.id]) for record in records]


def _item(
    tx: ReadTx, record: MemoryRecord, seen: Visibility, insights: Visibility, use: Any
) -> dict[str, Any]:
    details = record.details if isinstance(record.details, Episode) else Episode()
    before, after = neighbours(tx, record.id, seen.shows)
    citing = tx.named(sorted({one.memory_id for one in tx.supported_by(record.id)}))
    return {
        "id": record.id,
        **record.scope.ids(),
        "content": record.text,
        "intent": details.intent,
        "entities": list(details.entities),
        "domain": details.domain,
        "emotion": details.emotion,
        "outcome": details.outcome.value,
        "importance": details.importance,
        "parsed_by": details.parsed_by,
        "uses": use.count,
        "last_used_at": None if use.last_at is None else iso(use.last_at),
        "consolidated": details.consolidated_at is not None,
        "consolidated_into": [one.id for one in citing if insights.shows(one)],
        "metadata": dict(record.metadata) or None,
        "created_at": iso(record.created_at),
        "updated_at": iso(record.updated_at),
        "previous_id": before,
        "next_id": after,
    }


def _word(value: object, known: Sequence[str], name: str) -> str | None:
    if value is None:
        return None
    if value not in known:
        raise InvalidInput(f"Invalid {name}: {shown(value)}. Use one of: {', '.join(known)}")
    return str(value)


def _moment(value: object, name: str) -> int | None:
    try:
        return None if value is None else parse_instant(value, name)
    except ValueError as error:
        raise InvalidInput(str(error)) from error
