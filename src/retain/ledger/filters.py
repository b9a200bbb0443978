"""Filters: the grammar, read once into a tree, and the one evaluator for every read.

A filter is a dict. Its keys are the item's own (``id``, ``memory``, ``kind``, ``created_at``,
``role``, ...), names of metadata (a dot reaches into nested objects), or ``AND``, ``OR``, ``NOT``
with a list of filters. A value is what must be equal, a list of such values, ``"*"`` (the key is
there), or a dict of operators. Everything in one dict must hold.

Identities (``user_id``, ``agent_id``, ``run_id``) at the top level name the scope and are taken
out; deeper ones are plain conditions, and so can only narrow what the scope allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, auto
from reprlib import repr as shown
from typing import Any, Final

from retain.domain.instant import parse_instant
from retain.domain.scope import clean_id
from retain.errors import InvalidFilter, InvalidScope

IDENTITIES: Final = ("user_id", "agent_id", "run_id")
MAX_DEPTH: Final = 32
MAX_CONDITIONS: Final = 1000
MAX_VALUES: Final = 10_000  # in one list

OWN_KEYS: Final = frozenset({
    "id", "memory", "hash", "created_at", "updated_at", "user_id", "agent_id", "run_id",
    "actor_id", "role", "attributed_to", "expiration_date", "kind", "status", "message_id",
    "subject", "attribute", "value", "superseded_by", "valid_from", "valid_until", "sources",
})  # fmt: skip
# What episodes and insights have besides; of other memories, metadata may have these names.
DETAIL_KEYS: Final = frozenset({
    "outcome", "importance", "domain", "emotion", "intent", "consolidated", "insight_type",
    "confidence", "supports", "contradictions", "level",
})  # fmt: skip
# What an item leaves out because it goes without saying.
_UNSAID: Final = {"status": "accepted"}


class Join(Enum):
    """How the branches of a node come together."""

    ALL = auto()  # every one holds
    ANY = auto()  # at least one holds
    NONE = auto()  # none holds


@dataclass(frozen=True, slots=True)
class Condition:
    """``key operator value``."""

    key: str
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class Group:
    """Branches and how they come together."""

    join: Join
    branches: tuple[Tree, ...]


Tree = Condition | Group

_JOINS: Final = {"AND": Join.ALL, "OR": Join.ANY, "NOT": Join.NONE}


def parse_filters(filters: object) -> tuple[dict[str, str], Tree | None]:
    """Read a caller's filters.

    Args:
        filters: a dict in the grammar above; None is an empty one.

    Returns:
        The identities found at the top level, and the conditions (None if there are none).

    Raises:
        InvalidFilter: outside the grammar, too deep or too large; names the key and the value.
        InvalidScope: an identity at the top level that cannot be an id.
    """
    if filters is None:
        return {}, None
    if not isinstance(filters, Mapping):
        raise InvalidFilter(
            f"filters must be a dict, got {type(filters).__name__}: {shown(filters)}. "
            "Example: filters={'user_id': 'u1'}"
        )
    identities = {name: _identity(name, filters[name]) for name in IDENTITIES if name in filters}
    rest = {key: value for key, value in filters.items() if key not in identities}
    _refuse_excess(rest)
    tree = _group(rest)
    if _size(tree) > MAX_CONDITIONS:
        raise _too_large()
    return identities, tree if rest else None


def no_identity() -> InvalidScope:
    """The error for a read that names nobody."""
    return InvalidScope(
        "filters must contain at least one of: user_id, agent_id, run_id. "
        "Example: filters={'user_id': 'u1'}"
    )


def matches(tree: Tree | None, item: Mapping[str, Any]) -> bool:
    """Whether an item, as reads return it, meets the conditions."""
    if tree is None:
        return True
    if isinstance(tree, Condition):
        return OPERATORS[tree.operator](_look_up(item, tree.key), tree.value)
    held = (matches(branch, item) for branch in tree.branches)
    if tree.join is Join.ALL:
        return all(held)
    return any(held) if tree.join is Join.ANY else not any(held)


# -- reading the grammar ---------------------------------------------------------------------


def _identity(name: str, value: object) -> str:
    if isinstance(value, str) and value == "*":
        raise InvalidScope(
            f"Invalid {name}: '*' would read everyone's memories. Name one {name}, or leave it out "
            "and name another identity"
        )
    cleaned = clean_id(name, value)
    if cleaned is None:
        raise InvalidScope(f"Invalid {name}: cannot be None in filters. Leave it out, or name one")
    return cleaned


def _too_large() -> InvalidFilter:
    return InvalidFilter(
        f"filters hold too many conditions, the limit is {MAX_CONDITIONS}: use `in` with a list, "
        "or split the read"
    )


def _refuse_excess(filters: Mapping[Any, Any]) -> None:
    """Bound depth and size before a tree is made: a dict that holds another twice, which holds
    another twice, is small and its tree is not."""
    waiting = [(filters, 1)]
    seen = 0
    while waiting:
        one, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH:
            raise InvalidFilter(f"filters are nested deeper than {MAX_DEPTH} levels: flatten them")
        branches = [one[name] for name in _JOINS if isinstance(one.get(name), list | tuple)]
        if seen + len(waiting) + sum(map(len, branches)) > MAX_CONDITIONS:
            raise _too_large()
        waiting.extend(
            (branch, depth + 1)
            for several in branches
            for branch in several
            if isinstance(branch, Mapping)
        )


def _group(filters: Mapping[Any, Any]) -> Tree:
    branches: list[Tree] = []
    for key, value in filters.items():
        if not isinstance(key, str) or not key:
            raise InvalidFilter(f"filter keys must be non-empty texts, got {shown(key)}")
        if key in _JOINS:
            branches.append(_joined(key, value))
        else:
            branches.extend(_conditions(key, value))
    return branches[0] if len(branches) == 1 else Group(Join.ALL, tuple(branches))


def _joined(name: str, value: object) -> Tree:
    if not isinstance(value, list | tuple):
        raise InvalidFilter(
            f"{name} must be a list of filter dicts, got {type(value).__name__}: {shown(value)}"
        )
    if not value and name == "OR":
        raise InvalidFilter("OR must be a non-empty list of filter dicts: nothing can meet none")
    for one in value:
        if not isinstance(one, Mapping):
            raise InvalidFilter(f"{name} must hold filter dicts, got {shown(one)} in its list")
    return Group(_JOINS[name], tuple(map(_group, value)))


def _conditions(key: str, value: object) -> Iterator[Condition]:
    if isinstance(value, Mapping):
        unknown = [name for name in value if name not in _FOR_CALLERS]
        if unknown or not value:
            raise InvalidFilter(
                f"Unsupported filter operator(s) for field {key!r}: {shown(unknown)}. "
                f"Supported operators: {', '.join(sorted(_FOR_CALLERS))}"
            )
        for operator, operand in value.items():
            yield _condition(key, operator, operand)
    elif isinstance(value, list | tuple):
        yield _condition(key, "in", value)
    elif isinstance(value, str) and value == "*":
        yield Condition(key, "present", None)
    else:
        yield _condition(key, "eq", value)


def _condition(key: str, operator: str, operand: object) -> Condition:
    if operator in ("in", "nin"):
        if not isinstance(operand, list | tuple | set | frozenset):
            raise InvalidFilter(f"{operator} of field {key!r} needs a list, got {shown(operand)}")
        if len(operand) > MAX_VALUES:
            raise InvalidFilter(
                f"{operator} of field {key!r} has {len(operand)} values, the limit is {MAX_VALUES}"
            )
        return Condition(key, operator, tuple(_plain(key, one) for one in operand))
    if operator in ("gt", "gte", "lt", "lte"):
        if isinstance(operand, bool) or not isinstance(operand, int | float | str | date):
            raise InvalidFilter(
                f"{operator} of field {key!r} needs a number, a date or a text, "
                f"got {shown(operand)}"
            )
        return Condition(key, operator, Bound.of(_plain(key, operand)))
    if operator == "icontains":
        if not isinstance(operand, str):
            raise InvalidFilter(f"icontains of field {key!r} needs a text, got {shown(operand)}")
        return Condition(key, operator, operand.casefold())
    return Condition(key, operator, _plain(key, operand))


def _plain(key: str, value: object) -> Any:
    """A value as it could stand in an item: dates become ISO texts."""
    if isinstance(value, datetime):
        return (value if value.tzinfo is not None else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return _plain(key, value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple) and not any(isinstance(one, list | tuple) for one in value):
        return [_plain(key, one) for one in value]
    raise InvalidFilter(
        f"the value of field {key!r} must be a text, a number, a boolean, a date or None, "
        f"got {type(value).__name__}: {shown(value)}"
    )


def _size(tree: Tree) -> int:
    return 1 if isinstance(tree, Condition) else 1 + sum(map(_size, tree.branches))


# -- evaluating ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """The operand of a range: as it is, and as a moment where it reads as a date."""

    value: int | float | str
    moment: int | None

    @staticmethod
    def of(value: int | float | str) -> Bound:
        """The bound that a caller wrote."""
        return Bound(value, _moment(value))


_MISSING: Final = object()


def _look_up(item: Mapping[str, Any], key: str) -> Any:
    if key in OWN_KEYS:
        return item.get(key, _UNSAID.get(key, _MISSING))
    if key in DETAIL_KEYS and key in item:
        return item[key]
    metadata = item.get("metadata") or {}
    if key in metadata:
        return metadata[key]
    path = key.split(".")
    if path[0] == "metadata":
        path = path[1:]
    found: Any = metadata
    for name in path:
        if not isinstance(found, Mapping) or name not in found:
            return _MISSING
        found = found[name]
    return found


def _equal(left: Any, right: Any) -> bool:
    """Equality in which True is not 1, and 2.0 is 2."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    return bool(left == right)


