"""Measuring time and space, the same way for every library."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Figures = dict[str, float]


def percentile(values: list[float], share: float) -> float:
    """The nearest-rank percentile; ``share`` is 0..1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def time_calls(call: Callable[[int], object], count: int, warm: int = 3) -> Figures:
    """Milliseconds a call, wall clock and processor, after ``warm`` calls that do not count.

    ``call`` gets a number that never repeats. Processor time covers all threads of the process.
    """
    for number in range(warm):
        call(1_000_000 + number)
    walls: list[float] = []
    processors: list[float] = []
    for number in range(count):
        processor, wall = time.process_time(), time.perf_counter()
        call(number)
        walls.append((time.perf_counter() - wall) * 1e3)
        processors.append((time.process_time() - processor) * 1e3)
    return {
        "calls": count,
        "wall_p50_ms": round(percentile(walls, 0.5), 4),
        "wall_p95_ms": round(percentile(walls, 0.95), 4),
        "cpu_p50_ms": round(percentile(processors, 0.5), 4),
        "cpu_p95_ms": round(percentile(processors, 0.95), 4),
        "cpu_mean_ms": round(sum(processors) / count, 4),
    }


def time_once(call: Callable[[], object]) -> Figures:
    """Seconds of one long call, wall clock and processor."""
    processor, wall = time.process_time(), time.perf_counter()
    call()
    return {
        "wall_s": round(time.perf_counter() - wall, 3),
        "cpu_s": round(time.process_time() - processor, 3),
    }


def disk_sync(folder: Path, count: int = 60) -> Figures:
    """What one durable append of 4 KiB costs on this disk: write, then ``fdatasync``."""
    path = folder / "sync.probe"
    sync = getattr(os, "fdatasync", os.fsync)
    with path.open("wb", buffering=0) as file:

        def append(_number: int) -> None:
            file.write(b"x" * 4096)
            sync(file.fileno())

        figures = time_calls(append, count)
    path.unlink()
    return figures


def megabytes(path: Path) -> float:
    """Allocated size of a file or a folder with everything in it."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return round(sum(one.stat().st_blocks * 512 for one in files) / 1e6, 2)


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "platform": platform.platform(),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load_before": [round(one, 2) for one in os.getloadavg()],
    }
