"""Every sign that a memory answers a query, each as one number a row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retain.analysis.cues import SPEAKS_OF_TIME
from retain.domain.instant import DAY
from retain.models.base import Embedder, piece_embedder
from retain.recall.dense import best_cosines, exact_cosines, query_vectors
from retain.recall.late import late_interaction
from retain.recall.lexical import Lexical
from retain.recall.query import Query
from retain.recall.view import View

Signals = Mapping[str, NDArray[np.float32]]
# A longer query has a word near to some word of any text: comparing word by word tells nothing.
MOST_WORDS_COMPARED = 40
MOST_WORDS_OF_SLIGHT = 4
_TIME_DECAY_DAYS = 10.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A query against views: its words counted, its vectors made."""

    query: Query
    views: Sequence[View]
    lexical: Lexical
    vector: NDArray[np.float32]
    words: NDArray[np.float32] | None
    word_weights: NDArray[np.float32]
    table: NDArray[np.float32] | None
    speaker: int  # the one speaker whom the query names, else 0


def ask(query: Query, views: Sequence[View], embedder: Embedder, *, windows: bool = True) -> Asked:
    """Read what every signal needs of a query and the visible rows."""
    lexical = Lexical(query, views, windows=windows)
    vector, words, weights = query_vectors(query, lexical.idf, embedder)
    compared = piece_embedder(embedder)
    named = frozenset(query.terms.tolist())
    speakers = {name for view in views for name in view.speaker_set & named}
    return Asked(
        query=query,
        views=views,
        lexical=lexical,
        vector=vector,
        words=words,
        word_weights=weights,
        table=compared.piece_table() if compared is not None else None,
        speaker=speakers.pop() if len(speakers) == 1 else 0,
    )


def cheap_signals(asked: Asked) -> list[dict[str, NDArray[np.float32]]]:
    """Per view, the signals that are computed for every row: ``window`` and ``cosine``."""
    windows = asked.lexical.scores()
    return [
        {"window": window, "cosine": best_cosines(view, asked.vector)}
        for view, window in zip(asked.views, windows, strict=True)
    ]


def make_exact(
    asked: Asked, number: int, rows: NDArray[np.int64], cosine: NDArray[np.float32]
) -> None:
    """Replace the estimated cosines of some rows of one view; nothing where all are exact."""
    view = asked.views[number]
    if len(rows) and not view.index.vectors.exact:
        cosine[rows] = exact_cosines(view, rows, asked.vector)


def dear_signals(
    asked: Asked, number: int, rows: NDArray[np.int64], cheap: Signals, wanted: Collection[str]
) -> dict[str, NDArray[np.float32]]:
    """The wanted signals of some rows of one view, by name; words and cosine always.

    Their cosines and those of their conversations are taken to be exact.

    ``late`` is missing where the embedder has no word pieces or the query is too long for it.
    """
    view = asked.views[number]
    cosine = cheap["cosine"]
    found = {
        "window": cheap["window"][rows],
        "bm25": asked.lexical.alone(number, rows),
        "cosine": cosine[rows],
    }
    for name, signal in _DEAR.items():
        if name in wanted:
            found[name] = signal(asked, number, rows, found["bm25"])
    if "near" in wanted:
        found["near"], found["far"] = _neighbours(view, rows, cosine)
    if "conversation" in wanted:
        found["conversation"] = view.best_of_conversation(cosine)[rows]
    if (
        "late" in wanted
        and asked.words is not None
        and asked.table is not None
        and len(asked.words) <= MOST_WORDS_COMPARED
    ):
        found["late"] = late_interaction(view, rows, asked.words, asked.word_weights, asked.table)
    return found


def _where(
    it_matters: bool, values: NDArray[np.float32], rows: NDArray[np.int64]
) -> NDArray[np.float32]:
    return values[rows] if it_matters else np.zeros(len(rows), np.float32)


def _answers(asked: Asked, number: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """What the question before each row matches: the row answers it."""
    view = asked.views[number]
    if not asked.query.asks or not view.after_question.any():
        return np.zeros(len(rows), np.float32)
    return view.after_question[rows] * asked.lexical.before(number, rows)


def _slight(view: View, rows: NDArray[np.int64], bm25: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 for a turn of a few words that neither shares any with the query nor follows a question:
    "How nice!" """
    short = (view.lengths[view.at[rows]] <= MOST_WORDS_OF_SLIGHT) & (rows < view.talking)
    slight: NDArray[np.float32] = (short & (bm25 == 0) & (view.after_question[rows] == 0)).astype(
        np.float32
    )
    return slight


def _by_named_speaker(asked: Asked, view: View, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    if not asked.speaker:
        return np.zeros(len(rows), np.float32)
    named: NDArray[np.float32] = (view.speakers[rows] == asked.speaker).astype(np.float32)
    return named


def _neighbours(
    view: View, rows: NDArray[np.int64], cosine: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Cosines around each row: the mean of the turns next to it, and of those behind them."""
    near = np.zeros(len(rows), np.float32)
    far = np.zeros(len(rows), np.float32)
    if view.talking:
        talking = rows < view.talking
        spread = np.zeros(view.edge, np.float32)
        spread[view.at[: view.talking]] = cosine[: view.talking]
        at = view.at[rows[talking]]
        near[talking] = spread[at - 1] + spread[at + 1]
        far[talking] = spread[at - 2] + spread[at + 2]
    return near, far


def _speaks_of_time(query: Query, view: View, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    if not query.asks_when:
        return np.zeros(len(rows), np.float32)
    spoken: NDArray[np.float32] = ((view.cues[rows] & SPEAKS_OF_TIME) != 0).astype(np.float32)
    return spoken


def _interval(query: Query, view: View, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """exp(-days outside the nearest interval that the query names / 10)."""
    if not query.times:
        return np.zeros(len(rows), np.float32)
    said = view.said[rows]
    outside = np.min(
        [np.maximum(np.maximum(t.begin - said, said - t.end), 0) for t in query.times], axis=0
    )
    near: NDArray[np.float32] = np.exp(outside * (-1.0 / (DAY * _TIME_DECAY_DAYS))).astype(
        np.float32
    )
    return near


Signal = Callable[
    [Asked, int, NDArray[np.int64], NDArray[np.float32]],  # query, view, rows, their BM25
    NDArray[np.float32],
]
_DEAR: Mapping[str, Signal] = {
    "following": lambda asked, at, rows, _: asked.lexical.following(at, rows),
    "first": lambda asked, at, rows, _: asked.views[at].first[rows],
    "after_question": lambda asked, at, rows, _: asked.views[at].after_question[rows],
    "fact": lambda asked, at, rows, _: asked.views[at].facts[rows],
    "question": lambda asked, at, rows, _: _where(
        asked.query.asks, asked.views[at].questions, rows
    ),
    "echo": lambda asked, at, rows, bm25: (
        _where(asked.query.asks, asked.views[at].questions, rows) * bm25
    ),
    "answers": lambda asked, at, rows, _: _answers(asked, at, rows),
    "slight": lambda asked, at, rows, bm25: _slight(asked.views[at], rows, bm25),
    "reply": lambda asked, at, rows, _: _where(
        asked.query.asks_of_self, asked.views[at].replies, rows
    ),
    "speaker": lambda asked, at, rows, _: _by_named_speaker(asked, asked.views[at], rows),
    "time": lambda asked, at, rows, _: _speaks_of_time(asked.query, asked.views[at], rows),
    "interval": lambda asked, at, rows, _: _interval(asked.query, asked.views[at], rows),
}
