"""Statements that people held to be true, each with the conversation that it was drawn from."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from retain.domain.instant import to_micros
from retain.domain.message import Message
from retain.errors import InvalidInput
from retain.evaluation.datasets.source import files_of, read_json
from retain.transfer.shape import Shape

_LABEL = re.compile(r"\s*【[^】]*】\s*")
_WEEKDAY = re.compile(r"\s*\([^)]*\)")
_UNDATED = to_micros(datetime(2026, 1, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement. ``turns[cited]`` is what it was drawn from; ``part`` is where it is reported.

    ``group`` tells facts that share a source: halves of two facts are joined across groups only.
    """

    id: str
    part: str
    group: str
    statement: str
    turns: tuple[Message, ...]
    cited: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a data set, and how many were left out by reason."""

    name: str
    facts: tuple[Fact, ...]
    skipped: dict[str, int] = field(default_factory=dict)


def read_realmem_facts(path: Path) -> Facts:
    """The extracted memories of RealMem with the turn each was drawn from; a part is a persona.

    ``source_turn`` counts from 1; facts without one (0 or less) are left out. What stands
    in lenticular brackets is the data set's category and no part of the statement.

    Raises:
        InvalidInput: nothing there, or something else.
    """
    skipped: Counter[str] = Counter()
    facts: list[Fact] = []
    for file in files_of(path, "*_dialogues_*"):
        facts += _of_persona(file, skipped)
    return Facts("realmem", tuple(facts), dict(skipped))


def _of_persona(path: Path, skipped: Counter[str]) -> Iterator[Fact]:
    shape = Shape("RealMem", path)
    root = shape.record(read_json(path), "the root", "dialogues")
    persona = path.name.split("_dialogues")[0]
    for number, raw in enumerate(shape.rows(root["dialogues"], "dialogues")):
        where = f"dialogue {number}"
        dialogue = shape.record(raw, where, "session_uuid", "current_time", "dialogue_turns")
        at = to_micros(shape.moment(dialogue["current_time"], f"{where}: current_time", _day))
        turns = tuple(
            Message(str(place), str(turn["speaker"]).lower(), str(turn["content"]), at)
            for place, turn in enumerate(dialogue["dialogue_turns"])
        )
        for memory in dialogue.get("extracted_memory") or ():
            cited = int(memory["source_turn"]) - 1
            if not 0 <= cited < len(turns):
                skipped["names no source turn"] += 1
                continue
            yield Fact(
                id=str(memory["index"]),
                part=persona,
                group=str(dialogue["session_uuid"]),
                statement=_LABEL.sub(" ", str(memory["content"])).strip(),
                turns=turns,
                cited=cited,
            )


def _day(text: str) -> datetime:
    return datetime.strptime(  # noqa: DTZ007 - the caller sets UTC
        _WEEKDAY.sub("", text).strip(), "%Y-%m-%d"
    )


def read_multilingual_facts(path: Path) -> Facts:
    """Short texts with the statements worth keeping; a part is ``labels/texts`` by language.

    English labels over the English texts and over each translation, Korean labels over the Korean
    texts. Every text is one turn of a user, said on 1 January 2026.

    Raises:
        InvalidInput: the folder has no such files.
    """
    texts = {
        file.name.removeprefix("dataset.").removesuffix("jsonl").rstrip(".") or "en": file
        for file in sorted(path.glob("dataset*.jsonl"))
    }
    labels = {"en": path / "labels.jsonl", "ko": path / "labels.ko.jsonl"}
    pairs = [("en", "en"), ("ko", "ko"), *(("en", one) for one in texts if one != "en")]
    facts: list[Fact] = []
    for label, text in pairs:
        contents = {
            row["id"]: row["text"] for row in _lines(texts.get(text, path / "dataset.jsonl"))
        }
        for row in _lines(labels[label]):
            turn = Message(row["id"], "user", contents[row["id"]], _UNDATED)
            facts += [
                Fact(f"{row['id']}/{n}", f"{label}/{text}", row["id"], one["content"], (turn,), 0)
                for n, one in enumerate(row["memories"])
            ]
    return Facts("multilingual", tuple(facts))


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"{str(path)!r} is not JSON by lines: {error}") from error
