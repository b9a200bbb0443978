"""Rows for tests of the ranking, described by the default embedder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retain.analysis.features import describe
from retain.ledger.port import ScanRow
from retain.ledger.visibility import NEVER, Visibility
from retain.models.embedders.static import StaticEmbedder
from retain.recall.index import ScopeIndex
from retain.recall.profiles import profile_named
from retain.recall.query import read_query
from retain.recall.rank import Ranked, rank

EMBEDDER = StaticEmbedder()
NOW = 1_700_000_000_000_000
ALL = Visibility(now=NOW)


def row(
    key: int,
    text: str | None,
    *,
    session: int | None = None,
    position: int = 0,
    speaker: str | None = None,
    said: int = NOW,
    uses: int = 0,
    worth: int = 0,
    status: int = 1,
    scope: int = 1,
    kind: int = 0,
    reply: bool = False,
) -> ScanRow:
    """One memory; ``text`` None for a change of state only."""
    return ScanRow(
        key=key,
        id=f"id-{key:05}",
        scope_id=scope,
        kind=kind,
        status=status,
        said=said,
        begins=said,
        ends=NEVER,
        expires=NEVER,
        session=key if session is None else session,
        position=position,
        uses=uses,
        worth=worth,
        reply=int(reply),
        features=None if text is None else describe([text], [speaker], EMBEDDER)[0],
    )


def notes(*texts: str) -> ScopeIndex:
    """Texts that stand alone."""
    return ScopeIndex.of([row(key, text) for key, text in enumerate(texts, 1)], 256)


def talk(*texts: str) -> ScopeIndex:
    """Turns of one conversation."""
    rows = [row(key, text, session=1, position=key) for key, text in enumerate(texts, 1)]
    return ScopeIndex.of(rows, 256)


def ask(
    index: ScopeIndex | Sequence[tuple[ScopeIndex, NDArray[np.bool_]]],
    text: str,
    profile: str = "default",
    limit: int = 20,
) -> Ranked:
    """The ranking of everything visible."""
    parts = [(index, index.visible(ALL))] if isinstance(index, ScopeIndex) else index
    return rank(read_query(text, NOW), parts, EMBEDDER, profile_named(profile), NOW, limit)


def outcome(ranked: Ranked) -> list[tuple[str, float]]:
    """Ids with their scores, to compare two rankings."""
    return [(one, float(score)) for one, score in zip(ranked.ids, ranked.scores, strict=True)]
