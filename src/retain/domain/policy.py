"""When a memory may be forgotten, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from retain.domain.episode import Episode
from retain.domain.insight import Insight
from retain.domain.instant import DAY
from retain.domain.kind import Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.plain import shown
from retain.domain.use import Use
from retain.errors import InvalidInput

IMPORTANCE: Final = 0.5  # of a memory that says nothing of its own


@dataclass(frozen=True, slots=True)
class ForgetPolicy:
    """What is let go. Each rule that is set lets go by itself; all that is set are applied.

    Attributes:
        keep_days: by kind, how many days after it was said a memory goes.
        expired_days: how many days after its expiry it goes.
        replaced_days: how many days after a newer value replaced it it goes.
        withdrawn_days: how many days after it was deleted a memory is erased. Needs ``erase``.
        half_life_days: days without use after which a memory's weight is half; each use makes that
            so many days longer: ``half_life_days * (1 + uses)``.
        least_weight: with ``half_life_days``, the weight below which it goes, 0..1. A memory begins
            with its importance: an episode with its own, an insight with its confidence, others
            with one half.
        most: by kind, how many a holder (user and agent) keeps at most; the lightest go, of equals
            the oldest.
        review_days: by kind, how many days after it was last said a memory is due for review. It
            stays; the report lists it.
        keep: conditions in the grammar of filters; what meets them stays, whatever else holds.
        erase: remove for good, with a receipt, instead of archiving. What rests on it alone goes
            along.
    """

    keep_days: Mapping[str, float] = field(default_factory=dict)
    expired_days: float | None = None
    replaced_days: float | None = None
    withdrawn_days: float | None = None
    half_life_days: float | None = None
    least_weight: float = 0.05
    most: Mapping[str, int] = field(default_factory=dict)
    review_days: Mapping[str, float] = field(default_factory=dict)
    keep: Mapping[str, Any] = field(default_factory=dict)
    erase: bool = False

    def __post_init__(self) -> None:
        for name in ("keep_days", "most", "review_days"):
            _check_by_kind(name, getattr(self, name), whole=name == "most")
        for name in ("expired_days", "replaced_days", "withdrawn_days", "half_life_days"):
            value = getattr(self, name)
            if value is not None:
                _check_number(name, value, least=0.0)
        _check_number("least_weight", self.least_weight, least=0.0, most=1.0)
        if not isinstance(self.keep, Mapping):
            raise InvalidInput(f"policy.keep must be a dict of filters, got {shown(self.keep)}")
        if not isinstance(self.erase, bool):
            raise InvalidInput(f"policy.erase must be True or False, got {shown(self.erase)}")
        if self.withdrawn_days is not None and not self.erase:
            raise InvalidInput(
                "policy.withdrawn_days needs erase=True: what is deleted is hidden already"
            )
        if self.half_life_days == 0:
            raise InvalidInput("policy.half_life_days must be above 0")

    def weight(self, record: MemoryRecord, use: Use, importance: float, now: int) -> float:
        """How strongly a memory is held, 0..1: ``importance * 2 ** (-idle / strength)``.

        ``idle`` are days since it was last used, or else said; ``strength`` the half-life times
        one and its uses: an exponential forgetting curve whose stability grows with each retrieval
        (Ebbinghaus 1885; as agents' memories have used it since).
        """
        if self.half_life_days is None:
            return importance
        since = max(record.created_at, record.recorded_at, use.last_at or 0)
        idle = max(0, now - since) / DAY
        return importance * math.pow(2.0, -idle / (self.half_life_days * (1 + use.count)))

    def reason(
        self,
        record: MemoryRecord,
        use: Use,
        importance: float,
        now: int,
        deleted_at: int | None = None,
    ) -> str | None:
        """Why a memory goes by itself; None if it stays. Caps are not judged here."""
        if record.status is Status.WITHDRAWN:
            if _past(deleted_at, self.withdrawn_days, now):
                return f"deleted more than {_days(self.withdrawn_days)} ago"
            return None
        if _past(record.expires_at, self.expired_days, now):
            return f"expired more than {_days(self.expired_days)} ago"
        if record.status is Status.SUPERSEDED:
            if _past(record.superseded_at, self.replaced_days, now):
                return f"replaced more than {_days(self.replaced_days)} ago"
            return None
        allowed = self.keep_days.get(record.kind.value)
        if _past(record.created_at, allowed, now):
            return f"{record.kind.value} older than {_days(allowed)}"
        if self.half_life_days is not None:
            weight = self.weight(record, use, importance, now)
            if weight < self.least_weight:
                return f"weight {weight:.3f} is below {self.least_weight:g}: unused"
        return None

    def is_due(self, record: MemoryRecord, last_said: int, now: int) -> bool:
        """Whether a memory should be looked at again."""
        return _past(last_said, self.review_days.get(record.kind.value), now)


def importance_of(record: MemoryRecord) -> float:
    """How much would be lost with a memory, 0..1: an episode's own importance, an insight's
    confidence, one half of others."""
    details = record.details
    if isinstance(details, Episode):
        return details.importance
    return details.confidence if isinstance(details, Insight) else IMPORTANCE


def policy_from(given: object) -> ForgetPolicy:
    """A policy, or a dict of its attributes.

    Raises:
        InvalidInput: an attribute that is not known, or a value that cannot be used.
    """
    if isinstance(given, ForgetPolicy):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(f"policy must be a ForgetPolicy or a dict, got {shown(given)}")
    known = [one.name for one in fields(ForgetPolicy)]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InvalidInput(f"policy has no {shown(unknown[0])}; it knows: {', '.join(known)}")
    return ForgetPolicy(**given)


def _past(since: int | None, days: float | None, now: int) -> bool:
    return since is not None and days is not None and now - since > days * DAY


def _days(days: float | None) -> str:
    return f"{days:g} days"


def _check_by_kind(name: str, given: object, *, whole: bool) -> None:
    kinds = [kind.value for kind in Kind]
    if not isinstance(given, Mapping):
        raise InvalidInput(f"policy.{name} must be a dict by kind, got {shown(given)}")
    for kind, value in given.items():
        if kind not in kinds:
            raise InvalidInput(f"policy.{name}: no kind {shown(kind)}; use {', '.join(kinds)}")
        _check_number(f"{name}[{kind!r}]", value, least=0.0)
        if whole and not isinstance(value, int):
            raise InvalidInput(
                f"policy.{name}[{kind!r}] must be a whole number, got {shown(value)}"
            )


def _check_number(name: str, value: object, *, least: float, most: float = math.inf) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most or not math.isfinite(value):  # type: ignore[operator,arg-type]  # a number by now
        bound = f"{least:g} or more" if most == math.inf else f"{least:g} to {most:g}"
        raise InvalidInput(f"policy.{name} must be a number, {bound}, got {shown(value)}")
