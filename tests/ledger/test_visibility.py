"""The one visibility rule: judged in Python, in numpy and in SQL, it says the same."""

from __future__ import annotations

import sqlite3

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from retain.domain.kind import Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.ledger.visibility import Visibility, columns_of

MOMENTS = st.integers(-3, 12)
MAYBE = st.none() | MOMENTS
COLUMNS = ("status", "kind", "begins", "ends", "expires")


@st.composite
def records(draw: st.DrawFn) -> MemoryRecord:
    said = draw(MOMENTS)
    return MemoryRecord(
        id="m",
        scope=Scope(user_id="u"),
        kind=draw(st.sampled_from(Kind)),
        text="t",
        created_at=said,
        updated_at=said,
        recorded_at=said,
        status=draw(st.sampled_from(Status)),
        expires_at=draw(MAYBE),
        valid_from=draw(MAYBE),
        valid_until=draw(MAYBE),
    )


VISIBILITIES = st.builds(
    Visibility,
    now=MOMENTS,
    as_of=MAYBE,
    show_expired=st.booleans(),
    include_superseded=st.booleans(),
    kinds=st.none() | st.frozensets(st.sampled_from(Kind)),
)


@settings(max_examples=300, deadline=None)
@given(held=st.lists(records(), min_size=1, max_size=8), visibility=VISIBILITIES)
def test_three_renderings_give_one_verdict(
    held: list[MemoryRecord], visibility: Visibility
) -> None:
    rows = [columns_of(record) for record in held]
    by_record = [visibility.shows(record) for record in held]

    arrays = {name: np.array([row[name] for row in rows], np.int64) for name in COLUMNS}
    judged = visibility.judge(arrays, lambda column, values: np.isin(column, list(values)))

    with sqlite3.connect(":memory:") as db:
        db.execute(f"CREATE TABLE m (n INTEGER, {', '.join(COLUMNS)})")
        db.executemany(
            f"INSERT INTO m VALUES (?{', ?' * len(COLUMNS)})",
            [(number, *(row[name] for name in COLUMNS)) for number, row in enumerate(rows)],
        )
        condition, values = visibility.sql("m")
        shown = {row[0] for row in db.execute(f"SELECT n FROM m WHERE {condition}", values)}
    db.close()

    assert judged.tolist() == by_record
    assert [number in shown for number in range(len(held))] == by_record


@settings(max_examples=200, deadline=None)
@given(record=records(), visibility=VISIBILITIES)
def test_the_rule_says_what_the_words_say(record: MemoryRecord, visibility: Visibility) -> None:
    """The rule once more, as a person would say it."""
    asked = visibility.now if visibility.as_of is None else visibility.as_of
    begins = record.created_at if record.valid_from is None else record.valid_from
    replaced_counts = visibility.include_superseded or visibility.as_of is not None
    expected = (
        record.status is Status.ACCEPTED or (record.status is Status.SUPERSEDED and replaced_counts)
    ) and (
        (visibility.kinds is None or record.kind in visibility.kinds)
        and (visibility.show_expired or record.expires_at is None or record.expires_at > asked)
        and (visibility.as_of is None or begins <= asked)
        and (
            visibility.include_superseded
            or record.valid_until is None
            or record.valid_until > asked
        )
    )
    assert visibility.shows(record) == expected
