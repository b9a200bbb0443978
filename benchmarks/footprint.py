"""What a library costs before it does anything: import time, modules, packages, megabytes.

    python benchmarks/footprint.py --retain RETAIN_ENV/bin/python --mem0 MEM0_ENV/bin/python

Give interpreters of fresh environments that hold nothing but the library (``uv venv``, then
``uv pip install``), else the size is that of something else.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

IMPORT = """
import sys, time
start, processor = time.perf_counter(), time.process_time()
import {module}
from {module} import Memory
print(time.perf_counter() - start, time.process_time() - processor, len(sys.modules))
"""
WHERE = "import sysconfig; print(sysconfig.get_path('purelib'))"
INSTALLERS = {"pip", "setuptools", "wheel"}


def imported(python: str, module: str, times: int) -> dict[str, float]:
    """Medians over fresh processes, after one that warms the disk and writes the bytecode."""
    with tempfile.TemporaryDirectory(prefix="home-") as home:
        environment = {"MEM0_TELEMETRY": "False", "MEM0_DIR": home, "PATH": "", "HOME": home}
        runs = []
        for _ in range(times + 1):
            done = subprocess.run(
                [python, "-c", IMPORT.format(module=module)],
                check=True, capture_output=True, text=True, env=environment,
            )  # fmt: skip
            runs.append([float(one) for one in done.stdout.split()])
    walls, processors, modules = zip(*runs[1:], strict=True)
    return {
        "wall_s": round(statistics.median(walls), 4),
        "cpu_s": round(statistics.median(processors), 4),
        "modules": int(modules[0]),
    }


def installed(python: str) -> dict[str, float]:
    """Packages and megabytes in the environment, installers aside, bytecode apart.

    pip compiles bytecode on installing, uv does not; so it is compiled here, and counted apart.
    """
    done = subprocess.run([python, "-c", WHERE], check=True, capture_output=True, text=True)
    folder = Path(done.stdout.strip())
    # Some packages ship files for other versions of Python, which do not compile: no failure.
    subprocess.run(
        [python, "-m", "compileall", "-q", str(folder)], check=False, capture_output=True
    )
    packages = {one.name.split("-")[0].lower() for one in folder.glob("*.dist-info")} - INSTALLERS
    code = bytecode = 0
    for one in folder.rglob("*"):
        if one.is_file() and one.relative_to(folder).parts[0].split("-")[0] not in INSTALLERS:
            size = one.stat().st_blocks * 512
            if one.suffix == ".pyc":
                bytecode += size
            else:
                code += size
    return {
        "packages": len(packages),
        "mb": round(code / 1e6, 1),
        "mb_with_bytecode": round((code + bytecode) / 1e6, 1),
    }


def run() -> None:
    """Measure one or both, print JSON, and the ratios where both were given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--retain", help="interpreter of an environment with retain")
    parser.add_argument("--mem0", help="interpreter of an environment with mem0ai")
    parser.add_argument("--times", type=int, default=7)
    asked = parser.parse_args()
    report: dict[str, Any] = {}
    for module, python in (("retain", asked.retain), ("mem0", asked.mem0)):
        if python:
            report[module] = {
                "import": imported(python, module, asked.times),
                "installed": installed(python),
            }
    if len(report) == 2:
        theirs, ours = report["mem0"]["import"], report["retain"]["import"]
        report["import_times_faster"] = {
            kind: round(theirs[kind] / ours[kind], 1) for kind in ("wall_s", "cpu_s")
        }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    run()
