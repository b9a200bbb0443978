"""History."""

from __future__ import annotations

from dataclasses import dataclass

from retain.domain.kind import Action


@dataclass(frozen=True, slots=True)
class Event:
    """One append-only line of history: what happened to a memory, when, by whom, why."""

    id: str
    memory_id: str
    action: Action
    old_text: str | None
    new_text: str | None
    created_at: int  # of the memory
    at: int  # of the event
    actor: str | None = None
    role: str | None = None
    reason: str | None = None
