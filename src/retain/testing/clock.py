"""A clock that stands still until it is moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from retain.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class FakeClock:
    """Now, as a test wants it; pass it as ``Memory(..., clock=FakeClock(...))``.

    Args:
        start: the first now, aware of its time zone.

    Raises:
        InvalidInput: the start has no time zone.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self.set(start)

    def __call__(self) -> int:
        return self._now

    @property
    def now(self) -> datetime:
        """The present moment, in UTC."""
        return _EPOCH + self._now * _MICROSECOND

    def set(self, moment: datetime) -> None:
        """Make this moment now, also if it lies before.

        Raises:
            InvalidInput: the moment has no time zone.
        """
        if moment.tzinfo is None:
            raise InvalidInput(f"a moment needs a time zone: {moment!r}; use tzinfo=UTC")
        self._now = (moment - _EPOCH) // _MICROSECOND

    def move(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Go on by so much; negative amounts go back."""
        self._now += timedelta(days=days, hours=hours, seconds=seconds) // _MICROSECOND
