"""Measure Mem0 on the shared workload: run by the interpreter of an environment that has it.

MEM0_ENV/bin/python benchmarks/measure_mem0.py --vectors vectors.npy --rows 1000 10000
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from timing import disk_sync, machine, megabytes, time_calls, time_once
from vectors import QUERIES, Table
from workload import query, text

USER = {"user_id": "u"}
LOADED_AT_ONCE = 500


def open_memory(folder: Path, table: Table) -> Any:
    """Mem0 with a local Qdrant in ``folder`` and the shared vectors; no model is ever called."""
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "home"))
    os.environ.setdefault("OPENAI_API_KEY", "unused")
    logging.disable(logging.WARNING)
    from mem0 import Memory  # type: ignore[import-not-found]

    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "collection_name": "bench",
                    "embedding_model_dims": table.dimension,
                    "on_disk": True,
                },
            },
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = table
    return memory


def load(memory: Any, table: Table, rows: int) -> None:
    """Put rows in as ``add(infer=False)`` would, in batches below its API: a fair fast load."""
    now = datetime.now(UTC).isoformat()
    for start in range(0, rows, LOADED_AT_ONCE):
        texts = [text(number) for number in range(start, min(rows, start + LOADED_AT_ONCE))]
        ids = [str(uuid.uuid4()) for _ in texts]
        payloads = [
            {
                **USER,
                "data": one,
                "role": "user",
                "hash": hashlib.md5(one.encode()).hexdigest(),
                "created_at": now,
                "updated_at": now,
                "text_lemmatized": one.lower(),
            }
            for one in texts
        ]
        memory.vector_store.insert(vectors=table.embed_batch(texts), ids=ids, payloads=payloads)
        memory.db.batch_add_history(
            [
                {
                    "memory_id": one_id,
                    "old_memory": None,
                    "new_memory": one,
                    "event": "ADD",
                    "created_at": now,
                    "updated_at": now,
                    "is_deleted": 0,
                    "role": "user",
                }
                for one_id, one in zip(ids, texts, strict=True)
            ]
        )


def close(memory: Any) -> None:
    """Close it, and the Qdrant client too, which its own ``close`` leaves locked."""
    memory.close()
    memory.vector_store.client.close()


def measure_adds(table: Table, count: int) -> dict[str, Any]:
    """The public ``add(infer=False)``, one by one, from an empty store."""
    with tempfile.TemporaryDirectory(prefix="mem0-") as name:
        memory = open_memory(Path(name), table)
        taken = time_once(
            lambda: [memory.add(text(n), user_id="u", infer=False) for n in range(count)]
        )
        close(memory)
        return {**taken, "rows": count, "rows_per_s": round(count / taken["wall_s"], 1)}


def measure_size(table: Table, rows: int, vectors: Path) -> dict[str, Any]:
    """One user with ``rows`` memories: search, list, add, reopen, disk."""
    with tempfile.TemporaryDirectory(prefix="mem0-") as name:
        folder = Path(name)
        memory = open_memory(folder, table)
        loaded = time_once(lambda: load(memory, table, rows))
        calls = min(QUERIES, 100 if rows <= 10_000 else 20)
        report = {
            "load_below_api": loaded,
            "search": time_calls(
                lambda n: memory.search(query(n), filters=USER, top_k=10), calls, 2
            ),
            "get_all_20": time_calls(lambda _n: memory.get_all(filters=USER, top_k=20), 10, 1),
            "disk_mb": megabytes(folder),
            "single_add": time_calls(
                lambda n: memory.add(text(rows + n % 1_000), user_id="u", infer=False), 40, 2
            ),
            "disk_sync": disk_sync(folder),
        }
        close(memory)
        report["reopen"] = json.loads(
            subprocess.run(
                [
                    sys.executable, __file__, "--vectors", str(vectors), "--reopen", name,
                    "--vector-rows", str(table.rows),
                ],
                check=True, stdout=subprocess.PIPE, text=True,
            ).stdout.splitlines()[-1]
        )  # fmt: skip
        return report


def measure_reopen(folder: Path, table: Table) -> dict[str, float]:
    """From a fresh process: opening, and the first search after it. Imports are not counted."""
    import mem0  # noqa: F401

    start = time.perf_counter()
    memory = open_memory(folder, table)
    opened = time.perf_counter()
    memory.search(query(0), filters=USER, top_k=10)
    answered = time.perf_counter()
    close(memory)
    return {"open_s": round(opened - start, 4), "first_answer_s": round(answered - start, 4)}


def run() -> None:
    """Parse the command line, measure, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument(
        "--vector-rows", type=int, default=50_000, help="rows the table was made for"
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--adds", type=int, default=300)
    parser.add_argument("--reopen", type=Path)
    asked = parser.parse_args()
    table = Table(asked.vectors, asked.vector_rows)
    if asked.reopen:
        print(json.dumps(measure_reopen(asked.reopen, table)))
        return
    from importlib.metadata import version

    report: dict[str, Any] = {
        "library": "mem0ai",
        "version": version("mem0ai"),
        "machine": machine(),
        "bulk": measure_adds(table, asked.adds),
        "sizes": {},
    }
    for rows in asked.rows:
        report["sizes"][str(rows)] = measure_size(table, rows, asked.vectors)
        print(f"mem0: {rows} rows measured", file=sys.stderr)
    print(json.dumps(report))


if __name__ == "__main__":
    run()
