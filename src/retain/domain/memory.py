"""One retained text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from retain.domain.episode import Episode
from retain.domain.insight import Insight
from retain.domain.kind import Kind, Status
from retain.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One memory as the ledger holds it. Times are microseconds since 1970, UTC.

    ``key`` places it: the partition of its owner in the high 32 bits, a running number in the low
    ones; 0 until stored. ``created_at`` is when it was said (a backfilled ``timestamp`` counts),
    ``recorded_at`` when the ledger learned of it. A fact may have a slot: ``subject`` and
    ``attribute`` with ``value``; ``single`` says that a newer value replaces the older one.
    While it is superseded, ``valid_until`` is when it was replaced, and ``own_until`` the end that
    it had of its own. ``details`` are those of an episode or an insight.
    """

    id: str
    scope: Scope
    kind: Kind
    text: str
    created_at: int
    updated_at: int
    recorded_at: int
    status: Status = Status.ACCEPTED
    key: int = 0
    role: str | None = None
    actor: str | None = None
    attributed_to: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    expires_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    superseded_at: int | None = None
    superseded_by: str | None = None
    own_until: int | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    single: bool = False
    message_id: str | None = None
    external_id: str | None = None  # the caller's own id of the turn
    session: int = 0
    position: int = 0
    derivation_id: str | None = None
    details: Episode | Insight | None = None

    @property
    def begins_at(self) -> int:
        """When it began to be true: its validity, else when it was said."""
        return self.created_at if self.valid_from is None else self.valid_from
