"""New ids: UUIDs that sort by the time they were made."""

from __future__ import annotations

import os
import threading
import time

_COUNTER_BITS = 12
_DRAWN = 64  # chances drawn from the system at a time
_last = [0, 0]  # millisecond and counter of the latest id
_chances: list[int] = []
_locks = [threading.Lock()]


def new_id() -> str:
    """A UUID, version 7 (RFC 9562): milliseconds since 1970, a counter, then 62 random bits.

    Within a process, a later id is always greater: the counter starts each millisecond in the lower
    half of its range and goes on by one (section 6.2, method 1).
    """
    with _locks[0]:
        if not _chances:
            _draw()
        chance = _chances.pop()
        moment = max(time.time_ns() // 1_000_000, _last[0])
        counter = chance >> 69 if moment > _last[0] else _last[1] + 1
        if counter >> _COUNTER_BITS:
            moment, counter = moment + 1, 0
        _last[:] = moment, counter
    value = (moment & (2**48 - 1)) << 80 | 0x7 << 76 | counter << 64
    text = f"{value | 0x2 << 62 | chance & (2**62 - 1):032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _draw() -> None:
    drawn = os.urandom(10 * _DRAWN)
    _chances.extend(int.from_bytes(drawn[at : at + 10]) for at in range(0, len(drawn), 10))


def _start_anew() -> None:
    """A child process must not give what its parent gives, nor wait for its parent's threads."""
    _chances.clear()
    _locks[0] = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
