"""What becomes of a grounded candidate: new, one more support, a newer value, or an end.

Pure and deterministic. Nothing is dropped: a value that was replaced stays with its validity, and
every outcome can be taken back. Values are the same only if they are written the same but for case,
width, spaces and punctuation; nobody guesses that two spellings mean one thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from retain.domain.attributes import has_many
from retain.domain.candidate import Candidate, Opinion, Relation
from retain.domain.instant import DAY, iso
from retain.domain.memory import MemoryRecord
from retain.learn.alike import says_the_same

_LONG = 366 * DAY
_NOT_WORD = re.compile(r"[\W_]+")
_OPPOSITES: dict[str, tuple[str, ...]] = {"likes": ("dislikes",), "dislikes": ("likes",)}


class Outcome(StrEnum):
    """What to do with a candidate. Values that candidates end carry ``metadata["ends"]``."""

    ADD = "add"  # a new memory
    EVIDENCE = "evidence"  # one more support of a memory that is there
    SUPERSEDE = "supersede"  # a new memory that replaces the ones named
    END = "end"  # a new memory that says that the ones named no longer hold
    BACKFILL = "backfill"  # a new memory that was already replaced by the one named
    DISPUTE = "dispute"  # set aside beside the one named: both cannot hold, and no rule decides
    IGNORE = "ignore"  # nothing to keep: no statement, or an end of what is not known


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The outcome for one candidate, with its reason.

    ``of`` is the memory supported (EVIDENCE), the disputed one, or the newer value (BACKFILL).
    ``old`` are the memories that no longer hold (SUPERSEDE, END; also EVIDENCE, when an already
    known statement is said anew), whose validity ends at ``ended_at``. ``valid_from`` and
    ``valid_until`` are those of the new memory, in microseconds.
    """

    outcome: Outcome
    reason: str
    of: MemoryRecord | None = None
    old: Sequence[MemoryRecord] = field(default_factory=tuple)
    ended_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None


def normalised(text: str) -> str:
    """The key by which statements and values are compared: NFKC, casefolded, words only."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def opposite_attributes(attribute: str) -> tuple[str, ...]:
    """The attributes whose equal value a statement of ``attribute`` ends: likes and dislikes."""
    return _OPPOSITES.get(attribute, ())


def reconcile(
    candidate: Candidate,
    existing_same_text: Sequence[MemoryRecord],
    slot: Sequence[MemoryRecord],
    at: int,
    opinion: Opinion | None = None,
) -> Reconciled:
    """Decide what becomes of ``candidate``.

    Args:
        candidate: grounded, with its slot (subject, attribute, value) where it has one.
        existing_same_text: accepted facts with the candidate's text, or near it; those that are
            not the same but for case, width, spaces and punctuation are not counted.
        slot: accepted facts of the candidate's subject whose attribute is the candidate's, or one
            of ``opposite_attributes``. A newer value supersedes them, an older one does not.
        at: when it was said, in microseconds: the time of the turn, not of its arrival.
        opinion: a model's. It is heard only where no rule decides, and it never ends a memory: what
            it calls the same must say the same by its words, what it calls an update must be of
            the same slot, and what it calls a contradiction is disputed.
    """
    decided = _by_rule(candidate, existing_same_text, slot, at)
    if decided.outcome is not Outcome.ADD or opinion is None or opinion.of is None:
        return decided
    return _heard(candidate, opinion, opinion.of, decided, at)


def _by_rule(
    candidate: Candidate,
    existing_same_text: Sequence[MemoryRecord],
    slot: Sequence[MemoryRecord],
    at: int,
) -> Reconciled:
    if not candidate.statement.strip():
        return Reconciled(Outcome.IGNORE, "the statement is empty")
    since = at if candidate.valid_from is None else candidate.valid_from
    same = _same_statement(candidate, existing_same_text, slot)
    if candidate.ends:
        return _end(candidate, same, slot, at, since)
    opposed = [record for record in _contrary(candidate, slot) if record.created_at <= at]
    if same is not None:
        return Reconciled(
            Outcome.EVIDENCE,
            f"{same.text!r} is already known",
            of=same,
            old=opposed,
            ended_at=since if opposed else None,
        )
    later = [record for record in _contrary(candidate, slot) if record.created_at > at]
    if later:
        return _backfill(candidate, later, since)
    if opposed:
        return _replace(candidate, opposed, since)
    if candidate.single:
        return _single(candidate, slot, at, since)
    return Reconciled(
        Outcome.ADD,
        "not known yet",
        valid_from=candidate.valid_from,
        valid_until=candidate.valid_until,
    )


def _heard(
    candidate: Candidate, opinion: Opinion, of: MemoryRecord, decided: Reconciled, at: int
) -> Reconciled:
    """What the model's opinion makes of a candidate that no rule relates to anything."""
    why = f": {opinion.reason}" if opinion.reason else ""
    if opinion.relation is Relation.SAME and says_the_same(candidate.statement, of.text):
        return Reconciled(Outcome.EVIDENCE, f"says the same as {of.text!r}{why}", of=of)
    if opinion.relation is Relation.UPDATES and _share_a_slot(candidate, of):
        since = at if candidate.valid_from is None else candidate.valid_from
        if of.created_at > at:
            return _backfill(candidate, [of], since)
        return _replace(candidate, [of], since)
    if opinion.relation in (Relation.UPDATES, Relation.CONTRADICTS):
        return replace(
            decided,
            outcome=Outcome.DISPUTE,
            reason=f"may not hold beside {of.text!r}, and no rule decides{why}",
            of=of,
        )
    return decided


