"""What every ledger must do: run this suite against yours.

    class TestMyLedger(LedgerConformance):
        def make_ledger(self, folder):
            return open_my_ledger(folder)

Needs pytest. Each test gets a ledger of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from retain.domain.derivation import Decision, Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.instant import DAY
from retain.domain.kind import Action, Kind, LinkType, Stance, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.receipt import Receipt
from retain.domain.scope import Scope
from retain.errors import Closed, Conflict, NotFound
from retain.ledger.filters import matches, parse_filters
from retain.ledger.port import EmbedderIdentity, Ledger, NewMemory, ReadTx, Turn, WriteTx
from retain.ledger.visibility import Visibility

NOW = 1_700_000_000_000_000
ANN = Scope(user_id="ann")
ANN_AT_WORK = Scope(user_id="ann", agent_id="desk", run_id="r1")
BEN = Scope(user_id="ben")
SEEN = Visibility(now=NOW)


def features(mark: int = 0) -> Features:
    """Features that can be told apart by their mark."""
    return Features(bytes([mark]) * 8, b"\1\1", 2, bytes([mark]) * 12, bytes([mark]) * 8, mark, 7)


def record(name: str, scope: Scope = ANN, kind: Kind = Kind.FACT, **others: Any) -> MemoryRecord:
    """A memory called ``name``, with a text that says so."""
    text = others.pop("text", f"text of {name}")
    times = {"created_at": NOW, "updated_at": NOW, "recorded_at": NOW}
    return MemoryRecord(name, scope, kind, text, **{**times, **others})


def event(memory_id: str, action: Action = Action.ADD, text: str | None = None) -> Event:
    """A line of history."""
    return Event(f"{memory_id}-{action.value}", memory_id, action, None, text, NOW, NOW)


def keep(tx: WriteTx, *records: MemoryRecord, mentions: Sequence[Mention] = ()) -> None:
    """Store memories, each with its first line of history."""
    tx.add_memories([NewMemory(one, features(), mentions) for one in records])
    tx.add_events([event(one.id, text=one.text) for one in records])


def say(tx: WriteTx, name: str, scope: Scope = ANN, position: int = 0, **others: Any) -> None:
    """Keep a turn: its message and the memory that is a view on it."""
    content = f"words of {name}"
    session = others.get("session", 0)
    external = others.get("external_id")
    message = Message(f"m-{name}", "user", content, NOW, None, external, session, position)
    tx.add_messages(scope, [message])
    keep(
        tx,
        record(
            name, scope, Kind.MESSAGE, text=content, message_id=message.id, position=position,
            **others,
        ),
    )  # fmt: skip


def names(records: Sequence[MemoryRecord]) -> list[str]:
    """The ids of memories."""
    return [one.id for one in records]


def everything(tx: ReadTx, scope: Scope, visibility: Visibility | None = None) -> list[str]:
    """Ids of all that a scope covers, newest first."""
    return names(tx.page(tx.coverage(scope), visibility, None, 1000))


class LedgerConformance:
    """The contract of ``retain.ledger.port.Ledger``, as tests."""

    def make_ledger(self, folder: Path) -> Ledger:
        """A new, empty ledger; files may go into ``folder``."""
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Iterator[Ledger]:
        """The ledger under test."""
        made = self.make_ledger(tmp_path)
        yield made
        made.close()

    # -- transactions ------------------------------------------------------------------------

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
            superseded_by="other", subject="user", attribute="home", value="Oslo", single=True,
            external_id="x1", session=3, position=4, derivation_id="d",
        )  # fmt: skip
        with ledger.write() as tx:
            (stored,) = tx.add_memories([NewMemory(given, features())])
        assert stored == replace(given, key=stored.key)
        with ledger.read() as reading:
            assert reading.memory("full") == stored
            assert reading.memories([stored.key, 1, stored.key]) == [stored, stored]
            assert reading.memory("nobody") is None

    def test_a_message_comes_back_as_it_was_given(self, ledger: Ledger) -> None:
        given = Message("m", "user", "hello\r\n", NOW, "Ann", "x1", 2, 5, {"k": [True]})
        with ledger.write() as tx:
            tx.add_messages(ANN, [given])
        with ledger.read() as reading:
            assert reading.message("m") == given
            assert reading.message("n") is None

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
            tx.add_links([Link("a", LinkType.FOLLOWS, "nobody", NOW)])
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.add_evidence([Evidence("nobody", "a", "q", 0, 1)])

    # -- scopes ------------------------------------------------------------------------------

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
            assert set(reading.scopes("default")) == set(places.values()) - {places["p"]}

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
            assert tx.count(tx.coverage(ANN), None) == 0
            assert tx.last_turn(ANN) is None

    def test_a_place_is_kept(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            first = tx.place(ANN)
            assert tx.place(ANN_AT_WORK).partition == first.partition
            assert tx.place(ANN_AT_WORK).scope_id != first.scope_id
            assert tx.place(BEN).partition != first.partition
        with ledger.write() as tx:
            assert tx.place(ANN) == first

    # -- pages and visibility ----------------------------------------------------------------

    def test_limits_count_visible_rows(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for n in range(40):
                keep(tx, record(f"live{n}", ANN), record(f"gone{n}", ANN, expires_at=NOW))
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            assert names(reading.page(covered, SEEN, None, 3)) == ["live39", "live38", "live37"]
            assert reading.count(covered, SEEN) == 40
            assert reading.count(covered, None) == 80
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
            assert reading.count(covered, visibility) == len(expected)
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

    def test_keys_and_total_count_every_status(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b", status=Status.WITHDRAWN), record("c", BEN))
            keys = [tx.memory(name).key for name in ("a", "b")]  # type: ignore[union-attr]
        with ledger.read() as reading:
            assert reading.keys(keys[0] >> 32) == keys
            assert reading.total() == 3
        assert len(ledger.partitions()) == 2

    # -- scans -------------------------------------------------------------------------------

    def test_a_scan_gives_what_changed_since(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c"))
        with ledger.read() as reading:
            (partition,) = reading.coverage(ANN).parts
            at = reading.partition_state(partition)
            rows = list(reading.scan(partition, 0, 0))
            assert [row.id for row in rows] == ["a", "b", "c"]
            assert all(row.features == features() for row in rows)
            assert [row.key for row in rows] == sorted(row.key for row in rows)
            assert list(reading.scan(partition, at.revision, at.revision)) == []
            a, b = reading.memory("a"), reading.memory("b")
        assert a is not None and b is not None
        with ledger.write() as tx:
            tx.change(replace(a, status=Status.WITHDRAWN))
            tx.change(replace(b, text="new"), features=features(9))
            keep(tx, record("d"))
        with ledger.read() as reading:
            assert reading.partition_state(partition).epoch == at.epoch
            assert reading.partition_state(partition).revision > at.revision
            changed = {row.id: row for row in reading.scan(partition, at.revision, at.revision)}
            assert list(changed) == ["a", "b", "d"]
            assert changed["a"].status == 4
            assert changed["a"].features is None
            assert changed["b"].features == features(9)
            assert changed["d"].features == features()
            rows = list(reading.scan(partition, at.revision, 0))
            assert all(row.features is not None for row in rows)
            assert len(list(reading.scan(partition, 0, 0))) == 4

    def test_each_write_moves_only_the_partitions_it_touches(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b", BEN))
        with ledger.read() as reading:
            (ann,), (ben,) = (list(reading.coverage(who).parts) for who in (ANN, BEN))
            before = reading.partition_state(ann), reading.partition_state(ben)
        with ledger.write() as tx:
            keep(tx, record("c", ANN_AT_WORK))
        with ledger.read() as reading:
            assert reading.partition_state(ann).revision > before[0].revision
            assert reading.partition_state(ben) == before[1]

    def test_a_use_is_counted_and_seen_by_a_scan(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"))
        with ledger.read() as reading:
            (partition,) = reading.coverage(ANN).parts
            revision = reading.partition_state(partition).revision
            first, _ = reading.keys(partition)
        for _ in range(2):
            with ledger.write() as tx:
                tx.count_use([first])
        with ledger.read() as reading:
            rows = list(reading.scan(partition, revision, revision))
            assert [(row.id, row.uses) for row in rows] == [("a", 2)]

    def test_rebuilt_features_start_a_new_epoch(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"))
        with ledger.read() as reading:
            (partition,) = reading.coverage(ANN).parts
            before = reading.partition_state(partition)
            (key,) = reading.keys(partition)
        with ledger.write() as tx:
            tx.replace_features(partition, [(key, features(5))])
        with ledger.read() as reading:
            assert reading.partition_state(partition).epoch > before.epoch
            assert [row.features for row in reading.scan(partition, 0, 0)] == [features(5)]

    # -- conversations -----------------------------------------------------------------------

    def test_turns_of_an_exact_scope_in_order(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for n in range(5):
                say(tx, f"t{n}", position=n)
            say(tx, "elsewhere", ANN_AT_WORK, 9)
            say(tx, "t5", position=0, session=1)
            say(tx, "hidden", position=1, session=1, status=Status.WITHDRAWN)
            keep(tx, record("fact"))
        with ledger.read() as reading:
            assert names(reading.recent_turns(ANN, SEEN, 3)) == ["t3", "t4", "t5"]
            assert reading.recent_turns(BEN, SEEN, 3) == []
            assert reading.recent_turns(ANN, SEEN, 0) == []
            assert reading.last_turn(ANN) == Turn(1, 1, NOW)
            assert reading.last_turn(ANN_AT_WORK) == Turn(0, 9, NOW)

    def test_an_older_turn_does_not_move_the_conversation_back(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "new", position=3, session=2)
            say(tx, "old", position=9, session=1)
            assert tx.last_turn(ANN) == Turn(2, 3, NOW)

    def test_a_turn_is_found_by_the_callers_id(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "a", external_id="x")
            say(tx, "b", ANN_AT_WORK, external_id="y")
        with ledger.read() as reading:
            found = reading.turn_by_external_id(ANN, "x")
            assert found is not None and found.id == "a"
            assert reading.turn_by_external_id(ANN, "y") is None
            assert reading.turn_by_external_id(BEN, "x") is None

    # -- facts -------------------------------------------------------------------------------

    def test_slots_belong_to_the_holder_in_any_run(self, ledger: Ledger) -> None:
        home: dict[str, Any] = {"subject": "user", "attribute": "home"}
        desk = Scope(user_id="ann", agent_id="desk")
        with ledger.write() as tx:
            keep(tx, record("plain", ANN, **home))
            keep(tx, record("r1", replace(desk, run_id="r1"), **home))
            keep(tx, record("r2", replace(desk, run_id="r2"), **home))
            keep(tx, record("other", desk, subject="user", attribute="work"))
            keep(tx, record("old", desk, status=Status.SUPERSEDED, **home))
            keep(tx, record("run1", Scope(run_id="r1"), **home))
            keep(tx, record("run2", Scope(run_id="r2"), **home))
            keep(tx, record("elsewhere", Scope("p2", "ann", "desk"), **home))
        with ledger.read() as reading:
            assert names(reading.slot(ANN, "user", "home")) == ["plain"]
            assert names(reading.slot(desk, "user", "home")) == ["r1", "r2"]
            assert names(reading.slot(replace(desk, run_id="r9"), "user", "home")) == ["r1", "r2"]
            assert names(reading.slot(Scope(run_id="r1"), "user", "home")) == ["run1"]
            assert reading.slot(BEN, "user", "home") == []

    def test_facts_are_found_by_their_exact_text(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a", text="Ann has a dog"))
            keep(tx, record("b", text="Ann has a dog", status=Status.SUPERSEDED))
            keep(tx, record("c", text="Ann has a dog", status=Status.WITHDRAWN))
            keep(tx, record("d", text="ann has a dog"))
            keep(tx, record("e", ANN_AT_WORK, text="Ann has a dog"))
        with ledger.read() as reading:
            assert names(reading.facts_with_text(ANN, "Ann has a dog")) == ["a", "b"]
            assert names(reading.facts_with_text(ANN_AT_WORK, "Ann has a dog")) == ["e"]
        with ledger.write() as tx:
            a = tx.memory("a")
            assert a is not None
            tx.change(replace(a, text="Ann has a cat"))
        with ledger.read() as reading:
            assert names(reading.facts_with_text(ANN, "Ann has a dog")) == ["b"]
            assert names(reading.facts_with_text(ANN, "Ann has a cat")) == ["a"]

    def test_a_changed_turn_keeps_its_message(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
        with ledger.write() as tx:
            turn = tx.memory("turn")
            assert turn is not None
            tx.change(replace(turn, text="corrected", metadata={"n": 1}, updated_at=NOW + 1))
            update = Event("u", "turn", Action.UPDATE, turn.text, "corrected", NOW, NOW + 1)
            tx.add_events([update])
        with ledger.read() as reading:
            changed = reading.memory("turn")
            message = reading.message("m-turn")
            assert changed is not None and message is not None
            assert (changed.text, changed.metadata) == ("corrected", {"n": 1})
            assert message.content == "words of turn"
            assert [one.new_text for one in reading.history("turn")] == [
                "words of turn",
                "corrected",
            ]
            assert reading.history("turn")[1] == update

    def test_changing_what_is_not_there_is_refused(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"))
            a = tx.memory("a")
        assert a is not None
        with pytest.raises(NotFound), ledger.write() as tx:
            tx.change(replace(a, id="b", key=a.key + 100))

    # -- evidence, links, history, names -----------------------------------------------------

    def test_the_same_evidence_counts_once(self, ledger: Ledger) -> None:
        first = Evidence("fact", "turn", "words", 0, 5, Stance.SUPPORTS, "exact", 0.5, NOW)
        second = Evidence("fact", "turn", "of", 6, 8, Stance.CONTRADICTS, "rule", 1.0, NOW + 1)
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("fact"), record("other"))
            tx.add_evidence([first, second])
            tx.add_evidence([replace(first, quote="again", recorded_at=NOW + 5)])
            tx.add_evidence([replace(first, memory_id="other", recorded_at=NOW + 2)])
        with ledger.read() as reading:
            assert reading.evidence(["fact"]) == [first, second]
            assert [one.memory_id for one in reading.supported_by("turn")] == [
                "fact", "fact", "other",
            ]  # fmt: skip
            assert len(reading.evidence(["fact", "other", "nobody"])) == 3
            assert reading.supported_by("fact") == []

    def test_edges_are_drawn_once_and_seen_from_both_ends(self, ledger: Ledger) -> None:
        edge = Link("b", LinkType.SUPERSEDES, "a", NOW, "newer")
        with ledger.write() as tx:
            keep(tx, record("a"), record("b"), record("c"))
            tx.add_links([edge, edge, replace(edge, reason="again")])
            tx.add_links([Link("c", LinkType.FOLLOWS, "b", NOW + 1)])
        with ledger.read() as reading:
            assert reading.links("a") == [edge]
            assert reading.links("b") == [edge, Link("c", LinkType.FOLLOWS, "b", NOW + 1)]
            assert reading.links("nobody") == []
        with ledger.write() as tx:
            tx.remove_links("b", "a")
        with ledger.read() as reading:
            assert reading.links("a") == []
            assert len(reading.links("b")) == 1

    def test_history_is_in_the_order_of_writing(self, ledger: Ledger) -> None:
        given = [
            Event(f"e{n}", "a", action, "old", "new", NOW, NOW - n, "Ann", "user", f"why {n}")
            for n, action in enumerate(Action)
        ]
        with ledger.write() as tx:
            tx.add_memories([NewMemory(record("a"), features())])
            tx.add_events(given[:2])
            tx.add_events(given[2:3])
        with ledger.write() as tx:
            tx.add_events(given[3:])
        with ledger.read() as reading:
            assert reading.history("a") == given
            assert reading.history("nobody") == []

    def test_names_are_compared_without_case(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), mentions=[Mention("Rex", 0, 3, "pet"), Mention("REX", 9, 12)])
            keep(tx, record("b"), mentions=[Mention("rex", 0, 3), Mention("Straße", 5, 11)])
            keep(tx, record("c", BEN), mentions=[Mention("Rex", 0, 3)])
        with ledger.read() as reading:
            covered = reading.coverage(ANN)
            (partition,) = covered.parts
            a, b = reading.keys(partition)
            assert reading.keys_of_entities(partition, ["rEx", "STRASSE", "Zoe"]) == {
                "rEx": [a, b], "STRASSE": [b], "Zoe": [],
            }  # fmt: skip
            found = reading.entities(covered, SEEN, 9)
            assert [(one.name, one.type, one.mentions) for one in found] == [
                ("Rex", "pet", 2), ("Straße", "thing", 1),
            ]  # fmt: skip
            assert len(reading.entities(covered, SEEN, 1)) == 1
            assert reading.mentions("a") == [Mention("Rex", 0, 3, "pet"), Mention("REX", 9, 12)]

    def test_a_changed_text_changes_its_names(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(tx, record("a"), mentions=[Mention("Rex", 0, 3)])
            a = tx.memory("a")
            assert a is not None
            tx.change(replace(a, text="Tom"), mentions=[Mention("Tom", 0, 3)])
        with ledger.read() as reading:
            found = reading.entities(reading.coverage(ANN), SEEN, 9)
            assert [one.name for one in found] == ["Tom"]

    def test_derivations_come_back(self, ledger: Ledger) -> None:
        given = Derivation(
            "d", "rules@1", NOW, ("turn",), (Decision("Ann has a dog", "added", "new", "fact"),),
            "model", "raw", {"t": 0},
        )  # fmt: skip
        with ledger.write() as tx:
            tx.add_derivation(given)
        with ledger.read() as reading:
            assert reading.derivation("d") == given
            assert reading.derivation("e") is None

    def test_answers_belong_to_the_exact_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.remember(ANN, "k", '["a"]')
        with ledger.read() as reading:
            assert reading.idempotent(ANN, "k") == '["a"]'
            assert reading.idempotent(ANN_AT_WORK, "k") is None
            assert reading.idempotent(ANN, "l") is None
        with pytest.raises(Conflict), ledger.write() as tx:
            tx.remember(ANN, "k", '["b"]')

    # -- erasure -----------------------------------------------------------------------------

    def fill(self, ledger: Ledger) -> None:
        """Two turns, a fact on each, with everything that can hang on them."""
        with ledger.write() as tx:
            for n, scope in enumerate((ANN, ANN_AT_WORK)):
                say(tx, f"turn{n}", scope, external_id=f"x{n}")
                mentions = [Mention("Rex" if n else "rex", 0, 3), Mention(f"N{n}", 4, 6)]
                keep(tx, record(f"fact{n}", scope, derivation_id=f"d{n}"), mentions=mentions)
                tx.add_evidence([Evidence(f"fact{n}", f"turn{n}", "words", 0, 5)])
                decision = Decision("s", "added", "r", f"fact{n}")
                tx.add_derivation(Derivation(f"d{n}", "m@1", NOW, (f"turn{n}",), (decision,)))
                tx.remember(scope, "k", f'{{"results": [{{"id": "fact{n}"}}]}}')
            tx.add_links([Link("fact1", LinkType.SUPERSEDES, "fact0", NOW)])
            old = tx.memory("fact0")
            assert old is not None
            tx.change(replace(old, superseded_by="fact1"))

    def test_erasing_a_memory_takes_all_that_names_it(self, ledger: Ledger) -> None:
        self.fill(ledger)
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
        self.fill(ledger)
        with ledger.write() as writing:
            writing.erase(["turn0"])
        with ledger.read() as tx:
            fact = tx.memory("fact0")
            assert fact is not None and fact.derivation_id is None
            assert tx.evidence(["fact0"]) == []

    def test_erasing_a_scope_takes_its_part_of_the_owner(self, ledger: Ledger) -> None:
        self.fill(ledger)
        with ledger.write() as writing:
            keep(writing, record("ben", BEN))
            removed = writing.erase_scope(writing.coverage(Scope(agent_id="desk")))
        assert removed["memory"] == 2 and removed["scope"] == 1
        assert "partition" not in removed
        with ledger.read() as tx:
            assert everything(tx, Scope()) == ["ben", "fact0", "turn0"]
            assert ANN_AT_WORK not in tx.scopes("default")
            assert tx.last_turn(ANN_AT_WORK) is None
            assert tx.message("m-turn1") is None

    def test_an_erased_owner_starts_anew(self, ledger: Ledger) -> None:
        self.fill(ledger)
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
        self.fill(ledger)
        with ledger.write() as tx:
            keep(tx, record("theirs", Scope("other", user_id="ann")))
        ledger.reset("default")
        with ledger.read() as reading:
            assert everything(reading, Scope()) == []
            assert everything(reading, Scope("other")) == ["theirs"]
            assert reading.scopes("default") == []

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

    # -- the ledger itself -------------------------------------------------------------------

    def test_the_embedder_is_remembered(self, ledger: Ledger) -> None:
        assert ledger.embedder() is None
        with ledger.write() as tx:
            tx.set_embedder(EmbedderIdentity("static@1", 256))
        assert ledger.embedder() == EmbedderIdentity("static@1", 256)

    def test_a_sound_ledger_checks_clean(self, ledger: Ledger) -> None:
        self.fill(ledger)
        with ledger.write() as tx:
            tx.erase(["turn1"])
        assert list(ledger.check(repair=False).problems) == []
        assert list(ledger.check(repair=True).problems) == []

    def test_a_memory_without_history_is_found(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.add_memories([NewMemory(record("a"), features())])
        assert any("history" in problem for problem in ledger.check(repair=False).problems)

    def test_a_backup_never_replaces_a_file(self, ledger: Ledger, tmp_path: Path) -> None:
        target = tmp_path / "copy.db"
        ledger.backup(target)
        size = target.stat().st_size
        with pytest.raises(Conflict):
            ledger.backup(target)
        assert target.stat().st_size == size > 0

    def test_stats_count(self, ledger: Ledger) -> None:
        self.fill(ledger)
        found = ledger.stats()
        assert found["kinds"] == {"message": 2, "fact": 2}
        assert found["statuses"] == {"accepted": 4}
        assert found["tables"]["memory"] == 4

    def test_a_closed_ledger_refuses_everything(self, ledger: Ledger) -> None:
        ledger.close()
        ledger.close()
        with pytest.raises(Closed), ledger.write():
            pass
        with pytest.raises(Closed), ledger.read():
            pass
        with pytest.raises(Closed):
            ledger.embedder()

    # -- reading with a filter ---------------------------------------------------------------

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
