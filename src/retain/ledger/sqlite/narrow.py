"""Conditions of a filter as far as SQL can tell rows apart that cannot meet them.

The one meaning of a filter is ``retain.ledger.filters.matches``. What is made of it here only has
to hold for every row that meets it; it may hold for others, and the caller judges what comes back.
So a condition that SQL cannot state soundly, or only at length, is left out.

Metadata is stored as compact JSON with one spelling for each text and number (``rows.pack``). To
look for that spelling finds rows far faster than to parse the JSON of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from retain.ledger.filters import DETAIL_KEYS, OWN_KEYS, Bound, Condition, Group, Join, Tree
from retain.ledger.sqlite.rows import many
from retain.ledger.visibility import KIND_CODES, STATUS_CODES

MOST_MARKS: Final = 64  # a longer condition costs more than it saves
_LARGEST: Final = 10**300  # numbers up to here are floats, and can be spelled
# SQLite reads large integers as floats, and on some machines a fraction as a float beside it.
_ROUNDING: Final = 1e-9
_TINY: Final = 1e-300

_TEXTS: Final = {
    "id": "id",
    "role": "role",
    "actor_id": "actor",
    "attributed_to": "attributed_to",
    "message_id": "external_id",
    "subject": "subject",
    "attribute": "attribute",
    "value": "value",
    "superseded_by": "superseded_by",
}
_CODES: Final[dict[str, dict[str, int]]] = {
    "kind": {kind.value: code for kind, code in KIND_CODES.items()},
    "status": {status.value: code for status, code in STATUS_CODES.items()},
}
_MOMENTS: Final = {"created_at": "said", "updated_at": "updated_at"}
# Never narrower than what is asked: a bound of metadata was rounded.
_AT_LEAST: Final = {"gt": ">=", "gte": ">=", "lt": "<=", "lte": "<="}
_EXACTLY: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A condition on ``memory m``, with a value for each of its ``?``."""

    sql: str
    values: tuple[Any, ...] = ()


EVERY_ROW: Final = Narrowing("1")
NO_ROW: Final = Narrowing("0")


def narrowing(tree: Tree | None) -> Narrowing:
    """A condition that every row meets which meets the filter."""
    return EVERY_ROW if tree is None else _narrowed(tree) or EVERY_ROW


def _narrowed(tree: Tree) -> Narrowing | None:
    """The condition; None where nothing can be told."""
    if isinstance(tree, Condition):
        made = _condition(tree)
        return made if made is not None and _storable(made.values) else None
    if tree.join is Join.NONE:
        return None
    return _all_of(tree) if tree.join is Join.ALL else _any_of(map(_narrowed, tree.branches))


def _all_of(group: Group) -> Narrowing | None:
    """What holds for all branches is narrower with every branch, and sound with any of them."""
    chosen: list[Narrowing] = []
    marks = 0
    for made in map(_narrowed, group.branches):
        if made is not None and marks + len(made.values) <= MOST_MARKS:
            chosen.append(made)
            marks += len(made.values)
    return _joined(" AND ", chosen) if chosen else None


def _any_of(branches: Iterable[Narrowing | None]) -> Narrowing | None:
    chosen: list[Narrowing] = []
    marks = 0
    for made in branches:
        if made is None:
            return None
        chosen.append(made)
        marks += max(1, len(made.values))
        if marks > MOST_MARKS:
            return None
    return _joined(" OR ", chosen) if chosen else NO_ROW


def _joined(word: str, parts: list[Narrowing]) -> Narrowing:
    if len(parts) == 1:
        return parts[0]
    sql = word.join(part.sql for part in parts)
    return Narrowing(f"({sql})", tuple(value for part in parts for value in part.values))


def _condition(condition: Condition) -> Narrowing | None:
    key = condition.key
    if key in _TEXTS:
        return _of_text(f"m.{_TEXTS[key]}", condition)
    if key in _CODES:
        return _of_code(f"m.{key}", _CODES[key], condition)
    if key in _MOMENTS:
        return _of_moment(f"m.{_MOMENTS[key]}", condition)
    if key in OWN_KEYS:
        return None
    made = _of_metadata(condition)
    if made is not None and key in DETAIL_KEYS:
        return Narrowing(f"(m.details IS NOT NULL OR {made.sql})", made.values)
    return made


def _wanted(condition: Condition) -> list[Any] | None:
    """The values of which one must be found; None if the condition asks for something else."""
    wanted = {"eq": [condition.value], "in": condition.value}.get(condition.operator)
    if wanted is None or None in wanted:
        return None  # None is also met by what is not there
    return list(wanted)


# -- columns ---------------------------------------------------------------------------------


def _of_text(column: str, condition: Condition) -> Narrowing | None:
    if condition.operator == "present":
        return Narrowing(f"{column} IS NOT NULL")
    wanted = _wanted(condition)
    if wanted is None:
        return None
    texts = [one for one in wanted if isinstance(one, str)]
    if any("\0" in one for one in texts):  # ends a text of ``json_each``
        return None
    return _one_of(column, texts)


