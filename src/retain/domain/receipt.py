"""Proof of erasure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erasure removed, without the text.

    ``removed`` counts rows by table. ``digests`` are SHA-256 of the salted texts, so that the
    holder of a text can show that it was among them. ``file_clean`` says that the log was folded
    into the file and cut, so that no freed page or log holds the text. ``kept_sources`` are
    memories that an erased statement was derived from and that are still held: they may say the
    same in other words.
    """

    id: str
    at: int
    scope: Mapping[str, str]
    memory_ids: Sequence[str]
    removed: Mapping[str, int]
    salt: str
    digests: Sequence[str]
    file_clean: bool
    kept_sources: Sequence[str] = ()
    reason: str | None = None
