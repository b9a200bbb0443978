"""Edges between memories."""

from __future__ import annotations

from dataclasses import dataclass

from retain.domain.kind import LinkType


@dataclass(frozen=True, slots=True)
class Link:
    """A typed edge from one memory to another, with the reason it was drawn."""

    source_id: str
    type: LinkType
    target_id: str
    at: int
    reason: str | None = None
