"""``python -m retain.evaluation DATASET PATH``: the measuring without the rest of the commands.

``python -m retain.evaluation grounding DATASET PATH`` measures what is held as known instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from retain.errors import RetainError
from retain.evaluation import grounding
from retain.evaluation.baselines import BASELINES
from retain.evaluation.datasets import READERS
from retain.evaluation.progress import question_bar
from retain.evaluation.runner import run_bench


def run(arguments: Sequence[str] | None = None) -> int:
    """Parse, measure, print; the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["grounding"]:
        return grounding.run(given[1:])
    asked = _parser().parse_args(given)
    try:
        with question_bar(asked.dataset) as progress:
            report = run_bench(
                asked.dataset,
                asked.path,
                profile=asked.profile,
                baselines=asked.baseline,
                limit=asked.limit,
                k=asked.k,
                output=asked.output,
                progress=progress,
                budget_tokens=asked.budget_tokens,
                infer=not asked.no_infer,
            )
    except RetainError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return error.exit_code
    if asked.json:
        print(json.dumps(report.to_dict(), indent=2))
    else:
        from rich.console import Console

        Console().print(report.table())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m retain.evaluation", description=__doc__)
    parser.add_argument("dataset", choices=sorted(READERS))
    parser.add_argument("path", type=Path, help="the data set's file, or folder")
    parser.add_argument("--profile", help="ranking of Retain: default, plain, rem")
    parser.add_argument(
        "--baseline", action="append", default=[], choices=sorted(BASELINES), help="repeatable"
    )
    parser.add_argument("--limit", type=int, help="only the first samples")
    parser.add_argument("--k", type=int, help="results to ask each search for")
    parser.add_argument("--budget-tokens", type=int, help="also build a context of this size")
    parser.add_argument("--no-infer", action="store_true", help="keep turns only, derive no facts")
    parser.add_argument("--output", type=Path, help="a file for one JSON line per question")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(run())
