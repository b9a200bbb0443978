"""A memory whose chat model follows a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from retain import Memory
from retain.settings import Settings
from retain.testing.chat import ScriptedChat

Open = Callable[..., Memory]


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Open]:
    """Opens memories on one file; all are closed at the end."""
    opened: list[Memory] = []

    def open_(chat: Any = None, **settings: Any) -> Memory:
        memory = Memory(Settings(path=tmp_path / "m.db", llm=chat, **settings))
        opened.append(memory)
        return memory

    yield open_
    for memory in opened:
        memory.close()


def said(statement: str, *quotes: str, message: str = "m1", **more: Any) -> dict[str, Any]:
    """One item of a model's answer."""
    return {
        "statement": statement,
        "quotes": [{"message": message, "text": quote} for quote in quotes],
        **more,
    }


def answer(*items: dict[str, Any]) -> dict[str, Any]:
    """A whole answer."""
    return {"memories": list(items)}


def relation(kind: str, memory: str, reason: str = "so it seems") -> dict[str, Any]:
    """How an item stands to a memory that was shown."""
    return {"type": kind, "memory": memory, "reason": reason}


def facts(memory: Memory, user: str = "ida", **options: Any) -> list[str]:
    """The facts that are held, newest first."""
    found = memory.get_all(user_id=user, kinds=["fact"], top_k=1000, **options)["results"]
    return [item["memory"] for item in found]


def asked(chat: ScriptedChat, number: int = -1) -> str:
    """What the model was shown by the caller, in one request."""
    return chat.requests[number].messages[1].content
