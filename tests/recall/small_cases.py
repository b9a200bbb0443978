"""Reads the table of small stores, ``small_stores.txt``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_ROLES = {">": "user", "<": "assistant"}
_ANSWER = re.compile(r"= (.+?)(?: \(first (\d+)\))?")


class Case(NamedTuple):
    """One small store, one question, and what must be among the ``first`` results."""

    language: str
    messages: list[dict[str, str]]
    query: str
    answer: str
    first: int


def read_cases() -> list[Case]:
    """All cases, in the order of the table."""
    text = Path(__file__).with_name("small_stores.txt").read_text(encoding="utf-8")
    blocks = [block.strip().splitlines() for block in text.split("\n\n")]
    return [_case(lines) for lines in blocks if not lines[0].startswith("#")]


def _case(lines: list[str]) -> Case:
    language, *turns, query, answer = lines
    found = _ANSWER.fullmatch(answer)
    if found is None or not query.startswith("? "):
        raise ValueError(f"not a case: {lines}")
    messages = [{"role": _ROLES[turn[0]], "content": turn[2:]} for turn in turns]
    return Case(language, messages, query[2:], found[1], int(found[2] or 1))
