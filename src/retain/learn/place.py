"""Where turns stand in their conversation."""

from __future__ import annotations

from collections.abc import Sequence

from retain.domain.message import Message
from retain.ledger.port import Turn


def place_turns(
    last: Turn | None, messages: Sequence[Message], *, note: bool, gap: int | None
) -> list[Message]:
    """Give each message its session and its position in it.

    A turn goes on in the session of the turn before it in the same exact scope, unless more than
    ``gap`` microseconds lie between them, in either direction (None: never a break, as within a
    run). A ``note`` starts a session of its own.
    """
    placed = []
    for message in messages:
        if last is None:
            session, position = 0, 0
        elif note or (gap is not None and abs(message.occurred_at - last.occurred_at) > gap):
            session, position = last.session + 1, 0
        else:
            session, position = last.session, last.position + 1
        placed.append(
            Message(
                message.id, message.role, message.content, message.occurred_at, message.actor,
                message.external_id, session, position, message.metadata,
            )
        )  # fmt: skip
        last = Turn(session, position, message.occurred_at)
    return placed
