"""The examples run, and show what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_life_of_an_agent() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "agent_life.py"], capture_output=True, text=True, check=True
    )
    recurs, holds, before, rests = done.stdout.split("\n\n")
    assert "supersede  preference" in recurs
    assert "warning" in recurs and "skill" in recurs and "order number" in recurs
    assert "museum" not in recurs and "toner" not in recurs
    assert "window" in holds and "aisle seats" not in holds
    assert "insight, since 2026-03-03, preference" in before and "window seat" in before
    assert rests.count("timed out") == 3
