"""Whether a summary of an agent's work keeps the results that it is meant to keep.

Results are what another step may rely on letter by letter: numbers, identifiers, links, paths,
addresses, code, and what stands in quotation marks. Each is looked for in the summary as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

_RESULT: Final = re.compile(
    r"https?://[^\s<>\"')\]]+"  # links
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # addresses
    r"|`[^`\n]{1,300}`"  # code
    r"|\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|«[^»\n]{2,300}»|「[^」\n]{1,300}」"  # quoted
    r"|(?<![\w/])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]*)*"  # paths
    r"|\b[A-Za-z]:\\[\w\\.@+-]+"
    r"|\b(?=[\w-]*\d)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+\b"  # identifiers with digits: A-17, id_9f
    r"|(?<![\w.])[$€£¥]?\d+(?:[.,:]\d+)*\s?%?(?!\w)"  # numbers
    r"|\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}\b"  # hashes
)
_STEP: Final = re.compile(r"^\s*\d{1,3}[.):]\s", re.MULTILINE)  # numbering of our own asking
_TRIM: Final = '`"“”«»「」.,;:!?)'
_ALTERED: Final = 0.75  # as alike as this, a result of the summary is a changed one of the input
_MOST_COMPARED: Final = 200


@dataclass(frozen=True, slots=True)
class Fidelity:
    """``missing`` results are not in the summary; ``altered`` are pairs of what a result was and
    what the summary made of it; ``invented`` are in the summary alone."""

    results: int
    missing: Sequence[str]
    altered: Sequence[tuple[str, str]]
    invented: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Whether every result is kept as it was, and none was added."""
        return not (self.missing or self.altered or self.invented)

    def as_dict(self) -> Mapping[str, Any]:
        """The report as plain data."""
        return {
            "results": self.results,
            "missing": list(self.missing),
            "altered": [{"was": was, "is": now} for was, now in self.altered],
            "invented": list(self.invented),
        }

    def told(self) -> str:
        """The report in a sentence."""
        if self.is_whole:
            return f"all {self.results} results are kept as they were"
        parts = [f"{was!r} became {now!r}" for was, now in self.altered[:5]]
        parts += [f"{one!r} is missing" for one in self.missing[:5]]
        parts += [f"{one!r} is not in the messages" for one in self.invented[:5]]
        more = len(self.missing) + len(self.altered) + len(self.invented) - len(parts)
        return "; ".join(parts) + (f"; and {more} more" if more else "")


def fidelity(inputs: Iterable[str], summary: str) -> Fidelity:
    """Compare the results of the inputs with those of a summary."""
    sources = [_plain(text) for text in inputs]
    wanted = list(dict.fromkeys(one for text in sources for one in _results(text)))
    text = _plain(summary)
    held = list(dict.fromkeys(_results(_STEP.sub("", text))))
    lost = [one for one in wanted if not _stands_in(one, text)]
    added = [one for one in held if not any(_stands_in(one, source) for source in sources)]
    altered = _pairs(lost, added)
    was, now = {pair[0] for pair in altered}, {pair[1] for pair in altered}
    return Fidelity(
        results=len(wanted),
        missing=[one for one in lost if one not in was],
        altered=altered,
        invented=[one for one in added if one not in now],
    )


def _results(text: str) -> Iterable[str]:
    for match in _RESULT.finditer(text):
        found = match.group().strip().strip(_TRIM)
        if found and not (found.isdigit() and len(found) == 1):
            yield found


def _stands_in(result: str, text: str) -> bool:
    """Whether a result stands in a text, not as a part of a longer number or word."""
    at = text.find(result)
    while at >= 0:
        before = text[at - 1] if at else " "
        after = text[at + len(result)] if at + len(result) < len(text) else " "
        if not (_joins(before, result[0]) or _joins(result[-1], after)):
            return True
        at = text.find(result, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Whether two characters belong to one number or one Latin word."""
    return (left.isdigit() and right.isdigit()) or (
        left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
    )


def _pairs(lost: Sequence[str], added: Sequence[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    free = list(added[:_MOST_COMPARED])
    for one in lost[:_MOST_COMPARED]:
        best = max(free, key=lambda other: _alike(one, other), default=None)
        if best is not None and _alike(one, best) >= _ALTERED:
            found.append((one, best))
            free.remove(best)
    return found


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'")
