"""Whose memory it is: what a scope covers, and where it is kept."""

from __future__ import annotations

from retain.domain.scope import Scope
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import ANN, ANN_AT_WORK, BEN, everything, keep, record
from retain.testing.conformance.suite import LedgerSuite


class Scopes(LedgerSuite):
    """Whose memory it is: what a scope covers, and where it is kept."""

    def test_an_identity_left_out_means_any(self, ledger: Ledger) -> None:
        places = {
            "u": Scope(user_id="u"),
            "ua": Scope(user_id="u", agent_id="a"),
            "uar": Scope(user_id="u", agent_id="a", run_id="r"),
            "ur": Scope(user_id="u", run_id="r"),
            "a": Scope(agent_id="a"),
            "ar": Scope(agent_id="a", run_id="r"),
            "r": Scope(run_id="r"),
            "v": Scope(user_id="v", agent_id="a"),
            "p": Scope("other", user_id="u", agent_id="a", run_id="r"),
        }
        with ledger.write() as tx:
            for name, scope in places.items():
                keep(tx, record(name, scope))
        asked = [*places.values(), Scope(user_id="v", run_id="r"), Scope(), Scope("none")]
        with ledger.read() as reading:
            for scope in asked:
                expected = {name for name, place in places.items() if scope.covers(place)}
                assert set(everything(reading, scope)) == expected, scope

    def test_the_same_name_as_user_agent_and_run_is_three_owners(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("u", Scope(user_id="x")))
            keep(tx, record("a", Scope(agent_id="x")))
            keep(tx, record("r", Scope(run_id="x")))
        with ledger.read() as reading:
            assert everything(reading, Scope(user_id="x")) == ["u"]
            assert everything(reading, Scope(agent_id="x")) == ["a"]
            assert everything(reading, Scope(run_id="x")) == ["r"]

    def test_an_unknown_scope_covers_nothing(self, ledger: Ledger) -> None:
        with ledger.read() as tx:
            assert dict(tx.coverage(ANN).parts) == {}
            assert tx.page(tx.coverage(ANN), None, None, 10) == []
            assert tx.last_turn(ANN) is None

    def test_the_scopes_of_one_owner_share_a_partition_that_stays(self, ledger: Ledger) -> None:
        for written in ("first", "second"):
            with ledger.write() as tx:
                for name, scope in (("ann", ANN), ("desk", ANN_AT_WORK), ("ben", BEN)):
                    keep(tx, record(f"{written} of {name}", scope))
            with ledger.read() as reading:
                ann, desk, ben = (set(reading.coverage(s).parts) for s in (ANN, ANN_AT_WORK, BEN))
            assert ann == desk
            assert not ann & ben
            if written == "first":
                before = ann, ben
        assert (ann, ben) == before
