"""LongMemEval (Wu et al. 2024): one haystack of sessions a question, judged by session.

Questions about what was never said (ids ending in ``_abs``) have no evidence and are left out.
Sessions are put in the order of their dates. A question's date is sometimes earlier, by hours, than
sessions it asks about, so it is taken as the end of what is known: the later of the two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from retain.evaluation.datasets.source import read_json
from retain.evaluation.sample import Dataset, Question, Sample, Session, Turn
from retain.transfer.shape import Shape

MEASURES = ("any@1", "any@5", "all@5", "any@10", "all@10", "R@5", "R@10", "MRR", "nDCG@10")
TURN_MEASURES = ("R@5", "R@10", "R@30", "hit@1", "hit@10", "MRR", "nDCG@10")
NEEDED = (
    "question_id",
    "question_type",
    "question",
    "question_date",
    "haystack_dates",
    "haystack_session_ids",
    "haystack_sessions",
    "answer_session_ids",
)
_WEEKDAY = re.compile(r"\s*\([^)]*\)")


def read_longmemeval(path: Path) -> Dataset:
    """LongMemEval in its official JSON form, gzipped or not; optionally with ``evidence_turns``.

    ``evidence_turns`` lists ``[session id, number of the turn in it]``; without it, turns marked
    ``has_answer`` count, as in the official files.

    Raises:
        InvalidInput: the file is missing or something else.
    """
    shape = Shape("LongMemEval", path)
    skipped: Counter[str] = Counter()
    samples = []
    for number, raw in enumerate(shape.rows(read_json(path), "the root")):
        where = f"question {number}"
        record = shape.record(raw, where, *NEEDED)
        if str(record["question_id"]).endswith("_abs"):
            skipped["abstention"] += 1
            continue
        sessions = sorted(_sessions(shape, record, where), key=lambda session: session.at)
        gold = _gold(record, sessions)
        if "session" not in gold:
            skipped["no resolvable evidence"] += 1
            continue
        samples.append(_sample(shape, record, where, sessions, gold))
    measures: dict[str, Sequence[str]] = {"session": MEASURES}
    if any("turn" in question.gold for sample in samples for question in sample.questions):
        measures["turn"] = TURN_MEASURES
    return Dataset("longmemeval", samples, measures, depth=100, skipped=dict(skipped))


def _sample(
    shape: Shape,
    record: Mapping[str, Any],
    where: str,
    sessions: list[Session],
    gold: Mapping[str, frozenset[str]],
) -> Sample:
    asked = shape.moment(record["question_date"], f"{where}: question_date", _parse_date)
    question = Question(
        id=str(record["question_id"]),
        text=shape.text(record["question"], f"{where}: question"),
        category=str(record["question_type"]),
        gold=gold,
        asked_at=max(asked, sessions[-1].at),
    )
    return Sample(question.id, sessions, [question])


def _sessions(shape: Shape, record: Mapping[str, Any], where: str) -> Iterator[Session]:
    ids = shape.rows(record["haystack_session_ids"], f"{where}: haystack_session_ids")
    dates = shape.rows(record["haystack_dates"], f"{where}: haystack_dates")
    sessions = shape.rows(record["haystack_sessions"], f"{where}: haystack_sessions")
    if not len(ids) == len(dates) == len(sessions) > 0:
        raise shape.fail(
            where,
            "needs as many haystack_session_ids as haystack_dates and haystack_sessions, and one "
            f"at least; it has {len(ids)}, {len(dates)} and {len(sessions)}",
        )
    seen: Counter[str] = Counter()
    for raw_id, date, raw in zip(ids, dates, sessions, strict=True):
        # A filler session can be in one haystack twice: the same id, kept apart here.
        seen[str(raw_id)] += 1
        name = str(raw_id) if seen[str(raw_id)] == 1 else f"{raw_id}~{seen[str(raw_id)]}"
        at = shape.moment(date, f"{where}: date of session {name!r}", _parse_date)
        turns = [
            _turn(shape, turn, f"{where}: session {name!r}[{place}]", f"{name}#{place}", at)
            for place, turn in enumerate(shape.rows(raw, f"{where}: session {name!r}"))
        ]
        yield Session(name, at, turns)


def _turn(shape: Shape, raw: Any, where: str, turn_id: str, at: datetime) -> Turn:
    record = shape.record(raw, where, "role", "content")
    text = shape.text(record["content"], f"{where}: content")
    return Turn(turn_id, str(record["role"]), None, text, at)


def _gold(record: Mapping[str, Any], sessions: Sequence[Session]) -> dict[str, frozenset[str]]:
    gold = {
        "session": {str(one) for one in record["answer_session_ids"]}
        & {session.id for session in sessions},
        "turn": _evidence_turns(record) & {turn.id for one in sessions for turn in one.turns},
    }
    return {level: frozenset(ids) for level, ids in gold.items() if ids}


def _evidence_turns(record: Mapping[str, Any]) -> set[str]:
    named = record.get("evidence_turns")
    if named is not None:
        return {f"{session}#{place}" for session, place in named}
    pairs = zip(record["haystack_session_ids"], record["haystack_sessions"], strict=True)
    return {
        f"{session_id}#{place}"
        for session_id, turns in pairs
        for place, turn in enumerate(turns)
        if turn.get("has_answer")
    }


def _parse_date(text: str) -> datetime:
    return datetime.strptime(  # noqa: DTZ007 - the caller sets UTC
        _WEEKDAY.sub("", text).strip(), "%Y/%m/%d %H:%M"
    )
