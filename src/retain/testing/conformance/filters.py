"""Reading with a filter: what cannot meet it may be left out, what meets it never."""

from __future__ import annotations

from typing import Any

from retain.domain.kind import Status
from retain.ledger.filters import matches, parse_filters
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import ANN, SEEN, keep, record
from retain.testing.conformance.suite import LedgerSuite


class Filters(LedgerSuite):
    """Reading with a filter: what cannot meet it may be left out, what meets it never."""

    def test_a_filter_loses_no_row_that_meets_it(self, ledger: Ledger) -> None:
        values: list[Any] = [7, 7.0, "7", True, None, [7, 8], {"n": 7}, 10**20, 1e20, "é", -0.0]
        held = [record(f"v{at}", metadata={"n": value}) for at, value in enumerate(values)]
        with ledger.write() as tx:
            keep(tx, *held, record("bare"), record("old", status=Status.SUPERSEDED))
        asked: list[Any] = [*values[:6], *values[7:], "*", [7, None], {"gt": 6}, {"ne": 7}]
        for wanted in asked:
            _, tree = parse_filters({"n": wanted})
            assert tree is not None
            with ledger.read() as reading:
                covered = reading.coverage(ANN)
                page = reading.page(covered, SEEN, None, 100, tree)
                assert reading.candidates(covered, SEEN, tree, 100) == [one.key for one in page]
                shown = reading.page(covered, SEEN, None, 100)
            assert page == [one for one in shown if one in page]
            meeting = [one for one in shown if matches(tree, {"metadata": one.metadata})]
            assert [one for one in meeting if one not in page] == []

    def test_filtered_pages_go_on_below_their_cursor(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for number in range(30):
                keep(tx, record(f"m{number}", metadata={"third": number % 3}))
        _, tree = parse_filters({"third": 1})
        found: list[str] = []
        cursor: int | None = None
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            assert tree is not None
            assert len(reading.candidates(covered, SEEN, tree, 4)) == 4
            while page := reading.page(covered, SEEN, cursor, 4, tree):
                found.extend(one.id for one in page if one.metadata["third"] == 1)
                cursor = reading.order_of(page[-1])
        assert found == [f"m{number}" for number in range(28, 0, -3)]
