"""Which embedder the vectors of a ledger are of, and who may use them."""

from __future__ import annotations

from retain.errors import EmbedderMismatch
from retain.ledger.port import EmbedderIdentity


def refuse_other_embedder(
    path: str, stored: EmbedderIdentity | None, wanted: EmbedderIdentity
) -> None:
    """Stop before vectors of two embedders are compared or mixed.

    Raises:
        EmbedderMismatch: the ledger's vectors are of another embedder than the wanted one.
    """
    if stored == wanted:
        return
    held = "none" if stored is None else f"{stored.name!r} ({stored.dimension} dimensions)"
    raise EmbedderMismatch(
        f"the ledger {path!r} was written with the embedder {held}, the settings name "
        f"{wanted.name!r} ({wanted.dimension} dimensions): use that one again, or rebuild the "
        "vectors with `retain reindex` (Memory.change_embedder in Python)"
    )
