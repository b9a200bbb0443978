"""Proposals as candidates: labels resolved, quotes given to turns, slots named as by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retain.analysis.words import STOP_WORDS, terms_of, words
from retain.domain.attributes import attribute_key, is_single
from retain.domain.candidate import Candidate, Opinion, Quote, Relation
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.learn.extract.model.prompt import memory_label, message_label
from retain.learn.extract.model.proposal import Cited, Proposal
from retain.learn.extract.model.windows import Window

_USER = frozenset({"user", "the user"})
_AGENT = frozenset({"agent", "the agent", "assistant", "the assistant"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A candidate with the model's opinion of it."""

    candidate: Candidate
    opinion: Opinion


def suggestion_of(
    proposal: Proposal,
    window: Window,
    messages: Sequence[Message],
    known: Sequence[MemoryRecord],
) -> Suggestion:
    """What a proposal says, over the messages that it was drawn from.

    A quote whose label is wrong or missing is given to the message that holds its words, and a
    proposal without quotes to the message that shares most of its words, as a whole: grounding
    judges either like any other. A label of a memory that was not shown means none.
    """
    quotes = _quotes(proposal, window, messages)
    turn = messages[quotes[0].turn] if quotes and quotes[0].turn >= 0 else None
    subject = None if proposal.subject is None else _subject(proposal.subject, turn)
    attribute = None if proposal.attribute is None else attribute_key(proposal.attribute)
    has_slot = None not in (subject, attribute, proposal.value)
    shown = {memory_label(number): record for number, record in enumerate(known)}
    shown |= {record.id: record for record in known}
    of = None if proposal.memory is None else shown.get(proposal.memory)
    return Suggestion(
        candidate=Candidate(
            statement=proposal.statement,
            quotes=quotes,
            subject=subject if has_slot else None,
            attribute=attribute if has_slot else None,
            value=proposal.value if has_slot else None,
            single=has_slot and is_single(attribute or ""),
            valid_from=proposal.valid_from,
            valid_until=proposal.valid_until,
            attributed_to=_attributed(proposal.said_by, turn),
            actor=None if turn is None else turn.actor,
        ),
        opinion=Opinion(
            relation=Relation.NEW if of is None else proposal.relation,
            of=of,
            reason=proposal.reason,
            related=tuple(
                shown[label] for label in dict.fromkeys(proposal.related) if label in shown
            ),
        ),
    )


def _quotes(proposal: Proposal, window: Window, messages: Sequence[Message]) -> tuple[Quote, ...]:
    turns = window.turns
    given = [cited for cited in proposal.quotes if cited.text.strip() or cited.message]
    if given:
        return tuple(_quote(cited, turns, messages) for cited in given)
    turn = _most_alike(proposal.statement, turns, messages)
    return (Quote(turn, "", -1, -1),)  # the whole turn


def _quote(cited: Cited, turns: Sequence[int], messages: Sequence[Message]) -> Quote:
    labelled = {message_label(turn): turn for turn in turns}
    turn = labelled.get(cited.message, -1)
    if not cited.text.strip():
        return Quote(turn, "", -1, -1)
    if turn < 0 or _at(cited.text, messages[turn].content) < 0:
        holding = [one for one in turns if _at(cited.text, messages[one].content) >= 0]
        turn = holding[0] if holding else turn
    at = -1 if turn < 0 else _at(cited.text, messages[turn].content)
    if at < 0:
        return Quote(turn, cited.text, -1, -1)
    end = at + len(cited.text)
    return Quote(turn, messages[turn].content[at:end], at, end)


def _at(text: str, content: str) -> int:
    """Where a text stands in another, letter by letter but for case."""
    found = content.find(text)
    if found >= 0 or len(content.casefold()) != len(content):
        return found
    folded = text.casefold()
    return content.casefold().find(folded) if len(folded) == len(text) else -1


def _most_alike(statement: str, turns: Sequence[int], messages: Sequence[Message]) -> int:
    """The message that shares most of a statement's words; the earlier of equals."""
    wanted = _content_terms(statement)
    return max(
        turns,
        key=lambda turn: (len(wanted & _content_terms(messages[turn].content)), -turn),
    )


def _content_terms(text: str) -> set[int]:
    return set(terms_of([word for word in words(text) if word not in STOP_WORDS]))


def _subject(named: str, turn: Message | None) -> str:
    """A subject as the rules name it: "user" for who speaks unnamed, else the name, casefolded."""
    key = named.casefold()
    if key in _USER:
        speaks = turn is not None and turn.role == "user" and turn.actor
        return turn.actor.strip().casefold() if speaks and turn and turn.actor else "user"
    return "agent" if key in _AGENT else key


def _attributed(said_by: str | None, turn: Message | None) -> str | None:
    if turn is not None:
        return "assistant" if turn.role == "assistant" else "user"
    return said_by if said_by in ("user", "assistant") else None
