"""One extraction: messages in, suggestions out, with the record of every call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.errors import TooLarge
from retain.learn.extract.methods import AGENT, CONVERSATION, custom, shipped
from retain.learn.extract.model.prompt import (
    SHOWN_OF_EARLIER,
    extraction_prompt,
    memory_label,
    message_label,
)
from retain.learn.extract.model.proposal import Fault, Reading, read_answer
from retain.learn.extract.model.schema import memories_schema
from retain.learn.extract.model.suggestions import Suggestion, suggestion_of
from retain.learn.extract.model.windows import LABEL, Window, windows
from retain.models.base import ChatMessage, ChatModel, TokenCounter
from retain.models.chat.structured import Structured, ask_structured

ANSWER_SHARE: Final = 4  # a quarter of the model's window is left for its answer
_HEADINGS: Final = 100  # tokens, at most, of the sections' titles
LEAST_INPUT: Final = 256  # tokens: a smaller window cannot take a message in
_KNOWN_SHARE: Final = 8  # an eighth of the window, at most, is what is known


_CUT: Final = Fault(
    "...", "the answer was cut off at the limit of its length: what followed is not learned"
)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model, for the record."""

    methods: Sequence[Method]
    suggestions: Sequence[Suggestion]
    faults: Sequence[Fault]
    raw: str
    usage: Mapping[str, Any]
    turns: Sequence[int]  # of the input, that it read


@dataclass(frozen=True, slots=True)
class Extractor:
    """Draws statements from messages with a chat model.

    Attributes:
        model: the chat model.
        counter: counts tokens, so that a prompt fits.
        instructions: the configured ones; a call's own go before them.
        most_tokens: of prompts that one extraction may send in all.
        base: another method than the shipped one.
    """

    model: ChatModel
    counter: TokenCounter
    instructions: str | None = None
    most_tokens: int = 1_000_000
    base: Method | None = None

    def extract(
        self,
        messages: Sequence[Message],
        earlier: Sequence[MemoryRecord],
        known: Sequence[MemoryRecord],
        *,
        prompt: str | None,
        of_agent: bool,
    ) -> list[Call]:
        """Read all messages, a window a call.

        Args:
            messages: what is new, in order.
            earlier: the turns before, oldest first.
            known: memories to compare with, nearest first.
            prompt: the caller's instructions for this call.
            of_agent: the memories are an agent's own.

        Raises:
            ModelError: a call failed or its answer cannot be used.
            TooLarge: the messages need more than ``most_tokens``.
        """
        methods = self.methods(prompt, of_agent)
        text = "\n\n".join(one.text for one in methods if one.name != "custom")
        instructions = next((one.text for one in methods if one.name == "custom"), None)
        known = self._fitting(known)
        room = self._room(text, earlier, known, instructions)
        cut = windows(messages, room, self.counter.count)
        if room * len(cut) > self.most_tokens:
            raise TooLarge(
                f"the messages need {len(cut)} calls of up to {room} tokens, more than the "
                f"{self.most_tokens} that one extraction may send: add them in smaller parts, or "
                "raise Settings.extraction_tokens"
            )
        return [
            self._call(text, methods, window, messages, earlier, known, instructions)
            for window in cut
        ]

    def methods(self, prompt: str | None, of_agent: bool) -> list[Method]:
        """What a call follows: the shipped method, its addition for agents, the caller's own."""
        chosen = [self.base or shipped(CONVERSATION)]
        if of_agent:
            chosen.append(shipped(AGENT))
        own = prompt if prompt is not None and prompt.strip() else self.instructions
        if own is not None and own.strip():
            chosen.append(custom(own))
        return chosen

    def _call(
        self,
        text: str,
        methods: Sequence[Method],
        window: Window,
        messages: Sequence[Message],
        earlier: Sequence[MemoryRecord],
        known: Sequence[MemoryRecord],
        instructions: str | None,
    ) -> Call:
        shown = extraction_prompt(text, window, messages, earlier, known, instructions)
        schema = memories_schema(
            [message_label(turn) for turn in window.turns],
            [memory_label(number) for number in range(len(known))],
        )
        answer, reading = self._ask(shown, schema)
        return Call(
            methods=methods,
            suggestions=[
                suggestion_of(proposal, window, messages, known) for proposal in reading.proposals
            ],
            faults=[*reading.faults, *([_CUT] if answer.cut else [])],
            raw=answer.raw,
            usage={
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                "seconds": round(answer.seconds, 3),
                "attempts": answer.attempts,
            },
            turns=list(dict.fromkeys(part.turn for part in window.new)),
        )

    def _ask(
        self, shown: Sequence[ChatMessage], schema: Mapping[str, Any]
    ) -> tuple[Structured, Reading]:
        answer = ask_structured(
            self.model,
            shown,
            schema,
            schema_name="memories",
            max_tokens=self.model.window // ANSWER_SHARE,
            check=read_answer,
        )
        return answer, read_answer(answer.value)

    def _fitting(self, known: Sequence[MemoryRecord]) -> list[MemoryRecord]:
        """The nearest memories that an eighth of the model's window holds."""
        room = self.model.window // _KNOWN_SHARE
        kept: list[MemoryRecord] = []
        for record in known:
            room -= self.counter.count(record.text) + LABEL
            if room < 0:
                break
            kept.append(record)
        return kept

    def _room(
        self,
        text: str,
        earlier: Sequence[MemoryRecord],
        known: Sequence[MemoryRecord],
        instructions: str | None,
    ) -> int:
        """Tokens that are left for new messages in one prompt."""
        frame = self.counter.count(text) + self.counter.count(instructions or "") + _HEADINGS
        frame += sum(self.counter.count(one.text[:SHOWN_OF_EARLIER]) + LABEL for one in earlier)
        frame += sum(self.counter.count(one.text) + LABEL for one in known)
        room = self.model.window - self.model.window // ANSWER_SHARE - frame
        if room < LEAST_INPUT:
            raise TooLarge(
                f"the model {self.model.name!r} reads {self.model.window} tokens, and the "
                f"instructions take {frame} of them: nothing is left for messages. Use a model "
                "that reads more, set its option context_tokens, or shorten the instructions"
            )
        return room
