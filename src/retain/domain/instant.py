"""Points in time: microseconds since 1970, UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from retain.domain.plain import shown

MICROS = 1_000_000
DAY = 86_400 * MICROS
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
_DATE_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def to_micros(moment: datetime) -> int:
    """A datetime (naive means UTC) as microseconds since 1970."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """Microseconds since 1970 as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def iso(micros: int) -> str:
    """Microseconds since 1970 as ISO 8601 with offset."""
    return from_micros(micros).isoformat()


def parse_instant(value: object, name: str) -> int:
    """A caller's point in time: datetime, date, ISO 8601 text, or seconds since 1970.

    Raises:
        ValueError: it is none of these, or outside the years 1 to 9999; the text names ``name``.
    """
    problem = (
        f"{name} must be a datetime, a date, ISO 8601 text or seconds since 1970, "
        f"got {shown(value)}"
    )
    try:
        micros = _read(value)
        if micros is not None:
            from_micros(micros)  # an offset may lead out of the years that can be shown again
            return micros
    except (ValueError, OverflowError) as error:
        raise ValueError(problem) from error
    raise ValueError(problem)


def _read(value: object) -> int | None:
    if isinstance(value, datetime):
        return to_micros(value)
    if isinstance(value, date):
        return to_micros(datetime(value.year, value.month, value.day, tzinfo=UTC))
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return round(value * MICROS)
    if isinstance(value, str):
        return to_micros(datetime.fromisoformat(value.strip()))
    return None


def parse_expiration(value: object, name: str = "expiration_date") -> int:
    """The first moment at which something expiring on the day ``value`` is hidden.

    A memory is visible on that day and hidden from the next day, UTC, on; the last day of all,
    9999-12-31, is as good as never.

    Raises:
        ValueError: no ``YYYY-MM-DD``, ``date`` or ``datetime``.
    """
    if isinstance(value, datetime):
        try:
            day = (value if value.tzinfo is None else value.astimezone(UTC)).date()
        except OverflowError as error:
            raise ValueError(
                f"{name} must be a date of the years 1 to 9999, got {shown(value)}"
            ) from error
    elif isinstance(value, date):
        day = value
    elif isinstance(value, str) and _DATE_ONLY.match(value.strip()):
        try:
            day = date.fromisoformat(value.strip())
        except ValueError as error:
            raise ValueError(
                f"{name} must be a valid date in YYYY-MM-DD format, got {shown(value)}"
            ) from error
    else:
        raise ValueError(f"{name} must be a valid date in YYYY-MM-DD format, got {shown(value)}")
    return min(to_micros(datetime(day.year, day.month, day.day, tzinfo=UTC)) + DAY, _LAST)


def expiration_day(expires_at: int) -> str:
    """The day, ``YYYY-MM-DD``, on which a memory with this ``expires_at`` was last visible."""
    return from_micros(expires_at - 1).date().isoformat()
