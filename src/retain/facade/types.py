"""What the verbs take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from retain.assembly import Parts

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
Instant = datetime | date | str | int | float
Day = date | datetime | str
Progress = Callable[[int, int | None], None]


class Unset:
    """The type of ``UNSET``: an argument that was not given, where None has a meaning."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


class Facade:
    """What every group of verbs has: the parts that it calls."""

    _parts: Parts
