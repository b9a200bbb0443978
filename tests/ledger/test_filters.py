"""The filter grammar: what it accepts, what it refuses, what it matches."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain.domain.scope import clean_id
from retain.errors import InvalidFilter, InvalidScope
from retain.ledger.filters import matches, no_identity, parse_filters


def holds(filters: dict[str, Any], metadata: dict[str, Any] | None = None, **own: Any) -> bool:
    """Whether an item with this metadata meets the filters."""
    return matches(parse_filters(filters)[1], {"id": "1", "metadata": metadata, **own})


ITEMS = [
    {"n": 0, "cat": "a", "b": True, "d": "2024-01-15", "s": "Hello 0", "tags": ["t0", "all"]},
    {"n": 1, "cat": "b", "b": False, "d": "2024-02-15", "s": "Hello 1", "tags": ["t1"]},
    {"n": 2, "cat": "a", "b": True, "d": "2024-03-15", "s": "Hello 2", "opt": 7},
    {"n": 3, "cat": "b", "b": False, "d": "2024-04-15", "s": "Hello 3", "opt": None},
]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [0, 1, 2, 3]),
        ({"n": 2}, [2]),
        ({"n": 2.0}, [2]),
        ({"n": {"eq": 2}}, [2]),
        ({"n": "2"}, []),
        ({"n": {"ne": 2}}, [0, 1, 3]),
        ({"opt": {"ne": 7}}, [0, 1, 3]),
        ({"opt": {"nin": [7, 8]}}, [0, 1, 3]),
        ({"opt": None}, [0, 1, 3]),
        ({"opt": {"ne": None}}, [2]),
        ({"opt": "*"}, [2]),
        ({"NOT": [{"opt": "*"}]}, [0, 1, 3]),
        ({"n": {"gt": 1}}, [2, 3]),
        ({"n": {"gte": 1, "lt": 3}}, [1, 2]),
        ({"n": {"gt": 0, "ne": 2}}, [1, 3]),
        ({"n": {"lte": 1.5}}, [0, 1]),
        ({"n": {"gt": "0"}}, []),
        ({"cat": {"gt": "a"}}, [1, 3]),
        ({"cat": {"gt": 1}}, []),
        ({"d": {"gte": "2024-03-01"}}, [2, 3]),
        ({"d": {"lt": date(2024, 2, 15)}}, [0]),
        ({"d": {"lte": datetime(2024, 2, 15, tzinfo=UTC)}}, [0, 1]),
        ({"d": {"gt": "2024-02-14T23:00:00-02:00"}}, [2, 3]),
        ({"n": {"in": [1, 5]}}, [1]),
        ({"n": [1, 3]}, [1, 3]),
        ({"n": []}, []),
        ({"n": {"nin": [1]}}, [0, 2, 3]),
        ({"s": {"contains": "Hello 3"}}, [3]),
        ({"s": {"contains": "hello"}}, []),
        ({"s": {"icontains": "hELLO 3"}}, [3]),
        ({"s": {"contains": 3}}, []),
        ({"tags": {"contains": "t1"}}, [1]),
        ({"tags": {"icontains": "T1"}}, [1]),
        ({"tags": "all"}, [0]),
        ({"tags": ["t0", "t1"]}, [0, 1]),
        ({"tags": {"eq": ["t1"]}}, [1]),
        ({"tags": {"ne": "all"}}, [1, 2, 3]),
        ({"b": True}, [0, 2]),
        ({"b": 1}, []),
        ({"n": True}, []),
        ({"b": {"gt": 0}}, []),
        ({"n": 0, "cat": "b"}, []),
        ({"AND": [{"n": {"gt": 0}}, {"n": {"lt": 3}}]}, [1, 2]),
        ({"AND": [{"cat": "a"}, {"cat": "b"}]}, []),
        ({"AND": []}, [0, 1, 2, 3]),
        ({"OR": [{"n": 1}, {"n": 3}]}, [1, 3]),
        ({"OR": [{"AND": [{"n": {"gt": 0}}, {"cat": "a"}]}, {"n": 3}]}, [2, 3]),
        ({"AND": [{"OR": [{"n": 1}, {"n": 2}]}, {"OR": [{"n": 2}, {"n": 3}]}]}, [2]),
        ({"NOT": [{"n": 1}, {"n": 2}]}, [0, 3]),
        ({"NOT": [{"cat": "a", "n": 0}]}, [1, 2, 3]),
        ({"NOT": []}, [0, 1, 2, 3]),
        ({"cat": "a", "NOT": [{"n": 0}], "OR": [{"n": 0}, {"n": 2}]}, [2]),
    ],
)
def test_what_a_filter_matches(filters: dict[str, Any], expected: list[int]) -> None:
    assert [one["n"] for one in ITEMS if holds(filters, one)] == expected


def test_the_items_own_keys_come_before_metadata() -> None:
    own: dict[str, Any] = {
        "role": "user",
        "created_at": "2024-05-01T10:00:00+00:00",
        "kind": "fact",
    }
    assert holds({"role": "user"}, {"role": "assistant"}, **own)
    assert not holds({"role": "assistant"}, {"role": "assistant"}, **own)
    assert holds({"created_at": {"gte": "2024-05-01", "lt": "2024-05-02"}}, **own)
    assert holds({"kind": ["fact", "insight"]}, **own)
    assert not holds({"actor_id": "*"}, {"actor_id": "x"})


def test_an_accepted_memory_does_not_say_its_status() -> None:
    assert holds({"status": "accepted"})
    assert not holds({"status": "accepted"}, status="superseded")


def test_a_dot_reaches_into_metadata() -> None:
    metadata = {"a": {"b": {"c": 1}}, "x.y": 2}
    assert holds({"a.b.c": 1}, metadata)
    assert holds({"metadata.a.b.c": 1}, metadata)
    assert holds({"x.y": 2}, metadata)
    assert not holds({"a.b.d": "*"}, metadata)
    assert not holds({"a.b.c.d": "*"}, metadata)
    assert holds({"metadata.n": 1}, {"n": 1})


def test_identities_at_the_top_name_the_scope() -> None:
    named, tree = parse_filters({"user_id": 5, "agent_id": " a ", "n": 1})
    assert named == {"user_id": "5", "agent_id": "a"}
    assert matches(tree, {"metadata": {"n": 1}, "user_id": "someone else"})
    assert parse_filters({"run_id": "r"}) == ({"run_id": "r"}, None)
    assert parse_filters(None) == ({}, None)


def test_identities_deeper_down_only_narrow() -> None:
    named, tree = parse_filters({"user_id": "f", "AND": [{"user_id": "g"}]})
    assert named == {"user_id": "f"}
    assert not matches(tree, {"user_id": "f"})
    named, tree = parse_filters({"OR": [{"user_id": "g"}, {"user_id": "*"}]})
    assert named == {}
    assert matches(tree, {"user_id": "f"})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("*", "everyone"),
        ("", "empty or whitespace-only"),
        ("  ", "empty or whitespace-only"),
        ("a b", "cannot contain whitespace"),
        ("a\tb", "cannot contain whitespace"),
        ("a\x00b", "Invalid user_id"),
        ("a\x1bb", "control characters"),
        ("\ud800", "surrogate"),
        ("x" * 2000, "the limit is"),
        (None, "None"),
        (True, "text or an integer"),
        (1.5, "text or an integer"),
        (["f", "g"], "text or an integer"),
        ({"in": ["f", "g"]}, "text or an integer"),
    ],
)
def test_what_cannot_be_an_identity_is_refused(value: object, message: str) -> None:
    with pytest.raises(InvalidScope, match=message) as caught:
        parse_filters({"user_id": value})
    assert "user_id" in str(caught.value)
    assert isinstance(caught.value, ValueError)


@given(st.one_of(st.text(), st.integers(), st.none(), st.floats(), st.booleans()))
def test_an_identity_is_a_clean_text_or_refused(value: object) -> None:
    try:
        cleaned = clean_id("run_id", value)
    except InvalidScope:
        return
    if cleaned is None:
        assert value is None
    else:
        assert cleaned == str(value).strip()
        assert cleaned.isprintable()
        assert clean_id("run_id", cleaned) == cleaned


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ("user", "must be a dict"),
        ([{"user_id": "u"}], "must be a dict"),
        ({1: 2}, "non-empty texts"),
        ({"": 2}, "non-empty texts"),
        ({"n": {"regex": "x"}}, r"Unsupported filter operator.*'n'.*regex.*Supported.*icontains"),
        ({"n": {"eq": 1, "zz": 1}}, "zz"),
        ({"n": {"present": True}}, "present"),
        ({"n": {}}, "Unsupported"),
        ({"n": {"in": 3}}, "needs a list"),
        ({"n": {"nin": "abc"}}, "needs a list"),
        ({"n": {"gt": None}}, "needs a number"),
        ({"n": {"lt": [1]}}, "needs a number"),
        ({"n": {"gt": True}}, "needs a number"),
        ({"n": {"icontains": 1}}, "needs a text"),
        ({"n": {"eq": object()}}, "must be a text"),
        ({"n": [[[1]]]}, "must be a text"),
        ({"AND": {"n": 1}}, "AND must be a list of filter dicts"),
        ({"NOT": "x"}, "NOT must be a list"),
        ({"OR": []}, "OR must be a non-empty list"),
        ({"OR": ["x"]}, "must hold filter dicts"),
        ({"n": {"in": list(range(20_000))}}, "the limit is"),
        ({"OR": [{"n": n} for n in range(2000)]}, "the limit is"),
        ({"AND": [{} for _ in range(2000)]}, "the limit is"),
    ],
)
def test_what_is_outside_the_grammar_is_refused(filters: Any, message: str) -> None:
    with pytest.raises(InvalidFilter, match=message):
        parse_filters(filters)


@pytest.mark.parametrize("name", ["AND", "OR", "NOT"])
def test_deep_filters_are_refused(name: str) -> None:
    deep: dict[str, Any] = {"n": 1}
    for _ in range(100_000):
        deep = {name: [deep]}
    with pytest.raises(InvalidFilter, match="deeper than"):
        parse_filters(deep)
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(InvalidFilter):
        parse_filters({"n": value})


@pytest.mark.parametrize("name", ["AND", "OR", "NOT"])
def test_a_small_dict_cannot_stand_for_a_huge_tree(name: str) -> None:
    held: dict[str, Any] = {"n": 1}
    for _ in range(31):
        held = {name: [held, held]}  # 2**31 conditions, if it were followed
    with pytest.raises(InvalidFilter, match="the limit is"):
        parse_filters(held)
    held[name].append(held)
    with pytest.raises(InvalidFilter):
        parse_filters(held)


def test_a_filter_of_the_limits_is_read() -> None:
    deep: dict[str, Any] = {"n": 1}
    for _ in range(31):
        deep = {"AND": [deep]}
    assert holds(deep, {"n": 1})
    assert holds({"OR": [{"n": n} for n in range(999)]}, {"n": 998})


def test_the_error_for_nobody_shows_an_example() -> None:
    assert "Example: filters={'user_id': 'u1'}" in str(no_identity())


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "b", "2024-01-01", "*", ""])
)
KEYS = st.sampled_from(["n", "cat", "role", "user_id", "a.b"])
CONDITIONS = st.one_of(
    st.dictionaries(KEYS, SCALARS, max_size=2),
    st.dictionaries(KEYS, st.lists(SCALARS, max_size=2), max_size=2),
    st.builds(
        lambda key, operator, value: {key: {operator: value}},
        KEYS, st.sampled_from(["eq", "ne", "contains"]), SCALARS,
    ),
    st.builds(
        lambda key, operator, value: {key: {operator: value}},
        KEYS, st.sampled_from(["gt", "gte", "lt", "lte"]), st.integers(-2, 2),
    ),
)  # fmt: skip
INNER = st.recursive(
    CONDITIONS,
    lambda deeper: st.builds(
        lambda name, branches: {name: branches},
        st.sampled_from(["AND", "OR", "NOT"]), st.lists(deeper, min_size=1, max_size=3),
    ),
    max_leaves=6,
)  # fmt: skip
METADATA = st.dictionaries(st.sampled_from(["n", "cat", "a"]), SCALARS, max_size=3)


@given(INNER, INNER, METADATA)
def test_the_joins_are_those_of_logic(
    left: dict[str, Any], right: dict[str, Any], metadata: dict[str, Any]
) -> None:
    item = {"metadata": metadata, "user_id": "u"}

    def met(filters: dict[str, Any]) -> bool:
        return matches(parse_filters({"AND": [filters]})[1], item)

    assert met({"AND": [left, right]}) == (met(left) and met(right))
    assert met({"OR": [left, right]}) == (met(left) or met(right))
    assert met({"NOT": [left, right]}) == (not met(left) and not met(right))


@given(INNER)
def test_no_filter_inside_changes_the_scope(inner: dict[str, Any]) -> None:
    for name in ("AND", "OR", "NOT"):
        assert parse_filters({"user_id": "f", name: [inner]})[0] == {"user_id": "f"}


@given(KEYS, SCALARS, METADATA)
def test_ne_is_the_opposite_of_eq(key: str, value: object, metadata: dict[str, Any]) -> None:
    inner = {"AND": [{key: {"eq": value}}]}
    opposite = {"AND": [{key: {"ne": value}}]}
    assert holds(inner, metadata) != holds(opposite, metadata)