def _share_a_slot(candidate: Candidate, of: MemoryRecord) -> bool:
    """Whether two statements give different values of one attribute that may have one at a time."""
    return (
        candidate.attribute is not None
        and (candidate.subject, candidate.attribute) == (of.subject, of.attribute)
        and candidate.value is not None
        and of.value is not None
        and normalised(candidate.value) != normalised(of.value)
        and not has_many(candidate.attribute)
    )


def _same_statement(
    candidate: Candidate, texts: Sequence[MemoryRecord], slot: Sequence[MemoryRecord]
) -> MemoryRecord | None:
    key = normalised(candidate.statement)
    for record in (*slot, *texts):
        if normalised(record.text) == key and not _says_otherwise(candidate, record):
            return record
    if candidate.ends or candidate.value is None:
        return None
    value = normalised(candidate.value)
    for record in slot:
        if _is_of_slot(candidate, record) and normalised(record.value or "") == value:
            return record
    return None


def _says_otherwise(candidate: Candidate, record: MemoryRecord) -> bool:
    """Whether equal words speak of another subject or slot ("my" of two people)."""
    if candidate.attribute is None or record.attribute is None:
        return False
    return (candidate.subject, candidate.attribute) != (record.subject, record.attribute)


def _is_of_slot(candidate: Candidate, record: MemoryRecord) -> bool:
    return (
        record.attribute == candidate.attribute
        and record.value is not None
        and not record.metadata.get("ends")
    )


def _contrary(candidate: Candidate, slot: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Statements of the same value that cannot hold beside the candidate: opposites, and ends."""
    if candidate.attribute is None or candidate.value is None:
        return []
    opposites = opposite_attributes(candidate.attribute)
    value = normalised(candidate.value)
    return [
        record
        for record in slot
        if normalised(record.value or "") == value
        and (
            record.attribute in opposites
            if not record.metadata.get("ends")
            else record.attribute == candidate.attribute
        )
    ]


def _end(
    candidate: Candidate,
    same: MemoryRecord | None,
    slot: Sequence[MemoryRecord],
    at: int,
    since: int,
) -> Reconciled:
    old = [
        record
        for record in slot
        if _is_of_slot(candidate, record)
        and record.created_at <= at
        and (
            candidate.value is None or normalised(record.value or "") == normalised(candidate.value)
        )
    ]
    if same is not None:
        return Reconciled(
            Outcome.EVIDENCE,
            f"{same.text!r} is already known",
            of=same,
            old=old,
            ended_at=since if old else None,
        )
    if not old and candidate.if_known:
        return Reconciled(Outcome.IGNORE, "takes back what was not known")
    if not old:
        return Reconciled(
            Outcome.ADD, "takes back what was not known", valid_from=candidate.valid_from
        )
    return Reconciled(
        Outcome.END,
        f"takes back {_texts(old)}",
        old=old,
        ended_at=since,
        valid_from=candidate.valid_from,
    )


def _single(candidate: Candidate, slot: Sequence[MemoryRecord], at: int, since: int) -> Reconciled:
    rivals = [record for record in slot if _is_of_slot(candidate, record) and record.single]
    newer = [record for record in rivals if record.created_at > at or _is_outdated(since, record)]
    if newer:
        return _backfill(candidate, newer, since)
    old = [record for record in rivals if not _is_past_event(record, at)]
    if old:
        return _replace(candidate, old, since)
    return Reconciled(
        Outcome.ADD,
        "the first value",
        valid_from=candidate.valid_from,
        valid_until=candidate.valid_until,
    )


def _is_outdated(since: int, record: MemoryRecord) -> bool:
    """Whether a change was long over when ``record`` was said ("I moved to Ulm in 2009")."""
    return since + _LONG < record.created_at


def _is_past_event(record: MemoryRecord, at: int) -> bool:
    """Whether an event had happened when the next one was told: then both hold."""
    if record.attribute is None or not record.attribute.startswith("event:"):
        return False
    return (record.value or "") < iso(at)[: len(record.value or "")]


def _backfill(candidate: Candidate, newer: Sequence[MemoryRecord], since: int) -> Reconciled:
    """Said before what is already held: it was true until then, and replaces nothing."""
    first = min(newer, key=lambda record: (record.begins_at, record.id))
    return Reconciled(
        Outcome.BACKFILL,
        f"{first.text!r} was said later",
        of=first,
        valid_from=candidate.valid_from,
        valid_until=max(first.begins_at, since),
    )


def _replace(candidate: Candidate, old: Sequence[MemoryRecord], since: int) -> Reconciled:
    # A validity never ends before it began: a change dated earlier than the old value was said
    # ("I moved last week", after "I live in Oslo" yesterday) ends it where it began.
    return Reconciled(
        Outcome.SUPERSEDE,
        f"said later than {_texts(old)}",
        old=tuple(old),
        ended_at=max(since, *(record.begins_at for record in old)),
        valid_from=candidate.valid_from,
        valid_until=candidate.valid_until,
    )


def _texts(records: Sequence[MemoryRecord]) -> str:
    return ", ".join(repr(record.text) for record in records)
