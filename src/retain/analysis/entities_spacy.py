"""Named things by a spaCy model: the optional ``spacy`` extra."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from retain.domain.entity import Mention
from retain.errors import MissingExtra

_TYPES = {
    "PERSON": "person", "PER": "person", "GPE": "place", "LOC": "place", "FAC": "place",
    "ORG": "organisation", "DATE": "date",
}  # fmt: skip
_NOT_NAMED = frozenset(["CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY", "TIME"])


def spacy_finder(model: str = "en_core_web_sm") -> Callable[[str, Sequence[str]], list[Mention]]:
    """A finder with the signature of ``retain.analysis.entities.find_mentions``, backed by spaCy.

    Args:
        model: name of an installed spaCy pipeline with a named entity recogniser.

    Raises:
        MissingExtra: spaCy or the pipeline is not installed.
    """
    try:
        spacy: Any = importlib.import_module("spacy")
        pipeline = spacy.load(model)
    except (ImportError, OSError) as error:  # OSError: spaCy without the pipeline
        raise MissingExtra(
            f"entities by spaCy need spaCy with the pipeline {model!r}: "
            "pip install 'retain[spacy]'",
            extra="spacy",
            model=model,
        ) from error

    def find(text: str, known: Sequence[str] = ()) -> list[Mention]:
        found = [
            Mention(
                entity.text, entity.start_char, entity.end_char, _TYPES.get(entity.label_, "thing")
            )
            for entity in pipeline(text).ents
            if entity.label_ not in _NOT_NAMED
        ]
        taken = [(mention.start, mention.end) for mention in found]
        for name in known:
            at = text.find(name) if name else -1
            if at >= 0 and all(at + len(name) <= start or end <= at for start, end in taken):
                found.append(Mention(name, at, at + len(name)))
        return sorted(found, key=lambda mention: mention.start)

    return find
