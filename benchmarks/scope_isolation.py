"""A user with 100 memories: alone in the store, and among a million memories of others.

    python benchmarks/scope_isolation.py --users 10000 --each 100

What a search costs must follow the user's own memories, not the store's size.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from timing import machine, megabytes, time_calls, time_once
from workload import query, text

from retain import Memory

BATCH = 20_000
THE_USER = "someone"


def notes(user: str, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Notes of one user."""
    return (
        {"messages": text(number), "user_id": user, "infer": False}
        for number in range(first, first + count)
    )


def others(users: int, each: int) -> Iterator[dict[str, Any]]:
    """Notes of many users, one user after the other."""
    for user in range(users):
        yield from notes(f"user-{user}", 1_000 + user * each, each)


def load(memory: Memory, users: int, each: int) -> None:
    """Add the notes of all others, in batches that fit into memory."""
    batch: list[dict[str, Any]] = []
    total = 0
    for item in others(users, each):
        batch.append(item)
        if len(batch) == BATCH:
            memory.add_many(batch)
            total += len(batch)
            batch.clear()
            print(f"{total:,} memories kept", file=sys.stderr)
    if batch:
        memory.add_many(batch)


def ask(memory: Memory, calls: int) -> dict[str, float]:
    """Searches of the one user."""
    filters = {"user_id": THE_USER}
    return time_calls(lambda n: memory.search(query(n % 400), filters=filters, top_k=10), calls)


def cold(path: Path) -> dict[str, float]:
    """The first search of a fresh instance: the scope is read from disk."""
    with Memory(path) as memory:
        memory.search(query(1), user_id="nobody-yet")
        return time_once(lambda: memory.search(query(0), filters={"user_id": THE_USER}, top_k=10))


def run() -> None:
    """Measure alone, load the others, measure again; twice each, interleaved, to see the noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isolation-") as name:
        alone, crowded = Path(name) / "alone.db", Path(name) / "crowded.db"
        with Memory(alone) as one, Memory(crowded) as many:
            for memory in (one, many):
                memory.add_many(notes(THE_USER, 0, 100))
            loaded = time_once(lambda: load(many, asked.users, asked.each))
            rounds = [
                {"alone": ask(one, asked.calls), "crowded": ask(many, asked.calls)}
                for _ in range(3)
            ]
            together = asked.users * asked.each
            report: dict[str, Any] = {
                "machine": machine(),
                "memories_of_others": together,
                "load": {**loaded, "rows_per_s": round(together / loaded["wall_s"], 1)},
                "rounds": rounds,
                "crowded_disk_mb": megabytes(crowded),
            }
        report["cold"] = {"alone": cold(alone), "crowded": cold(crowded)}
    for kind in ("wall_p50_ms", "cpu_p50_ms", "wall_p95_ms"):
        least = {where: min(one[where][kind] for one in rounds) for where in ("alone", "crowded")}
        report[f"ratio_{kind}"] = round(least["crowded"] / least["alone"], 3)
    text_of_report = json.dumps(report, indent=2)
    print(text_of_report)
    if asked.output:
        asked.output.write_text(text_of_report + "\n", encoding="utf-8")


if __name__ == "__main__":
    run()
