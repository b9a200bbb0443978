"""What figures were taken on: without it a figure says nothing."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def describe_environment() -> dict[str, Any]:
    """Versions, machine and moment; ``commit`` is None where there is no git working tree."""
    import numpy as np

    import retain

    return {
        "retain": retain.__version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _commit() -> str | None:
    """The commit of the working tree this module runs from, with ``+`` if it has changes."""
    here = Path(__file__).resolve().parent
    head = _git(here, "rev-parse", "--short=12", "HEAD")
    tracked = _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
    if not head or not tracked:
        return None
    return head + ("+" if _git(here, "status", "--porcelain", "--untracked-files=no") else "")


def _git(folder: Path, *words: str) -> str:
    """What git prints, or nothing: it may be missing, and this may be no working tree."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            check=False,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
