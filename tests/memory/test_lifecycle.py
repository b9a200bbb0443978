"""Correct, withdraw, restore, supersede, erase: what each does to every read."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.analysis import entities, words
from retain.errors import Conflict, InvalidInput, NotFound
from retain.models import tokens
from retain.models.embedders import static
from retain.recall.index import ScopeIndex
from tests.conftest import TestClock

MISSING = "00000000-0000-0000-0000-000000000000"


def ids(memory: Memory, **asked: Any) -> set[str]:
    found = memory.get_all(filters={"user_id": "u"}, top_k=1000, **asked)["results"]
    return {item["id"] for item in found}


def note(memory: Memory, text: str, **given: Any) -> str:
    row = memory.add(text, user_id="u", infer=False, **given)["results"][0]
    return str(row["id"])


def test_update_changes_the_text_and_what_finds_it(memory: Memory, clock: TestClock) -> None:
    one = note(memory, "the violin is in the attic")
    before = memory.get(one)
    clock.move(seconds=5)
    assert memory.update(one, "the cello is in the cellar") == {
        "message": "Memory updated successfully!"
    }
    after = memory.get(one)
    assert before is not None
    assert after is not None
    assert after["memory"] == "the cello is in the cellar"
    assert after["hash"] != before["hash"]
    assert after["created_at"] == before["created_at"]
    assert after["updated_at"] > before["updated_at"]
    found = memory.search("cello", filters={"user_id": "u"})["results"]
    assert [item["id"] for item in found] == [one]
    assert all("violin" not in item["memory"] for item in found)


def test_update_merges_metadata_and_sets_and_clears_expiry(memory: Memory) -> None:
    one = note(memory, "x marks", metadata={"a": 1})
    memory.update(one, metadata={"b": 2, "user_id": "evil"})
    memory.update(one, expiration_date="2999-01-01")
    item = memory.get(one)
    assert item is not None
    assert item["metadata"] == {"a": 1, "b": 2}
    assert item["expiration_date"] == "2999-01-01"
    assert item["user_id"] == "u"
    memory.update(one, expiration_date=None)
    cleared = memory.get(one)
    assert cleared is not None
    assert "expiration_date" not in cleared


def test_update_understands_the_older_name_of_text(memory: Memory) -> None:
    one = note(memory, "old words")
    memory.update(one, data="new words")
    item = memory.get(one)
    assert item is not None
    assert item["memory"] == "new words"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "At least one of text, metadata, or expiration_date must be provided"),
        ({"expiration_date": "x"}, "expiration_date must be"),
        ({"text": 5}, "text must be"),
        ({"text": " "}, "text is empty"),
        ({"metadata": [1]}, "metadata must be"),
    ],
)
def test_update_refuses_what_it_cannot_use(
    memory: Memory, arguments: dict[str, Any], message: str
) -> None:
    one = note(memory, "unchanged")
    with pytest.raises(InvalidInput, match=message):
        memory.update(one, **arguments)
    item = memory.get(one)
    assert item is not None
    assert item["memory"] == "unchanged"


@pytest.mark.parametrize("unknown", [MISSING, "nope", ""])
def test_an_unknown_memory_cannot_be_changed(memory: Memory, unknown: str) -> None:
    assert memory.get(unknown) is None
    assert memory.history(unknown) == []
    for change in (
        lambda: memory.update(unknown, text="x"),
        lambda: memory.delete(unknown),
        lambda: memory.erase(unknown),
        lambda: memory.restore(unknown),
        lambda: memory.why(unknown),
    ):
        with pytest.raises(NotFound, match=f"Memory with id {unknown} not found"):
            change()


def test_delete_hides_a_memory_from_every_read_and_keeps_its_history(memory: Memory) -> None:
    one = note(memory, "a secret about violins")
    other = note(memory, "nothing to hide")
    memory.delete(one)
    assert memory.get(one) is None
    assert ids(memory, show_expired=True, include_superseded=True) == {other}
    found = memory.search("secret violins", filters={"user_id": "u"}, threshold=None)["results"]
    assert {item["id"] for item in found} == {other}
    assert [row["event"] for row in memory.history(one)] == ["ADD", "DELETE"]
    assert memory.history(one)[-1]["is_deleted"] is True
    with pytest.raises(NotFound):
        memory.delete(one)
    with pytest.raises(NotFound):
        memory.update(one, text="x")


def test_history_tells_old_and_new(memory: Memory) -> None:
    one = note(memory, "first")
    memory.update(one, text="second")
    added, updated = memory.history(one)
    assert (added["old_memory"], added["new_memory"]) == (None, "first")
    assert (updated["old_memory"], updated["new_memory"]) == ("first", "second")
    assert updated["memory_id"] == one


def test_delete_all_reaches_a_scope_and_nothing_else(memory: Memory) -> None:
    note(memory, "one")
    memory.add("two", user_id="u", agent_id="a", infer=False)
    memory.add("three", user_id="v", infer=False)
    memory.delete_all(user_id="u")
    assert ids(memory) == set()
    assert len(memory.get_all(filters={"user_id": "v"})["results"]) == 1
    assert memory.get_all(filters={"agent_id": "a"})["results"] == []
    with pytest.raises(InvalidInput, match="At least one filter is required"):
        memory.delete_all()


def test_deleting_a_turn_withdraws_the_facts_that_rest_on_it_alone(memory: Memory) -> None:
    first = memory.add("I live in Oslo.", user_id="u")["results"]
    turn = first[0]["id"]
    facts = [row["id"] for row in first if row["kind"] == "fact"]
    assert facts
    memory.delete(turn)
    assert ids(memory) == set()
    memory.restore(turn)
    assert ids(memory) == {turn, *facts}


def test_a_fact_with_another_source_outlives_the_first(memory: Memory) -> None:
    first = memory.add("I live in Oslo.", user_id="u")["results"]
    memory.add("I live in Oslo.", user_id="u")
    fact = next(row["id"] for row in first if row["kind"] == "fact")
    memory.delete(first[0]["id"])
    assert memory.get(fact) is not None


def test_correcting_a_turn_withdraws_what_it_no_longer_says(memory: Memory) -> None:
    first = memory.add("I live in Oslo.", user_id="u")["results"]
    fact = next(row["id"] for row in first if row["kind"] == "fact")
    memory.update(first[0]["id"], "I live in Bergen.")
    assert memory.get(fact) is None


def test_supersede_and_restore_are_inverse(memory: Memory) -> None:
    old, new = note(memory, "the meeting is on Monday"), note(memory, "the meeting is on Friday")
    before = memory.get_all(filters={"user_id": "u"})
    memory.supersede(old, by=new, reason="moved")
    assert ids(memory) == {new}
    assert ids(memory, include_superseded=True) == {old, new}
    assert memory.why(old)["memory"]["superseded_by"] == new
    memory.restore(old)
    assert memory.get_all(filters={"user_id": "u"}) == before
    assert [row["event"] for row in memory.history(old)] == ["ADD", "SUPERSEDE", "RESTORE"]
    assert memory.why(old)["links"] == []


def test_supersede_stays_with_one_owner(memory: Memory) -> None:
    mine = note(memory, "mine")
    theirs = memory.add("theirs", user_id="v", infer=False)["results"][0]["id"]
    with pytest.raises(Conflict, match="different owners"):
        memory.supersede(mine, by=theirs)
    with pytest.raises(Conflict, match="cannot replace itself"):
        memory.supersede(mine, by=mine)
    with pytest.raises(Conflict, match="held already"):
        memory.restore(mine)


def raw_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def test_erase_leaves_no_trace_in_the_file(memory: Memory, tmp_path: Path) -> None:
    secret = "the zanzibar passphrase is quillfeather"
    keep = note(memory, "an innocent remark")
    row = memory.add(
        [{"role": "user", "content": secret, "name": "Zebedee", "id": "turn-zanzibar"}],
        user_id="u",
        metadata={"tag": "quillfeather-tag"},
        idempotency_key="key-one",
    )["results"][0]
    memory.update(row["id"], secret + " and more quillfeather")
    assert b"quillfeather" in raw_bytes(tmp_path)
    receipt = memory.erase(row["id"], reason="asked to")
    assert receipt.file_clean
    assert receipt.memory_ids == (row["id"],)
    assert receipt.removed["memory"] == 1
    for trace in (b"quillfeather", b"zanzibar", b"Zebedee"):
        assert trace not in raw_bytes(tmp_path)
    assert memory.history(row["id"]) == []
    assert memory.get(row["id"]) is None
    assert ids(memory) == {keep}
    assert memory.check().problems == []


def test_erase_of_a_turn_takes_along_what_rests_on_it_alone(memory: Memory, tmp_path: Path) -> None:
    first = memory.add("My name is Quillon and I live in Xanadu.", user_id="u")["results"]
    assert any(row["kind"] == "fact" for row in first)
    receipt = memory.erase(first[0]["id"])
    assert sorted(receipt.memory_ids) == sorted(row["id"] for row in first)
    assert b"Quillon" not in raw_bytes(tmp_path)
    assert b"Xanadu" not in raw_bytes(tmp_path)


def test_erase_of_a_fact_says_which_source_still_holds_it(memory: Memory) -> None:
    first = memory.add("I live in Xanadu.", user_id="u")["results"]
    fact = next(row["id"] for row in first if row["kind"] == "fact")
    receipt = memory.erase(fact)
    assert receipt.kept_sources == (first[0]["id"],)


def test_erase_of_a_scope_takes_everything_of_it(memory: Memory, tmp_path: Path) -> None:
    for number in range(50):
        memory.add(f"quillfeather number {number}", user_id="u", run_id=f"r{number % 3}")
    memory.delete(memory.get_all(filters={"user_id": "u"})["results"][0]["id"])
    memory.add("an innocent remark", user_id="v", infer=False)
    receipt = memory.erase(user_id="u")
    assert receipt.file_clean
    assert receipt.removed["memory"] == 50
    assert b"quillfeather" not in raw_bytes(tmp_path)
    assert ids(memory) == set()
    assert len(memory.get_all(filters={"user_id": "v"})["results"]) == 1
    assert memory.check().problems == []


def test_erase_needs_one_thing_to_erase(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="erase needs"):
        memory.erase()
    with pytest.raises(InvalidInput, match="not both"):
        memory.erase(note(memory, "x"), user_id="u")


def test_reset_removes_everything_for_good(memory: Memory, tmp_path: Path) -> None:
    note(memory, "quillfeather")
    memory.reset()
    assert ids(memory) == set()
    assert b"quillfeather" not in raw_bytes(tmp_path)
    note(memory, "a new start")
    assert len(ids(memory)) == 1


def test_receipts_prove_erasures_of_this_project_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Memory(path) as memory, Memory(Settings(path=path, project="other")) as other:
        assert memory.receipts() == []
        one = memory.erase(note(memory, "quillfeather"), reason="asked to")
        note(memory, "zanzibar")
        two = memory.erase(user_id="u")
        assert memory.receipts() == [two, one]
        assert memory.receipts(top_k=1) == [two]
        assert dict(two.scope) == {"user_id": "u"}
        assert two.removed["memory"] == 1
        assert two.file_clean
        assert "quillfeather" not in str(memory.receipts())
        assert other.receipts() == []
        memory.reset()
        assert memory.receipts() == []


@pytest.mark.parametrize("top_k", [-1, True, "3", None])
def test_receipts_refuses_what_is_no_count(memory: Memory, top_k: Any) -> None:
    with pytest.raises(InvalidInput, match="Invalid top_k"):
        memory.receipts(top_k=top_k)


@pytest.mark.parametrize("verb", ["erase one", "erase a scope", "reset"])
def test_what_was_erased_leaves_the_search_cache_at_once(memory: Memory, verb: str) -> None:
    one = note(memory, "quillfeather")
    memory.search("quillfeather", user_id="u")

    def cached() -> bool:
        gc.collect()
        return any(isinstance(held, ScopeIndex) and one in held.ids for held in gc.get_objects())

    assert cached()
    if verb == "reset":
        memory.reset()
    else:
        memory.erase(**({"user_id": "u"} if verb == "erase a scope" else {"memory_id": one}))
    assert not cached()


def test_no_word_of_an_erased_text_stays_in_the_process(memory: Memory) -> None:
    kept = note(memory, "meet Zyxwvunlikely soon")
    memory.recall("zyxwvunlikely", filters={"user_id": "u"})
    caches = (static._words, words._terms)
    assert all(any("zyxwvunlikely" in word.lower() for word in seen) for seen in caches)
    memory.erase(kept)
    assert not any("zyxwvunlikely" in word.lower() for seen in caches for word in seen)
    assert tokens._remembered.cache_info().currsize == 0
    assert entities._may_name.cache_info().currsize == 0


def test_metadata_of_an_erased_source_do_not_live_on_in_what_another_source_says(
    tmp_path: Path,
) -> None:
    with Memory(tmp_path / "m.db") as memory:
        metadata = {"k": "Xylophon7", "shared": 1}
        first = memory.add("I live in Oslo.", user_id="u", metadata=metadata)["results"]
        memory.add("I live in Oslo.", user_id="u", metadata={"shared": 2})
        assert memory.erase(first[0]["id"]).file_clean
        (fact,) = memory.get_all(user_id="u", kinds=["fact"])["results"]
        assert fact["metadata"] == {"shared": 2}
    for file in tmp_path.iterdir():
        assert b"Xylophon7" not in file.read_bytes()
