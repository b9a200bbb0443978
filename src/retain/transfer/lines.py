"""Our export: JSON Lines that anyone can read, and that lose nothing.

The first line is a header. Then one line a memory (with its message and its history), oldest first,
and after them the lines that join them: evidence, links, derivations and their methods. Times are
ISO 8601.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from retain.domain.derivation import Decision, Derivation
from retain.domain.episode import Episode
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.insight import Insight, InsightType
from retain.domain.instant import iso, parse_instant
from retain.domain.kind import Action, Kind, LinkType, Stance, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.domain.plain import plain_metadata, plain_text, shown
from retain.domain.scope import Scope, clean_id
from retain.domain.use import Outcome
from retain.errors import InvalidInput

FORMAT = "retain-export"
VERSION = 1
_MOST = 2**62  # what a number of a line stays below
Noun = TypeVar(
    "Noun",
    Evidence, Link, Derivation, MemoryRecord, Message, Event, Decision, Method, Episode, Insight,
)  # fmt: skip
_MOMENTS = frozenset(
    "created_at updated_at recorded_at expires_at valid_from valid_until own_until superseded_at "
    "occurred_at at consolidated_at".split()
)
_ENUMS = {
    "kind": Kind,
    "status": Status,
    "stance": Stance,
    "action": Action,
    "type": LinkType,
    "outcome": Outcome,
    "insight_type": InsightType,
}


_NOUNS = (
    Evidence, Link, Derivation, MemoryRecord, Message, Event, Decision, Method, Episode, Insight,
)  # fmt: skip
_HINTS: Mapping[type, Mapping[str, Any]] = {noun: get_type_hints(noun) for noun in _NOUNS}


def header(exported_at: int) -> dict[str, Any]:
    """The first line."""
    return {"format": FORMAT, "version": VERSION, "exported_at": iso(exported_at)}


def plain(value: Any) -> dict[str, Any]:
    """A noun as a JSON object: moments as ISO 8601, values that may be absent left out."""
    optional = {field.name for field in fields(value) if field.default is None}
    row = {}
    for name, found in asdict(value).items():
        if name in ("key", "scope") or (found is None and name in optional):
            continue
        row[name] = iso(found) if name in _MOMENTS and found is not None else found
    return row


def _plain_details(record: MemoryRecord) -> dict[str, Any]:
    return {} if record.details is None else {"details": plain(record.details)}


def memory_line(
    record: MemoryRecord, message: Message | None, history: list[Event]
) -> dict[str, Any]:
    """The line of one memory."""
    line: dict[str, Any] = {"line": "memory", "scope": record.scope.ids(), **plain(record)}
    line.update(_plain_details(record))
    if message is not None:
        line["message"] = plain(message)
    line["history"] = [plain(event) for event in history]
    return line


def joining_line(value: Evidence | Link | Derivation | Method) -> dict[str, Any]:
    """The line of something that joins memories."""
    line = {"line": type(value).__name__.lower(), **plain(value)}
    if isinstance(value, Derivation) and value.scope is not None:
        line["scope"] = value.scope.ids()
    return line


def read_memory(
    line: Mapping[str, Any], project: str, where: str
) -> tuple[MemoryRecord, Message | None, list[Event]]:
    """The memory of a line, in the project that imports it."""
    scope = _scope(line, project, where)
    record = _build(MemoryRecord, {**line, "scope": scope, **_details(line, where)}, where)
    given = line.get("message")
    message = None if given is None else _build(Message, _mapping(given, where), where)
    if record.message_id != (None if message is None else message.id):
        raise InvalidInput(
            f"{where}: message_id {record.message_id!r} must be the id of the message on the line"
        )
    return (
        record,
        message,
        [
            replace(_build(Event, _mapping(row, where), where), memory_id=record.id)
            for row in _list(line.get("history") or (), f"{where}: history")
        ],
    )


def _details(line: Mapping[str, Any], where: str) -> dict[str, Any]:
    given = line.get("details")
    if given is None:
        return {"details": None}
    at = f"{where}: details"
    row = _mapping(given, at)
    if line.get("kind") == Kind.EPISODE.value:
        return {"details": _build(Episode, row, at)}
    if line.get("kind") == Kind.INSIGHT.value:
        return {"details": _build(Insight, row, at)}
    raise InvalidInput(f"{where}: a memory of kind {shown(line.get('kind'))} has no details")


def read_evidence(line: Mapping[str, Any], _project: str, where: str) -> Evidence:
    """The evidence of a line."""
    return _build(Evidence, line, where)


def read_link(line: Mapping[str, Any], _project: str, where: str) -> Link:
    """The edge of a line."""
    return _build(Link, line, where)


def read_derivation(line: Mapping[str, Any], project: str, where: str) -> Derivation:
    """The derivation of a line, in the project that imports it."""
    given = _list(line.get("decisions") or (), f"{where}: decisions")
    decisions = [_build(Decision, _mapping(row, where), where) for row in given]
    scope = _scope(line, project, where) if "scope" in line else None
    return _build(Derivation, {**line, "decisions": decisions, "scope": scope}, where)


def read_method(line: Mapping[str, Any], _project: str, where: str) -> Method:
    """The method of a line."""
    return _build(Method, line, where)


def _scope(line: Mapping[str, Any], project: str, where: str) -> Scope:
    ids = _mapping(line.get("scope"), f"{where}: scope")
    scope = Scope(
        project,
        clean_id("user_id", ids.get("user_id")),
        clean_id("agent_id", ids.get("agent_id")),
        clean_id("run_id", ids.get("run_id")),
    )
    if scope.is_empty:
        raise InvalidInput(f"{where}: scope names no identity")
    return scope


def _build(noun: type[Noun], row: Mapping[str, Any], where: str) -> Noun:
    values: dict[str, Any] = {}
    hints = _HINTS[noun]
    for field in fields(noun):
        if field.name not in row:
            continue
        named = f"{where}: {field.name}"
        value = _value(field.name, row[field.name], named)
        if not _fits(value, hints[field.name]):
            raise InvalidInput(f"{named} cannot be {shown(row[field.name])}")
        values[field.name] = value
    try:
        return noun(**values)
    except TypeError as error:
        raise InvalidInput(f"{where}: a {noun.__name__} lacks a value: {error}") from error
    except ValueError as error:
        raise InvalidInput(f"{where}: {error}") from error


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of the type that a noun's field states."""
    if hint is Any:
        return True
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, list | tuple) and len(value) == len(inner)
    if origin is Sequence:
        return isinstance(value, list | tuple) and all(_fits(one, inner[0]) for one in value)
    if origin is Mapping:
        return isinstance(value, Mapping)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST
    return isinstance(value, hint)


def _value(name: str, value: Any, where: str) -> Any:
    if value is None:
        return None
    try:
        if name in _MOMENTS:
            return parse_instant(value, where)
        if name in _ENUMS:
            return _ENUMS[name](value)
    except ValueError as error:
        raise InvalidInput(f"{where}: {error}") from error
    if name == "metadata":
        return plain_metadata(value, where)
    if isinstance(value, str):
        return plain_text(value, where)
    return value


def _list(value: Any, where: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{where} must be a list, got {shown(value)}")
    return value


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{where} must be an object, got {shown(value)}")
    return value
