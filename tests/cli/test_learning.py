"""Learning with a chat model from the command line; the model is an endpoint of this process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from retain.errors import ConfigError, Conflict, InvalidInput, ModelError, NotFound
from retain.memory import Memory
from tests.cli.conftest import Shell
from tests.models.endpoint import Endpoint, completion, serve_chat

pytest.importorskip("openai", reason="the extra 'openai' is not installed")

OSLO = "Hi! I live in Oslo with my dog Rex."


def said(statement: str, quote: str) -> str:
    """A model's answer with one statement."""
    quotes = [{"message": "m1", "text": quote}]
    return json.dumps({"memories": [{"statement": statement, "quotes": quotes}]})


@pytest.fixture
def model(retain: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A chat model that the environment names, which has learned where the user lives."""
    with serve_chat(said("User lives in Oslo.", "I live in Oslo")) as endpoint:
        monkeypatch.setenv("RETAIN_LLM", "openai:m")
        monkeypatch.setenv("RETAIN_LLM_BASE_URL", endpoint.url)
        monkeypatch.setenv("RETAIN_LLM_API_KEY", "k")
        monkeypatch.setenv("RETAIN_LLM_MAX_RETRIES", "0")
        monkeypatch.setenv("RETAIN_LLM_TEMPERATURE", "0.5")
        yield endpoint


def answers(model: Endpoint, text: str) -> None:
    """Let the model answer something else from now on."""
    model.usual = lambda _body: (200, {}, completion(text))


def fails(model: Endpoint, status: int = 401) -> None:
    """Let the model refuse from now on."""
    model.usual = lambda _body: (status, {}, {"error": {"message": "no"}})


def test_the_model_that_the_environment_names_is_asked(retain: Shell, model: Endpoint) -> None:
    added = retain.ok("add", OSLO, "--prompt", "Mind the dog.").lines
    assert [fields[:3] for fields in added] == [
        ["ADD", "message", f"user: {OSLO}"], ["ADD", "fact", "User lives in Oslo."],
    ]  # fmt: skip
    (asked,) = model.asked
    assert asked["authorization"] == "Bearer k"
    assert asked["temperature"] == 0.5
    assert asked["messages"][1]["content"].endswith("Mind the dog.")


def test_config_shows_model_and_gate_and_no_key(
    retain: Shell, model: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETAIN_GATE", "strict")
    monkeypatch.setenv("RETAIN_LLM_API_KEY", "sk-hidden")
    rows = retain.ok("config", "--json").json
    assert rows["llm"] == {"value": "openai:m", "source": "RETAIN_LLM"}
    assert rows["gate"] == {"value": "strict", "source": "RETAIN_GATE"}
    assert "sk-hidden" not in retain.ok("config").out


def test_show_tells_quote_message_check_score_and_decision(retain: Shell, model: Endpoint) -> None:
    fact = retain.ok("add", OSLO).lines[1][-1]
    shown = retain.ok("show", fact).out
    derivation = retain.ok("show", fact, "--json").json["derivation"]
    assert 'supports: "I live in Oslo" (user ' in shown
    assert "in: Hi! [I live in Oslo] with my dog Rex." in shown
    assert "checked: exact 1.00" in shown
    assert f"conversation-facts@1, model openai:m, {derivation['at']}\t{derivation['id']}" in shown
    assert f"  add (1.00): {derivation['decisions'][0]['reason']}" in shown


def test_show_tells_what_replaced_a_memory(retain: Shell, memory: Memory) -> None:
    old, new = (
        retain.ok("add", text, "--no-infer").lines[0][-1] for text in ("the code is 1", "2 now")
    )
    retain.ok("supersede", old, "--by", new, "--reason", "changed")
    assert f'<- supersedes {new} "2 now" (changed)' in retain.ok("show", old).out
    assert f'-> supersedes {old} "the code is 1" (changed)' in retain.ok("show", new).out
    memory.erase(new)
    assert "2 now" not in retain.ok("show", old).out


def test_what_came_of_a_recall_is_told_and_shown(retain: Shell) -> None:
    held = retain.ok("add", "The staging deploy needs the VPN", "--no-infer").lines[0][-1]
    recalled = retain.ok("recall", "How do I deploy?").err.split()[-1]
    assert "recorded" in retain.ok("outcome", recalled, "success", "--note", "it went out").out
    shown = retain.ok("show", held).out
    assert "1 contexts" in shown and "helped 1, hurt 0" in shown and "it went out" in shown
    again = retain.ok("recall", "How do I deploy?", "--json").json["id"]
    assert retain.ok("outcome", again, "failure", "--json").json["memories"] == [held]
    assert retain("outcome", again, "great").code == InvalidInput.exit_code
    assert retain("outcome", "nonesuch", "success").code == NotFound.exit_code


def test_candidates_are_listed_accepted_and_rejected(
    retain: Shell, model: Endpoint, memory: Memory
) -> None:
    assert "Nothing is set aside" in retain.ok("candidates").err
    answers(model, said("User lives in Bergen.", "I live in Oslo"))
    retain.ok("add", OSLO)
    answers(model, said("User has 3 dogs.", "my dog Rex"))
    retain.ok("add", OSLO)
    dogs, bergen = retain.ok("candidates").lines
    assert [dogs[0], dogs[2]] == ["candidate", "User has 3 dogs."]
    assert "Bergen" in bergen[3]
    assert retain.ok("candidates", "--json").json == memory.candidates(user_id="me")
    retain.ok("accept", bergen[-1], "--reason", "she told me")
    assert "she told me" in retain.ok("history", bergen[-1]).out
    assert "rejected" in retain.ok("reject", dogs[-1]).out
    assert retain.ok("candidates").lines == []
    assert [fields[2] for fields in retain.ok("list", "--kind", "fact").lines] == [
        "User lives in Bergen."
    ]
    assert retain("accept", dogs[-1]).code == Conflict.exit_code
    assert retain("reject", "nonesuch").code == NotFound.exit_code


def test_derivations_tell_how_it_came_about(retain: Shell, model: Endpoint, memory: Memory) -> None:
    assert "Nothing was derived" in retain.ok("derivations").err
    fact = retain.ok("add", OSLO).lines[1][-1]
    (listed,) = retain.ok("derivations").lines
    assert listed[1:4] == ["conversation-facts@1", "openai:m", "1 add"]
    assert retain.ok("derivations", fact).lines == [listed]
    assert retain.ok("derivations", "--user", "otto").lines == []
    assert retain.ok("derivations", "--json").json == memory.derivations(user_id="me")
    shown = retain.ok("derivation", listed[-1]).out
    for part in ("conversation-facts@1", "temperature: 0.5", "input_tokens: 7", "  add\t1.00\t"):
        assert part in shown
    found = retain.ok("derivation", listed[-1], "--json").json
    assert found["methods"]["conversation-facts@1"].startswith("You read a conversation")


def test_a_replay_shows_what_differs(retain: Shell, model: Endpoint) -> None:
    retain.ok("add", OSLO)
    (listed,) = retain.ok("derivations").lines
    answers(model, said("User has a dog called Rex.", "my dog Rex"))
    shown = retain.ok("replay", listed[-1], "--model", "openai:m").out
    assert "only before\n  held\t1.00\tUser lives in Oslo." in shown
    assert "\tUser has a dog called Rex.\t" in shown.partition("only now\n  held\t")[2]
    told = retain.ok("replay", listed[-1], "--method", "conversation-facts@1", "--json").json
    assert told["derivation_id"] == listed[-1]
    assert retain("replay", listed[-1], "--method", "nothing@1").code == 2
    assert [fields[2] for fields in retain.ok("list", "--kind", "fact").lines] == [
        "User lives in Oslo."
    ]


def test_a_failed_job_is_listed_and_done_again(retain: Shell, model: Endpoint) -> None:
    usual = model.usual
    fails(model)
    failed = retain("add", OSLO, "--json")
    assert failed.code == ModelError.exit_code
    details = json.loads(failed.err)["error"]["details"]
    (job,) = retain.ok("jobs", "--status", "failed").lines
    assert (job[1:4], job[-1]) == (["failed", "learn", "1"], details["job_id"])
    assert "401" in job[4]
    assert retain("retry", job[-1]).code == ModelError.exit_code
    model.usual = usual
    assert retain.ok("retry", job[-1]).lines[0][:3] == ["ADD", "fact", "User lives in Oslo."]
    assert retain.ok("jobs", "--json").json[0]["status"] == "done"
    assert "No jobs here" in retain.ok("jobs", "--status", "failed").err
    assert retain("jobs", "--status", "lazy").code == 2


def test_what_is_not_waited_for_has_a_job(retain: Shell, model: Endpoint) -> None:
    told = retain.ok("add", OSLO, "--no-wait", "--json").json
    assert [one["kind"] for one in told["results"]] == ["message"]
    assert retain.ok("jobs", "--json").json[0]["id"] == told["job_id"]


def stranded(retain: Shell, model: Endpoint, *texts: str) -> None:
    """Texts whose model was out of reach, to be learned from later."""
    from retain.domain.job import JobStatus
    from retain.testing.chat import FailingChat

    with Memory({"path": str(retain.path), "llm": FailingChat()}) as memory:
        for text in texts:
            with pytest.raises(ModelError):
                memory.add(text, user_id="me")
    from dataclasses import replace

    with Memory({"path": str(retain.path)}) as memory, memory._parts.ledger.write() as tx:
        for told in memory.jobs(user_id="me"):
            job = tx.job(told["id"])
            assert job is not None
            tx.save_job(replace(job, status=JobStatus.PENDING))


def test_a_worker_does_what_is_due_and_ends(retain: Shell, model: Endpoint) -> None:
    stranded(retain, model, OSLO, OSLO, OSLO)
    assert retain.ok("worker", "--limit", "1", "--json").json == {"done": 1, "failed": 0}
    assert retain.ok("worker", "--once").out == "done: 2\nfailed: 0\n"
    assert retain.ok("worker", "--once", "--json").json == {"done": 0, "failed": 0}
    assert retain("worker", "--limit", "0").code == 2


def test_a_worker_tells_of_failures(retain: Shell, model: Endpoint) -> None:
    stranded(retain, model, OSLO)
    answers(model, "I would rather not.")
    ran = retain("worker", "--once")
    assert (ran.code, ran.out) == (ModelError.exit_code, "done: 0\nfailed: 1\n")
    assert "--status failed" in ran.err


def test_a_worker_needs_a_model(retain: Shell) -> None:
    assert retain("worker", "--once").code == ConfigError.exit_code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_finishes_its_job_when_it_is_stopped(
    retain: Shell, model: Endpoint, number: signal.Signals
) -> None:
    stranded(retain, model, OSLO, OSLO)
    usual = model.usual
    workers: list[subprocess.Popen[bytes]] = []

    def stop_first(body: dict[str, Any]) -> Any:
        workers[0].send_signal(number)
        return usual(body)

    model.usual = stop_first
    workers.append(
        subprocess.Popen(
            [sys.executable, "-m", "retain.cli.app", "worker"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ),
        )
    )
    out, err = workers[0].communicate(timeout=60)
    assert (workers[0].returncode, out, err) == (0, b"done: 1\nfailed: 0\n", b"")
    assert sorted(job[1] for job in retain.ok("jobs").lines) == ["done", "pending"]
