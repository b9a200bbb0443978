"""What a speaker says in their own voice, told apart from what only passes through the turn."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from retain.analysis.recalled import blanked, without_recalled
from retain.domain.message import Message

_CODE_FENCE = re.compile(r"^[ \t]{0,12}(```|~~~)", re.MULTILINE)
_NOT_SAID = re.compile(
    r"`[^`\n]{1,500}`"  # code in a line
    r"|^[ \t]{0,12}>[^\n]*"  # a line quoted from elsewhere
    r"|^[A-Za-z_][\w .-]{0,30}:[ \t]*(?:\"|“)[^\n]*"  # a line of a script: NAME: "..."
    r"|https?://\S+",
    re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,600}\"|“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|「[^「」\n]{1,600}」"
    r"|『[^『』\n]{1,600}』|‘[^‘\n]{1,300}’(?!\w)"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)"
)
_SAME_LENGTH = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "\u00a0": " ", "\t": " ", "\r": "\n"})
_MACHINE_NAME = re.compile(
    r"\b(?:ai|bot|assistant|agent|system|gpt[\w.-]*|chatgpt|claude|gemini|copilot|siri|alexa|llama"
    r"|mistral|model)\b",
    re.IGNORECASE,
)


# What follows is a document more than speech; it also bounds the time a turn can take.
_LONGEST_SPEECH = 20_000


@dataclass(frozen=True, slots=True)
class Speech:
    """One turn as its speaker's own words.

    ``text`` is the turn's beginning, character for character, so that spans agree: with straight
    apostrophes, and line breaks in place of code and recalled text. ``quoted`` are the spans in
    quotation marks.
    """

    turn: int
    text: str
    subject: str
    label: str
    said_at: int
    quoted: tuple[tuple[int, int], ...]

    def is_quoted(self, position: int) -> bool:
        """Whether ``position`` lies between quotation marks."""
        index = bisect_right(self.quoted, (position, len(self.text) + 1)) - 1
        return index >= 0 and self.quoted[index][0] <= position < self.quoted[index][1]


def speech_of(message: Message, turn: int) -> Speech | None:
    """The speaker's own words in ``message``, the input's turn number ``turn``.

    None for what nobody said of themselves: system and tool turns, and an assistant's, unless it
    bears a person's name (two people talking are often recorded as user and assistant).
    """
    actor = message.actor.strip() if message.actor else ""
    if message.role == "assistant":
        if not actor or _MACHINE_NAME.search(actor):
            return None
    elif message.role != "user":
        return None
    text = message.content[:_LONGEST_SPEECH].translate(_SAME_LENGTH)
    text = without_recalled(text)
    text = blanked(text, _code_spans(text))
    if "`" in text or ">" in text or ":" in text:
        text = blanked(text, [match.span() for match in _NOT_SAID.finditer(text)])
    return Speech(
        turn=turn,
        text=text,
        subject=actor.casefold() if actor else "user",
        label=actor or "User",
        said_at=message.occurred_at,
        quoted=tuple(match.span() for match in _QUOTED.finditer(text)),
    )


def _code_spans(text: str) -> list[tuple[int, int]]:
    if "```" not in text and "~~~" not in text:
        return []
    fences = [match.start() for match in _CODE_FENCE.finditer(text)]
    spans = [
        (start, min(len(text), end + 3))
        for start, end in zip(fences[::2], fences[1::2], strict=False)
    ]
    if len(fences) % 2:
        spans.append((fences[-1], len(text)))
    return spans
