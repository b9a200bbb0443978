"""High-precision rules that turn conversation turns into facts, with no model.

A rule fires only where a speaker starts a clause about themselves or theirs, states it plainly, and
says all of it: a missed fact is still found in the verbatim turn, an invented one is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from retain.domain.candidate import Candidate, Quote
from retain.domain.instant import DAY
from retain.domain.message import Message
from retain.learn.dates import When
from retain.learn.extract.rules import happening, health, home, identity, kin, taste, work
from retain.learn.extract.rules.clause import Clause, clauses
from retain.learn.extract.rules.elliptic import answers, notes
from retain.learn.extract.rules.favourite import favourites
from retain.learn.extract.rules.foreign import ForeignFact, foreign_facts
from retain.learn.extract.rules.introduction import introductions
from retain.learn.extract.rules.rule import Finding, Person
from retain.learn.extract.rules.speech import Speech, speech_of

METHOD = "rules@1"
_RULES = (*identity.RULES, *home.RULES, *work.RULES, *health.RULES, *taste.RULES)
_OF_A_SPEAKER = tuple(rule for rule in _RULES if not rule.possessed)
_OF_THEIRS = tuple(rule for rule in _RULES if rule.possessed)
_MOST_FACTS_PER_TURN = 40
_RECENT = 366 * DAY  # a change longer ago may have been followed by another


def extract(turns: Sequence[Message], context: Sequence[Message] = ()) -> list[Candidate]:
    """The facts that the turns state plainly, in the order they are said.

    Args:
        turns: the turns to read; ``Quote.turn`` counts them.
        context: earlier turns, which are not read for facts. A turn with nothing before it may be
            a note, without a subject ("Likes pizza").

    Returns:
        Candidates with exact quotes. Their subjects and attributes are keys: casefolded names and
        words that do not depend on the language of the turn.
    """
    found: list[Candidate] = []
    for index, message in enumerate(turns):
        speech = speech_of(message, index)
        if speech is not None:
            said: Iterator[Clause] = clauses(speech)
            if len(turns) == 1 and not context:
                said = chain(said, notes(speech))
            elif index and turns[index - 1].content.rstrip().endswith(_ASKS):
                said = chain(said, answers(turns[index - 1], message, speech))
            found += _of_turn(speech, message, said)
    return found


_ASKS = ("?", "？")


def _of_turn(speech: Speech, message: Message, said: Iterator[Clause]) -> list[Candidate]:
    found: dict[tuple[str, str | None], Candidate] = {}
    for candidate in _candidates(speech, message, said):
        found.setdefault((candidate.statement, candidate.attribute), candidate)
        if len(found) >= _MOST_FACTS_PER_TURN:
            break
    return list(found.values())


def _candidates(speech: Speech, message: Message, said: Iterator[Clause]) -> Iterator[Candidate]:
    for fact in foreign_facts(speech):
        yield _verbatim(fact, speech, message)
    speaker = Person(speech.subject, speech.label)
    passing = -1
    for clause in said:
        findings = list(_findings(speaker, clause))
        dates = happening.dated(findings, clause.text, speech.said_at)
        taken = [finding.end for finding in findings]
        for index, finding in enumerate(findings):
            yield _candidate(finding, dates.get(index), clause, speech, message)
        told = kin.speaker_or_kin(speaker, clause.text)
        if told is not None and all(findings[index].if_known for index in dates):
            for finding, when, start in happening.happenings(told, clause.lead, speech.said_at):
                if start < 0 or not any(end >= when.start for end in taken):
                    yield _candidate(finding, when, clause, speech, message, start)
        for finding, start in kin.mentioned(speaker, clause.text, 0, len(clause.text)):
            at = clause.start + start
            if at > passing:
                passing = at
                yield _candidate(finding, None, clause, speech, message, start)


def _says(finding: Finding, when: When | None, said_at: int) -> str:
    if not finding.is_change:
        return finding.says
    if finding.by and (when is None or when.begins >= said_at - _RECENT):
        # A change is told as what it led to, which is what questions are about.
        return f"{finding.says} ({finding.by} {when.adverbial})" if when else finding.says
    says = f" {finding.once}" if finding.once else finding.says
    if when is not None and when.spoken not in says:
        says = f"{says} {when.adverbial}"
    return says


def _verbatim(fact: ForeignFact, speech: Speech, message: Message) -> Candidate:
    """A fact in another language: the clause is the statement, for nothing is translated."""
    said = message.content[fact.start : fact.end]
    return Candidate(
        statement=said if speech.subject == "user" else f"{speech.label}: {said}",
        quotes=(Quote(turn=speech.turn, text=said, start=fact.start, end=fact.end),),
        subject=speech.subject,
        attribute=fact.attribute,
        value=fact.value,
        single=fact.single,
        ends=fact.ends,
        attributed_to="assistant" if message.role == "assistant" else "user",
        actor=message.actor,
        rule=f"{fact.language}.{fact.attribute}",
        metadata={"ends": True} if fact.ends else {},
    )


def _findings(speaker: Person, clause: Clause) -> Iterator[Finding]:
    told = kin.speaker_or_kin(speaker, clause.text)
    yield from introductions(speaker, clause)
    if told is None:
        return
    yield from kin.members(speaker, clause.text)
    yield from favourites(told)
    ended: set[str] = set()
    if told.is_possessed:
        rules = _OF_THEIRS
    elif told.text.startswith("'s", told.at):
        rules = _RULES
    else:
        rules = _OF_A_SPEAKER
    for rule in rules:
        for finding in rule.find(told):
            if finding.attribute in ended and not finding.ends:
                continue
            if finding.ends:
                ended |= {finding.attribute}
            yield replace(finding, says=f" {finding.says}")


def _candidate(
    finding: Finding,
    when: When | None,
    clause: Clause,
    speech: Speech,
    message: Message,
    start: int = 0,
) -> Candidate:
    end = max(finding.end, when.end) if when is not None else finding.end
    quote_start, quote_end = clause.start + (start or clause.supplied), clause.start + end
    says = _says(finding, when, speech.said_at)
    metadata: dict[str, object] = {}
    if finding.ends:
        metadata["ends"] = True
    if finding.attribute.startswith("event") and when is not None:
        metadata["event_date"] = when.iso
    is_past = when is not None and when.begins <= speech.said_at
    return Candidate(
        statement=f"{finding.person.label}{says}.",
        quotes=(
            Quote(
                turn=speech.turn,
                text=message.content[quote_start:quote_end],
                start=quote_start,
                end=quote_end,
            ),
        ),
        subject=finding.person.subject,
        attribute=finding.attribute,
        value=finding.value,
        single=finding.single,
        ends=finding.ends,
        if_known=finding.if_known,
        # A coming event is known from when it was said; only what has happened dates back.
        valid_from=when.begins if when is not None and is_past else None,
        attributed_to="assistant" if message.role == "assistant" else "user",
        actor=message.actor,
        rule=finding.rule,
        metadata=metadata,
    )
