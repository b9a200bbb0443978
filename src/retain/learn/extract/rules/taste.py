"""What somebody likes, dislikes, prefers, and calls their favourite."""

from __future__ import annotations

import re

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import BE, Rule, compiled

# "I just love queuing" is mostly irony, so "just" is no adverb here.
_ADVERBS = (
    r"(?:\s+(?:really|absolutely|actually|also|still|always|totally|generally|usually|mostly"
    r"|personally"
    r"|definitely|do|simply|truly|both|all|especially|particularly|mainly|genuinely|strongly|much"
    r"|secretly|now|quite|very much|truly|honestly)){0,3}"
)
_NOT_LIKED = re.compile(
    r"(?:to\s(?:say|admit|think|see|hear|know|be|break|bother|tell|imagine|believe|disappoint"
    r"|interrupt|ask|get"
    r"|have|do|sound|use|make|start|learn|try|keep|go ahead|add|include|include|find|create|give"
    r"|focus)"
    r"|when|feel|feeling|getting|having|being|seeing|hearing|knowing|working\s(?:with|on)|talking"
    r"|chatting"
    r"|using|doing|making\s(?:me|sure)|learning\sabout|reading\sabout|thinking|supporting|helping"
    r"|sharing)\b",
    re.IGNORECASE,
)
_DO_NOT = (
    r"(?:\s+(?:don't|dont|do\s+not|doesn't|does\s+not)(?:\s+(?:really|actually|particularly|even"
    r"|much))?)"
)
_NO_LONGER = r"(?:\s+no\s+longer)"


def liked(text: str, at: int) -> int | None:
    """A thing or an activity: "jazz", "hiking", "to cook"."""
    start = at
    if text[at : at + 3].lower() == "to ":
        start = at + 3
    end = phrase.thing(text, start)
    return None if end is None or _NOT_LIKED.match(text, at) else end


def preferred(text: str, at: int) -> int | None:
    """A thing preferred, with the one it is preferred to ("tea over coffee")."""
    return liked(text, at)


def favourite_value(text: str, at: int) -> int | None:
    """The value of a favourite: a thing, a name or a title in quotation marks."""
    if text[at : at + 1] in '"“«':
        closing = text.find({'"': '"', "“": "”", "«": "»"}[text[at]], at + 1)
        return closing + 1 if 0 < closing - at < 80 else None
    name = phrase.tokens_end(text, at, most=7, inner=True)
    if name > at + 1:
        return name
    if text[at : at + 4] == "The ":
        return phrase.tokens_end(text, at + 4, most=7, inner=True)
    return phrase.thing(text, at)


_KIND = (
    r"(?P<kind>(?!thing|part|one|of\b|way|time\sof\sday)[a-z][a-z'-]*(?:\s(?!is\b|are\b|was\b|to\b"
    r"|that\b|so\b|of\b|in\b|from\b|at\b|about\b|i\b|we\b|for\b|on\b)[a-z][a-z'-]*){0,3})"
)

RULES: tuple[Rule, ...] = (
    Rule(
        "taste.likes", compiled(
            rf"{_ADVERBS}\s+(?P<verb>love|like|enjoy|adore)(?P<s>s?)\s+(?!s\b)"),
        "likes", "{verb}s {v}", liked, lists=True,
    ),
    Rule(
        "taste.fan", compiled(
            rf"{BE}{_ADVERBS}\s+(?:an?\s+)?(?:(?:big|huge|massive|great|avid|longtime|lifelong"
            rf"|die-?hard)\s+)*fan\s+of\s+"),
        "likes", "is a fan of {v}", liked, lists=True,
    ),
    Rule(
        "taste.into", compiled(
            rf"{BE}{_ADVERBS}(?:\s+(?:so|super|pretty))?\s+(?:into|fond\s+of|crazy\s+about"
            rf"|obsessed\s+with|passionate\s+about|keen\s+on)\s+"
        ),
        "likes", "likes {v}", liked, lists=True,
    ),
    Rule(
        "taste.dislikes", compiled(
            rf"(?:{_ADVERBS}\s+(?:hate|dislike|detest|loathe|despise)s?|\s+(?:can't|cannot"
            rf"|can\s+not|can\s+no\s+longer)\s+stand"
            rf"|{_DO_NOT}\s+(?:like|enjoy|love|care\s+for)|{BE}\s+not\s+(?:really\s+)?(?:a\s+"
            rf"(?:big\s+|huge\s+)?fan\s+of|fond\s+of|into|keen\s+on))\s+"
        ),
        "dislikes", "dislikes {v}", liked, lists=True,
    ),
    Rule(
        "taste.likes_no_longer", compiled(
            rf"(?:{_NO_LONGER}\s+(?:like|love|enjoy)s?|\s+(?:stopped|quit)\s+(?:liking|loving"
            rf"|enjoying)"
            rf"|{_DO_NOT}\s+(?:like|enjoy|love)(?=[\w' ,]{{2,60}}\s(?:any\s?more"
            rf"|any\s+longer)\b))\s+"
        ),
        "likes", "no longer likes {v}", liked, ends=True, lists=True,
    ),
    Rule(
        "taste.dislikes_no_longer", compiled(rf"{_NO_LONGER}\s+(?:hate|dislike)s?\s+"),
        "dislikes", "no longer dislikes {v}", liked, ends=True, lists=True,
    ),
    Rule(
        "taste.prefers", compiled(rf"{_ADVERBS}\s+prefers?\s+"),
        "prefers", "prefers {v}", preferred,
    ),
)  # fmt: skip

FAVOURITE = compiled(
    rf"\s+(?:all[- ]time\s+)?(?:new\s+)?favou?rite\s+{_KIND}(?:\s+(?:of\s+all\s+time|ever"
    rf"|right\s+now|at\s+the\s+moment|is\s+now))?\s*(?:is|are|'s|has\s+to\s+be|would\s+be)\s+"
    rf"(?:definitely\s+|called\s+|still\s+|now\s+|actually\s+)?"
)
