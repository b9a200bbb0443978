"""A group in a chat model's words, as far as its episodes bear them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retain.consolidate.judge import type_of
from retain.consolidate.statement import Statement, Told, statement
from retain.consolidate.wording import Worded, Wording
from retain.domain.candidate import Candidate, Quote
from retain.domain.derivation import MALFORMED, REJECTED, Decision
from retain.domain.insight import LONGEST_INSIGHT, InsightType
from retain.domain.instant import iso
from retain.domain.message import Message
from retain.learn.extract.methods import INSIGHTS, shipped
from retain.learn.ground import Gate, ground_all
from retain.models.base import ChatMessage, ChatModel, TokenCounter
from retain.models.chat.structured import ask_structured

MOST_INSIGHTS: Final = 5  # of one group
MOST_SHOWN: Final = 20  # episodes of one group, the latest
LEAST_CITED: Final = 2  # episodes: what one says is no generalisation
ANSWER_SHARE: Final = 4  # a quarter of the model's window is left for its answer


class ModelGeneraliser:
    """Asks a chat model what a group comes to; what it says is checked against the episodes that it
    was shown, and its own word on how sure it is counts for nothing."""

    def __init__(self, model: ChatModel, counter: TokenCounter, gate: Gate) -> None:
        self._model = model
        self._counter = counter
        self._gate = gate

    def word(self, members: Sequence[Statement]) -> Worded:
        """What sentences that say the same come to, as far as their episodes bear it out.

        Raises:
            ModelError: the model did not answer, or twice in a form that cannot be read.
        """
        sources = list({one.source.id: one.source for one in members}.values())[-MOST_SHOWN:]
        labels = {f"e{number}": told for number, told in enumerate(sources, 1)}
        method = shipped(INSIGHTS)
        answer = ask_structured(
            self._model,
            [
                ChatMessage("system", method.text),
                ChatMessage("user", self._shown(labels, members, self._counter.count(method.text))),
            ],
            insights_schema(list(labels)),
            schema_name="insights",
            max_tokens=self._model.window // ANSWER_SHARE,
            check=_items,
        )
        refused: list[Decision] = []
        wordings: list[Wording] = []
        for item in _items(answer.value)[:MOST_INSIGHTS]:
            read = self._read(item, labels)
            if isinstance(read, Wording):
                wordings.append(read)
            else:
                refused.append(read)
        return Worded(
            wordings=wordings,
            refused=refused,
            shown=members,
            method=method,
            model=self._model.name,
            raw=answer.raw,
            parameters=self._model.parameters,
            usage={
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                "seconds": round(answer.seconds, 3),
                "attempts": answer.attempts,
            },
        )

    def _shown(self, labels: Mapping[str, Told], members: Sequence[Statement], method: int) -> str:
        """The episodes, whole where all of them fit, else what is around the cited sentences."""
        room = self._model.window - self._model.window // ANSWER_SHARE - method - 100
        whole = {label: told.text for label, told in labels.items()}
        if sum(map(self._counter.count, whole.values())) > room:
            said = {one.source.id: one.text for one in members}
            whole = {label: said[told.id] for label, told in labels.items()}
        lines = []
        for label, text in whole.items():
            told = labels[label]
            indented = "\n  ".join(text.splitlines())
            lines.append(f"[{label}] {iso(told.at)[:10]} {told.outcome.value}\n  {indented}")
        return "## Accounts\n" + "\n".join(lines)

    def _read(self, item: Any, labels: Mapping[str, Told]) -> Wording | Decision:
        if not isinstance(item, Mapping) or not isinstance(item.get("statement"), str):
            return Decision(repr(item)[:300], MALFORMED, "there is no statement")
        text = " ".join(item["statement"].split())
        if not text or len(text) > LONGEST_INSIGHT:
            reason = f"the statement has {len(text)} characters, of 1 to {LONGEST_INSIGHT}"
            return Decision(text[:300], MALFORMED, reason)
        quotes, problem = _quotes(item.get("quotes"), labels)
        if problem is not None:
            return Decision(text, REJECTED, problem)
        turns = list(labels.values())
        (verdict,) = ground_all(
            [Candidate(text, tuple(quotes))], [_message(told) for told in turns], gate=self._gate
        )
        if not verdict.ok:
            return Decision(
                text, REJECTED, verdict.reason, support=verdict.support.value, score=verdict.score
            )
        placed = {
            quote.turn: statement(
                turns[quote.turn],
                turns[quote.turn].text[quote.start : quote.end],
                quote.start,
            )
            for quote in verdict.quotes
        }
        members = list(placed.values())
        if len(members) < LEAST_CITED:
            return Decision(text, REJECTED, f"it cites {len(members)} episode: one is no pattern")
        named = str(item.get("type", ""))
        known = [one.value for one in InsightType]
        return Wording(text, InsightType(named) if named in known else type_of(members), members)


def insights_schema(labels: Sequence[str]) -> Mapping[str, Any]:
    """The form of an answer: it can cite only the episodes that were shown."""
    quote = {
        "type": "object",
        "properties": {
            "episode": {"type": "string", "enum": list(labels)},
            "text": {"type": "string"},
        },
        "required": ["episode", "text"],
        "additionalProperties": False,
    }
    insight = {
        "type": "object",
        "properties": {
            "statement": {"type": "string"},
            "type": {"type": "string", "enum": [one.value for one in InsightType]},
            "quotes": {"type": "array", "items": quote},
        },
        "required": ["statement", "type", "quotes"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"insights": {"type": "array", "maxItems": MOST_INSIGHTS, "items": insight}},
        "required": ["insights"],
        "additionalProperties": False,
    }


def _items(value: Any) -> Sequence[Any]:
    """The insights of an answer, also of one that is a list, or one object."""
    if isinstance(value, Mapping):
        found = value.get("insights", value.get("facts"))
        if isinstance(found, Mapping):
            return [found]
        if found is None and "statement" in value:
            return [value]
        value = found
    if not isinstance(value, list):
        raise ValueError("there is no list of insights in the answer")
    return value


def _quotes(given: Any, labels: Mapping[str, Told]) -> tuple[list[Quote], str | None]:
    """The quotes, each of an episode that was shown; or why they cannot be used."""
    numbers = {label: number for number, label in enumerate(labels)}
    quotes: list[Quote] = []
    for one in given if isinstance(given, list) else [given]:
        label = one.get("episode") if isinstance(one, Mapping) else None
        text = one.get("text") if isinstance(one, Mapping) else None
        if label not in numbers:
            return [], f"it cites {str(label)[:60]!r}, which was not shown"
        if not isinstance(text, str) or not text.strip():
            return [], f"it quotes nothing of {label}"
        turn = numbers[label]
        at = labels[label].text.find(text)
        quotes.append(Quote(turn, text, at, at + len(text) if at >= 0 else -1))
    return quotes, None if quotes else "it cites nothing"


def _message(told: Told) -> Message:
    return Message(told.id, "user", told.text, told.at)
