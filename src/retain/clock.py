"""The clock that writes and reads are dated by; tests pass their own."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]


def system_clock() -> int:
    """Now, in microseconds since 1970, UTC."""
    return time.time_ns() // 1000
