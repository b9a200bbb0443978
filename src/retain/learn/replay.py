"""Running a derivation again, without writing, to see what would come of it now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from retain.domain.derivation import MALFORMED, REJECTED, Decision, Derivation
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.errors import Conflict
from retain.learn.derive import Deriver, Sources, Weighed, message_of
from retain.learn.extract.methods import CUSTOM, method_named
from retain.learn.extract.model.extractor import Extractor
from retain.learn.reconcile import normalised
from retain.ledger.port import Ledger


class Replayer:
    """Runs derivations of a model again."""

    def __init__(self, ledger: Ledger, deriver: Deriver, extractor: Extractor) -> None:
        self._ledger = ledger
        self._deriver = deriver
        self._extractor = extractor

    def replay(self, derivation: Derivation, method: str | None) -> dict[str, Any]:
        """What the same inputs give, and how it differs from what they gave.

        Raises:
            Conflict: it is no extraction of a model, or its inputs are gone.
            InvalidInput: there is no such method.
            ModelError: the model did not deliver.
        """
        if derivation.model is None or derivation.scope is None:
            raise Conflict(
                f"derivation {derivation.id} was made by {derivation.method}, without a model: "
                "there is nothing to run again"
            )
        extractor = self._extractor
        prompt = self._custom_text(derivation)
        if method is not None:
            chosen = method_named(method)
            extractor = replace(extractor, base=chosen)
        sources = self._sources(derivation)
        weighed = self._deriver.weigh(
            sources, {"prompt": prompt}, derivation.scope, extractor=extractor
        )
        return _compared(derivation, weighed, extractor)

    def _sources(self, derivation: Derivation) -> Sources:
        with self._ledger.read() as tx:
            turns = _there(tx.memory(one) for one in derivation.input_ids)
            shown = _there(tx.memory(one) for one in derivation.context_ids)
            messages: list[Message] = [message_of(tx, turn) for turn in turns]
        if not turns:
            raise Conflict(f"the inputs of derivation {derivation.id} are gone")
        earlier = [one for one in shown if one.message_id is not None]
        known = [one for one in shown if one.message_id is None]
        return Sources(turns, messages, earlier, known)

    def _custom_text(self, derivation: Derivation) -> str | None:
        with self._ledger.read() as tx:
            for one in derivation.method.split("+"):
                if one.startswith(f"{CUSTOM}@"):
                    found = tx.method(one)
                    return None if found is None else found.text
        return None


def _there(records: Any) -> list[MemoryRecord]:
    return [one for one in records if one is not None]


def _compared(
    derivation: Derivation, weighed: Sequence[Weighed], extractor: Extractor
) -> dict[str, Any]:
    """Both runs, statement by statement."""
    before = {normalised(one.statement): one for one in derivation.decisions}
    after = {normalised(one.statement): one for part in weighed for one in _decisions(part)}
    return {
        "derivation_id": derivation.id,
        "method": "+".join(one.id for one in weighed[0].call.methods) if weighed else None,
        "model": extractor.model.name,
        "raw": "\n---\n".join(part.call.raw for part in weighed),
        "usage": [dict(part.call.usage) for part in weighed],
        "candidates": [_shown(one) for one in after.values()],
        "only_before": [_shown(one) for key, one in before.items() if key not in after],
        "only_now": [_shown(one) for key, one in after.items() if key not in before],
        "changed": [
            {"statement": one.statement, "before": _held(before[key]), "now": _held(one)}
            for key, one in after.items()
            if key in before and _held(before[key]) != _held(one)
        ],
    }


def _decisions(weighed: Weighed) -> list[Decision]:
    found = [
        Decision(
            finding.candidate.statement,
            "grounded" if finding.verdict.ok else REJECTED,
            finding.verdict.reason,
            score=finding.verdict.score,
        )
        for finding in weighed.findings
    ]
    faults = [Decision(one.shown, MALFORMED, one.reason) for one in weighed.call.faults]
    return found + faults


def _held(decision: Decision) -> bool:
    """Whether a candidate passed the gate."""
    return decision.verdict not in (REJECTED, MALFORMED)


def _shown(decision: Decision) -> Mapping[str, Any]:
    return {
        "statement": decision.statement,
        "held": _held(decision),
        "reason": decision.reason,
        "score": decision.score,
    }
