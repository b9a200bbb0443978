"""A write is wholly there or wholly absent, and is read as it was given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retain.domain.entity import Mention
from retain.domain.evidence import Evidence
from retain.domain.instant import DAY
from retain.domain.kind import Kind, LinkType, Status
from retain.domain.link import Link
from retain.domain.message import Message
from retain.errors import Conflict, NotFound
from retain.ledger.port import Ledger, NewMemory, Turn
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    NOW,
    SEEN,
    event,
    everything,
    features,
    keep,
    names,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite


class Transactions(LedgerSuite):
    """A write is wholly there or wholly absent, and is read as it was given."""

    def test_a_write_that_fails_leaves_nothing(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("before"))
        with ledger.read() as tx:
            (partition,) = tx.coverage(ANN).parts
            state = tx.partition_state(partition)
        with pytest.raises(RuntimeError), ledger.write() as writing:
            say(writing, "turn")
            keep(writing, record("fact"), mentions=[Mention("Rex", 0, 3)])
            writing.remember(ANN, "key", "[]")
            writing.change(record("before", key=(partition << 32) + 1, text="changed"))
            raise RuntimeError
        with ledger.read() as tx:
            assert everything(tx, ANN) == ["before"]
            assert tx.partition_state(partition) == state
            assert tx.message("m-turn") is None
            assert tx.history("turn") == []
            assert tx.idempotent(ANN, "key") is None
            assert tx.entities(tx.coverage(ANN), SEEN, 10) == []
            assert tx.total() == 1

    def test_a_write_reads_what_it_wrote(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("fact", subject="user", attribute="home"))
            assert everything(tx, ANN) == ["fact", "turn"]
            assert names(tx.slot(ANN, "user", "home")) == ["fact"]
            assert tx.last_turn(ANN) == Turn(0, 0, NOW)
            (partition,) = tx.coverage(ANN).parts
            assert [row.id for row in tx.scan(partition, 0, 0)] == ["turn", "fact"]

    def test_a_write_is_seen_by_the_next_read(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("fact"))
        with ledger.read() as reading:
            assert everything(reading, ANN) == ["fact"]

    def test_a_record_comes_back_as_it_was_given(self, ledger: Ledger) -> None:
        given = record(
            "full", ANN_AT_WORK, Kind.FACT, text="naïve 日本語 🐕", status=Status.SUPERSEDED,
            role="user", actor="Ann", attributed_to="user", metadata={"a": [1, {"b": None}]},
            expires_at=NOW + DAY, valid_from=NOW - DAY, valid_until=NOW, superseded_at=NOW,
            superseded_by="other", own_until=NOW + 2 * DAY, subject="user", attribute="home",
            value="Oslo", single=True, external_id="x1", session=3, position=4, derivation_id="d",
        )  # fmt: skip
        with ledger.write() as tx:
            (stored,) = tx.add_memories([NewMemory(given, features())])
        assert stored == replace(given, key=stored.key)
        with ledger.read() as reading:
            assert reading.memory("full") == stored
            assert reading.memories([stored.key, 1, stored.key]) == [stored, stored]
            assert reading.memory("nobody") is None
            assert reading.named(["nobody", "full"]) == [stored]

    def test_a_message_comes_back_as_it_was_given(self, ledger: Ledger) -> None:
        given = Message("m", "user", "hello\r\n", NOW, "Ann", "x1", 2, 5, {"k": [True]})
        with ledger.write() as tx:
            tx.add_messages(ANN, [given])
        with ledger.read() as reading:
            assert reading.message("m") == given
            assert reading.message("n") is None
            assert reading.messages(["n", "m"]) == {"m": given}

    def test_the_same_id_twice_is_refused(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("fact"))
        with pytest.raises(Conflict), ledger.write() as tx:
            keep(tx, record("other"), record("fact"))
        with ledger.read() as reading:
            assert everything(reading, ANN) == ["fact"]

    def test_a_turn_needs_its_message(self, ledger: Ledger) -> None:
        with pytest.raises(Conflict), ledger.write() as tx:
            keep(tx, record("turn", kind=Kind.MESSAGE, message_id="missing"))

    def test_what_is_written_about_an_unknown_memory_is_refused(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"))
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.add_events([event("nobody")])
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.add_links([Link("a", LinkType.SUPERSEDES, "nobody", NOW)])
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.add_evidence([Evidence("nobody", "a", "q", 0, 1)])
