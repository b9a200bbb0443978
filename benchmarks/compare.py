"""Retain and Mem0 side by side in one run: same texts, same vectors, same machine.

    python benchmarks/compare.py --mem0-python MEM0_ENV/bin/python --output result.json

Each library is measured in a process of its own, one after the other, so that neither disturbs the
other and their packages cannot conflict. With ``--mem0-result`` an earlier measurement of Mem0 is
used instead, and marked as such.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from vectors import write_table

HERE = Path(__file__).resolve().parent
KINDS = (
    ("CPU p50", "cpu_p50_ms"),
    ("CPU mean", "cpu_mean_ms"),
    ("wall p50", "wall_p50_ms"),
)


def measured(python: str, script: str, *arguments: str) -> dict[str, Any]:
    """The JSON that a measuring script prints; its messages go to our standard error."""
    done = subprocess.run(
        [python, str(HERE / script), *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def ratios(ours: dict[str, Any], theirs: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    """Name, Retain's figure, Mem0's, and how many times better Retain is (below 1: worse)."""
    rows = [
        (
            "bulk add, memories/s (add_many / add in a loop)",
            ours["bulk"]["rows_per_s"],
            theirs["bulk"]["rows_per_s"],
            ours["bulk"]["rows_per_s"] / theirs["bulk"]["rows_per_s"],
        )
    ]
    for size, their in theirs["sizes"].items():
        our = ours["sizes"].get(size)
        if our is None:
            continue
        paired = [
            (f"{what}, ms {kind}", our[key][field], their[key][field])
            for what, key in (
                ("search top 10", "search"),
                ("get_all of 20", "get_all_20"),
                ("single add", "single_add"),
            )
            for kind, field in KINDS
        ]
        paired.append(
            (
                "reopen to first answer, s",
                our["reopen"]["first_answer_s"],
                their["reopen"]["first_answer_s"],
            )
        )
        paired.append(("disk, MB", our["disk_mb"], their["disk_mb"]))
        rows += [
            (f"{int(size):>6} rows: {name}", mine, other, other / max(mine, 1e-6))
            for name, mine, other in paired
        ]
    return rows


def print_table(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """The ratios, and what a durable add costs above the disk's own sync."""
    print(f"{'':56}{'retain':>12}{'mem0':>12}{'times':>9}")
    for name, mine, other, times in ratios(ours, theirs):
        print(f"{name:56}{mine:12.3f}{other:12.3f}{times:9.1f}")
    for size, figures in ours["sizes"].items():
        above = figures["single_add"]["wall_p50_ms"] - figures["disk_sync"]["wall_p50_ms"]
        print(f"{size:>6} rows: a durable add of retain takes {above:.3f} ms above the disk's sync")


def run() -> None:
    """Parse the command line, measure both, print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    mem0 = parser.add_mutually_exclusive_group(required=True)
    mem0.add_argument("--mem0-python", help="an interpreter that has mem0ai and qdrant-client")
    mem0.add_argument("--mem0-result", type=Path, help="what measure_mem0.py printed before")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--output", type=Path, help="save both measurements as JSON")
    asked = parser.parse_args()
    sizes = [str(rows) for rows in asked.rows]
    ours = measured(sys.executable, "measure_retain.py", "--rows", *sizes)
    if asked.mem0_result:
        theirs = json.loads(asked.mem0_result.read_text("utf-8").splitlines()[-1])
        theirs["measured_in_this_run"] = False
    else:
        with tempfile.TemporaryDirectory(prefix="vectors-") as name:
            table = Path(name) / "vectors.npy"
            write_table(table, max(asked.rows))
            theirs = measured(
                asked.mem0_python, "measure_mem0.py", "--vectors", str(table),
                "--vector-rows", str(max(asked.rows)), "--rows", *sizes,
            )  # fmt: skip
        theirs["measured_in_this_run"] = True
    print_table(ours, theirs)
    if asked.output:
        asked.output.write_text(
            json.dumps({"retain": ours, "mem0": theirs}, indent=2) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    run()
