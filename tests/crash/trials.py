"""Kills itself in the middle of a write, many times, and says what was acknowledged before.

Run as ``python -m tests.crash.trials FOLDER SEED TRIALS``. Each trial forks; the child opens the
same ledger, makes one write and dies by SIGKILL at the n-th statement that SQLite executes, so that
over the trials every step boundary is hit. After each death the parent checks the ledger against
what the dead child had acknowledged, and prints what was wrong as JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from retain import Memory, Settings
from retain.clock import system_clock
from retain.testing.chat import ScriptedChat
from retain.testing.embedders import HashEmbedder

DAY = 86_400_000_000  # microseconds
OPERATIONS = (
    "add",
    "add_fact",
    "update",
    "delete",
    "delete_all",
    "erase",
    "erase_scope",
    "add_many",
    "learn",
    "consolidate",
)
TOLD = "The deploy failed because the migration timed out."


def open_ledger(path: Path, llm: ScriptedChat | None = None, later: int = 0) -> Memory:
    """The ledger under trial, with an embedder that starts no threads before a fork.

    ``later``: microseconds by which its clock is ahead.
    """
    settings = Settings(path=path, embedder=HashEmbedder(dimension=64), llm=llm)
    return Memory(settings, clock=lambda: system_clock() + later)


def teller(trial: int) -> ScriptedChat:
    """A model that answers about one trial, whenever it is asked."""
    quotes = [{"message": "m1", "text": f"I live in Town{trial}"}]
    answer = {"memories": [{"statement": f"User lives in Town{trial}.", "quotes": quotes}]}
    return ScriptedChat([answer], repeat=True)


def die_at(statement: int) -> None:
    """From now on, die as soon as so many statements were begun."""
    count = 0
    real = sqlite3.connect

    def trace(_: str) -> None:
        nonlocal count
        count += 1
        if count == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*args, **kwargs)
        connection.set_trace_callback(trace)
        return connection

    sqlite3.connect = connect  # type: ignore[assignment]


def work(path: Path, operation: str, trial: int, acknowledge: Any) -> None:
    """One write of a kind, with an acknowledgement after it."""
    memory = open_ledger(path, teller(trial) if operation == "learn" else None)
    user = f"u{trial}"
    if operation == "learn":
        memory.add(f"I live in Town{trial}.", user_id=user, idempotency_key="k")
    elif operation == "consolidate":
        memory.consolidate(user_id=user)
    elif operation == "add":
        memory.add(f"plain note {trial}", user_id=user, infer=False)
    elif operation == "add_fact":
        memory.add([{"role": "user", "content": f"I live in Town{trial}."}], user_id=user)
    elif operation == "add_many":
        memory.add_many(
            [{"messages": f"bulk {trial} {n}", "user_id": user, "infer": False} for n in range(5)]
        )
    else:
        prior = memory.get_all(filters={"user_id": f"base{trial}"})["results"]
        if operation == "update":
            memory.update(prior[0]["id"], f"changed {trial}", metadata={"changed": trial})
        elif operation == "delete":
            memory.delete(prior[0]["id"])
        elif operation == "delete_all":
            memory.delete_all(user_id=f"base{trial}")
        elif operation == "erase":
            memory.erase(prior[0]["id"])
        elif operation == "erase_scope":
            memory.erase(user_id=f"base{trial}")
    os.write(acknowledge, b"done")


def found(memory: Memory, user: str) -> list[str]:
    """The visible texts of a user, in an order of their own."""
    items = memory.get_all(filters={"user_id": user}, top_k=100)["results"]
    return sorted(item["memory"] for item in items)


def consolidated_after_all(path: Path, trial: int) -> list[str]:
    """A user's memories once the next run did what the dead one left."""
    with open_ledger(path) as memory:
        memory.consolidate(user_id=f"u{trial}")
        again = memory.consolidate(user_id=f"u{trial}")
        left = memory.episodes(user_id=f"u{trial}", consolidated=False)["total"]
        done = again == {"episodes": 0, "insights": []} and left == 0
        return found(memory, f"u{trial}") if done else ["not done"]


