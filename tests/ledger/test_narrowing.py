"""A ledger may leave out what cannot meet a filter, and never what does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retain.domain.instant import DAY, iso
from retain.domain.kind import Kind, Status
from retain.domain.memory import MemoryRecord
from retain.ledger.filters import matches, parse_filters
from retain.ledger.port import Ledger, NewMemory
from retain.ledger.reference import ReferenceLedger
from retain.ledger.sqlite import open_sqlite
from retain.read.item import item_of
from retain.testing.conformance.rows import ANN, NOW, SEEN, features, record

NUMBERS = st.sampled_from([
    0, 1, -1, 7, 70, 0.0, -0.0, 1.0, 7.0, 7.5, 0.1, 1e16, 10**16, 1e20, 10**20, 10**20 + 1, 2**53,
    2**53 + 1, 2**63, -(2**63), 1e300, 10**301, 10**400, 5e-324, float("nan"), float("inf"),
    float("-inf"),
])  # fmt: skip
TEXTS = st.sampled_from([
    "", "a", "A", "ß", "ss", "7", "true", "null", "nan", "NaN", "7.0", 'say "a"', "back\\slash",
    "a\nb", "a\x00b", "\u2028", "😀", "2024-01-15", "2024-01-15T10:00:00+02:00", "accepted", "fact",
    "user", "[7]", '"a":7', "*x*", "%", "_",
])  # fmt: skip
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.integers(), st.floats(), TEXTS, st.text())
NAMES = st.sampled_from(["a", "b", "é", "a.b", "b.", "metadata", "metadata.a", 'q"', "1", "\\", ""])
METADATA = st.dictionaries(
    NAMES,
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)
OPTIONAL = st.one_of(st.none(), TEXTS)
RECORDS = st.builds(
    record,
    st.just("any"),
    kind=st.sampled_from(Kind),
    status=st.sampled_from([Status.ACCEPTED, Status.DISPUTED, Status.SUPERSEDED]),
    metadata=METADATA,
    created_at=st.sampled_from([NOW - DAY, NOW - 1, NOW]),
    updated_at=st.sampled_from([NOW, NOW + 1]),
    role=OPTIONAL,
    actor=OPTIONAL,
    subject=OPTIONAL,
    value=OPTIONAL,
    external_id=OPTIONAL,
)

KEYS = st.one_of(
    NAMES.filter(bool),
    st.sampled_from(["a.a", "a.b.a", "b.é", "metadata.metadata", "metadata.a.b"]),
    st.sampled_from(["kind", "status", "role", "actor_id", "subject", "value", "message_id", "id"]),
    st.sampled_from(["created_at", "updated_at", "memory", "sources", "user_id"]),
)
MOMENTS = st.sampled_from([iso(NOW), iso(NOW - 1), iso(NOW - DAY)[:10], "2024", "x"])
NAMED = st.sampled_from(["fact", "message", "accepted", "superseded", "user", "any0", "ann"])
VALUES = st.one_of(SCALARS, MOMENTS, NAMED)
MEMBERS = st.lists(VALUES, max_size=4)
BOUNDS = st.one_of(NUMBERS, st.integers(), st.floats(), TEXTS, MOMENTS)
WANTED = st.one_of(
    VALUES,
    st.just("*"),
    MEMBERS,
    st.builds(lambda name, value: {name: value}, st.sampled_from(["eq", "ne", "contains"]), VALUES),
    st.builds(lambda value: {"eq": value}, MEMBERS),
    st.builds(lambda name, values: {name: values}, st.sampled_from(["in", "nin"]), MEMBERS),
    st.builds(lambda value: {"icontains": value}, TEXTS),
    st.dictionaries(st.sampled_from(["gt", "gte", "lt", "lte"]), BOUNDS, min_size=1, max_size=2),
)
FILTERS = st.recursive(
    # A top-level identity names a scope; below AND it is a condition.
    st.builds(lambda held: {"AND": [held]}, st.dictionaries(KEYS, WANTED, min_size=1, max_size=2)),
    lambda inner: st.builds(
        lambda name, branches: {name: branches},
        st.sampled_from(["AND", "OR", "NOT"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)


def kept_and_meeting(
    ledger: Ledger, records: list[MemoryRecord], filters: dict[str, Any]
) -> tuple[list[str], list[str]]:
    """What a ledger gives for a filter, and what meets it of all that it holds."""
    _, tree = parse_filters(filters)
    named = [replace(one, id=f"any{number}") for number, one in enumerate(records)]
    assert tree is not None
    with ledger.write() as tx:
        tx.add_memories([NewMemory(one, features()) for one in named])
    with ledger.read() as reading:
        covered = reading.coverage(ANN)
        all_rows = reading.page(covered, None, None, 1000)
        kept = reading.page(covered, None, None, 1000, tree)
        assert reading.candidates(covered, None, tree, 1000) == [one.key for one in kept]
        shown = reading.page(covered, SEEN, None, 1000, tree)
    kept_ids = [one.id for one in kept]
    assert kept == [one for one in all_rows if one.id in kept_ids]  # in their order
    assert shown == [one for one in kept if SEEN.shows(one)]
    return kept_ids, [one.id for one in all_rows if matches(tree, item_of(one))]


@settings(max_examples=600, deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=5), FILTERS)
@example([record("any", metadata={"a": 10**20 + 1})], {"a": {"gt": 10**20}})
@example([record("any", metadata={"a": -0.0})], {"a": 0})
@example([record("any", metadata={"a": 1e20})], {"a": 10**20})
@example([record("any", metadata={"a": float("nan"), "b": 7})], {"b": {"gt": 1}})
@example([record("any", metadata={"a.b": 1, "a": {"b": 7}})], {"a.b": 1})
def test_no_row_is_lost_that_meets_the_filter(
    records: list[MemoryRecord], filters: dict[str, Any]
) -> None:
    ledger = open_sqlite(":memory:")
    try:
        kept, meeting = kept_and_meeting(ledger, records, filters)
    finally:
        ledger.close()
    assert [one for one in meeting if one not in kept] == []


ROWS = [
    record("x", kind=Kind.MESSAGE, role="user", metadata={"n": number, "tags": [f"t{number}", "t"]})
    for number in range(20)
] + [record("x", metadata={"deep": {"n": "x"}}, subject="Ann", created_at=NOW - DAY)]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"n": 7}, ["any7"]),
        ({"n": 7.0}, ["any7"]),
        ({"tags": "t7"}, ["any7"]),
        ({"tags": {"contains": "t7"}}, ["any7"]),
        (
            {"n": {"gt": 4, "lt": 7}},
            ["any7", "any6", "any5", "any4"],
        ),  # bounds are rounded outwards
        ({"deep.n": "x"}, ["any20"]),
        ({"metadata.deep.n": ["x", "y"]}, ["any20"]),
        ({"deep": "*"}, ["any20"]),
        ({"kind": "fact"}, ["any20"]),
        ({"subject": "*"}, ["any20"]),
        ({"subject": "Ann", "n": {"ne": 4}}, ["any20"]),
        ({"created_at": {"lt": iso(NOW)}}, ["any20"]),
        ({"OR": [{"id": "any3"}, {"n": 19}]}, ["any19", "any3"]),
        ({"n": []}, []),
        ({"role": 5}, []),
    ],
)
def test_rows_that_cannot_meet_it_are_not_read(filters: dict[str, Any], kept: list[str]) -> None:
    ledger = open_sqlite(":memory:")
    found, meeting = kept_and_meeting(ledger, ROWS, filters)
    ledger.close()
    assert found == kept
    assert set(meeting) <= set(found)


@pytest.mark.parametrize("word", ["AND", "OR"])
@pytest.mark.parametrize("make", [lambda: open_sqlite(":memory:"), ReferenceLedger])
def test_a_filter_of_a_thousand_conditions_is_answered(
    make: Callable[[], Ledger], word: str
) -> None:
    ledger = make()
    many = [{f"k{number}": {"ne": 1}, "n": {"lt": number + 30}} for number in range(330)]
    kept, meeting = kept_and_meeting(ledger, ROWS[:3], {word: many})
    ledger.close()
    assert sorted(meeting) == sorted(kept) == ["any0", "any1", "any2"]
