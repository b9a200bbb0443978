"""Forgetting by policy: what goes, why, and the ways back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retain import ForgetPolicy, Memory
from retain.domain.instant import DAY
from retain.errors import InvalidInput
from tests.conftest import TestClock


def texts(memory: Memory, **more: Any) -> list[str]:
    found = memory.get_all(user_id="u", top_k=1000, **more)["results"]
    return sorted(item["memory"] for item in found)


def note(memory: Memory, text: str, **more: Any) -> str:
    return str(memory.add(text, user_id="u", infer=False, **more)["results"][0]["id"])


def told(report: dict[str, Any], what: str = "archived") -> dict[str, str]:
    return {one["memory"]: one["reason"] for one in report[what]}


def test_a_dry_run_says_what_then_happens_and_changes_nothing(
    memory: Memory, clock: TestClock
) -> None:
    note(memory, "an old note")
    clock.move(days=40)
    note(memory, "a new note")
    policy = ForgetPolicy(keep_days={"message": 30})
    dry = memory.forget(policy, user_id="u", dry_run=True)
    assert told(dry) == {"an old note": "message older than 30 days"}
    assert texts(memory) == ["a new note", "an old note"]
    assert memory.forget(policy, user_id="u") == dry
    assert texts(memory) == ["a new note"]
    assert memory.search("old note", user_id="u", include_superseded=True)["results"] != []
    assert "an old note" not in texts(memory, include_superseded=True, show_expired=True)
    assert memory.forget(policy, user_id="u")["archived"] == []
    (archived,) = memory.archived(user_id="u")
    assert (archived["status"], archived["reason"]) == ("archived", "message older than 30 days")
    memory.restore(archived["id"])
    assert texts(memory) == ["a new note", "an old note"]
    assert [row["event"] for row in memory.history(archived["id"])] == [
        "ADD", "ARCHIVE", "RESTORE",
    ]  # fmt: skip
    assert memory.check().problems == []


def test_facts_outlive_turns_that_are_archived_and_go_with_those_that_are_erased(
    memory: Memory, clock: TestClock, tmp_path: Path
) -> None:
    memory.add("I live in Xyzzyville.", user_id="u")
    clock.move(days=40)
    policy = {"keep_days": {"message": 30}}
    memory.forget(policy, user_id="u")
    assert texts(memory) == ["User lives in Xyzzyville."]
    assert "Xyzzyville" in memory.recall("Where do I live?", user_id="u").context
    memory.restore(memory.archived(user_id="u")[0]["id"])
    report = memory.forget({**policy, "erase": True}, user_id="u", dry_run=True)
    assert {one["kind"] for one in report["erased"]} == {"message", "fact"}
    assert any("rests on" in one["reason"] for one in report["erased"])
    report = memory.forget({**policy, "erase": True}, user_id="u")
    assert all("memory" not in one for one in report["erased"])
    assert memory.receipts()[0].id == report["receipt"]
    assert texts(memory) == []
    memory.close()
    for file in tmp_path.glob("ledger.db*"):
        assert b"Xyzzyville" not in file.read_bytes()


def test_what_is_to_be_kept_keeps_what_it_rests_on(memory: Memory, clock: TestClock) -> None:
    (turn, fact) = memory.add("I live in Oslo.", user_id="u")["results"]
    memory.update(fact["id"], metadata={"pinned": True})
    note(memory, "a note")
    clock.move(days=40)
    policy = {"keep_days": {"message": 30, "fact": 30}, "keep": {"pinned": True}, "erase": True}
    memory.forget(policy, user_id="u")
    assert texts(memory) == ["I live in Oslo.", "User lives in Oslo."]
    assert memory.why(fact["id"])["evidence"][0]["source_id"] == turn["id"]


def test_weight_decays_with_disuse_and_use_holds_it_up(memory: Memory, clock: TestClock) -> None:
    note(memory, "the ferry leaves at seven")
    note(memory, "the violin is in the attic")
    for _ in range(3):
        clock.move(days=10)
        memory.recall("the ferry", user_id="u", top_k=1, threshold=None)
    clock.move(days=70)
    note(memory, "new")
    report = memory.forget({"half_life_days": 30, "least_weight": 0.1}, user_id="u")
    assert set(told(report)) == {"the violin is in the attic"}
    assert "weight 0.0" in next(iter(told(report).values()))
    assert texts(memory) == ["new", "the ferry leaves at seven"]


def test_a_cap_keeps_the_newest_of_each_holder_or_the_heaviest(
    memory: Memory, clock: TestClock
) -> None:
    for number in range(5):
        note(memory, f"note {number}", run_id=f"r{number % 2}")
        clock.move(days=1)
    memory.add("of another", user_id="v", infer=False)
    report = memory.forget({"most": {"message": 3}})
    assert set(told(report)) == {"note 0", "note 1"}
    assert memory.get_all(user_id="v")["results"] != []
    memory.recall("note 2", user_id="u", top_k=1, threshold=None)
    report = memory.forget({"most": {"message": 1}, "half_life_days": 5}, user_id="u")
    assert texts(memory) == ["note 2"]


def test_expired_replaced_and_deleted_ones_go_after_their_time(
    memory: Memory, clock: TestClock
) -> None:
    note(memory, "a code", expiration_date="2026-03-02")
    memory.add("I live in Oslo.", user_id="u")
    clock.move(days=1)
    memory.add("I moved to Rome.", user_id="u")
    memory.delete(note(memory, "a mistake"))
    policy = {"expired_days": 7, "replaced_days": 7}
    assert memory.forget(policy, dry_run=True)["archived"] == []
    clock.move(days=10)
    assert told(memory.forget(policy)) == {
        "a code": "expired more than 7 days ago",
        "User lives in Oslo.": "replaced more than 7 days ago",
    }
    facts = memory.get_all(user_id="u", kinds=["fact"], include_superseded=True)["results"]
    assert [one["memory"] for one in facts] == ["User lives in Rome."]
    report = memory.forget({"withdrawn_days": 5, "erase": True})
    assert [one["reason"] for one in report["erased"]] == ["deleted more than 5 days ago"]
    old = next(one for one in memory.archived(user_id="u") if "Oslo" in one["memory"])
    memory.restore(old["id"])
    assert memory.why(old["id"])["memory"]["status"] == "superseded"
    assert memory.check().problems == []


def test_what_was_not_said_for_long_is_due_for_review(memory: Memory, clock: TestClock) -> None:
    memory.add("I live in Oslo.", user_id="u")
    memory.add("I like tea.", user_id="u")
    clock.move(days=100)
    memory.add("I live in Oslo.", user_id="u")
    report = memory.forget({"review_days": {"fact": 90}}, user_id="u")
    assert told(report, "review") == {"User likes tea.": "last said 2026-03-01"}
    assert (report["archived"], report["erased"]) == ([], [])


def test_an_archived_value_still_stands_between_older_and_newer(
    memory: Memory, clock: TestClock
) -> None:
    for town in ("Oslo", "Rome"):
        memory.add(f"I moved to {town}.", user_id="u")
        clock.move(days=50)
    memory.forget({"keep_days": {"fact": 10}}, user_id="u")
    assert memory.get_all(user_id="u", kinds=["fact"])["results"] == []
    memory.add("I moved to Lima.", user_id="u")
    now = memory.get_all(user_id="u", kinds=["fact"])["results"]
    assert [one["memory"] for one in now] == ["User lives in Lima."]


def test_scopes_and_projects_are_left_alone(memory: Memory, clock: TestClock) -> None:
    note(memory, "mine")
    memory.add("yours", user_id="v", infer=False)
    clock.move(days=9)
    memory.forget({"keep_days": {"message": 1}}, user_id="u")
    assert texts(memory) == []
    assert [one["memory"] for one in memory.get_all(user_id="v")["results"]] == ["yours"]


@pytest.mark.parametrize(
    ("policy", "named"),
    [
        (5, "must be a ForgetPolicy or a dict"),
        ({"keep": 5}, "policy.keep must be a dict"),
        ({"keep_day": {}}, "policy has no 'keep_day'"),
        ({"keep_days": 5}, "keep_days must be a dict by kind"),
        ({"keep_days": {"nonsense": 5}}, "no kind 'nonsense'"),
        ({"keep_days": {"fact": -1}}, "must be a number, 0 or more, got -1"),
        ({"keep_days": {"fact": float("nan")}}, "must be a number"),
        ({"most": {"fact": 1.5}}, "must be a whole number"),
        ({"expired_days": "7"}, "expired_days must be a number"),
        ({"expired_days": True}, "expired_days must be a number"),
        ({"half_life_days": 0}, "half_life_days must be above 0"),
        ({"least_weight": 2}, "0 to 1"),
        ({"withdrawn_days": 3}, "needs erase=True"),
        ({"erase": "yes"}, "erase must be True or False"),
        ({"keep": {"n": {"regex": "x"}}}, "regex"),
    ],
)
def test_a_policy_that_cannot_be_used_is_refused(memory: Memory, policy: Any, named: str) -> None:
    note(memory, "a")
    with pytest.raises(InvalidInput, match=named):
        memory.forget(policy, user_id="u")
    assert texts(memory) == ["a"]


def test_weights_fall_with_time_and_rise_with_use() -> None:
    from retain.domain.kind import Kind
    from retain.domain.memory import MemoryRecord
    from retain.domain.scope import Scope
    from retain.domain.use import Use

    record = MemoryRecord("i", Scope(user_id="u"), Kind.FACT, "t", 0, 0, 0)
    policy = ForgetPolicy(half_life_days=10)
    weights = [policy.weight(record, Use(), 0.8, days * DAY) for days in (0, 10, 20)]
    assert weights == pytest.approx([0.8, 0.4, 0.2])
    assert policy.weight(record, Use(1, 0), 0.8, 20 * DAY) == pytest.approx(0.4)


def test_an_important_episode_outweighs_a_routine_one(memory: Memory, clock: TestClock) -> None:
    for importance in (0.9, 0.2):
        memory.write_episode(f"weighs {importance}", agent_id="a", importance=importance)
    clock.move(days=30)
    report = memory.forget({"half_life_days": 30, "least_weight": 0.15}, agent_id="a")
    assert [one["memory"] for one in report["archived"]] == ["weighs 0.2"]
    assert memory.episodes(agent_id="a")["total"] == 1
