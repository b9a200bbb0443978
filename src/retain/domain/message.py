"""One turn as received."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """One turn, immutable. Times are microseconds since 1970, UTC.

    ``id`` is ours (a UUID); ``external_id`` is the caller's own id of the turn, if any: the same
    turn sent again under it is one turn. ``session`` numbers the conversations of one exact scope;
    ``position`` is the turn's place in its session, from 0.
    """

    id: str
    role: str
    content: str
    occurred_at: int
    actor: str | None = None
    external_id: str | None = None
    session: int = 0
    position: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
