"""The clock that is shipped for tests of others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from retain import Memory
from retain.errors import InvalidInput
from retain.testing.clock import FakeClock


def test_a_memory_is_dated_by_the_clock_that_it_was_given() -> None:
    clock = FakeClock(datetime(2025, 5, 6, 7, tzinfo=UTC))
    with Memory(":memory:", clock=clock) as memory:
        one = memory.add("tea", user_id="u", infer=False, expiration_date="2025-05-07")
        held = memory.get(one["results"][0]["id"])
        assert held is not None
        assert held["created_at"] == "2025-05-06T07:00:00+00:00"
        clock.move(days=1, hours=16, seconds=3599)
        assert memory.get(held["id"]) is not None
        clock.move(seconds=1)
        assert clock.now == datetime(2025, 5, 8, tzinfo=UTC)
        assert memory.get(held["id"]) is None
        clock.set(clock.now - timedelta(days=1))
        assert memory.get(held["id"]) is not None


def test_a_moment_without_a_time_zone_is_no_moment() -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        FakeClock(datetime(2025, 5, 6))  # noqa: DTZ001 - what is refused
