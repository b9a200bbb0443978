"""Between rows and the nouns of the domain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any, Final

from retain.domain.episode import Episode
from retain.domain.features import Features
from retain.domain.insight import Insight, InsightType
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.domain.use import Outcome
from retain.ledger.visibility import KIND_CODES, NEVER, STATUS_CODES, columns_of

KINDS: Final = {code: kind for kind, code in KIND_CODES.items()}
STATUSES: Final = {code: status for status, code in STATUS_CODES.items()}

# What ``record_of`` reads, from ``memory m LEFT JOIN message g ON g.key = m.message``.
RECORD_COLUMNS: Final = (
    "m.key, m.id, m.scope, m.kind, m.status, coalesce(m.text, g.content), m.said, m.updated_at, "
    "m.recorded_at, m.role, m.actor, m.attributed_to, m.metadata, m.expires, m.valid_from, "
    "m.valid_until, m.superseded_at, m.superseded_by, m.own_until, m.subject, m.attribute, "
    "m.value, m.single, g.id, m.external_id, m.session, m.position, m.derivation, m.details"
)
RECORD_SOURCE: Final = "memory m LEFT JOIN message g ON g.key = m.message"

# The columns that a change may touch, in the order of ``state_of``.
STATE_COLUMNS: Final = (
    "kind", "status", "said", "begins", "ends", "expires", "session", "position", "updated_at",
    "recorded_at", "role", "actor", "attributed_to", "external_id", "valid_from", "valid_until",
    "superseded_at", "superseded_by", "own_until", "subject", "attribute", "value", "single",
    "derivation", "text_hash", "metadata", "message", "text", "details",
)  # fmt: skip

_FIELD_NAMES: Final = tuple(field.name for field in fields(MemoryRecord))
_FIELD_VALUES: Final = attrgetter(*_FIELD_NAMES)
_KEY_AT: Final = _FIELD_NAMES.index("key")


def record_of(row: Sequence[Any], scope: Scope) -> MemoryRecord:
    """A memory from a row of ``RECORD_COLUMNS``."""
    return MemoryRecord(
        id=row[1],
        scope=scope,
        kind=KINDS[row[3]],
        text=row[5],
        created_at=row[6],
        updated_at=row[7],
        recorded_at=row[8],
        status=STATUSES[row[4]],
        key=row[0],
        role=row[9],
        actor=row[10],
        attributed_to=row[11],
        metadata=unpack(row[12]),
        expires_at=None if row[13] == NEVER else row[13],
        valid_from=row[14],
        valid_until=row[15],
        superseded_at=row[16],
        superseded_by=row[17],
        own_until=row[18],
        subject=row[19],
        attribute=row[20],
        value=row[21],
        single=bool(row[22]),
        message_id=row[23],
        external_id=row[24],
        session=row[25],
        position=row[26],
        derivation_id=row[27],
        details=None if row[28] is None else unpack_details(KINDS[row[3]], row[28]),
    )


def keyed(record: MemoryRecord, key: int) -> MemoryRecord:
    """The record under its key. ``dataclasses.replace`` takes four times as long, and this runs for
    every memory of a bulk write."""
    values = list(_FIELD_VALUES(record))
    values[_KEY_AT] = key
    return MemoryRecord(*values)


def state_of(
    record: MemoryRecord, message_key: int | None, message_text: str | None
) -> tuple[Any, ...]:
    """The values of ``STATE_COLUMNS``. A turn whose text is its message's does not repeat it."""
    rule = columns_of(record)
    repeated = record.kind is Kind.MESSAGE and record.text == message_text
    return (
        rule["kind"],
        rule["status"],
        record.created_at,
        rule["begins"],
        rule["ends"],
        rule["expires"],
        record.session,
        record.position,
        record.updated_at,
        record.recorded_at,
        record.role,
        record.actor,
        record.attributed_to,
        record.external_id,
        record.valid_from,
        record.valid_until,
        record.superseded_at,
        record.superseded_by,
        record.own_until,
        record.subject,
        record.attribute,
        record.value,
        int(record.single),
        record.derivation_id,
        text_hash(record.text) if record.kind is Kind.FACT else None,
        pack(record.metadata),
        message_key,
        None if repeated else record.text,
        None if record.details is None else pack(asdict(record.details)),
    )


def message_of(row: Sequence[Any]) -> Message:
    """A message from the columns id, role, content, occurred_at, actor, external_id, session,
    position, metadata."""
    return Message(
        id=row[0],
        role=row[1],
        content=row[2],
        occurred_at=row[3],
        actor=row[4],
        external_id=row[5],
        session=row[6],
        position=row[7],
        metadata=unpack(row[8]),
    )


def feature_values(features: Features) -> tuple[Any, ...]:
    """The values of the columns length, cues, speaker, terms, counts, vectors, pieces."""
    return (
        features.length,
        features.cues,
        features.speaker,
        features.terms,
        features.counts,
        features.vectors,
        features.pieces,
    )


def pack(metadata: Mapping[str, Any]) -> str | None:
    """Metadata as JSON; None where there is none."""
    if not metadata:
        return None
    return json.dumps(dict(metadata), ensure_ascii=False, separators=(",", ":"))


def unpack(stored: str | None) -> dict[str, Any]:
    """Metadata from JSON."""
    return {} if stored is None else dict(json.loads(stored))


def unpack_details(kind: Kind, stored: str) -> Episode | Insight:
    """What an episode or an insight is beside its text, from JSON."""
    values = unpack(stored)
    if kind is Kind.EPISODE:
        entities = tuple(values.pop("entities"))
        return Episode(**{**values, "outcome": Outcome(values["outcome"]), "entities": entities})
    return Insight(**{**values, "insight_type": InsightType(values["insight_type"])})


def many(values: Iterable[int | str]) -> str:
    """Any number of values as one parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))


def text_hash(text: str) -> int:
    """A signed 64-bit hash of a text, to find equal ones by an index."""
    digest = hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