def _of_code(column: str, codes: dict[str, int], condition: Condition) -> Narrowing | None:
    wanted = _wanted(condition)
    if wanted is None:
        return None
    names = [one for one in wanted if isinstance(one, str)]
    return _one_of(column, [codes[name] for name in names if name in codes])


def _one_of(column: str, values: list[Any]) -> Narrowing:
    return Narrowing(f"{column} IN (SELECT value FROM json_each(?))", (many(values),))


def _of_moment(column: str, condition: Condition) -> Narrowing | None:
    bound = condition.value
    if not isinstance(bound, Bound) or bound.moment is None:
        return None
    return Narrowing(f"{column} {_EXACTLY[condition.operator]} ?", (bound.moment,))


# -- metadata --------------------------------------------------------------------------------


def _of_metadata(condition: Condition) -> Narrowing | None:
    name = _spelled_name(condition.key)
    if name is None:
        return None
    if condition.operator == "present":
        return _has(name)
    if isinstance(condition.value, Bound):
        return _in_range(condition, name)
    if condition.operator == "contains" and isinstance(condition.value, str):
        return _joined(" AND ", [_has(name), _holds(_spelled(condition.value)[1:-1])])
    wanted = _wanted(condition)
    if wanted is None:
        return None
    return _any_of(_equal(name, one) for one in wanted) or _has(name)


def _path(key: str) -> list[str]:
    """The names that lead to a value in nested objects."""
    path = key.split(".")
    return path[1:] if path[0] == "metadata" else path


def _spelled_name(key: str) -> str | None:
    """How the name ends under which the value stands: the key as it is, or the last of its path."""
    path = _path(key)
    if not path:
        return None  # the whole of it
    return _spelled(key) if path == [key] else _spelled(path[-1])[1:]


def _spelled(value: Any) -> str:
    """As ``rows.pack`` writes it."""
    return json.dumps(value, ensure_ascii=False)


def _holds(spelling: str) -> Narrowing:
    return Narrowing("instr(m.metadata, ?)", (spelling,))


def _has(name: str, rest: str = "") -> Narrowing:
    """That some value stands under this name at any depth, beginning with ``rest``."""
    return _holds(f"{name}:{rest}")


def _equal(name: str, wanted: Any) -> Narrowing | None:
    """That something equal stands under this name, or a list that may hold something equal."""
    if isinstance(wanted, list):
        return _has(name, "[")
    spellings = _spellings(wanted)
    if spellings is None:
        return None
    member = _any_of(map(_holds, spellings)) or EVERY_ROW
    in_list = _joined(" AND ", [_has(name, "["), member])
    return _any_of([*(_has(name, one) for one in spellings), in_list])


def _spellings(value: str | float | bool) -> list[str] | None:
    """How JSON may spell what is equal to a value (the beginnings of it); None if unknown."""
    if isinstance(value, bool | str):
        return [_spelled(value)]
    if not abs(value) <= _LARGEST:  # infinite and NaN too
        return None
    if value == 0:
        return ["0", "-0.0"]  # 0.0 begins like 0
    spellings = []
    if value == float(value):
        spellings.append(_spelled(float(value)))
    if value == int(value):
        spellings.append(_spelled(int(value)))
    return spellings


def _in_range(condition: Condition, name: str) -> Narrowing | None:
    """That a number on the right side of the bound, or any text, stands where the key leads."""
    bound: Bound = condition.value
    if isinstance(bound.value, str):
        return _has(name, '"')  # dates and texts are compared by the caller
    paths = _json_paths(condition.key)
    if paths is None or not abs(bound.value) <= _LARGEST:
        return _has(name)
    operator = _AT_LEAST[condition.operator]
    slack = abs(float(bound.value)) * _ROUNDING + _TINY
    limit = float(bound.value) + (-slack if operator == ">=" else slack)
    tests = " OR ".join([f"json_extract(m.metadata, ?) {operator} ?"] * len(paths))
    # What Python takes for JSON and SQLite does not (NaN, a great depth) is left to the caller.
    return Narrowing(
        f"(instr(m.metadata, ?) AND CASE WHEN json_valid(m.metadata) THEN {tests} ELSE 1 END)",
        (f"{name}:", *(value for path in paths for value in (path, limit))),
    )


def _json_paths(key: str) -> list[str] | None:
    """Where the key may lead, in SQLite's words; None where that would need an escape."""
    steps = [[key], _path(key)]
    if any(not name or _spelled(name) != f'"{name}"' for path in steps for name in path):
        return None
    return list(dict.fromkeys("$" + "".join(f'."{name}"' for name in path) for path in steps))


def _storable(values: tuple[Any, ...]) -> bool:
    """Whether SQLite takes these values as they are."""
    try:
        for value in values:
            if isinstance(value, str):
                value.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True
