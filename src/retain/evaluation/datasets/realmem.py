"""RealMem: one person's many sessions with an assistant, in order; queries asked on the way.

A query is a user turn marked ``is_query``; its evidence are the sessions that the assistant's next
turn draws upon. Only the sessions before the one in which it is asked are known then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from retain.evaluation.datasets.source import files_of, read_json
from retain.evaluation.sample import Dataset, Question, Sample, Session, Turn
from retain.transfer.shape import Shape

MEASURES = ("R@5", "R@10", "R@20", "hit@1", "hit@5", "all@5", "all@10", "MRR", "nDCG@10")
_WEEKDAY = re.compile(r"\s*\([^)]*\)")


def read_realmem(path: Path) -> Dataset:
    """RealMem from one persona's dialogues, or from a folder of ``*_dialogues_*.json(.gz)``.

    Raises:
        InvalidInput: nothing there, or something else.
    """
    skipped: Counter[str] = Counter()
    samples = [_persona(one, skipped) for one in files_of(path, "*_dialogues_*")]
    return Dataset("realmem", samples, {"session": MEASURES}, depth=200, skipped=dict(skipped))


def _persona(path: Path, skipped: Counter[str]) -> Sample:
    shape = Shape("RealMem", path)
    root = shape.record(read_json(path), "the root", "dialogues")
    dialogues = shape.rows(root["dialogues"], "dialogues")
    records = [
        shape.record(raw, f"dialogue {number}", "session_uuid", "current_time", "dialogue_turns")
        for number, raw in enumerate(dialogues)
    ]
    sessions = [_session(shape, record, f"dialogue {n}") for n, record in enumerate(records)]
    name = path.name.split("_dialogues")[0]
    return Sample(name, sessions, list(_questions(records, sessions, name, skipped)))


def _session(shape: Shape, record: Mapping[str, Any], where: str) -> Session:
    name = str(record["session_uuid"])
    at = shape.moment(record["current_time"], f"{where}: current_time", _parse_date)
    turns = []
    for place, raw in enumerate(shape.rows(record["dialogue_turns"], f"{where}: dialogue_turns")):
        turn = shape.record(raw, f"{where}: turn {place}", "speaker", "content")
        role = "user" if turn["speaker"] == "User" else "assistant"
        text = shape.text(turn["content"], f"{where}: turn {place}: content")
        turns.append(Turn(f"{name}#{place}", role, None, text, at))
    return Session(name, at, turns)


def _questions(
    records: Sequence[Mapping[str, Any]],
    sessions: Sequence[Session],
    persona: str,
    skipped: Counter[str],
) -> Iterator[Question]:
    for number, record in enumerate(records):
        known = {session.id for session in sessions[:number]}
        turns = record["dialogue_turns"]
        for place, turn in enumerate(turns):
            if not turn.get("is_query"):
                continue
            answer = turns[place + 1] if place + 1 < len(turns) else {}
            gold = frozenset(map(str, answer.get("memory_session_uuids") or ())) & known
            if not gold:
                skipped["no evidence in earlier sessions"] += 1
                continue
            yield Question(
                id=f"{persona}/{sessions[number].id}#{place}",
                text=turn["content"],
                category=str(turn.get("category_name", "unnamed")),
                gold={"session": gold},
                # The dates of one persona do not always rise: what is known has been said by then.
                asked_at=max(session.at for session in sessions[: number + 1]),
                known=number,
            )


def _parse_date(text: str) -> datetime:
    return datetime.strptime(  # noqa: DTZ007 - the caller sets UTC
        _WEEKDAY.sub("", text).strip(), "%Y-%m-%d"
    )
