"""What was erased is in no byte of the files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from retain.domain.derivation import Decision, Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.kind import Action, Kind
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.ledger.port import NewMemory, WriteTx
from retain.ledger.sqlite import open_sqlite
from retain.testing.conformance.rows import NOW, event, features, keep, record

SECRET = "sesame"


def tell(tx: WriteTx, name: str, scope: Scope, word: str, times: int) -> None:
    """A turn, and a fact on it, with the word in every place that holds text."""
    content = f"{word} {name} " * times
    tx.add_messages(
        scope,
        [Message(f"m{name}", "user", content, NOW, word, f"{word}{name}", 0, 0, {word: word})],
    )
    turn = record(
        f"t{name}", scope, Kind.MESSAGE, text=content, message_id=f"m{name}", actor=word,
        external_id=f"{word}{name}", metadata={"k": word},
    )  # fmt: skip
    tx.add_memories([NewMemory(turn, features())])
    tx.add_events([event(turn.id, text=content), event(turn.id, Action.UPDATE, f"{word} " * times)])
    keep(
        tx,
        record(f"f{name}", scope, text=f"{name} {word} " * times, subject=word, attribute=word,
               value=word, superseded_by=None, derivation_id=f"d{name}"),
        mentions=[Mention(f"{word} {name}", 0, 9)],
    )  # fmt: skip
    tx.add_evidence([Evidence(f"f{name}", f"t{name}", f"{word} quote", 0, 5)])
    decision = Decision(f"{word} decision", "added", word, f"f{name}")
    raw = f"{word} raw " * times
    tx.add_derivation(
        Derivation(f"d{name}", "m@1", NOW, (f"t{name}",), (decision,), None, raw, {word: word})
    )
    tx.remember(scope, f"{word}-{name}", f'["f{name}"]')
    tx.add_events([Event(f"e{name}", f"f{name}", Action.UPDATE, word, word, NOW, NOW, word, word)])


def traces(folder: Path) -> int:
    """How often the secret is in the files, in any case."""
    return sum(file.read_bytes().lower().count(SECRET.encode()) for file in folder.iterdir())


@pytest.mark.parametrize("seed", range(3))
def test_erased_memories_leave_no_trace(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    scopes = [Scope(user_id=f"u{n}") for n in range(6)]
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    hidden = []
    # Owners are written to in turns, so that pages split in their middle and rows move about.
    for batch in range(30):
        with ledger.write() as tx:
            for n in range(6):
                name = f"{chance.getrandbits(48):x}-{batch}-{n}"
                secret = chance.random() < 0.3
                times = chance.choice([1, 1, 4, 40, 1500])
                tell(tx, name, chance.choice(scopes), SECRET if secret else "open", times)
                hidden += [f"t{name}", f"f{name}"] if secret else []
    assert traces(tmp_path) > 100
    chance.shuffle(hidden)
    for start in range(0, len(hidden), 20):
        with ledger.write() as tx:
            tx.erase(hidden[start : start + 20])
    assert ledger.seal_erasure()
    assert traces(tmp_path) == 0
    assert list(ledger.check(repair=False).problems) == []
    ledger.close()
    assert traces(tmp_path) == 0


def test_an_erased_scope_leaves_no_trace(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        for n in range(40):
            tell(tx, f"s{n}", Scope(user_id=SECRET), SECRET, 3)
            tell(tx, f"o{n}", Scope(user_id="open"), "open", 3)
    with ledger.write() as tx:
        tx.erase_scope(tx.coverage(Scope(user_id=SECRET)))
    assert ledger.seal_erasure()
    assert traces(tmp_path) == 0
    ledger.close()


def test_a_reset_leaves_no_trace(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        tell(tx, "a", Scope(SECRET, user_id="u"), SECRET, 900)
    ledger.reset(SECRET)
    assert traces(tmp_path) == 0
    ledger.close()


def test_sealing_says_when_a_reader_was_in_the_way(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger.db")
    ledger = open_sqlite(path, busy_timeout=0.05)
    other = open_sqlite(path)
    with ledger.write() as tx:
        tell(tx, "a", Scope(user_id="u"), SECRET, 1)
    with other.read() as reading:
        assert reading.total() == 2
        with ledger.write() as tx:
            tx.erase(["ta", "fa"])
        assert ledger.seal_erasure() is False
    assert ledger.seal_erasure() is True
    assert traces(tmp_path) == 0
    other.close()
    ledger.close()
