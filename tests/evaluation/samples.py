"""Small data sets of our own, in the forms of the public ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any


def write_json(path: Path, value: Any) -> Path:
    """Write a JSON file; gzipped if its name says so."""
    raw = json.dumps(value).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def locomo() -> list[dict[str, Any]]:
    """Two people, three sessions, questions with evidence written in every odd way."""
    conversation = {
        "speaker_a": "Nora",
        "speaker_b": "Piet",
        "session_1_date_time": "9:05 am on 3 March, 2024",
        "session_1": [
            {"speaker": "Nora", "dia_id": "D1:1", "text": "I adopted a parrot called Kiwi."},
            {"speaker": "Piet", "dia_id": "D1:2", "text": "Lovely! My garden is all tulips now."},
            {
                "speaker": "Nora",
                "dia_id": "D1:3",
                "text": "Look at this!",
                "blip_caption": "a photo of a green parrot on a shelf",
            },
        ],
        "session_2_date_time": "12:30 pm on 10 March, 2024",
        "session_2": [
            {"speaker": "Piet", "dia_id": "D2:1", "text": "I broke my ankle while skiing."},
            {"speaker": "Nora", "dia_id": "D2:2", "text": "Oh no, get well soon."},
        ],
        "session_10_date_time": "12:05 am on 2 April, 2024",
        "session_10": [
            {"speaker": "Piet", "dia_id": "D10:1", "text": "The plaster cast is finally off."},
        ],
        "session_11_date_time": "1:00 pm on 3 April, 2024",
    }
    questions = [
        {"question": "What is Nora's parrot called?", "category": 4, "evidence": ["D1:1"]},
        {"question": "Which bird is in the picture?", "category": 4, "evidence": ["D1:03"]},
        {"question": "How did Piet's leg fare?", "category": 1, "evidence": ["D2:1; D10:1"]},
        {"question": "What grows at Piet's?", "category": 3, "evidence": ["D1:2 D99:9"]},
        {"question": "When was the accident?", "category": 2, "evidence": ["D:2:1"]},
        {"question": "Nothing to find?", "category": 1, "evidence": []},
        {"question": "Unresolvable?", "category": 1, "evidence": ["D"]},
        {"question": "Why did Nora sell Kiwi?", "category": 5, "evidence": ["D1:1"]},
    ]
    return [{"sample_id": "pair-1", "conversation": conversation, "qa": questions}]


def longmemeval() -> list[dict[str, Any]]:
    """Two questions with evidence, and one that must be left out."""
    sessions = {
        "s-boat": [
            {"role": "user", "content": "I bought a wooden sailing boat in Bergen last week."},
            {"role": "assistant", "content": "Congratulations on the boat!"},
        ],
        "s-soup": [
            {"role": "user", "content": "How long does lentil soup keep in the fridge?"},
            {"role": "assistant", "content": "Three to four days."},
        ],
        "s-name": [
            {"role": "user", "content": "I have named the sailing boat Albatross."},
            {"role": "assistant", "content": ""},
        ],
    }
    dates = {
        "s-boat": "2024/05/01 (Wed) 08:00",
        "s-soup": "2024/05/03 (Fri) 18:30",
        "s-name": "2024/05/09 (Thu) 21:15",
    }

    def question(name: str, text: str, order: list[str], answers: list[str]) -> dict[str, Any]:
        return {
            "question_id": name,
            "question_type": "multi-session" if len(answers) > 1 else "single-session-user",
            "question": text,
            "answer": "unused",
            "question_date": "2024/05/09 (Thu) 10:00",
            "haystack_dates": [dates[one] for one in order],
            "haystack_session_ids": order,
            "haystack_sessions": [sessions[one] for one in order],
            "answer_session_ids": answers,
        }

    both = question(
        "q-boat", "What is my sailing boat called?", ["s-name", "s-soup", "s-boat"],
        ["s-boat", "s-name"],
    )  # fmt: skip
    both["evidence_turns"] = [["s-boat", 0], ["s-name", 0]]
    one = question("q-soup", "How long does my soup keep?", ["s-soup", "s-boat"], ["s-soup"])
    one["evidence_turns"] = [["s-soup", 1]]
    absent = question("q-car_abs", "What is my car called?", ["s-soup"], ["s-soup"])
    return [both, one, absent]


def realmem() -> dict[str, Any]:
    """One person, three sessions; two queries, of which the first knows nothing yet."""

    def user(text: str, **more: Any) -> dict[str, Any]:
        return {"speaker": "User", "content": text, "is_query": False, "query_id": None, **more}

    def assistant(text: str, **more: Any) -> dict[str, Any]:
        return {"speaker": "Assistant", "content": text, "is_query": False, **more}

    query = {"is_query": True, "query_id": "Q-1", "category_name": "Static"}
    dialogues = [
        {
            "session_uuid": "u-kiln",
            "current_time": "2025-02-03 (Monday)",
            "dialogue_turns": [
                user("Any advice for me?", **query),
                assistant("Tell me more.", memory_session_uuids=["u-kiln"]),
                user("I want to build a pottery kiln in the shed."),
                assistant("Fire bricks first, then."),
            ],
        },
        {
            "session_uuid": "u-run",
            "current_time": "2025-02-01 (Saturday)",
            "dialogue_turns": [
                user("Plan a half marathon for me."),
                assistant("Twelve weeks it is."),
            ],
        },
        {
            "session_uuid": "u-ask",
            "current_time": "2025-02-02 (Sunday)",
            "dialogue_turns": [
                user("Where were we with the pottery kiln?", **query),
                assistant("With the bricks.", memory_session_uuids=["u-kiln", "u-unknown"]),
            ],
        },
    ]
    return {"_metadata": {"person_name": "Test"}, "dialogues": dialogues}
