"""Dates at the edge of the calendar, and metadata of odd shapes: kept so that it can be read, or
refused."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from retain import Memory
from retain.errors import InvalidInput

WEST, EAST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))


@pytest.mark.parametrize(
    "arguments",
    [
        {"timestamp": "0001-01-01T00:00+14:00"},
        {"timestamp": "9999-12-31T23:59:59-12:00"},
        {"timestamp": datetime(9999, 12, 31, 23, tzinfo=WEST)},
        {"timestamp": datetime(1, 1, 1, tzinfo=EAST)},
        {"expiration_date": datetime(9999, 12, 31, 23, tzinfo=WEST)},
        {"expiration_date": datetime(1, 1, 1, tzinfo=EAST)},
    ],
)
def test_a_moment_that_cannot_be_shown_again_is_refused(
    memory: Memory, arguments: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput, match=next(iter(arguments))):
        memory.add("I moved yesterday", user_id="u", **arguments)
    assert memory.get_all(user_id="u")["results"] == []
    if "timestamp" in arguments:
        with pytest.raises(InvalidInput, match="as_of"):
            memory.search("moved", user_id="u", as_of=arguments["timestamp"])


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31T23:59:59+00:00"])
def test_the_first_and_the_last_moment_are_kept(
    memory: Memory, tmp_path: Path, moment: str
) -> None:
    memory.add("I moved yesterday", user_id="u", timestamp=moment, expiration_date="9999-12-31")
    (item,) = memory.get_all(user_id="u", kinds=["message"])["results"]
    assert item["expiration_date"] == "9999-12-31"
    assert memory.search("moved", user_id="u")["results"]
    memory.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "all.jsonl")
        assert other.get_all(user_id="u") == memory.get_all(user_id="u")


def nested(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth):
        value = {"k": [value]}
    return {"k": value}


def test_metadata_is_nested_so_deep_and_no_deeper(memory: Memory, tmp_path: Path) -> None:
    memory.add("x", user_id="u", metadata=nested(31))
    memory.export(tmp_path / "all.jsonl")
    for depth in (33, 400, 5_000):
        with pytest.raises(InvalidInput, match="nested more than 64 deep"):
            memory.add("y", user_id="u", metadata=nested(depth))


@pytest.mark.parametrize("metadata", [{1: 2}, {"a": {1: 2, "1": 3}}, {"a": [{None: 1}]}])
def test_keys_of_metadata_are_texts_wherever_they_are(
    memory: Memory, metadata: dict[Any, Any]
) -> None:
    with pytest.raises(InvalidInput, match="keys must be texts"):
        memory.add("x", user_id="u", metadata=metadata)
