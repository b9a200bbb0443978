"""Conversations in the form of LoCoMo (Maharana et al. 2024): two speakers, dated sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from retain.transfer.dialogue import Session, Turn
from retain.transfer.shape import Shape

_SESSION = re.compile(r"session_(\d+)\Z")


def read_sessions(shape: Shape, raw: Any, where: str) -> Iterator[Session]:
    """The sessions of one conversation, in the order of their numbers.

    Args:
        shape: names the file in errors.
        raw: the object with ``session_1``, ``session_1_date_time`` and so on.
        where: its place in the file, for errors.

    Raises:
        InvalidInput: it is something else.
    """
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


def _parse_date(text: str) -> datetime:
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y")  # noqa: DTZ007 - UTC is set
