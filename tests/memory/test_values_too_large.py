"""Values that no error may choke on: numbers of thousands of digits, arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retain import Memory
from retain.errors import RetainError, TooLarge

HUGE: Any = 10**5000
TURN: dict[str, Any] = {"role": "user", "content": "x"}

CALLS: dict[str, Callable[[Memory], object]] = {
    "user_id": lambda m: m.add("x", user_id=HUGE),
    "agent_id": lambda m: m.add("x", agent_id=-HUGE),
    "message id": lambda m: m.add([{**TURN, "id": HUGE}], user_id="u"),
    "message timestamp": lambda m: m.add([{**TURN, "timestamp": HUGE}], user_id="u"),
    "message role": lambda m: m.add([{**TURN, "role": HUGE}], user_id="u"),
    "message content": lambda m: m.add([{**TURN, "content": HUGE}], user_id="u"),
    "message": lambda m: m.add([HUGE], user_id="u"),
    "messages": lambda m: m.add(HUGE, user_id="u"),
    "metadata": lambda m: m.add("x", user_id="u", metadata={"k": HUGE}),
    "timestamp": lambda m: m.add("x", user_id="u", timestamp=-HUGE),
    "expiration_date": lambda m: m.add("x", user_id="u", expiration_date=HUGE),
    "idempotency_key": lambda m: m.add("x", user_id="u", idempotency_key=HUGE),
    "infer": lambda m: m.add("x", user_id="u", infer=HUGE),
    "memory_type": lambda m: m.add("x", user_id="u", memory_type=HUGE),
    "prompt": lambda m: m.add("x", user_id="u", prompt=HUGE),
    "query": lambda m: m.search(HUGE, user_id="u"),
    "top_k": lambda m: m.search("x", user_id="u", top_k=HUGE),
    "negative top_k": lambda m: m.search("x", user_id="u", top_k=-HUGE),
    "limit": lambda m: m.get_all(user_id="u", limit=HUGE),
    "kinds": lambda m: m.get_all(user_id="u", kinds=[HUGE]),
    "as_of": lambda m: m.search("x", user_id="u", as_of=HUGE),
    "threshold": lambda m: m.search("x", user_id="u", threshold=HUGE),
    "profile": lambda m: m.search("x", user_id="u", profile=HUGE),
    "budget": lambda m: m.recall("x", user_id="u", budget_tokens=-HUGE),
    "an array in a filter": lambda m: m.get_all(user_id="u", filters={"k": np.arange(3)}),
    "entities": lambda m: m.entities(user_id="u", top_k=-HUGE),
    "candidates": lambda m: m.candidates(user_id="u", top_k=HUGE),
    "status": lambda m: m.jobs(user_id="u", status=HUGE),
    "receipts": lambda m: m.receipts(top_k=-HUGE),
    "get": lambda m: m.get(HUGE),
    "delete": lambda m: m.delete(HUGE),
    "history": lambda m: m.history(HUGE),
    "update": lambda m: m.update(HUGE, "x"),
    "job": lambda m: m.job(HUGE),
    "export": lambda m: m.export(HUGE),
    "backup": lambda m: m.backup(HUGE),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_value_too_large_to_show_is_refused_by_name(memory: Memory, call: str) -> None:
    with pytest.raises(RetainError):
        CALLS[call](memory)
    assert memory.get_all(user_id="u")["results"] == []


def test_metadata_do_not_grow_past_the_limit_by_updates(memory: Memory) -> None:
    (added,) = memory.add("a", user_id="u", metadata={"a": "x" * 60_000})["results"]
    with pytest.raises(TooLarge, match="with what it had"):
        for number in range(200):
            memory.update(added["id"], metadata={f"k{number}": "x" * 60_000})
    assert memory.check().problems == []
