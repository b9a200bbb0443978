"""The visible part of an index, laid out so that a turn's neighbours are its array neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retain.analysis.cues import ENDS_IN_QUESTION
from retain.domain.kind import Kind
from retain.ledger.visibility import KIND_CODES
from retain.recall.lazily import lazily

if TYPE_CHECKING:
    from retain.recall.index import ScopeIndex

REACH = 2  # turns to either side that a window sees
NEAR, FAR = 1.0, 0.5  # weight of the turn next to a turn, and of the one behind that
_MESSAGE = KIND_CODES[Kind.MESSAGE]
_FACT = KIND_CODES[Kind.FACT]


class View:
    """Rows: the visible slots, those in conversations first, then those that stand alone.

    A conversation is two or more visible turns of one exact scope and session. In the *layout*,
    conversations lie one after another with ``REACH`` empty places before, between and behind
    them, so that shifting an array never mixes two; rows that stand alone follow. Nothing
    invisible is in it, so nothing invisible can touch a score.
    """

    def __init__(self, index: ScopeIndex, mask: NDArray[np.bool_]) -> None:
        self.index = index
        order = index.order()
        slots = order[mask[order]]
        scope, session = index.column("scope_id")[slots], index.column("session")[slots]
        kind = index.column("kind")[slots]
        joined = np.zeros(len(slots) + 1, np.bool_)  # row belongs with the one before it
        if len(slots):
            turn = kind == _MESSAGE
            joined[1:-1] = (
                (scope[1:] == scope[:-1]) & (session[1:] == session[:-1]) & turn[1:] & turn[:-1]
            )
        self.turns = int(np.count_nonzero(kind == _MESSAGE))  # in conversations or alone
        talking = joined[1:] | joined[:-1]
        self.talking = int(np.count_nonzero(talking))
        if 0 < self.talking < len(slots):
            picked = np.concatenate((np.flatnonzero(talking), np.flatnonzero(~talking)))
            slots = slots[picked]
            opens = ~joined[:-1][talking]
        else:
            opens = ~joined[:-1] if self.talking else np.empty(0, np.bool_)
        self.slots: NDArray[np.int64] = slots
        self.opens: NDArray[np.bool_] = opens  # rows of conversations: the first turn of one
        number = np.cumsum(opens)
        self.starts: NDArray[np.int64] = np.flatnonzero(opens)
        self.conversation: NDArray[np.int64] = number - 1
        at = np.arange(len(slots))
        at[: self.talking] += REACH * number
        self.edge = self.talking + REACH * (len(self.starts) + 1) if self.talking else 0
        at[self.talking :] += self.edge - self.talking
        self.at: NDArray[np.int64] = at  # place of each row in the layout
        self.places = self.edge + len(slots) - self.talking

    def __len__(self) -> int:
        return len(self.slots)

    def column(self, name: str) -> NDArray[np.int64]:
        """One column of the index, by row."""
        return self.index.column(name)[self.slots]

    @lazily
    def keys(self) -> NDArray[np.int64]:
        """Keys by row."""
        return self.column("key")

    @lazily
    def place_of_slot(self) -> NDArray[np.int64]:
        """Place in the layout by slot; -1 for what is not visible."""
        places = np.full(self.index.slots, -1, np.int64)
        places[self.slots] = self.at
        return places

    @lazily
    def lengths(self) -> NDArray[np.float32]:
        """Words of each place; 0 where the layout is empty."""
        return self.spread(self.column("length").astype(np.float32))

    @lazily
    def window_lengths(self) -> NDArray[np.float32]:
        """Words of each window, by place of the conversations."""
        return window(self.lengths[: self.edge])

    @lazily
    def sums_of_lengths(self) -> tuple[float, float, float]:
        """Words of all windows, of what follows each turn, and of all rows alone."""
        talk = self.lengths[: self.edge]
        following = float(talk[1:].sum()) + FAR * float(talk[2:].sum())
        return float(self.window_lengths.sum()), following, float(self.lengths.sum())

    @lazily
    def first(self) -> NDArray[np.float32]:
        """1 for the first turn of a conversation, by row."""
        flags = np.zeros(len(self), np.float32)
        flags[: self.talking] = self.opens
        return flags

    @lazily
    def after_question(self) -> NDArray[np.float32]:
        """1 where the turn before ends in a question, by row."""
        flags = np.zeros(len(self), np.float32)
        asked = (self.column("cues")[: self.talking] & ENDS_IN_QUESTION) != 0
        flags[1 : self.talking] = asked[:-1] & ~self.opens[1:]
        return flags

    @lazily
    def replies(self) -> NDArray[np.float32]:
        """1 for the turns of an assistant, by row."""
        return self.column("reply").astype(np.float32)

    @lazily
    def questions(self) -> NDArray[np.float32]:
        """1 where the text ends in a question, by row."""
        return (self.cues & ENDS_IN_QUESTION).astype(np.float32)

    @lazily
    def facts(self) -> NDArray[np.float32]:
        """1 for derived facts, by row."""
        flags: NDArray[np.float32] = (self.column("kind") == _FACT).astype(np.float32)
        return flags

    @lazily
    def cues(self) -> NDArray[np.int64]:
        """Cue bits by row."""
        return self.column("cues")

    @lazily
    def speakers(self) -> NDArray[np.int64]:
        """Speaker terms by row."""
        return self.column("speaker")

    @lazily
    def speaker_set(self) -> frozenset[int]:
        """The speakers that are named at all."""
        return frozenset(np.unique(self.speakers).tolist()) - {0}

    @lazily
    def said(self) -> NDArray[np.int64]:
        """When each row was said."""
        return self.column("said")

    def spread(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Values by row as values by place, 0 where the layout is empty."""
        spread = np.zeros(self.places, np.float32)
        spread[self.at] = values
        return spread

    def company_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """All rows of the conversations that some rows belong to."""
        named = np.zeros(len(self.starts), np.bool_)
        named[self.conversation[rows[rows < self.talking]]] = True
        company: NDArray[np.int64] = np.flatnonzero(named[self.conversation])
        return company

    def best_of_conversation(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The largest value in each row's conversation; a row that stands alone has its own."""
        best = values.copy()
        if self.talking:
            peaks = np.maximum.reduceat(values[: self.talking], self.starts)
            best[: self.talking] = peaks[self.conversation]
        return best


def window(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weighted sums over the last axis: each place with two neighbours on either side."""
    total = values.copy()
    near, far = np.float32(NEAR), np.float32(FAR)
    total[..., 1:] += near * values[..., :-1]
    total[..., :-1] += near * values[..., 1:]
    total[..., 2:] += far * values[..., :-2]
    total[..., :-2] += far * values[..., 2:]
    return total
