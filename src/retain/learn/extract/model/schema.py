"""What a model is asked to answer with: one JSON schema, fit for strict structured output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

RELATIONS: Final = ("new", "same", "updates", "contradicts", "extends")
MOST_CANDIDATES: Final = 1000  # of one answer; what is beyond is on record, not learned
MOST_QUOTES: Final = 6  # of one statement
LONGEST_STATEMENT: Final = 2000  # characters


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


MEMORIES: Final[Mapping[str, Any]] = _closed(
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
                            {"message": {"type": "string"}, "text": {"type": "string"}}
                        ),
                    },
                    "subject": _nullable("string"),
                    "attribute": _nullable("string"),
                    "value": _nullable("string"),
                    "single": {"type": "boolean"},
                    "valid_from": _nullable("string"),
                    "valid_until": _nullable("string"),
                    "relation": _closed(
                        {
                            "type": {"type": "string", "enum": list(RELATIONS)},
                            "memory": _nullable("string"),
                            "reason": _nullable("string"),
                        }
                    ),
                }
            ),
        }
    }
)
