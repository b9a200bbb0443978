"""Texts longer than a model reads, cut into pieces that it does."""

from __future__ import annotations

from typing import Final

MOST_WINDOWS: Final = 32


def windows(text: str, limit: int) -> list[str]:
    """Consecutive pieces of at most ``limit`` characters, cut at white space where there is any.

    At most ``MOST_WINDOWS`` pieces are made: of a longer text the beginning stands for the
    whole, so that one enormous document cannot stall a write.

    Args:
        text: any text that is not blank.
        limit: characters a piece may have.

    Returns:
        The pieces that are not blank, in order.
    """
    pieces: list[str] = []
    start = 0
    while start < len(text) and len(pieces) < MOST_WINDOWS:
        end = min(start + limit, len(text))
        if end < len(text):
            # A cut in the first half would waste the window: words are not that long.
            space = max(text.rfind(mark, start + limit // 2, end) for mark in (" ", "\n", "\t"))
            end = space + 1 if space > start else end
        piece = text[start:end]
        if piece.strip():
            pieces.append(piece)
        start = end
    return pieces
