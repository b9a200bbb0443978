"""Where somebody lives, moved, comes from."""

from __future__ import annotations

import re

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import ADVERBS, BE, HAVE, Rule, compiled

# One also moves to tools, departments and plans. A capital inside a word ("GitHub"), a digit or a
# dot ("Fly.io") tells a tool; the rest are the commonest of each.
_TOOL = re.compile(r"\w*[a-z][A-Z]\w*|\w*\d\w*|\w+\.\w+")
_ABBREVIATED = frozenset("US UK USA UAE NYC LA SF DC NY NJ NZ DR KL HK".split())
_ELSEWHERE = frozenset("""
kubernetes docker postgres postgresql mysql sqlite mongo mongodb redis kafka slack teams discord
zoom azure linux ubuntu debian fedora arch windows mac android python rust go golang java kotlin
swift ruby scala elixir react vue angular svelte django flask rails laravel spring spotify netflix
gmail outlook notion obsidian jira trello asana linear chrome firefox safari brave edge vim emacs
neovim terraform ansible jenkins bazel heroku vercel netlify supabase firebase cloudflare oracle
snowflake databricks airflow spark excel word docs drive dropbox telegram signal whatsapp bluesky
mastodon threads substack wordpress shopify stripe paypal substack claude chatgpt gemini mistral
marketing sales engineering product design finance support operations research legal logistics
management accounting procurement plan phase step level team stage part chapter option version
premium pro enterprise canary beta production staging agile scrum kanban keto sony canon nikon
samsung apple google microsoft tesla verizon vodafone
""".split())  # fmt: skip


def destination(text: str, at: int) -> int | None:
    """A place that somebody can move to; no tool, department or step of a plan."""
    end = phrase.place(text, at)
    if end is None:
        return None
    words = text[at:end].split()
    first = words[0].strip(",")
    if first.lower() in _ELSEWHERE or any(_TOOL.search(word) for word in words):
        return None
    if first.isupper() and len(first) > 1 and first.replace(".", "") not in _ABBREVIATED:
        return None
    return end


RULES: tuple[Rule, ...] = (
    Rule(
        "home.lives", compiled(
            rf"(?:{ADVERBS}\s+(?:lives?|resides?)|(?:{BE}|'ve been|\s+have been"
            rf"|\s+has been){ADVERBS}\s+(?:living|residing))"
            r"\s+(?:out\s|over\s|up\s|down\s|here\s)?in\s+"
        ),
        "home", "lives in {v}", phrase.place, single=True,
    ),
    Rule(
        "home.based", compiled(rf"{BE}{ADVERBS}\s+based\s+(?:out\s+of|in)\s+"),
        "home", "is based in {v}", phrase.place, single=True, speaker_only=True,
    ),
    Rule(
        "home.moved", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:moved|relocated)\s+(?:back\s+|over\s+|out\s+|down\s+"
            rf"|up\s+)?"
            r"(?:from\s+[A-Z][\w ]{1,40}?\s+)?(?:here\s+)?to\s+"
        ),
        "home", "lives in {v}", destination, single=True, is_past=True, is_change=True,
        by="moved", once="moved to {v}",
    ),
    Rule(
        "home.settled", compiled(rf"(?:{HAVE})?{ADVERBS}\s+(?:settled|settled down)\s+in\s+"),
        "home", "lives in {v}", phrase.place, single=True, is_past=True, is_change=True,
        by="settled", once="settled in {v}",
    ),
    Rule(
        "home.lives_not", compiled(
            r"\s+(?:don't|dont|do not|doesn't|does not|no longer)\s+(?:actually\s+"
            r"|really\s+)?lives?\s+in\s+"
        ),
        "home", "does not live in {v} any more", phrase.place, ends=True,
    ),
    Rule(
        "home.lived", compiled(r"\s+used\s+to\s+live\s+in\s+"),
        "home", "used to live in {v}", phrase.place, ends=True,
    ),
    Rule(
        "home.left", compiled(rf"(?:{HAVE})?{ADVERBS}\s+moved\s+(?:out\s+of|away\s+from)\s+"),
        "home", "moved away from {v}", phrase.place, ends=True, is_past=True, is_change=True,
    ),
    Rule(
        "home.from", compiled(rf"(?:{BE}{ADVERBS}|\s+(?:originally\s+)?comes?)\s+from\s+"),
        "origin", "is from {v}", phrase.place, single=True,
    ),
    Rule(
        "home.hometown", compiled(r"\s+home\s?town(?:'s|\s+is)\s+(?:called\s+)?"),
        "origin", "comes from {v}", phrase.place, single=True, possessed=True,
    ),
    Rule(
        "home.grew_up", compiled(r"(?:\s+was\s+born\s+and)?\s+(?:grew\s+up|raised)\s+in\s+"),
        "grew up in", "grew up in {v}", phrase.place,
    ),
    Rule(
        "home.born_in", compiled(r"\s+was\s+born\s+in\s+"),
        "birthplace", "was born in {v}", phrase.place, single=True,
    ),
)  # fmt: skip
