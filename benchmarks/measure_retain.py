"""Measure Retain on the shared workload, through its public API, with its defaults.

python benchmarks/measure_retain.py --rows 1000 10000
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from timing import disk_sync, machine, megabytes, time_calls, time_once
from workload import query, text

import retain
from retain import Memory

USER = {"user_id": "u"}


def items(rows: int) -> Iterator[dict[str, Any]]:
    """One note each, of one user: nothing is learned from it beyond the text."""
    return ({"messages": text(number), "user_id": "u", "infer": False} for number in range(rows))


def measure_adds(rows: int) -> dict[str, Any]:
    """``add_many`` into an empty store on disk, embedding included."""
    with (
        tempfile.TemporaryDirectory(prefix="retain-") as name,
        Memory(Path(name) / "m.db") as memory,
    ):
        memory.add("warm up", user_id="warm", infer=False)
        taken = time_once(lambda: memory.add_many(items(rows)))
        return {**taken, "rows": rows, "rows_per_s": round(rows / taken["wall_s"], 1)}


def measure_size(rows: int) -> dict[str, Any]:
    """One user with ``rows`` memories: search, list, add, reopen, disk."""
    with tempfile.TemporaryDirectory(prefix="retain-") as name:
        folder = Path(name)
        path = folder / "m.db"
        with Memory(path) as memory:
            loaded = time_once(lambda: memory.add_many(items(rows)))
            report: dict[str, Any] = {
                "load": loaded,
                "first_search": time_once(
                    lambda: memory.search(query(399), filters=USER, top_k=10)
                ),
                "search": time_calls(
                    lambda n: memory.search(query(n), filters=USER, top_k=10), 200
                ),
                "search_plain_profile": time_calls(
                    lambda n: memory.search(query(n), filters=USER, top_k=10, profile="plain"), 100
                ),
                "get_all_20": time_calls(lambda _n: memory.get_all(filters=USER, top_k=20), 200),
                "disk_mb": megabytes(folder),
                "single_add": time_calls(
                    lambda n: memory.add(text(rows + n), user_id="u", infer=False), 200
                ),
                "disk_sync": disk_sync(folder, 200),
                "search_after_add": time_calls(
                    lambda n: (
                        memory.add(text(rows + 500 + n), user_id="u", infer=False),
                        memory.search(query(n), filters=USER, top_k=10),
                    ),
                    60,
                ),
            }
        report["reopen"] = json.loads(
            subprocess.run(
                [sys.executable, __file__, "--reopen", str(path)],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
        )
        return report


def measure_reopen(path: Path) -> dict[str, float]:
    """From a fresh process: opening, and the first search after it. ``import retain`` excluded."""
    start = time.perf_counter()
    with Memory(path) as memory:
        opened = time.perf_counter()
        memory.search(query(0), filters=USER, top_k=10)
        answered = time.perf_counter()
    return {"open_s": round(opened - start, 4), "first_answer_s": round(answered - start, 4)}


def run() -> None:
    """Parse the command line, measure, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--adds", type=int, default=20_000)
    parser.add_argument("--reopen", type=Path)
    asked = parser.parse_args()
    if asked.reopen:
        print(json.dumps(measure_reopen(asked.reopen)))
        return
    report: dict[str, Any] = {
        "library": "retain",
        "version": retain.__version__,
        "machine": machine(),
        "bulk": measure_adds(asked.adds),
        "sizes": {},
    }
    for rows in asked.rows:
        report["sizes"][str(rows)] = measure_size(rows)
        print(f"retain: {rows} rows measured", file=sys.stderr)
    print(json.dumps(report))


if __name__ == "__main__":
    run()
