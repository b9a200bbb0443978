"""What a model is asked to answer with: one JSON schema, fit for strict structured output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

RELATIONS: Final = ("new", "same", "updates", "contradicts", "extends")
MOST_CANDIDATES: Final = 1000  # of one answer; what is beyond is on record, not learned
MOST_QUOTES: Final = 6  # of one statement
LONGEST_STATEMENT: Final = 2000  # characters
MOST_LABELS: Final = 200  # that a schema lists: servers bound how many words it may hold


def _nullable(kind: str) -> dict[str, Any]:
    return {"type": [kind, "null"]}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties, as strict structured output wants it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def memories_schema(messages: Sequence[str], known: Sequence[str]) -> Mapping[str, Any]:
    """The form of one answer.

    Where it can be held to a schema, a model cannot name a message or a memory that it was not
    shown.

    Args:
        messages: the labels of the messages that it may quote.
        known: the labels of the memories that it may relate a statement to.
    """
    return _closed(
        {
            "memories": {
                "type": "array",
                "items": _closed(
                    {
                        "statement": {"type": "string"},
                        "quotes": {
                            "type": "array",
                            "maxItems": MOST_QUOTES,
                            "items": _closed(
                                {"message": _one_of(messages), "text": {"type": "string"}}
                            ),
                        },
                        "subject": _nullable("string"),
                        "attribute": _nullable("string"),
                        "value": _nullable("string"),
                        "single": {"type": "boolean"},
                        "valid_from": _nullable("string"),
                        "valid_until": _nullable("string"),
                        "relation": _relation(known),
                    }
                ),
            }
        }
    )


def _relation(known: Sequence[str]) -> dict[str, Any]:
    if not known:
        return _closed(
            {
                "type": {"type": "string", "enum": [RELATIONS[0]]},
                "memory": {"type": "null"},
                "reason": _nullable("string"),
            }
        )
    memory = _one_of(known)
    return _closed(
        {
            "type": {"type": "string", "enum": list(RELATIONS)},
            "memory": {"anyOf": [memory, {"type": "null"}]},
            "reason": _nullable("string"),
        }
    )


def _one_of(labels: Sequence[str]) -> dict[str, Any]:
    if len(labels) > MOST_LABELS:
        return {"type": "string"}
    return {"type": "string", "enum": list(labels)}
