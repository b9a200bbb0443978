"""LoCoMo (Maharana et al. 2024): long dialogues of two people, questions with evidence turns.

Judged as usual in the literature on retrieval: questions of categories 1 to 4 (5 is adversarial:
its premise is false) whose evidence names at least one turn that exists. Evidence strings need
cleaning: one may hold several turns (``"D8:6; D9:17"``), a leading zero or a stray mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from retain.evaluation.datasets.source import read_json
from retain.evaluation.sample import Dataset, Question, Sample
from retain.transfer.locomo import read_sessions
from retain.transfer.shape import Shape

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
ADVERSARIAL = 5
MEASURES = ("R@5", "R@10", "R@30", "hit@1", "hit@5", "hit@10", "MRR", "nDCG@10")

_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


def read_locomo(path: Path) -> Dataset:
    """LoCoMo from its JSON file, gzipped or not.

    Raises:
        InvalidInput: the file is missing or something else.
    """
    shape = Shape("LoCoMo", path)
    skipped: Counter[str] = Counter()
    samples = []
    for number, raw in enumerate(shape.rows(read_json(path), "the root")):
        where = f"sample {number}"
        record = shape.record(raw, where, "conversation", "qa")
        name = str(record.get("sample_id", number))
        sessions = list(read_sessions(shape, record["conversation"], f"{where}: conversation"))
        turns = {turn.id for session in sessions for turn in session.turns}
        questions = []
        for place, one in enumerate(shape.rows(record["qa"], f"{where}: qa")):
            question = _question(shape, one, f"{where}: qa[{place}]", turns)
            if isinstance(question, str):
                skipped[question] += 1
            else:
                questions.append(replace(question, id=f"{name}/q{place}"))
        samples.append(Sample(name, sessions, questions))
    return Dataset("locomo", samples, {"turn": MEASURES}, depth=30, skipped=dict(skipped))


def _question(shape: Shape, raw: Any, where: str, turns: set[str]) -> Question | str:
    """The question, or why it is left out."""
    record = shape.record(raw, where, "question", "category", "evidence")
    if record["category"] == ADVERSARIAL:
        return "adversarial"
    category = CATEGORIES.get(record["category"])
    if category is None:
        return "unknown category"
    gold = evidence_ids(record) & turns
    if not gold:
        return "no resolvable evidence"
    text = shape.text(record["question"], f"{where}: question")
    return Question("", text, category, {"turn": gold})


def evidence_ids(record: Mapping[str, Any]) -> frozenset[str]:
    """The turn ids that a question's evidence names, however it is written."""
    raw = record["evidence"]
    strings = raw if isinstance(raw, list) else [raw]
    return frozenset(
        f"D{int(session)}:{int(turn)}"
        for one in strings
        for session, turn in _TURN_ID.findall(str(one))
    )
