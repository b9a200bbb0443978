"""A model's answer, item by item: what can be used becomes a proposal, the rest a named fault.

Models that are asked for one form answer in others. Whatever says the same without doubt is read:
another name for a field, a bare text for a statement, a list where an object was asked for. The
forms that programs written for Mem0 know (``{"memory": [{"text", "attributed_to"}]}``,
``{"facts": [...]}``) are among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final

from retain.domain.candidate import Relation
from retain.domain.instant import to_micros
from retain.learn.extract.model.schema import LONGEST_STATEMENT, MOST_CANDIDATES

_LISTS: Final = ("memories", "memory", "facts", "results", "candidates", "statements")
_STATEMENT: Final = ("statement", "memory", "text", "fact", "content")
_RELATED: Final = ("linked_memory_ids", "related", "related_memories")


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote as the model gave it: the label of a message ("m3"), or "", and the words."""

    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One statement of a model's answer, read but not believed."""

    statement: str
    quotes: tuple[Cited, ...] = ()
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    single: bool = False
    valid_from: int | None = None
    valid_until: int | None = None
    said_by: str | None = None
    relation: Relation = Relation.NEW
    memory: str | None = None  # the label of the memory that the relation is to
    reason: str | None = None
    related: tuple[str, ...] = ()  # labels of other memories that it has to do with


@dataclass(frozen=True, slots=True)
class Fault:
    """An item of an answer that cannot be used, as far as it can be shown, and why."""

    shown: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, read."""

    proposals: list[Proposal] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


class UnreadableAnswer(ValueError):
    """An answer in which no list of statements can be found."""


def read_answer(value: object) -> Reading:
    """Read a parsed answer.

    Raises:
        UnreadableAnswer: there is no list of statements in it; says what was found instead.
    """
    reading = Reading()
    for number, item in enumerate(_items(value)):
        if number >= MOST_CANDIDATES:
            reading.faults.append(
                Fault(_shown(item), f"beyond the {MOST_CANDIDATES} that one answer may hold")
            )
            continue
        try:
            reading.proposals.append(_proposal(item))
        except ValueError as error:
            reading.faults.append(Fault(_shown(item), str(error)))
    return reading


def _items(value: object) -> Sequence[object]:
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping):
        for name in _LISTS:
            if isinstance(value.get(name), list):
                return list(value[name])
        lists = [one for one in value.values() if isinstance(one, list)]
        if len(lists) == 1:
            return lists[0]
        if any(isinstance(value.get(name), str) for name in _STATEMENT):
            return [value]
        if len(value) == 1:
            return _items(next(iter(value.values())))
    found = sorted(map(str, value)) if isinstance(value, Mapping) else type(value).__name__
    raise UnreadableAnswer(f"there is no list of memories in the answer, only {found!r:.200}")


def _proposal(item: object) -> Proposal:
    if isinstance(item, str):
        return Proposal(_statement(item))
    if not isinstance(item, Mapping):
        raise ValueError(f"a memory must be an object with a statement, got {type(item).__name__}")
    given = next((item[name] for name in _STATEMENT if isinstance(item.get(name), str)), None)
    if given is None:
        raise ValueError(f"there is no statement among {sorted(map(str, item))!r:.200}")
    relation, memory, reason = _relation(item)
    return Proposal(
        statement=_statement(given),
        quotes=tuple(_quotes(item)),
        subject=_text(item, "subject"),
        attribute=_text(item, "attribute"),
        value=_value(item),
        single=item.get("single") is True,
        valid_from=_day(item, "valid_from"),
        valid_until=_day(item, "valid_until"),
        said_by=_text(item, "said_by") or _text(item, "attributed_to"),
        relation=relation,
        memory=memory,
        reason=reason,
        related=tuple(_related(item)),
    )


def _statement(text: str) -> str:
    statement = " ".join(text.split())
    if not statement:
        raise ValueError("the statement is empty")
    if len(statement) > LONGEST_STATEMENT:
        raise ValueError(
            f"the statement has {len(statement)} characters, the limit is {LONGEST_STATEMENT}"
        )
    return statement


def _quotes(item: Mapping[Any, Any]) -> Iterable[Cited]:
    given = item.get("quotes", item.get("quote", item.get("evidence")))
    for one in given if isinstance(given, list) else [given]:
        if isinstance(one, str):
            yield Cited("", one)
        elif isinstance(one, Mapping):
            label = one.get("message", one.get("message_id", one.get("id", "")))
            text = one.get("text", one.get("quote", ""))
            yield Cited(_label(label), text if isinstance(text, str) else "")


def _relation(item: Mapping[Any, Any]) -> tuple[Relation, str | None, str | None]:
    given = item.get("relation")
    if isinstance(given, str):
        given = {"type": given, "memory": item.get("relates_to"), "reason": item.get("reason")}
    if not isinstance(given, Mapping):
        return Relation.NEW, None, _text(item, "reason") or _text(item, "rationale")
    reason = _text(given, "reason")
    named = str(given.get("type", "")).strip().casefold()
    label = _label(given.get("memory")) or None
    if named not in set(Relation) or label is None:
        return Relation.NEW, None, reason
    return Relation(named), label, reason


def _related(item: Mapping[Any, Any]) -> Iterable[str]:
    for name in _RELATED:
        given = item.get(name)
        if isinstance(given, list):
            yield from (_label(one) for one in given if isinstance(one, str | int))


def _label(given: object) -> str:
    return str(given).strip().strip("[]") if isinstance(given, str | int) else ""


def _text(item: Mapping[Any, Any], name: str) -> str | None:
    given = item.get(name)
    return " ".join(given.split()) or None if isinstance(given, str) else None


def _value(item: Mapping[Any, Any]) -> str | None:
    given = item.get("value")
    if isinstance(given, int | float) and not isinstance(given, bool):
        return str(given)
    return _text(item, "value")


def _day(item: Mapping[Any, Any], name: str) -> int | None:
    """A calendar day of the answer; anything but a day is left out, for it changes nothing else."""
    given = _text(item, name)
    if given is None:
        return None
    try:
        day = date.fromisoformat(given[:10])
    except ValueError:
        return None
    return to_micros(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _shown(item: object) -> str:
    return item[:300] if isinstance(item, str) else repr(item)[:300]
