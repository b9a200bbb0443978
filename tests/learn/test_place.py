"""Where turns stand in their conversation."""

from __future__ import annotations

from retain.domain.instant import MICROS
from retain.domain.message import Message
from retain.learn.place import place_turns
from retain.ledger.port import Turn

HOUR = 3600 * MICROS


def said(*moments: int) -> list[Message]:
    return [Message(str(n), "user", f"turn {n}", moment) for n, moment in enumerate(moments)]


def places(
    last: Turn | None, *moments: int, note: bool = False, gap: int | None = HOUR
) -> list[tuple[int, int]]:
    placed = place_turns(last, said(*moments), note=note, gap=gap)
    return [(turn.session, turn.position) for turn in placed]


def test_the_first_turn_opens_the_first_session() -> None:
    assert places(None, 0, 1, 2) == [(0, 0), (0, 1), (0, 2)]


def test_a_turn_goes_on_where_the_last_one_stood() -> None:
    assert places(Turn(4, 7, 0), HOUR) == [(4, 8)]


def test_a_longer_silence_opens_a_session() -> None:
    assert places(Turn(4, 7, 0), HOUR + 1) == [(5, 0)]
    assert places(None, 0, HOUR, 2 * HOUR + 1) == [(0, 0), (0, 1), (1, 0)]


def test_a_turn_of_long_before_opens_a_session_too() -> None:
    assert places(Turn(4, 7, 9 * HOUR), 0) == [(5, 0)]


def test_within_a_run_no_silence_breaks_a_session() -> None:
    assert places(Turn(4, 7, 0), 1000 * HOUR, gap=None) == [(4, 8)]


def test_a_note_stands_alone() -> None:
    assert places(Turn(4, 7, 0), 1, note=True) == [(5, 0)]


def test_no_turn_is_placed_nowhere() -> None:
    assert places(Turn(4, 7, 0)) == []
