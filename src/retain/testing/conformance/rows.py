"""Memories, turns and events that the suite stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from retain.domain.derivation import Decision, Derivation
from retain.domain.entity import Mention
from retain.domain.event import Event
from retain.domain.evidence import Evidence
from retain.domain.features import Features
from retain.domain.kind import Action, Kind, LinkType
from retain.domain.link import Link
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.ledger.port import Ledger, NewMemory, ReadTx, WriteTx
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


def fill(ledger: Ledger) -> None:
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
