"""What came of a recall, told by whoever acted on it."""

from __future__ import annotations

from typing import Any

from retain.clock import Clock
from retain.domain.plain import optional_text, shown
from retain.domain.use import Judged, Outcome
from retain.errors import InvalidInput, NotFound
from retain.ledger.port import Ledger


class Feedback:
    """Ties outcomes to the memories that a recall of one project used."""

    def __init__(self, ledger: Ledger, project: str, clock: Clock) -> None:
        self._ledger = ledger
        self._project = project
        self._clock = clock

    def record(self, recall_id: object, outcome: object, note: object) -> dict[str, Any]:
        """Keep what came of a recall; said again, it replaces what was said before."""
        if not isinstance(recall_id, str):
            raise InvalidInput(f"recall_id must be a text, got {shown(recall_id)}")
        said = _outcome(outcome)
        told = optional_text(note, "note")
        self._ledger.write_recalls()  # one of this process may wait for a write to carry it
        with self._ledger.write() as tx:
            used = tx.recalled(recall_id)
            records = [] if used is None else tx.named(used)
            if used is None or any(one.scope.project != self._project for one in records):
                raise NotFound(
                    f"Recall with id {recall_id} not found: the id is that of a Recall, and "
                    "only the latest recalls are known"
                )
            tx.judge(Judged(recall_id, said, self._clock(), told))
        return {"message": "Outcome recorded successfully!", "memories": used}


def _outcome(value: object) -> Outcome:
    try:
        return Outcome(value)  # type: ignore[arg-type]  # whatever it is, the enum judges it
    except ValueError as error:
        known = ", ".join(one.value for one in Outcome)
        raise InvalidInput(f"Invalid outcome: {shown(value)}. Use one of: {known}") from error
