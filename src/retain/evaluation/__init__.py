"""Measuring recall on public data sets, with baselines in the same run."""

from __future__ import annotations

from retain.evaluation.report import BenchReport
from retain.evaluation.runner import run_bench

__all__ = ["BenchReport", "run_bench"]
