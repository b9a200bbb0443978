"""Adding: what is kept, in which shape, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from retain import Memory
from retain.errors import Conflict, InvalidInput, InvalidMessages, InvalidScope, TooLarge
from tests.conftest import TestClock


def texts(memory: Memory, **filters: Any) -> list[str]:
    found = memory.get_all(filters=filters, top_k=1000)["results"]
    return [item["memory"] for item in found]


def test_a_text_is_one_user_turn(memory: Memory) -> None:
    answer = memory.add("hello world one", user_id="u", infer=False)
    (row,) = answer["results"]
    assert row["memory"] == "hello world one"
    assert row["event"] == "ADD"
    assert row["role"] == "user"
    assert row["actor_id"] is None
    assert memory.get(row["id"]) is not None


def test_a_message_keeps_its_name_and_metadata_but_never_an_identity(memory: Memory) -> None:
    with pytest.warns(UserWarning, match="metadata never sets identity: user_id"):
        answer = memory.add(
            {"role": "assistant", "content": "hello two", "name": "bob"},
            user_id="u",
            agent_id="a",
            infer=False,
            metadata={"k": 1, "nested": {"a": 1}, "user_id": "evil"},
        )
    item = memory.get(answer["results"][0]["id"])
    assert item is not None
    assert item["actor_id"] == "bob"
    assert item["role"] == "assistant"
    assert item["metadata"] == {"k": 1, "nested": {"a": 1}}
    assert (item["user_id"], item["agent_id"]) == ("u", "a")
    assert "run_id" not in item


def test_system_and_empty_messages_hold_nothing_to_remember(memory: Memory) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "s"},
        {"role": "user"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "user", "content": "ok three"},
    ]
    answer = memory.add(messages, user_id="u", infer=False)
    assert [row["memory"] for row in answer["results"]] == ["ok three"]


def test_text_parts_of_a_message_are_joined(memory: Memory) -> None:
    parts = [
        {"type": "text", "text": "part a"},
        {"type": "image_url", "image_url": {"url": "http://x"}},
        {"type": "text", "text": "part b"},
    ]
    memory.add([{"role": "user", "content": parts}], user_id="u", infer=False)
    assert texts(memory, user_id="u") == ["part a\npart b"]


@pytest.mark.parametrize("nothing", ["", "  ", []])
def test_nothing_to_remember_is_no_failure(memory: Memory, nothing: Any) -> None:
    assert memory.add(nothing, user_id="u") == {"results": []}


@pytest.mark.parametrize("wrong", [None, 5, 1.5, b"x", {1}, ["abc"], [None], [[]]])
def test_messages_of_another_type_are_refused(memory: Memory, wrong: Any) -> None:
    with pytest.raises(InvalidMessages, match=r"messages must be str, dict, or list\[dict\]"):
        memory.add(wrong, user_id="u")
    assert texts(memory, user_id="u") == []


@pytest.mark.parametrize(
    "message",
    [
        {"role": 5, "content": "x"},
        {"role": "user", "content": 5},
        {"role": "user", "content": "x", "name": 5},
        {"role": "user", "content": "x", "timestamp": "soon"},
        {"role": "user", "content": "x", "id": ""},
        {"role": "user", "content": "x", "id": []},
        {"role": "user", "content": "lone \ud800 surrogate"},
        {"role": "user", "content": "nul \0 character"},
    ],
)
def test_an_unusable_message_is_refused_and_nothing_is_kept(
    memory: Memory, message: dict[str, Any]
) -> None:
    with pytest.raises(InvalidMessages):
        memory.add([{"role": "user", "content": "good"}, message], user_id="u")
    assert texts(memory, user_id="u") == []


def test_an_identity_is_needed(memory: Memory) -> None:
    with pytest.raises(InvalidScope, match="At least one of 'user_id', 'agent_id', or 'run_id'"):
        memory.add("x")


@pytest.mark.parametrize("identity", ["", " ", "a b", "a\tb", [], {}, 1.5, True, "x" * 10_000])
def test_an_identity_that_cannot_be_an_id_is_refused(memory: Memory, identity: Any) -> None:
    with pytest.raises(InvalidScope):
        memory.add("x", user_id=identity)


def test_integer_identities_are_texts(memory: Memory) -> None:
    memory.add("int id memory", user_id=42, infer=False)
    assert memory.get_all(filters={"user_id": 42})["results"][0]["user_id"] == "42"
    assert texts(memory, user_id="42") == ["int id memory"]


def test_a_timestamp_dates_the_memory(memory: Memory) -> None:
    when = datetime(2023, 5, 7, 10, 30, tzinfo=UTC)
    row = memory.add("long ago", user_id="u", timestamp=when, infer=False)["results"][0]
    item = memory.get(row["id"])
    assert item is not None
    assert item["created_at"] == when.isoformat()


def test_a_message_may_carry_its_own_timestamp_metadata_and_id(memory: Memory) -> None:
    message = {
        "role": "user",
        "content": "dated",
        "timestamp": "2024-01-02T03:04:05+00:00",
        "metadata": {"own": True},
        "id": "turn-1",
    }
    row = memory.add([message], user_id="u", metadata={"shared": 1}, infer=False)["results"][0]
    item = memory.get(row["id"])
    assert item is not None
    assert item["created_at"] == "2024-01-02T03:04:05+00:00"
    assert item["metadata"] == {"shared": 1, "own": True}
    assert item["message_id"] == "turn-1"


def test_the_same_turn_sent_again_is_one_turn(memory: Memory) -> None:
    message = {"role": "user", "content": "once", "id": "t1"}
    first = memory.add([message], user_id="u")["results"]
    again = memory.add([message, {"role": "user", "content": "new", "id": "t2"}], user_id="u")
    assert [row["event"] for row in again["results"]] == ["NONE", "ADD"]
    assert again["results"][0]["id"] == first[0]["id"]
    assert sorted(texts(memory, user_id="u")) == ["new", "once"]


def test_a_turn_twice_in_one_call_is_one_turn(memory: Memory) -> None:
    message = {"role": "user", "content": "once", "id": "t1"}
    memory.add([message, message], user_id="u")
    assert texts(memory, user_id="u") == ["once"]


def test_the_same_id_for_another_text_is_a_conflict(memory: Memory) -> None:
    memory.add([{"role": "user", "content": "once", "id": "t1"}], user_id="u")
    with pytest.raises(Conflict, match="'t1'"):
        memory.add([{"role": "user", "content": "other", "id": "t1"}], user_id="u")


def test_the_same_text_without_an_id_is_kept_each_time(memory: Memory) -> None:
    memory.add("again", user_id="u", infer=False)
    memory.add("again", user_id="u", infer=False)
    assert texts(memory, user_id="u") == ["again", "again"]


def test_an_idempotency_key_makes_a_retry_safe(memory: Memory) -> None:
    first = memory.add("My name is Ada.", user_id="u", idempotency_key="k1")
    again = memory.add("My name is Ada.", user_id="u", idempotency_key="k1")
    assert again == first
    assert len(texts(memory, user_id="u")) == len(first["results"])
    with pytest.raises(Conflict, match="'k1'"):
        memory.add("something else", user_id="u", idempotency_key="k1")
    memory.add("My name is Ada.", user_id="other", idempotency_key="k1", infer=False)
    assert texts(memory, user_id="other") == ["My name is Ada."]


@pytest.mark.parametrize(
    "day", ["2026-03-02", date(2026, 3, 2), datetime(2026, 3, 2, 8, tzinfo=UTC)]
)
def test_an_expiring_memory_is_visible_on_its_last_day_and_hidden_from_the_next(
    memory: Memory, clock: TestClock, day: Any
) -> None:
    row = memory.add("parking spot B7", user_id="u", expiration_date=day, infer=False)["results"][0]
    item = memory.get(row["id"])
    assert item is not None
    assert item["expiration_date"] == "2026-03-02"
    clock.move(days=1)
    assert texts(memory, user_id="u") == ["parking spot B7"]
    clock.move(days=1)
    assert memory.get(row["id"]) is None
    assert texts(memory, user_id="u") == []
    assert memory.search("parking spot", filters={"user_id": "u"})["results"] == []
    shown = memory.get_all(filters={"user_id": "u"}, show_expired=True)["results"]
    assert [one["memory"] for one in shown] == ["parking spot B7"]


@pytest.mark.parametrize("day", ["x", "2026-13-01", 5, "2026-3-1", "01.03.2026"])
def test_another_expiration_date_is_refused(memory: Memory, day: Any) -> None:
    with pytest.raises(InvalidInput, match="expiration_date must be"):
        memory.add("x", user_id="u", expiration_date=day)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory_type", "semantic_memory"),
        ("metadata", "text"),
        ("metadata", {"f": object()}),
        ("metadata", {"f": float("nan")}),
        ("metadata", {1: "a"}),
        ("timestamp", "yesterday"),
        ("timestamp", True),
        ("timestamp", 1e30),
        ("infer", "no"),
        ("idempotency_key", ""),
        ("idempotency_key", 5),
    ],
)
def test_an_unusable_argument_is_named(memory: Memory, name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=name):
        memory.add("x", user_id="u", **{name: value})
    assert texts(memory, user_id="u") == []


def test_unknown_arguments_are_refused(memory: Memory) -> None:
    with pytest.raises(TypeError, match="bogus"):
        memory.add("x", user_id="u", bogus=1)  # type: ignore[call-arg]


def test_a_text_of_the_limit_is_kept_whole_and_a_longer_one_refused(memory: Memory) -> None:
    limit = 10 * 1024 * 1024
    long_text = ("word " * (limit // 5 + 1))[:limit]
    row = memory.add(long_text, user_id="u")["results"][0]
    item = memory.get(row["id"])
    assert item is not None
    assert item["memory"] == long_text
    with pytest.raises(TooLarge):
        memory.add(long_text + "x", user_id="u")


def test_a_procedure_is_kept_as_given(memory: Memory) -> None:
    steps = [
        {"role": "user", "content": "Deploy the site"},
        {"role": "assistant", "content": "1. build 2. upload 3. verify: HTTP 200"},
    ]
    row = memory.add(steps, agent_id="ag", memory_type="procedural_memory")["results"][0]
    assert (row["event"], row["kind"]) == ("ADD", "procedure")
    item = memory.get(row["id"])
    assert item is not None
    assert item["metadata"] == {"memory_type": "procedural_memory"}
    for step in steps:
        assert step["content"] in item["memory"]


def test_writes_are_read_by_another_instance_at_once(open_memory: Callable[[], Memory]) -> None:
    one, other = open_memory(), open_memory()
    one.add("shared between instances", user_id="u", infer=False)
    assert other.search("shared instances", filters={"user_id": "u"})["results"]
    other.add("and back", user_id="u", infer=False)
    assert "and back" in texts(one, user_id="u")


def test_add_many_is_add_many_times(memory: Memory) -> None:
    seen: list[tuple[int, int | None]] = []
    items = [{"messages": f"note {n}", "user_id": f"u{n % 3}", "infer": False} for n in range(600)]
    answers = memory.add_many(items, progress=lambda done, total: seen.append((done, total)))
    assert len(answers) == 600
    assert answers[7]["results"][0]["memory"] == "note 7"
    assert seen[-1] == (600, 600)
    assert len(texts(memory, user_id="u1")) == 200


@pytest.mark.parametrize(
    "item",
    [5, {}, {"messages": "x"}, {"messages": 5, "user_id": "u"}, {"messages": "x", "us": "u"}],
)
def test_add_many_checks_all_before_it_writes_any(memory: Memory, item: Any) -> None:
    with pytest.raises(InvalidInput, match=r"items\[1\]"):
        memory.add_many([{"messages": "good", "user_id": "u"}, item])
    assert texts(memory, user_id="u") == []
