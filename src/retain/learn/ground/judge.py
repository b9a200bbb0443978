"""Judges a statement of unknown make against all that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from retain.domain.candidate import Candidate, Quote
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.learn.ground.claims import Claims, claims_of
from retain.learn.ground.polarity import affirms_denied, supports_denial
from retain.learn.ground.reading import Reading, read
from retain.learn.ground.sources import Source, source_of
from retain.learn.ground.support import (
    Coverage,
    capitals,
    coverage,
    misplaced_values,
    missing_names,
    missing_values,
)
from retain.learn.ground.tongue import is_foreign
from retain.learn.ground.verdict import (
    SUPPORTS,
    Checker,
    Gate,
    Support,
    Verdict,
    how_found,
    not_supported,
)
from retain.learn.ground.who import missing_kin, told_of_another, unsupported_name

SUPPORTED_SCORE: Final = 0.9  # and this share of the words makes a statement wholly supported
DOUBTED: Final = 0.5  # a checker's score below which a statement is unsupported
_ONLY_AROUND: Final = 0.8  # most that a statement scores whose support is not all quoted
_FOREIGN: Final = 0.6  # of a statement in another language than its source, where all marks match
_UNMARKED: Final = 0.3  # of one that has no name, number or date to compare
# Words of these scripts are cut by rule rather than stemmed, so that fewer of them are found.
_UNSTEMMED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")
_ALLOWANCE: Final = 3.0
# In a statement of so few words each is the point of it; this is the most it scores without one.
_FEW: Final = 4
_FEW_UNSTEMMED: Final = 3
_ONE_OF_FEW: Final = 0.4
_ENDS: Final = ".!?。！？\n؟।"

Unit = list[Source]  # what is quoted of one turn or memory, and what stands around it
Cites = Sequence[tuple[Quote, float]]


class Judge:
    """Judges candidates of the same turns; keeps what it has read of them."""

    def __init__(self, turns: Sequence[Message]) -> None:
        self._turns = turns
        self._read: dict[tuple[int, str | None, bool], Source] = {}

    def verdict(
        self,
        candidate: Candidate,
        cites: Cites,
        memories: Sequence[MemoryRecord],
        gate: Gate,
        checker: Checker | None,
    ) -> Verdict:
        """Judge one candidate whose quotes were placed."""
        quotes = tuple(quote for quote, _likeness in cites)
        check = how_found(candidate, cites)
        units = self._units(cites, memories)
        statement = read(candidate.statement)
        if any(
            _repeats(statement.text.strip(), source.reading.text)
            for unit in units
            for source in unit
            if source.primary
        ):
            verdict = Verdict(Support.SUPPORTED, check, 1.0, SUPPORTS, quotes, gate)
        else:
            support, score, reason = _judged(claims_of(statement), units)
            verdict = Verdict(support, check, score, reason, quotes, gate)
        likeness = min((likeness for _quote, likeness in cites), default=1.0)
        verdict = replace(verdict, score=min(verdict.score, likeness))
        if checker is None or verdict.support is Support.UNSUPPORTED:
            return verdict
        texts = [source.reading.text for unit in units for source in unit if source.primary]
        return _second_opinion(verdict, candidate.statement, texts, checker)

    def _units(self, cites: Cites, memories: Sequence[MemoryRecord]) -> list[Unit]:
        units: dict[int, Unit] = {}
        for quote, _likeness in cites:
            content = self._turns[quote.turn].content
            text = None if quote.text == content else quote.text
            unit = units.setdefault(quote.turn, [])
            unit.append(self._source(quote.turn, text, primary=True))
        for turn, unit in units.items():
            if all(source.reading.text != self._turns[turn].content for source in unit):
                unit.append(self._source(turn, None, primary=False))
            if turn > 0:
                unit.append(self._source(turn - 1, None, primary=False))
        found = list(units.values())
        found.extend(
            [source_of(memory.text, memory.created_at, "memory", memory.actor)]
            for memory in memories
        )
        return found

    def _source(self, turn: int, text: str | None, *, primary: bool) -> Source:
        key = turn, text, primary
        known = self._read.get(key)
        if known is None:
            said = self._turns[turn]
            known = source_of(
                said.content if text is None else text,
                said.occurred_at,
                said.role,
                said.actor,
                primary=primary,
            )
            self._read[key] = known
        return known


def _repeats(wanted: str, text: str) -> bool:
    """Whether a statement stands in the text as whole sentences, word for word."""
    if not wanted:
        return False
    at = text.find(wanted)
    while at >= 0:
        before, after = text[:at].rstrip(" \t\"'“”*"), text[at + len(wanted) :].lstrip(" \t\"'“”*")
        ended = wanted[-1] in _ENDS or not after or after[0] in _ENDS
        if ended and (not before or before[-1] in _ENDS):
            return True
        at = text.find(wanted, at + 1)
    return False


def _judged(claims: Claims, units: list[Unit]) -> tuple[Support, float, str]:
    at = units[0][0].at
    # A turn that says otherwise supports nothing; what it says otherwise is the reason.
    standing, reason = [], ""
    for unit in units:
        against = _against(claims, unit)
        if against is None:
            standing.append(unit)
        else:
            reason = reason or against
    if not standing:
        return Support.UNSUPPORTED, 0.0, reason
    sources = [source for unit in standing for source in unit]
    foreign = any(
        is_foreign(claims.reading, source.reading) for source in sources if source.primary
    )
    missing = _missing(claims, standing, sources, at, foreign=foreign)
    if missing:
        return Support.UNSUPPORTED, 0.0, not_supported(missing)
    told = coverage(claims, sources)
    return _weighed(claims, told, sources, at, foreign=foreign)


def _against(claims: Claims, unit: Unit) -> str | None:
    """What a unit says otherwise than the statement, as a reason."""
    other = told_of_another(claims, unit)
    if other is not None:
        return f"the quotes say it of {other!r}, not of the user"
    denied = affirms_denied(claims, unit)
    if denied is not None:
        return f"the quotes deny {denied.key!r}"
    misplaced = misplaced_values(claims, unit)
    if misplaced:
        named = ", ".join(map(repr, misplaced))
        return f"the quotes have another value where the statement has {named}"
    return None


def _missing(
    claims: Claims, units: list[Unit], sources: list[Source], at: int, *, foreign: bool
) -> list[str]:
    name = unsupported_name(claims, sources)
    found = [f"{name} as the user's name"] if name is not None else []
    found += missing_names(claims, sources)
    found += missing_values(claims, sources, at)
    for denial in claims.denials:
        if foreign:
            denied = any(one.reading.denials or one.reading.denied_clauses for one in sources)
        else:
            denied = any(supports_denial(claims, denial, unit) for unit in units)
        if not denied:
            found.append(_spelled(claims.reading, (denial.negator, *denial.heads[:1])))
    if not foreign:
        found += capitals(claims, sources)
        found += missing_kin(claims, sources)
    return list(dict.fromkeys(found))


def _spelled(reading: Reading, indices: tuple[int, ...]) -> str:
    return " ".join(reading.surfaces[index] for index in dict.fromkeys(indices))


def _weighed(
    claims: Claims, told: Coverage, sources: list[Source], at: int, *, foreign: bool
) -> tuple[Support, float, str]:
    """The support, score and reason of a statement that lacks no single thing."""
    unstemmed = _UNSTEMMED.search(claims.reading.text) is not None
    score = told.likelihood(_ALLOWANCE if unstemmed else 0.0)
    lacking = [
        claims.reading.surfaces[one.index]
        for one, share in zip(claims.content, told.words, strict=True)
        if not share
    ]
    quoted = [source for source in sources if source.primary]
    if told.whole >= SUPPORTED_SCORE and score >= SUPPORTED_SCORE:
        if (
            coverage(claims, quoted).whole >= SUPPORTED_SCORE
            and not missing_names(claims, quoted)
            and not missing_values(claims, quoted, at)
        ):
            return Support.SUPPORTED, 1.0 if not lacking else score, SUPPORTS
        return (
            Support.PARTIAL,
            min(score, _ONLY_AROUND),
            "only the turns around the quotes support all of the statement",
        )
    score = min(score, SUPPORTED_SCORE)
    core = [share for one, share in zip(claims.content, told.words, strict=True) if not one.telling]
    if len(core) <= (_FEW_UNSTEMMED if unstemmed else _FEW) and not all(core):
        score = min(score, _ONE_OF_FEW)
    if foreign and score < _FOREIGN:
        score = max(score, _FOREIGN if _is_marked(claims, told) else _UNMARKED)
        return Support.PARTIAL, score, "the quotes are in another language than the statement"
    reason = not_supported(lacking) if lacking else "the quotes say its words, but apart"
    return Support.PARTIAL, score, reason


def _is_marked(claims: Claims, told: Coverage) -> bool:
    """Whether both halves of a statement have a name, a number or a word of its sources."""
    reading = claims.reading
    places = {reading.places[index] for index in claims.names}
    places |= {number.place for number in claims.numbers}
    places |= {
        reading.places[one.index]
        for one, share in zip(claims.content, told.words, strict=True)
        if share and not one.telling
    }
    middle = (reading.places[0] + reading.places[-1]) / 2 if reading.places else 0
    return any(place <= middle for place in places) and any(place >= middle for place in places)


def _second_opinion(
    verdict: Verdict, statement: str, texts: Sequence[str], checker: Checker
) -> Verdict:
    score = checker.check(statement, texts)
    if score is None:
        return verdict
    if score < DOUBTED:
        reason = f"{checker.name} does not find the statement in the quotes"
        return replace(
            verdict, support=Support.UNSUPPORTED, check=checker.name, score=score, reason=reason
        )
    # Whoever checks may lift what is in doubt past the gate, not make it wholly supported.
    return replace(verdict, score=max(verdict.score, score))
