"""How a memory is shown: the dict that every read returns."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from retain.analysis.instructions import reads_like_instruction
from retain.domain.derivation import Derivation
from retain.domain.episode import Episode
from retain.domain.event import Event
from retain.domain.insight import Insight
from retain.domain.instant import expiration_day, iso
from retain.domain.job import Job
from retain.domain.kind import Action, Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.use import Judged, Use


def text_hash(text: str) -> str:
    """MD5 of a text, as hexadecimal: an identity for comparing, no protection."""
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


def item_of(record: MemoryRecord, sources: Sequence[str] = ()) -> dict[str, Any]:
    """A memory as a plain dict, in Mem0's shape with our own keys beside it.

    ``sources`` are the ids of the memories that a derived one rests on.
    """
    said = iso(record.created_at)
    item: dict[str, Any] = {
        "id": record.id,
        "memory": record.text,
        "hash": text_hash(record.text),
        "metadata": dict(record.metadata) or None,
        "created_at": said,
        "updated_at": said if record.updated_at == record.created_at else iso(record.updated_at),
        "kind": record.kind.value,
    }
    item.update(record.scope.ids())
    optional = {
        "actor_id": record.actor,
        "role": record.role,
        "attributed_to": record.attributed_to,
        "message_id": record.external_id,
        "subject": record.subject,
        "attribute": record.attribute,
        "value": record.value,
        "superseded_by": record.superseded_by,
    }
    item.update({key: value for key, value in optional.items() if value is not None})
    if record.expires_at is not None:
        item["expiration_date"] = expiration_day(record.expires_at)
    if record.details is not None:
        item.update(_details(record.details))
    if record.kind is not Kind.MESSAGE:
        if record.valid_from is not None:
            item["valid_from"] = iso(record.valid_from)
        item["sources"] = list(sources)
        if reads_like_instruction(record.text):
            item["instruction_like"] = True
    if record.valid_until is not None:
        item["valid_until"] = iso(record.valid_until)
    if record.status is not Status.ACCEPTED:
        item["status"] = record.status.value
    return item


def _details(details: Episode | Insight) -> dict[str, Any]:
    if isinstance(details, Episode):
        return {
            "outcome": details.outcome.value,
            "importance": details.importance,
            "domain": details.domain,
            "emotion": details.emotion,
            "intent": details.intent,
            "consolidated": details.consolidated_at is not None,
        }
    return {
        "insight_type": details.insight_type.value,
        "confidence": details.confidence,
        "supports": details.supports,
        "contradictions": details.contradictions,
        "domain": details.domain,
        "level": details.level,
    }


def history_row(event: Event) -> dict[str, Any]:
    """One line of history, in Mem0's shape, with the reason where one was given."""
    row: dict[str, Any] = {
        "id": event.id,
        "memory_id": event.memory_id,
        "old_memory": event.old_text,
        "new_memory": event.new_text,
        "event": event.action.value,
        "created_at": iso(event.created_at),
        "updated_at": iso(event.at),
        "is_deleted": event.action is Action.DELETE,
        "actor_id": event.actor,
        "role": event.role,
    }
    if event.reason is not None:
        row["reason"] = event.reason
    return row


def derivation_item(derivation: Derivation) -> dict[str, Any]:
    """A derivation as plain data."""
    shown = asdict(derivation)
    shown.update(
        at=iso(derivation.at),
        input_ids=list(derivation.input_ids),
        context_ids=list(derivation.context_ids),
        decisions=[_set(asdict(decision)) for decision in derivation.decisions],
        parameters=dict(derivation.parameters),
        usage=dict(derivation.usage),
    )
    del shown["scope"]
    return {**shown, **({} if derivation.scope is None else derivation.scope.ids())}


def job_item(job: Job) -> dict[str, Any]:
    """A job as plain data."""
    return {
        "id": job.id,
        "kind": job.kind.value,
        "status": job.status.value,
        "attempts": job.attempts,
        "created_at": iso(job.created_at),
        "updated_at": iso(job.updated_at),
        "due_at": iso(job.due_at),
        "error": job.error,
        "input_ids": list(job.input_ids),
        "results": [{"id": one, "event": event} for one, event in job.outcomes],
        **job.scope.ids(),
    }


def _set(values: dict[str, Any]) -> dict[str, Any]:
    """The values that are there; the first four always."""
    always = ("statement", "verdict", "reason", "memory_id")
    return {name: one for name, one in values.items() if name in always or one is not None}


def use_item(use: Use, judged: Sequence[Judged]) -> dict[str, Any]:
    """How a memory was used, and what was said to have come of it."""
    return {
        "count": use.count,
        "last_used_at": None if use.last_at is None else iso(use.last_at),
        "helped": use.helped,
        "hurt": use.hurt,
        "outcomes": [
            {
                "recall_id": one.recall_id,
                "outcome": one.outcome.value,
                "note": one.note,
                "at": iso(one.at),
            }
            for one in judged
        ],
    }
