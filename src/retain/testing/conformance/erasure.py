"""What is erased leaves nothing behind, and its receipt says so."""

from __future__ import annotations

from dataclasses import replace

from retain.domain.message import Message
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    SEEN,
    everything,
    fill,
    keep,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite


class Erasure(LedgerSuite):
    """What is erased leaves nothing behind, and its receipt says so."""

    def test_erasing_a_memory_takes_all_that_names_it(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.read() as tx:
            (partition,) = tx.coverage(ANN).parts
            epoch = tx.partition_state(partition).epoch
        with ledger.write() as writing:
            removed = writing.erase(["turn1", "fact1", "nobody"])
        assert removed == {
            "memory": 2, "features": 2, "message": 1, "evidence": 1, "link": 1, "event": 2,
            "mention": 2, "entity": 1, "derivation": 1, "answer": 1,
        }  # fmt: skip
        with ledger.read() as tx:
            assert tx.partition_state(partition).epoch > epoch
            assert everything(tx, ANN) == ["fact0", "turn0"]
            assert tx.message("m-turn1") is None
            assert tx.history("turn1") == tx.history("fact1") == []
            assert tx.links("fact0") == []
            assert tx.derivation("d1") is None and tx.derivation("d0") is not None
            assert tx.idempotent(ANN_AT_WORK, "k") is None
            assert tx.idempotent(ANN, "k") is not None
            assert tx.turn_by_external_id(ANN_AT_WORK, "x1") is None
            kept = tx.memory("fact0")
            assert kept is not None and kept.superseded_by is None
            assert kept.derivation_id == "d0"
            assert [one.name for one in tx.entities(tx.coverage(ANN), SEEN, 9)] == ["N0", "rex"]
            assert [row.id for row in tx.scan(partition, 0, 0)] == ["turn0", "fact0"]

    def test_erasing_a_source_leaves_what_rests_on_it(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.write() as writing:
            writing.erase(["turn0"])
        with ledger.read() as tx:
            fact = tx.memory("fact0")
            assert fact is not None and fact.derivation_id is None
            assert tx.evidence(["fact0"]) == []

    def test_erasing_a_scope_takes_its_part_of_the_owner(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.write() as writing:
            keep(writing, record("ben", BEN))
            removed = writing.erase_scope(writing.coverage(Scope(agent_id="desk")))
        assert removed["memory"] == 2 and removed["scope"] == 1
        assert "partition" not in removed
        with ledger.read() as tx:
            assert everything(tx, Scope()) == ["ben", "fact0", "turn0"]
            assert tx.last_turn(ANN_AT_WORK) is None
            assert tx.message("m-turn1") is None

    def test_an_erased_owner_starts_anew(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.read() as tx:
            (partition,) = tx.coverage(ANN).parts
        with ledger.write() as writing:
            writing.erase_scope(writing.coverage(ANN))
            say(writing, "again", external_id="x0")
        with ledger.read() as tx:
            assert everything(tx, ANN) == ["again"]
            assert partition not in tx.coverage(ANN).parts
            assert tx.partition_state(partition).revision == 0
            assert list(tx.scan(partition, 0, 0)) == []
            assert tx.idempotent(ANN, "k") is None

    def test_messages_without_memories_go_with_their_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.add_messages(ANN, [Message("m", "system", "secret", NOW)])
            tx.erase_scope(tx.coverage(ANN))
        with ledger.read() as reading:
            assert reading.message("m") is None

    def test_a_project_is_reset_alone(self, ledger: Ledger) -> None:
        fill(ledger)
        with ledger.write() as tx:
            keep(tx, record("theirs", Scope("other", user_id="ann")))
        ledger.reset("default")
        with ledger.read() as reading:
            assert everything(reading, Scope()) == []
            assert everything(reading, Scope("other")) == ["theirs"]

    def test_receipts_are_kept_newest_first(self, ledger: Ledger) -> None:
        first = Receipt("r1", NOW, {"user_id": "ann"}, ("a",), {"memory": 1}, "s", ("d",), False)
        second = replace(first, id="r2", reason="asked")
        with ledger.write() as tx:
            tx.add_receipt(first)
        with ledger.write() as tx:
            tx.add_receipt(second)
            tx.add_receipt(replace(first, file_clean=True))
        assert ledger.receipts(9) == [second, replace(first, file_clean=True)]
        assert ledger.receipts(1) == [second]
