"""Dated conversations of named speakers, as files of dialogues hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation. ``id`` is the file's own, unique in its dialogue."""

    id: str
    role: str
    speaker: str | None
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation. ``id`` is unique in its dialogue."""

    id: str
    at: datetime
    turns: Sequence[Turn]
