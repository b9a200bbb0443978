"""LoCoMo (Maharana et al. 2024): long dialogues of two people, questions with evidence turns.

Judged as usual in the literature on retrieval: questions of categories 1 to 4 (5 is adversarial:
its premise is false) whose evidence names at least one turn that exists. Evidence strings need
cleaning: one may hold several turns (``"D8:6; D9:17"``), a leading zero or a stray mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from retain.evaluation.datasets.source import Shape, read_json
from retain.evaluation.sample import Dataset, Question, Sample, Session, Turn

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
ADVERSARIAL = 5
MEASURES = ("R@5", "R@10", "R@30", "hit@1", "hit@5", "hit@10", "MRR", "nDCG@10")

_SESSION = re.compile(r"session_(\d+)\Z")
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
        sessions = list(_sessions(shape, record["conversation"], f"{where}: conversation"))
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


def read_conversation(conversation: Any, where: str) -> Iterator[Session]:
    """The sessions of one LoCoMo conversation that is already parsed.

    Args:
        conversation: the object with ``session_1``, ``session_1_date_time`` and so on.
        where: how errors call it.

    Raises:
        InvalidInput: it is something else.
    """
    return _sessions(Shape("LoCoMo", Path(where)), conversation, "conversation")


def _sessions(shape: Shape, raw: Any, where: str) -> Iterator[Session]:
    conversation = shape.record(raw, where)
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.match(key)))
    if not numbers:
        raise shape.fail(where, "has no 'session_1'")
    for number in numbers:
        key = f"session_{number}"
        at = shape.moment(
            shape.record(conversation, where, f"{key}_date_time")[f"{key}_date_time"],
            f"{where}: {key}_date_time",
            _parse_date,
        )
        turns = [
            _turn(shape, turn, f"{where}: {key}[{place}]", at)
            for place, turn in enumerate(shape.rows(conversation[key], f"{where}: {key}"))
        ]
        yield Session(f"D{number}", at, turns)


def _turn(shape: Shape, raw: Any, where: str, at: datetime) -> Turn:
    record = shape.record(raw, where, "dia_id", "speaker", "text")
    text = shape.text(record["text"], f"{where}: text").strip()
    caption = record.get("blip_caption")
    if caption:
        text = f"{text} [shares image: {caption}]".strip()
    return Turn(str(record["dia_id"]), "user", str(record["speaker"]), text, at)


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


def _parse_date(text: str) -> datetime:
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y")  # noqa: DTZ007 - UTC is set