def _eq(found: Any, wanted: Any) -> bool:
    if wanted is None:
        return found is None or found is _MISSING
    if isinstance(found, list) and not isinstance(wanted, list):
        return any(_equal(member, wanted) for member in found)
    return _equal(found, wanted)


def _in(found: Any, wanted: Sequence[Any]) -> bool:
    return any(_eq(found, one) for one in wanted)


def _contains(found: Any, wanted: Any) -> bool:
    if isinstance(found, str):
        return isinstance(wanted, str) and wanted in found
    return isinstance(found, list) and any(_equal(member, wanted) for member in found)


def _icontains(found: Any, wanted: str) -> bool:
    if isinstance(found, str):
        return wanted in found.casefold()
    return isinstance(found, list) and any(
        isinstance(member, str) and wanted == member.casefold() for member in found
    )


def _range(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def holds(found: Any, bound: Bound) -> bool:
        if isinstance(found, bool):
            return False
        if isinstance(found, int | float) and isinstance(bound.value, int | float):
            return test(found, bound.value)
        if not isinstance(found, str) or not isinstance(bound.value, str):
            return False
        moment = None if bound.moment is None else _moment(found)
        if moment is not None:
            return test(moment, bound.moment)
        return test(found, bound.value)

    return holds


def _moment(value: object) -> int | None:
    """A text as a point in time, if it is a date at all."""
    if not isinstance(value, str) or len(value) < 8 or not value[:4].isdigit():
        return None
    try:
        return parse_instant(value, "date")
    except ValueError:  # a text that is no date is compared as text
        return None


OPERATORS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": _eq,
    "ne": lambda found, wanted: not _eq(found, wanted),
    "in": _in,
    "nin": lambda found, wanted: not _in(found, wanted),
    "gt": _range(lambda left, right: left > right),
    "gte": _range(lambda left, right: left >= right),
    "lt": _range(lambda left, right: left < right),
    "lte": _range(lambda left, right: left <= right),
    "contains": _contains,
    "icontains": _icontains,
    "present": lambda found, _: found is not _MISSING and found is not None,
}
_FOR_CALLERS: Final = frozenset(OPERATORS) - {"present"}  # callers write "*"
