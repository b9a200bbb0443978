"""Every command does what its API method does, and prints it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retain.memory import Memory
from tests.cli.conftest import Shell


def add(retain: Shell, text: str, *words: str) -> str:
    """Add a text and return the id of its turn."""
    found: str = retain.ok("add", text, "--no-infer", "--json", *words).json["results"][0]["id"]
    return found


def test_add_then_recall_works_without_any_option(retain: Shell) -> None:
    retain.ok("add", "I live in Oslo")
    assert "Oslo" in retain.ok("recall", "where do I live?").out


def test_without_an_identity_the_user_is_me(retain: Shell, memory: Memory) -> None:
    add(retain, "a note of mine")
    assert memory.get_all(user_id="me")["results"][0]["memory"] == "a note of mine"


def test_an_agent_alone_is_not_given_a_user(retain: Shell, memory: Memory) -> None:
    add(retain, "an agent's note", "--agent", "coder")
    item = memory.get_all(agent_id="coder")["results"][0]
    assert item["agent_id"] == "coder"
    assert "user_id" not in item


def test_add_takes_everything_that_the_api_takes(retain: Shell, memory: Memory) -> None:
    memory_id = add(
        retain, "The lamp is broken", "--role", "assistant", "--name", "Robo",
        "--timestamp", "2024-05-06T07:08:09", "--expires", "2999-01-02",
        "--metadata", "room=kitchen", "--metadata", "count=3", "--metadata", "tags=[1, 2]",
        "--metadata", "note=a=b",
    )  # fmt: skip
    item = memory.get(memory_id)
    assert item is not None
    assert (item["role"], item["actor_id"]) == ("assistant", "Robo")
    assert item["created_at"] == "2024-05-06T07:08:09+00:00"
    assert item["expiration_date"] == "2999-01-02"
    assert item["metadata"] == {"room": "kitchen", "count": 3, "tags": [1, 2], "note": "a=b"}


@pytest.mark.parametrize("words", [("add",), ("add", "-")])
def test_add_reads_standard_input(retain: Shell, memory: Memory, words: tuple[str, ...]) -> None:
    retain.ok(*words, "--no-infer", stdin="two lines\nof text\n")
    assert memory.get_all(user_id="me")["results"][0]["memory"] == "two lines\nof text"


def test_the_same_idempotency_key_adds_once(retain: Shell) -> None:
    first = add(retain, "once", "--idempotency-key", "k1")
    assert add(retain, "once", "--idempotency-key", "k1") == first
    assert len(retain.ok("list").lines) == 1


def test_no_infer_keeps_the_turn_only(retain: Shell) -> None:
    assert len(retain.ok("add", "I live in Oslo", "--no-infer").lines) == 1


def test_json_is_the_result_of_the_api(retain: Shell, memory: Memory) -> None:
    memory_id = add(retain, "the blue bicycle")
    assert retain.ok("list", "--json").json == memory.get_all(user_id="me")
    assert retain.ok("search", "bicycle", "--json").json == memory.search("bicycle", user_id="me")
    assert retain.ok("show", memory_id, "--json").json == memory.why(memory_id)
    assert retain.ok("history", memory_id, "--json").json == memory.history(memory_id)
    recalled = memory.recall("bicycle", user_id="me")
    assert retain.ok("recall", "bicycle", "--json").json["context"] == recalled.context


def test_options_may_stand_before_the_command_or_after_it(retain: Shell) -> None:
    add(retain, "of ann", "--user", "ann")
    before = retain.ok("--user", "ann", "--json", "list").json
    after = retain.ok("list", "--json", "--user", "ann").json
    assert before == after
    assert before["results"][0]["memory"] == "of ann"


def test_an_option_wins_over_the_environment(
    retain: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(retain, "of ann", "--user", "ann")
    monkeypatch.setenv("RETAIN_USER", "ben")
    assert retain.ok("list").lines == []
    assert len(retain.ok("--user", "ann", "list").lines) == 1
    assert len(retain.ok("--user", "cleo", "list", "--user", "ann").lines) == 1


def test_projects_do_not_see_each_other(retain: Shell) -> None:
    add(retain, "of acme", "--project", "acme")
    assert retain.ok("list").lines == []
    assert len(retain.ok("list", "--project", "acme").lines) == 1


def test_search_narrows_by_filter_kind_and_number(retain: Shell) -> None:
    add(retain, "ramen on Main Street", "--metadata", "stars=5")
    add(retain, "ramen at the station", "--metadata", "stars=2")
    found = retain.ok(
        "search", "ramen", "--filter", '{"stars": {"gte": 4}}', "--threshold", "0"
    ).lines
    assert [fields[3] for fields in found] == ["user: ramen on Main Street"]
    assert retain.ok("search", "ramen", "--kind", "fact").lines == []
    assert len(retain.ok("search", "ramen", "-k", "1").lines) == 1


def test_search_explains_scores(retain: Shell) -> None:
    add(retain, "the red kettle")
    explained = retain.ok("search", "kettle", "--explain").out
    assert len(explained.splitlines()) > 1


def test_expired_memories_are_listed_on_demand_only(retain: Shell) -> None:
    add(retain, "old code", "--expires", "2020-01-01")
    assert retain.ok("list").lines == []
    assert len(retain.ok("list", "--show-expired").lines) == 1


def test_update_changes_text_metadata_and_expiry(retain: Shell, memory: Memory) -> None:
    memory_id = add(retain, "tea at four", "--metadata", "room=1", "--expires", "2999-01-01")
    retain.ok("update", memory_id, "tea at five", "--metadata", "floor=2", "--never-expires")
    item = memory.get(memory_id)
    assert item is not None
    assert item["memory"] == "tea at five"
    assert item["metadata"] == {"room": 1, "floor": 2}
    assert "expiration_date" not in item


def test_deleted_memories_can_be_restored(retain: Shell) -> None:
    memory_id = add(retain, "keep me")
    retain.ok("delete", memory_id)
    assert retain.ok("list").lines == []
    retain.ok("restore", memory_id, "--reason", "a mistake")
    assert len(retain.ok("list").lines) == 1
    assert "a mistake" in retain.ok("history", memory_id).out


def test_delete_all_needs_a_yes(retain: Shell) -> None:
    add(retain, "one")
    assert retain("delete", "--all", stdin="n\n").code != 0
    assert len(retain.ok("list").lines) == 1
    retain.ok("delete", "--all", stdin="y\n")
    assert retain.ok("list").lines == []


def test_delete_all_leaves_other_users_alone(retain: Shell) -> None:
    add(retain, "mine")
    add(retain, "of ann", "--user", "ann")
    retain.ok("delete", "--all", "--yes")
    assert len(retain.ok("list", "--user", "ann").lines) == 1


def test_erase_asks_and_prints_a_receipt(retain: Shell) -> None:
    memory_id = add(retain, "the vault number is 88213")
    assert retain("erase", memory_id, stdin="n\n").code != 0
    assert len(retain.ok("list").lines) == 1
    receipt = retain.ok("erase", memory_id, "--yes", "--json", "--reason", "asked").json
    assert receipt["memory_ids"] == [memory_id]
    assert receipt["reason"] == "asked"
    assert b"88213" not in retain.path.read_bytes()
    assert retain("show", memory_id).code == 4


def test_erase_all_prints_what_went(retain: Shell) -> None:
    add(retain, "one")
    add(retain, "two")
    assert "memories: 2" in retain.ok("erase", "--all", "--yes").out


def test_supersede_and_restore(retain: Shell) -> None:
    old, new = add(retain, "the code is 1"), add(retain, "the code is 2")
    retain.ok("supersede", old, "--by", new)
    assert [fields[-1] for fields in retain.ok("list").lines] == [new]
    assert len(retain.ok("list", "--include-superseded").lines) == 2
    retain.ok("restore", old)
    assert len(retain.ok("list").lines) == 2


def test_show_tells_why(retain: Shell, memory: Memory) -> None:
    retain.ok("add", "I live in Oslo")
    fact = memory.get_all(user_id="me", kinds=["fact"])["results"][0]
    shown = retain.ok("show", fact["id"]).out
    quote = memory.why(fact["id"])["evidence"][0]["quote"]
    for part in (fact["memory"], quote, "evidence", "derivation", "history", "ADD"):
        assert part in shown


def test_export_and_import_move_everything(retain: Shell, tmp_path: Path) -> None:
    add(retain, "first")
    add(retain, "second", "--user", "ann")
    assert retain.ok("export", "all.jsonl").out.strip() == "2 memories"
    other = str(tmp_path / "other.db")
    counts = retain.ok("import", "all.jsonl", "--path", other, "--json").json
    assert counts["memories"] == 2
    assert len(retain.ok("list", "--user", "ann", "--path", other).lines) == 1
    assert retain.ok("import", "all.jsonl", "--path", other, "--json").json["memories"] == 0


def test_export_of_one_user(retain: Shell) -> None:
    add(retain, "first")
    add(retain, "second", "--user", "ann")
    assert retain.ok("export", "ann.jsonl", "--user", "ann", "--json").json == 1


def test_plain_conversations_belong_to_the_named_user(retain: Shell, tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "The garden gate squeaks"}]
    (tmp_path / "chat.json").write_text(json.dumps(turns), encoding="utf-8")
    retain.ok("import", "chat.json", "--user", "gus")
    assert "squeaks" in retain.ok("search", "garden gate", "--user", "gus").out


def test_conversations_of_nobody_are_those_of_the_default_user(
    retain: Shell, tmp_path: Path
) -> None:
    turns = [{"role": "user", "content": "The garden gate squeaks"}]
    (tmp_path / "chat.json").write_text(json.dumps(turns), encoding="utf-8")
    retain.ok("import", "chat.json")
    assert len(retain.ok("list", "--user", "me").lines) == 1


def test_conversations_keep_the_owner_that_the_file_names(retain: Shell, tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "The garden gate squeaks"}]
    conversation = {"user_id": "gus", "messages": turns}
    (tmp_path / "chat.json").write_text(json.dumps(conversation), encoding="utf-8")
    retain.ok("import", "chat.json")
    assert len(retain.ok("list", "--user", "gus").lines) == 1


def test_stats_check_reindex_and_backup(retain: Shell, tmp_path: Path) -> None:
    add(retain, "a fact of life")
    assert retain.ok("stats", "--json").json
    assert "embedder" in retain.ok("stats").out
    assert retain.ok("check").out.strip() == "no problems"
    assert retain.ok("check", "--json").json["problems"] == []
    assert retain.ok("reindex", "--json").json == 1
    retain.ok("backup", "copy.db")
    assert len(retain.ok("list", "--path", str(tmp_path / "copy.db")).lines) == 1


def test_version(retain: Shell) -> None:
    import retain as package

    assert retain.ok("version").out.strip() == package.__version__
    assert retain.ok("--version").out.strip() == package.__version__


def test_config_names_each_source(
    retain: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETAIN_PROFILE", "plain")
    (tmp_path / "retain.json").write_text('{"session_gap": 60}', encoding="utf-8")
    rows = retain.ok("config", "--json", "--project", "acme", "--config", "retain.json").json
    assert rows["project"] == {"value": "acme", "source": "option"}
    assert rows["profile"] == {"value": "plain", "source": "RETAIN_PROFILE"}
    assert rows["session_gap"] == {"value": 60, "source": "retain.json"}
    assert rows["path"] == {"value": str(retain.path), "source": "RETAIN_PATH"}
    assert rows["user"] == {"value": "me", "source": "default"}
    assert rows["busy_timeout"]["source"] == "default"


def test_config_prints_no_secret(retain: Shell, tmp_path: Path) -> None:
    config = {"embedder": {"provider": "openai", "api_key": "sk-hidden", "model": "m"}}
    (tmp_path / "retain.json").write_text(json.dumps(config), encoding="utf-8")
    for words in (("config",), ("config", "--json")):
        shown = retain.ok(*words, "--config", "retain.json").out
        assert "openai" in shown
        assert "sk-hidden" not in shown


def test_search_recall_and_list_show_as_many_as_the_api_does(retain: Shell, memory: Memory) -> None:
    memory.add_many([{"messages": f"note {n}", "user_id": "me", "infer": False} for n in range(30)])
    for command in ("search", "list"):
        words = (command, "note") if command == "search" else (command,)
        assert len(retain.ok(*words).lines) == 20
        assert len(retain.ok(*words, "--limit", "3").lines) == 3
    recalled = retain.ok("recall", "note", "--limit", "2", "--json").json
    assert len(recalled["memories"]) == 2


def test_recall_explains_the_scores(retain: Shell) -> None:
    add(retain, "the blue bicycle")
    shown = retain.ok("recall", "bicycle", "--explain").out
    assert "final_score" in shown
    assert "final_score" not in retain.ok("recall", "bicycle").out
    explained = retain.ok("recall", "bicycle", "--explain", "--json").json
    assert "final_score" in explained["memories"][0]["score_details"]


def test_receipts_lists_what_was_erased_without_its_text(retain: Shell, memory: Memory) -> None:
    assert "Nothing was erased" in retain.ok("receipts").err
    for text in ("quillfeather", "zanzibar"):
        retain.ok("erase", add(retain, text), "--yes", "--reason", f"asked, {len(text)}")
    listed = retain.ok("receipts", "--json").json
    assert [one["reason"] for one in listed] == ["asked, 8", "asked, 12"]
    assert [one["id"] for one in listed] == [one.id for one in memory.receipts()]
    shown = retain.ok("receipts", "--limit", "1").out
    assert "asked, 8" in shown
    assert "asked, 12" not in shown
    assert "quillfeather" not in shown + str(listed)


def test_forget_shows_what_would_go_then_archives_it(retain: Shell) -> None:
    held = retain.ok("add", "an old note", "--no-infer", "--timestamp", "2020-01-01").lines[0][-1]
    dry = retain.ok("forget", "--keep-days", "message=30", "--dry-run")
    assert dry.lines == [["archived", "message", "an old note", "message older than 30 days", held]]
    assert "1 memories would go" in dry.err
    assert len(retain.ok("list").lines) == 1
    retain.ok("forget", "--keep-days", "message=30")
    assert retain.ok("list").lines == []
    assert retain.ok("archived").lines == [
        ["message", "an old note", "message older than 30 days", held]
    ]
    retain.ok("restore", held)
    report = retain.ok("forget", "--keep-days", "message=30", "--erase", "--yes", "--json").json
    assert [one["id"] for one in report["erased"]] == [held]
    assert retain("forget", "--keep-days", "message").code == 2
    assert retain("forget", "--keep-days", "nonsense=3").code == 2


def test_graph_and_trace_show_what_rests_on_what(retain: Shell) -> None:
    rows = retain.ok("add", "I live in Oslo.").lines
    fact = next(row[-1] for row in rows if "User lives in Oslo." in row)
    assert "-->|derived_from|" in retain.ok("graph").out
    assert retain.ok("graph", "--format", "graphml", "--no-entities").out.startswith("<?xml")
    assert len(retain.ok("graph", "--json", "--kind", "fact", "--no-entities").json["nodes"]) == 1
    first, second = retain.ok("trace", fact).out.splitlines()
    assert first.startswith("fact User lives in Oslo. (")
    assert second.startswith('  message "I live in Oslo" in I live in Oslo. (')
    assert retain("graph", "--format", "dot").code == 2


def test_episodes_are_added_listed_and_shown(retain: Shell) -> None:
    row = retain.ok("--agent", "ops", "episode", "add", "The deploy failed.").lines[0]
    assert row[1:4] == ["failure", "coding", "The deploy failed."]
    listed = retain.ok("--agent", "ops", "episode", "list", "--outcome", "failure")
    assert listed.lines == [row]
    assert "1 of 1 episodes" in listed.err
    assert retain.ok("--agent", "ops", "episode", "list", "--json").json["total"] == 1
    shown = retain.ok("episode", "show", row[-1])
    assert shown.out.startswith("The deploy failed.")
    assert "importance" in shown.out
    assert retain("episode", "show", "nonesuch").code == 4


def test_consolidate_draws_insights_that_are_listed(retain: Shell) -> None:
    for day in range(3):
        said = ["Ana prefers aisle seats.", "Ana wanted an aisle seat.", "An aisle seat for Ana."]
        retain.ok("--agent", "ops", "episode", "add", said[day])
    dry = retain.ok("--agent", "ops", "consolidate", "--least-support", "3", "--dry-run")
    assert dry.lines[0][:2] == ["add", "preference"]
    assert "3 episodes would be taken in" in dry.err
    assert retain.ok("--agent", "ops", "insights").lines == []
    retain.ok("consolidate")
    (row,) = retain.ok("--agent", "ops", "insights", "--type", "preference").lines
    assert row[:3] == ["preference", "0.80", "3"]
    assert "aisle" in row[3]
    assert retain.ok("--agent", "ops", "insights", "--json").json["total"] == 1
    assert len(retain.ok("trace", row[-1]).out.splitlines()) == 4
    assert retain("consolidate", "--least-support", "1").code == 2
    assert retain("--agent", "ops", "insights", "--type", "nonsense").code == 2


def test_a_worker_consolidates_when_enough_episodes_wait(retain: Shell) -> None:
    for _ in range(3):
        retain.ok("--agent", "ops", "episode", "add", "Ana prefers aisle seats.")
    idle = retain.ok("worker", "--once", "--consolidate-after", "4", "--json").json
    assert idle == {"done": 0, "failed": 0}
    done = retain.ok("worker", "--once", "--consolidate-after", "3", "--json").json
    assert done == {"done": 1, "failed": 0}
    assert len(retain.ok("--agent", "ops", "insights").lines) == 1
    assert retain("worker", "--once", "--consolidate-after", "0").code == 2


def test_an_empty_option_reaches_nobody(retain: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETAIN_USER", "bob")
    retain.ok("add", "of bob", "--no-infer")
    retain.ok("--user", "me", "add", "of me", "--no-infer")
    for option in ("--user", "--agent", "--run", "--project", "--path", "--config"):
        for command in (["erase", "--all", "--yes"], ["delete", "--all", "--yes"], ["export", "-"]):
            refused = retain(*command, option, "")
            assert refused.code != 0, (option, command)
            assert refused.err.strip(), (option, command)
            assert "of bob" not in refused.out and "of me" not in refused.out
    assert len(retain.ok("list").lines) == 1
    assert len(retain.ok("--user", "me", "list").lines) == 1
