"""Reading on, page by page, under the one visibility rule."""

from __future__ import annotations

from typing import Any

import pytest

from retain.domain.entity import Mention
from retain.domain.instant import DAY
from retain.domain.kind import Kind, Status
from retain.domain.scope import Scope
from retain.ledger.port import Ledger
from retain.ledger.visibility import Visibility
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    SEEN,
    everything,
    keep,
    names,
    record,
)
from retain.testing.conformance.suite import LedgerSuite


class Pages(LedgerSuite):
    """Reading on, page by page, under the one visibility rule."""

    def test_limits_count_visible_rows(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for n in range(40):
                keep(tx, record(f"live{n}", ANN), record(f"gone{n}", ANN, expires_at=NOW))
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            assert names(reading.page(covered, SEEN, None, 3)) == ["live39", "live38", "live37"]
            assert len(everything(reading, ANN, SEEN)) == 40
            assert len(everything(reading, ANN)) == 80
            assert reading.page(covered, SEEN, None, 0) == []

    @pytest.mark.parametrize(
        ("visibility", "expected"),
        [
            (SEEN, {"plain", "later"}),
            (Visibility(now=NOW, show_expired=True), {"plain", "later", "expired"}),
            (Visibility(now=NOW, include_superseded=True), {"plain", "later", "old", "ended"}),
            (Visibility(now=NOW, as_of=NOW - 2 * DAY), {"plain", "old", "expired", "ended"}),
            (Visibility(now=NOW, kinds=frozenset({Kind.INSIGHT})), set()),
        ],
    )
    def test_every_read_follows_the_one_rule(
        self, ledger: Ledger, visibility: Visibility, expected: set[str]
    ) -> None:
        old: dict[str, Any] = {"created_at": NOW - 3 * DAY}
        memories = [
            record("plain", **old),
            record("later", created_at=NOW - DAY),
            record("expired", expires_at=NOW, **old),
            record("old", status=Status.SUPERSEDED, valid_until=NOW - DAY, **old),
            record("ended", valid_until=NOW - DAY, **old),
            record("candidate", status=Status.CANDIDATE, **old),
            record("disputed", status=Status.DISPUTED, **old),
            record("withdrawn", status=Status.WITHDRAWN, **old),
        ]
        with ledger.write() as tx:
            for one in memories:
                keep(tx, one, mentions=[Mention(one.id, 0, 4)])
        assert {one.id for one in memories if visibility.shows(one)} == expected
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            assert set(everything(reading, ANN, visibility)) == expected
            assert {one.name for one in reading.entities(covered, visibility, 99)} == expected
            (partition,) = covered.parts
            shown = {
                row.id
                for row in reading.scan(partition, 0, 0)
                if visibility.judge(row._asdict(), lambda value, wanted: value in wanted)
            }
            assert shown == expected

    def test_pages_go_on_below_the_cursor_across_owners(self, ledger: Ledger) -> None:
        scopes = [ANN, ANN_AT_WORK, Scope(user_id="ben", agent_id="desk"), Scope(agent_id="desk")]
        for n in range(24):
            with ledger.write() as tx:
                keep(tx, record(f"{n:02}", scopes[n % 4]))
        with ledger.read() as reading:
            for scope in (Scope(), ANN, Scope(agent_id="desk")):
                expected = [f"{n:02}" for n in range(23, -1, -1) if scope.covers(scopes[n % 4])]
                found: list[str] = []
                cursor = None
                while page := reading.page(reading.coverage(scope), SEEN, cursor, 5):
                    found += names(page)
                    cursor = reading.order_of(page[-1])
                assert found == expected

    def test_the_total_counts_every_status(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b", status=Status.WITHDRAWN), record("c", BEN))
        with ledger.read() as reading:
            assert reading.total() == 3
