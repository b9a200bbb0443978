"""Episodes and insights: their details, their order, the conditions on them."""

from __future__ import annotations

from dataclasses import replace

from retain.domain.episode import Episode
from retain.domain.insight import Insight, InsightType
from retain.domain.kind import Kind, Status
from retain.domain.scope import Scope
from retain.domain.use import Outcome
from retain.ledger.port import Ledger, Wanted
from retain.ledger.visibility import Visibility
from retain.testing.conformance.rows import ANN, BEN, NOW, keep, names, record
from retain.testing.conformance.suite import LedgerSuite

SEEN = Visibility(now=NOW)
FAILED = Episode(
    Outcome.FAILURE, 0.9, "coding", "frustrated", "fix it", ("Ana", "CI"), "rules@1", 7
)


class Episodes(LedgerSuite):
    """Episodes and insights: their details, their order, the conditions on them."""

    def test_details_come_back_as_they_were(self, ledger: Ledger) -> None:
        insight = Insight(InsightType.WARNING, 0.75, 3, 1, "coding", 2)
        with ledger.write() as tx:
            keep(tx, record("e", kind=Kind.EPISODE, details=FAILED))
            keep(tx, record("i", kind=Kind.INSIGHT, details=insight))
            keep(tx, record("f"))
        with ledger.write() as tx:
            held = tx.memory("e")
            assert held is not None and held.details == FAILED
            tx.change(replace(held, details=replace(FAILED, consolidated_at=None)))
        with ledger.read() as reading:
            found = [one.details for one in reading.named(["e", "i", "f"])]
        assert found == [replace(FAILED, consolidated_at=None), insight, None]

    def test_conditions_on_episodes_and_how_many_meet_them(self, ledger: Ledger) -> None:
        other = Episode(Outcome.SUCCESS, domain="writing")
        with ledger.write() as tx:
            keep(tx, record("late", kind=Kind.EPISODE, created_at=NOW + 5, details=other))
            keep(tx, record("early", kind=Kind.EPISODE, details=FAILED, text="Straße gesperrt"))
            keep(tx, record("run", replace(ANN, run_id="r"), kind=Kind.EPISODE, details=FAILED))
            keep(tx, record("gone", kind=Kind.EPISODE, details=FAILED, status=Status.WITHDRAWN))
            keep(tx, record("fact"))
            keep(tx, record("ben", BEN, kind=Kind.EPISODE, details=FAILED))

        def asked(wanted: Wanted, scope: Scope = ANN, limit: int = 9, offset: int = 0) -> object:
            with ledger.read() as tx:
                found, total = tx.episodes(tx.coverage(scope), SEEN, wanted, limit, offset)
            return names(found), total

        with ledger.read() as reading:
            assert reading.waiting_episodes("default") == 1
            assert reading.waiting_episodes("other") == 0
        assert asked(Wanted()) == (["late", "run", "early"], 3)
        assert asked(Wanted(), limit=1, offset=1) == (["run"], 3)
        assert asked(Wanted(), replace(ANN, run_id="r")) == (["run"], 1)
        assert asked(Wanted(outcome="failure")) == (["run", "early"], 2)
        assert asked(Wanted(domain="writing", outcome="failure")) == ([], 0)
        assert asked(Wanted(consolidated=False)) == (["late"], 1)
        assert asked(Wanted(consolidated=True, search="STRASSE")) == (["early"], 1)
        assert asked(Wanted(since=NOW + 5)) == (["late"], 1)
        assert asked(Wanted(until=NOW + 5)) == (["run", "early"], 2)

    def test_the_last_episode_and_the_insights_of_a_holder(self, ledger: Ledger) -> None:
        desk = Scope(user_id="ann", agent_id="desk")
        with ledger.write() as tx:
            assert tx.last_episode(ANN) is None
            keep(tx, record("a", replace(desk, run_id="r1"), kind=Kind.EPISODE, details=FAILED))
            keep(tx, record("b", desk, kind=Kind.EPISODE, details=FAILED))
            keep(tx, record("c", desk, kind=Kind.EPISODE, status=Status.WITHDRAWN))
            keep(tx, record("i", desk, kind=Kind.INSIGHT, details=Insight()))
            keep(tx, record("j", desk, kind=Kind.INSIGHT, status=Status.SUPERSEDED))
            keep(tx, record("k", ANN, kind=Kind.INSIGHT))
        with ledger.read() as reading:
            last = reading.last_episode(replace(desk, run_id="r9"))
            assert last is not None and last.id == "b"
            assert reading.last_episode(ANN) is None
            assert reading.waiting_episodes("default") == 0
            assert names(reading.insights(desk)) == ["i", "j"]
