"""SQLite and the reference do the same, whatever is asked of them in whatever order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from retain.domain.derivation import Decision, Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.instant import DAY
from retain.domain.kind import Action, Kind, LinkType, Status
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.domain.use import Judged, Outcome, Recalled
from retain.errors import RetainError
from retain.ledger.port import EmbedderIdentity, Ledger, NewMemory, ReadTx, WriteTx
from retain.ledger.reference import ReferenceLedger
from retain.ledger.sqlite import open_sqlite
from retain.ledger.visibility import Visibility
from retain.testing.conformance.rows import NOW, event, features

SCOPES = st.builds(
    Scope,
    st.sampled_from(["p", "q"]),
    st.sampled_from([None, "ann", "ben"]),
    st.sampled_from([None, "desk"]),
    st.sampled_from([None, "r1", "r2"]),
)
PLACES = SCOPES.filter(lambda scope: not scope.is_empty)
TIMES = st.sampled_from([None, NOW - DAY, NOW, NOW + DAY])
STATUSES = st.sampled_from(Status)
VISIBILITIES = st.builds(
    Visibility,
    st.just(NOW),
    st.sampled_from([None, None, NOW - DAY, NOW + DAY]),
    st.booleans(),
    st.booleans(),
    st.one_of(st.none(), st.frozensets(st.sampled_from(Kind), min_size=1, max_size=2)),
)
MENTIONS = st.lists(
    st.builds(Mention, st.sampled_from(["Rex", "rex", "Zoe"]), st.integers(0, 2), st.just(4)),
    max_size=2,
    unique_by=lambda one: one.start,
)


def bare(record: MemoryRecord | None) -> MemoryRecord | None:
    """A record without its key, which every ledger gives as it likes."""
    return None if record is None else replace(record, key=0)


class BothLedgers(RuleBasedStateMachine):
    """Does everything to both, and compares what they say."""

    @initialize(in_memory=st.booleans())
    def open(self, in_memory: bool) -> None:
        self.folder = TemporaryDirectory()
        path = ":memory:" if in_memory else str(Path(self.folder.name) / "ledger.db")
        self.ledgers: tuple[Ledger, Ledger] = (open_sqlite(path), ReferenceLedger())
        self.known: list[str] = []
        self.recalls = 0
        self.made = 0

    def teardown(self) -> None:
        if hasattr(self, "ledgers"):
            self.compare()
            for ledger in self.ledgers:
                ledger.close()
            self.folder.cleanup()

    def name(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def some(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(self.known))

    def both(self, act: Callable[[WriteTx], Any], fails: bool = False) -> Any:
        """Do the same to both; they must answer, or refuse, alike."""
        answers = []
        for ledger in self.ledgers:
            answer: Any = None
            try:
                with ledger.write() as tx:
                    answer = act(tx)
                    if fails:
                        raise KeyError
            except (RetainError, KeyError) as error:
                answer = type(error)
            answers.append(answer)
        assert answers[0] == answers[1]
        return answers[0]

    def ask(self, question: Callable[[ReadTx], Any]) -> Any:
        answers = []
        for ledger in self.ledgers:
            with ledger.read() as tx:
                answers.append(question(tx))
        assert answers[0] == answers[1]
        return answers[0]

    @rule(scope=PLACES, session=st.integers(0, 2), position=st.integers(0, 3), status=STATUSES,
          external=st.sampled_from([None, "x", "y"]), fails=st.booleans())  # fmt: skip
    def say(
        self, scope: Scope, session: int, position: int, status: Status, external: str | None,
        fails: bool,
    ) -> None:  # fmt: skip
        name = self.name("t")
        message = Message(
            f"m{name}", "user", f"words {name}", NOW, None, external, session, position
        )
        turn = MemoryRecord(
            name, scope, Kind.MESSAGE, message.content, NOW, NOW, NOW, status,
            message_id=message.id, external_id=external, session=session, position=position,
        )  # fmt: skip

        def act(tx: WriteTx) -> None:
            tx.add_messages(scope, [message])
            tx.add_memories([NewMemory(turn, features())])
            tx.add_events([event(name, text=turn.text)])

        self.both(act, fails)
        if not fails:
            self.known.append(name)

    @rule(scope=PLACES, status=STATUSES, kind=st.sampled_from([Kind.FACT, Kind.INSIGHT]),
          expires=TIMES, begins=TIMES, ends=TIMES, mentions=MENTIONS,
          slot=st.sampled_from([None, "home", "work"]), text=st.sampled_from(["one", "two"])
    )  # fmt: skip
    def learn(
        self, scope: Scope, status: Status, kind: Kind, expires: int | None, begins: int | None,
        ends: int | None, mentions: list[Mention], slot: str | None, text: str,
    ) -> None:  # fmt: skip
        name = self.name("f")
        fact = MemoryRecord(
            name, scope, kind, text, NOW, NOW, NOW, status, expires_at=expires, valid_from=begins,
            valid_until=ends, subject=slot and "user", attribute=slot,
        )  # fmt: skip

        def act(tx: WriteTx) -> None:
            tx.add_memories([NewMemory(fact, features(), mentions)])
            tx.add_events([event(name, text=text)])

        self.both(act)
        self.known.append(name)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), status=STATUSES, text=st.sampled_from([None, "one", "two"]),
          mentions=st.one_of(st.none(), MENTIONS), mark=st.integers(0, 3))  # fmt: skip
    def change(
        self, data: st.DataObject, status: Status, text: str | None,
        mentions: list[Mention] | None, mark: int,
    ) -> None:  # fmt: skip
        name = self.some(data)
        successor = data.draw(st.one_of(st.none(), st.sampled_from(self.known)))

        def act(tx: WriteTx) -> None:
            old = tx.memory(name)
            assert old is not None
            new = replace(old, status=status, text=text or old.text, superseded_by=successor)
            tx.change(new, features=features(mark) if mark else None, mentions=mentions)
            tx.add_events(
                [Event("e", name, Action.UPDATE, old.text, new.text, NOW, NOW, reason="why")]
            )

        self.both(act)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), start=st.integers(0, 1))
    def connect(self, data: st.DataObject, start: int) -> None:
        first, second = self.some(data), self.some(data)
        kind = data.draw(st.sampled_from(LinkType))
        derivation = Derivation(
            self.name("d"), "m@1", NOW, (first,), (Decision("s", "added", "r", second),)
        )

        def act(tx: WriteTx) -> None:
            tx.add_evidence([Evidence(first, second, "quote", start, start + 1)])
            tx.add_links([Link(first, kind, second, NOW + self.made)])
            tx.add_derivation(derivation)
            made = tx.memory(second)
            assert made is not None
            tx.change(replace(made, derivation_id=derivation.id))

        self.both(act)

    @rule(scope=PLACES, key=st.sampled_from(["k", "l"]), data=st.data())
    def remember(self, scope: Scope, key: str, data: st.DataObject) -> None:
        names = data.draw(st.lists(st.sampled_from(self.known), max_size=2)) if self.known else []
        answer = str(names).replace("'", '"')
        self.both(lambda tx: tx.remember(scope, key, answer))

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def use(self, data: st.DataObject) -> None:
        name = self.some(data)
        self.recalls += 1
        for ledger in self.ledgers:
            ledger.note_recall(Recalled(f"r{self.recalls}", [name], NOW + self.recalls))
        self.both(lambda tx: (tx.total(), tx.recalled(f"r{self.recalls - 1}")))

    @precondition(lambda self: self.recalls)
    @rule(data=st.data(), outcome=st.sampled_from(list(Outcome)))
    def judge(self, data: st.DataObject, outcome: Outcome) -> None:
        recall_id = f"r{data.draw(st.integers(1, self.recalls))}"
        self.both(lambda tx: tx.judge(Judged(recall_id, outcome, NOW, "why")))
        self.both(lambda tx: (tx.uses(self.known), [tx.judgements(one) for one in self.known]))

    @rule(data=st.data(), name=st.sampled_from(["one", "two"]), ends=st.booleans())
    def rebuild(self, data: st.DataObject, name: str, ends: bool) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.known), max_size=3)) if self.known else []
        identity = EmbedderIdentity(name, 8)

        def act(tx: WriteTx) -> Any:
            begun = tx.begin_rebuild(identity)
            records = tx.named(chosen)
            tx.rebuild(identity, [NewMemory(one, features(len(one.text))) for one in records])
            missing = {one.id for one in tx.unrebuilt(0, 1000)}
            return begun, missing, tx.finish_rebuild(identity) if ends else None

        self.both(act)
        assert self.ledgers[0].embedder() == self.ledgers[1].embedder()

    @precondition(lambda self: self.known)
    @rule(data=st.data(), fails=st.booleans())
    def erase(self, data: st.DataObject, fails: bool) -> None:
        gone = data.draw(st.lists(st.sampled_from(self.known), min_size=1, max_size=3))
        self.both(lambda tx: tx.erase(gone), fails)
        if not fails:
            self.known = [one for one in self.known if one not in gone]

    @rule(scope=SCOPES, fails=st.booleans())
    def erase_scope(self, scope: Scope, fails: bool) -> None:
        self.both(lambda tx: tx.erase_scope(tx.coverage(scope)), fails)
        if not fails:
            with self.ledgers[1].read() as tx:
                self.known = [one for one in self.known if tx.memory(one) is not None]

    @rule(scope=SCOPES, visibility=st.one_of(st.none(), VISIBILITIES), size=st.integers(1, 4))
    def pages(self, scope: Scope, visibility: Visibility | None, size: int) -> None:
        def question(tx: ReadTx) -> Any:
            covered = tx.coverage(scope)
            found, cursor = [], None
            while page := tx.page(covered, visibility, cursor, size):
                found += [bare(one) for one in page]
                cursor = tx.order_of(page[-1])
            return found

        self.ask(question)

    @rule(scope=SCOPES, visibility=VISIBILITIES, limit=st.integers(0, 3))
    def names(self, scope: Scope, visibility: Visibility, limit: int) -> None:
        self.ask(
            lambda tx: [
                (one.name, one.mentions)
                for one in tx.entities(tx.coverage(scope), visibility, limit)
            ]
        )

    @rule(scope=PLACES, visibility=VISIBILITIES, limit=st.integers(0, 3))
    def conversation(self, scope: Scope, visibility: Visibility, limit: int) -> None:
        self.ask(tx_conversation(scope, visibility, limit))

    @rule()
    def compare(self) -> None:
        for name in self.known:
            self.ask(tx_memory(name))
        self.ask(tx_many(self.known))
        self.ask(tx_rows)
        assert list(self.ledgers[0].check(repair=False).problems) == []


def tx_conversation(scope: Scope, visibility: Visibility, limit: int) -> Callable[[ReadTx], Any]:
    """What is asked of one exact scope."""

    def question(tx: ReadTx) -> Any:
        return (
            tx.last_turn(scope),
            [bare(tx.turn_by_external_id(scope, one)) for one in ("x", "y")],
            [bare(one) for name in ("home", "work") for one in tx.slot(scope, "user", name)],
            [bare(one) for text in ("one", "two") for one in tx.facts_with_text(scope, text)],
            [tx.idempotent(scope, key) for key in ("k", "l")],
        )

    return question


def tx_memory(name: str) -> Callable[[ReadTx], Any]:
    """All that is known of one memory."""

    def question(tx: ReadTx) -> Any:
        record = tx.memory(name)
        assert record is not None
        return (
            bare(record),
            None if record.message_id is None else tx.message(record.message_id),
            tx.evidence([name]),
            tx.supported_by(name),
            tx.links(name),
            tx.history(name),
            [bare(one) for one in tx.named([name, "nobody"])],
            tx.mentions(name),
            None if record.derivation_id is None else tx.derivation(record.derivation_id),
        )

    return question


def tx_many(names: list[str]) -> Callable[[ReadTx], Any]:
    """The same of many at once."""

    def question(tx: ReadTx) -> Any:
        found = tx.named([*names, "nobody"])
        turns = [record.message_id for record in found if record.message_id is not None]
        return (
            [bare(record) for record in found],
            tx.messages([*turns, "nothing"]),
            tx.supported_by(*names),
            tx.links_of(names),
            tx.histories(names),
        )

    return question


def tx_rows(tx: ReadTx) -> Any:
    """Every scanned row, by owner and place; and that a later scan gives the rest."""
    found: list[tuple[Any, ...]] = []
    for project in ("p", "q"):
        for partition in tx.coverage(Scope(project)).parts:
            state = tx.partition_state(partition)
            rows = list(tx.scan(partition, 0, 0))
            assert [row.key for row in rows] == sorted(row.key for row in rows)
            for revision in range(state.revision + 1):
                late = {row.key: row for row in tx.scan(partition, revision, revision)}
                assert list(late) == sorted(late)
                early = [row.id for row in rows if row.key not in late]
                found.append((project, revision, sorted(early)))
            found += [
                (project, *row[1:2], *row[3:12], row.features.cues if row.features else None)
                for row in rows
            ]
    return sorted(found, key=str)


BothLedgers.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestBothLedgers = BothLedgers.TestCase
