"""After a kill at any step of a write: the ledger opens, is whole, and lost nothing promised."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def run_trials(folder: Path, seed: int, trials: int) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.trials", str(folder), str(seed), str(trials)],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdict: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return verdict


def test_a_few_kills_leave_the_ledger_whole(tmp_path: Path) -> None:
    verdict = run_trials(tmp_path, seed=1, trials=40)
    assert verdict["wrong"] == []


@pytest.mark.slow
def test_two_hundred_kills_leave_the_ledger_whole(tmp_path: Path) -> None:
    verdict = run_trials(tmp_path, seed=2, trials=300)
    assert verdict["wrong"] == []
    # Early statements die before the commit, late ones after it: both must have been tried.
    acknowledged = verdict["acknowledged"]
    assert isinstance(acknowledged, int)
    assert 0 < acknowledged < 300