def learned_after_all(path: Path, trial: int) -> list[str]:
    """What a user's memories are once the dead worker's time has run out: a worker does what it
    left, and the same call again finds that done."""
    with open_ledger(path, teller(trial), later=DAY) as memory:
        memory.work()
        memory.add(f"I live in Town{trial}.", user_id=f"u{trial}", idempotency_key="k")
        left = [job["status"] for job in memory.jobs(user_id=f"u{trial}")]
        return [*found(memory, f"u{trial}"), *(status for status in left if status != "done")]


def expected(operation: str, trial: int) -> tuple[str, list[str], list[str]]:
    """For an operation: whose memories tell, what they are if it never was, and if it was done."""
    base = [f"base {trial} {n}" for n in range(3)]
    newest = base[-1]
    if operation == "add":
        return f"u{trial}", [], [f"plain note {trial}"]
    if operation == "consolidate":
        return f"u{trial}", [TOLD] * 3, [TOLD] * 4
    if operation in ("add_fact", "learn"):
        return f"u{trial}", [], [f"I live in Town{trial}.", f"User lives in Town{trial}."]
    if operation == "add_many":
        return f"u{trial}", [], [f"bulk {trial} {n}" for n in range(5)]
    if operation == "update":
        return f"base{trial}", base, sorted([*base[:-1], f"changed {trial}"])
    if operation in ("delete", "erase"):
        return f"base{trial}", base, [text for text in base if text != newest]
    return f"base{trial}", base, []


def trial(path: Path, number: int, operation: str, statement: int) -> tuple[list[str], bool]:
    """Die once; what is wrong afterwards, and whether the write had been acknowledged."""
    memory = open_ledger(path)
    for n in range(3):
        memory.add(f"base {number} {n}", user_id=f"base{number}", infer=False)
        if operation == "consolidate":
            memory.write_episode(TOLD, agent_id="a", user_id=f"u{number}")
    memory.close()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        die_at(statement)
        work(path, operation, number, writing)
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    os.waitpid(child, 0)
    acknowledged = os.read(reading, 4) == b"done"
    os.close(reading)
    wrong = []
    memory = open_ledger(path)
    user, never, done = expected(operation, number)
    after = found(memory, user)
    if acknowledged and after != done:
        wrong.append(f"{operation} acknowledged but lost: {after}")
    # The turns are kept before a model is asked.
    kept = [done[0]] if operation == "learn" else never
    if after not in (never, kept, done):
        wrong.append(f"{operation} partial: {after}, neither {never} nor {done}")
    problems = list(memory.check().problems)
    if problems:
        wrong.append(f"{operation} at statement {statement}: check says {problems}")
    memory.close()
    if operation == "learn" and (after := learned_after_all(path, number)) != done:
        wrong.append(f"not learned after a kill at statement {statement}: {after}")
    if operation == "consolidate" and (after := consolidated_after_all(path, number)) != done:
        wrong.append(f"not consolidated after a kill at statement {statement}: {after}")
    return wrong, acknowledged


def main(folder: str, seed: str, trials: str) -> None:
    """Run the trials, spread over operations and statements, and print the verdict."""
    chance = random.Random(int(seed))
    path = Path(folder) / "ledger.db"
    wrong: list[str] = []
    acknowledged = 0
    for number in range(int(trials)):
        operation = OPERATIONS[number % len(OPERATIONS)]
        # Opening takes a few statements, a write some tens: both are hit, some runs reach the end.
        step = 5 if operation == "learn" else 3  # two transactions, and a job between them
        statement = 1 + (number // len(OPERATIONS)) * step + chance.randrange(step)
        said, done = trial(path, number, operation, statement)
        wrong.extend(said)
        acknowledged += done
    print(json.dumps({"trials": int(trials), "acknowledged": acknowledged, "wrong": wrong}))


if __name__ == "__main__":
    main(*sys.argv[1:])
