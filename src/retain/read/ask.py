"""What a caller asks for: scope, conditions, visibility, how many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from retain.domain.instant import parse_instant
from retain.domain.kind import Kind
from retain.domain.plain import plain_flag, shown
from retain.domain.scope import Scope, clean_id
from retain.errors import InvalidInput, InvalidScope
from retain.ledger.filters import Tree, no_identity, parse_filters
from retain.ledger.visibility import Visibility

MAX_TOP_K = 10_000


@dataclass(frozen=True, slots=True)
class Ask:
    """A read, checked: whose memories, which conditions, what is visible, how many at most."""

    scope: Scope
    tree: Tree | None
    visibility: Visibility
    top_k: int


def scope_of(project: str, user_id: object, agent_id: object, run_id: object) -> Scope:
    """A scope of checked identities; it may be empty."""
    return Scope(
        project,
        clean_id("user_id", user_id),
        clean_id("agent_id", agent_id),
        clean_id("run_id", run_id),
    )


def read_ask(
    project: str,
    now: int,
    *,
    filters: Mapping[str, Any] | None,
    identities: Mapping[str, object],
    top_k: object,
    limit: object,
    show_expired: bool,
    include_superseded: bool,
    kinds: Iterable[str] | None,
    as_of: object,
    reference_date: object,
) -> Ask:
    """Check the arguments that ``get_all``, ``search`` and ``recall`` share.

    Raises:
        InvalidInput: an argument of a wrong type or out of range, named with its value.
    """
    named, tree = parse_filters({} if filters is None else filters)
    scope = _one_scope(project, named, identities)
    return Ask(
        scope,
        tree,
        Visibility(
            now=now,
            as_of=_moment(as_of, reference_date),
            show_expired=plain_flag(show_expired, "show_expired"),
            include_superseded=plain_flag(include_superseded, "include_superseded"),
            kinds=read_kinds(kinds),
        ),
        _top_k(top_k if limit is None else limit),
    )


def _one_scope(project: str, named: Mapping[str, str], identities: Mapping[str, object]) -> Scope:
    ids: dict[str, str | None] = {}
    for name, given in identities.items():
        cleaned = clean_id(name, given)
        in_filter = named.get(name)
        if cleaned is not None and in_filter is not None and cleaned != in_filter:
            raise InvalidScope(
                f"{name} is given twice: {given!r} as an argument, {in_filter!r} in filters"
            )
        ids[name] = in_filter if cleaned is None else cleaned
    scope = Scope(project, ids["user_id"], ids["agent_id"], ids["run_id"])
    if scope.is_empty:
        raise no_identity()
    return scope


def read_kinds(kinds: Iterable[str] | None) -> frozenset[Kind] | None:
    """Names of kinds, checked; None means all."""
    if kinds is None:
        return None
    if not isinstance(kinds, Iterable):
        raise InvalidInput(f"kinds must be a list of texts, got {shown(kinds)}")
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    try:
        return frozenset(Kind(name) for name in names)
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise InvalidInput(f"Invalid kinds: {shown(names)}. Use some of: {known}") from error


def _moment(as_of: object, reference_date: object) -> int | None:
    moments = []
    for name, value in (("as_of", as_of), ("reference_date", reference_date)):
        if value is None:
            continue
        try:
            moments.append(parse_instant(value, name))
        except ValueError as error:
            raise InvalidInput(str(error)) from error
    if len(set(moments)) > 1:
        raise InvalidInput(
            f"as_of={as_of!r} and reference_date={reference_date!r} differ: give one of them"
        )
    return moments[0] if moments else None


def _top_k(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"top_k must be a valid integer, got {shown(value)}")
    if value < 0:
        raise InvalidInput(f"Invalid top_k: {shown(value)}. Must be a non-negative integer.")
    if value > MAX_TOP_K:
        raise InvalidInput(
            f"Invalid top_k: {shown(value)}. Must be at most {MAX_TOP_K}; page by filters."
        )
    return value
