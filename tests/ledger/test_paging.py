"""Reading page by page gives one state, whatever is written meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from retain.domain.kind import Status
from retain.ledger.filters import parse_filters
from retain.ledger.paging import pages_of
from retain.ledger.sqlite import open_sqlite
from retain.testing.conformance.rows import ANN, SEEN, keep, record


def test_pages_are_of_one_state_under_writes(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    names = [f"m{number}" for number in range(40)]
    with ledger.write() as tx:
        keep(tx, *(record(name, metadata={"n": 1}) for name in names))
    for _, tree in (({}, None), parse_filters({"n": 1})):
        found: list[str] = []
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            held = [one.id for one in reading.page(covered, SEEN, None, 1000)]
            for at, page in enumerate(pages_of(reading, covered, SEEN, 3, tree)):
                found += [one.id for one in page]
                with ledger.write() as tx:  # one more at the top, one less further down
                    keep(tx, record(f"new{at}{tree}", metadata={"n": 1}))
                    oldest = tx.page(tx.coverage(ANN), SEEN, None, 1000)[-1]
                    tx.change(replace(oldest, status=Status.WITHDRAWN))
        assert found == held
    ledger.close()


def test_a_cursor_stays_where_it_is_between_transactions(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        keep(tx, *(record(f"m{number}") for number in range(9)))
    found: list[str] = []
    cursor: int | None = None
    for at in range(3):
        with ledger.read() as reading:
            page = reading.page(reading.coverage(ANN), SEEN, cursor, 3)
            cursor = reading.order_of(page[-1])
        found += [one.id for one in page]
        with ledger.write() as tx:
            keep(tx, record(f"new{at}"))
            tx.erase([page[0].id])
    assert found == [f"m{number}" for number in range(8, -1, -1)]
    ledger.close()
