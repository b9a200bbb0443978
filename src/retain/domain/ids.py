"""New ids: UUIDs that sort by the time they were made."""

from __future__ import annotations

import os
import time
from uuid import UUID


def new_id() -> str:
    """A UUID, version 7 (RFC 9562): milliseconds since 1970, then 74 random bits."""
    moment = time.time_ns() // 1_000_000
    chance = int.from_bytes(os.urandom(10))
    value = (moment & (2**48 - 1)) << 80 | chance & (2**80 - 1)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(UUID(int=value))
