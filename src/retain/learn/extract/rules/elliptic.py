"""What a turn leaves out: the subject of a note, and the words of the question it answers.

"Likes pizza", kept as a note on its own, is about the user; "Oslo." after "Where do you live?" is
where they live. The clause is read with what it leaves out; what is quoted is what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retain.domain.message import Message
from retain.learn.extract.rules.clause import Clause, is_unreal_after
from retain.learn.extract.rules.rule import compiled
from retain.learn.extract.rules.speech import Speech

_LONGEST_NOTE = 240  # characters: more is an article, whose subject is anybody
_LONGEST_ANSWER = 8  # words
_SENTENCE = re.compile(r"[^.!?\n;]+(?:\.(?=\w)[^.!?\n;]*)*(?P<mark>[.!?;]*)")
_BULLET = compiled(r"\s*(?:[-*•]\s+)?")
_UNREAL = compiled(
    r".*\b(?:if|would|might|maybe|perhaps|wants?|wish\w*|hopes?|said|says|not sure)\b"
)

# How a note opens, and what stands before it in full. "Works" is also said of things.
_NOTES: tuple[tuple[re.Pattern[str], str], ...] = (
    (compiled(r"the\s+(?=user(?:'s)?\s)"), ""),
    (compiled(r"(?=user(?:'s)?\s)"), ""),
    (
        compiled(
            r"(?=(?:(?:really|also|currently|now|no longer|recently|always)\s)?"
            r"(?:lives|likes|loves|hates|dislikes|prefers|enjoys|speaks|studies|moved|relocated"
            r"|doesn't|does not|can't stand|started|grew up|was born|follows|never eats|suffers"
            r"|has (?:an?|one|two|three|four|five|six|\d+)|owns a|runs a)\s)"
        ),
        "User ",
    ),
    (re.compile(r"(?=(?:[Cc]urrently\s|[Nn]ow\s)?[Ww]orks\s(?:as|(?:at|for|in)\s[A-Z]))"), "User "),
    (re.compile(r"(?=Is (?!it|that|this|there|he|she)\w)"), "User "),
    (
        compiled(
            r"(?=(?:(?:severely|highly|mildly)\s)?(?:allergic to|based in|fluent in|married to"
            r"|engaged to|(?:a\s)?(?:strict\s)?(?:vegan|vegetarian|pescatarian|gluten[- ]free)\b"
            r"|originally from|from (?-i:[A-Z])[\w, ]{1,30}\Z|learning [A-Z]"
            r"|retired\b|married\b|divorced\b))"
        ),
        "User is ",
    ),
    (
        compiled(
            r"(?=(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|sister|brother|mother"
            r"|mom|mum|father|dad|dog|cat|favou?rite \w+|birthday|name|job|nickname)(?:'s)?\s)"
        ),
        "User's ",
    ),
    (compiled(r"name:\s*(?!.*'s)"), "User's name is "),
    (compiled(r"(?:birthday|date of birth|dob|born):\s*"), "User's birthday is "),
    (compiled(r"(?:home|home town|city|location|lives in):\s*"), "User lives in "),
    (compiled(r"(?:job|job title|occupation|profession):\s*"), "User's job is "),
    (compiled(r"(?:employer|company):\s*"), "User works at "),
    (compiled(r"allerg(?:y|ies|ic to):\s*"), "User is allergic to "),
    (compiled(r"diet:\s*"), "User is "),
)

_GOES_ON = compiled(
    r"(?:,\s*(?:and\s|but\s)?|\s(?:and|but)\s)(?=(?:lives|likes|loves|hates|dislikes|prefers|enjoys"
    r"|speaks|studies|works|has|doesn't|does not)\s)"
)
# With somebody else in the sentence, what follows may be about them.
_WHOSE = compiled(r"\b(?:who|whose|which|that|where|user's)\b")

# A question to somebody about themselves, and the answer in full up to what they answer.
_QUESTIONS: tuple[tuple[str, str], ...] = (
    ("where (?:do you|are you) (?:\\w+ )?(?:live|living|based|located)", "I live in "),
    ("(?:which|what) (?:city|town|country) do you live in", "I live in "),
    ("where (?:are|do) you (?:\\w+ )?(?:come )?from", "I am from "),
    ("(?:what's|what is|may i ask|can i have) your (?:first |full )?name", "My name is "),
    ("what do you do(?: for (?:a living|work))?", "My job is "),
    ("(?:what's|what is) your (?:job|profession|occupation)(?: title)?", "My job is "),
    ("(?:where|(?:which|what) company) do you work(?: for| at)?", "I work at "),
    ("what are you allergic to", "I am allergic to "),
    ("when(?:'s| is) your birthday", "My birthday is "),
    ("how old are you", "I am "),
    ("(?:which|what) languages? do you speak", "I speak "),
    ("(?:what's|what is) your (?P<pet>dog|cat)(?:'s name| called)", "My {pet} is called "),
    ("(?:what's|what is) your (?P<liked>favou?rite \\w+(?: \\w+)?)", "My {liked} is "),
    ("(?:do you have )?any (?:dietary|food) (?:restrictions|requirements)", "I am "),
)
_BEFORE_QUESTION = r"(?:.*(?:[.!?,:;\n—-]|\b(?:and|so|but|then|ok|okay))\s*)?"
_AFTER_QUESTION = (
    r"(?:,? (?:by the way|exactly|currently|now|then|these days|again|anyway))?\s*[?？]\s*"
)
_ASKED = tuple(
    (re.compile(f"{_BEFORE_QUESTION}(?:{asked}){_AFTER_QUESTION}", re.IGNORECASE | re.DOTALL), full)
    for asked, full in _QUESTIONS
)
_FILLER = compiled(
    r"(?:(?:oh|um|uh|well|yes|sure|it's|its|that's|in|at|a|an|as an?|to|on|currently|now|mostly"
    r"|mainly)[\s,]+){0,3}"
)
_NO_ANSWER = compiled(
    r"(?:no|nope|none|nowhere|nothing|yes|yeah|yep|sorry|guess|why|unknown|private|secret|here|there"
    r"|somewhere|everywhere|anywhere|earth|home|not|never|hmm+|well|ok|okay|you|maybe|haha|lol|good"
    r"|great|thanks|thank|i|i'm|i've|my|we|our|it|that|this|depends|same|both|all|anything|can't"
    r"|cannot|don't|only|just|who|what|how|when|where|if)\b"
)

_OWN_VERB = compiled(r"\b(?:is|are|was|were|has|had|used to|will|would)\b")  # no mere answer


def notes(speech: Speech) -> Iterator[Clause]:
    """The clauses of a short note that leaves out whom it is about, or calls them "user"."""
    text = speech.text
    if speech.subject != "user" or len(text) > _LONGEST_NOTE:
        return
    for match in _SENTENCE.finditer(text):
        opened = _BULLET.match(text, match.start(), match.end("mark"))
        start = opened.end() if opened else match.start()
        end = match.start("mark")
        if "?" in match.group("mark") or _UNREAL.match(text, start, end) or speech.is_quoted(start):
            continue
        if not is_unreal_after(text[end : end + 40]):
            yield from _parts(text, start, end)


def _parts(text: str, start: int, end: int) -> Iterator[Clause]:
    """A sentence, cut where it goes on with one more verb of the same subject."""
    further = None if _WHOSE.search(text, start, end) else _GOES_ON.search(text, start, end)
    stop = further.start() if further else end
    for pattern, before in _NOTES:
        begins = pattern.match(text, start, stop)
        if begins is None:
            continue
        if before == "User's ":  # about theirs: so may be what follows
            further, stop = None, end
        yield _clause(text, begins.end(), stop, before)
        if further is not None:
            yield from _parts(text, further.end(), end)
        return


def answers(question: Message, answer: Message, speech: Speech) -> Iterator[Clause]:
    """The clause that a short answer is, with the words that the question asks it for."""
    if (question.role, question.actor) == (answer.role, answer.actor):
        return
    for asked, full in _ASKED:
        match = asked.fullmatch(question.content.replace("’", "'")[-400:])
        if match is None:
            continue
        text = speech.text
        sentence = _SENTENCE.match(text)
        if sentence is None or "?" in sentence.group("mark"):
            return
        filler = _FILLER.match(text)
        start, end = filler.end() if filler else 0, sentence.start("mark")
        said = text[start:end].split(",")[0]
        if (
            not said.strip()
            or _OWN_VERB.search(said)
            or _NO_ANSWER.match(said)
            or len(said.split()) > _LONGEST_ANSWER
        ):
            return
        yield _clause(text, start, end, full.format(**match.groupdict()))
        return


def _clause(text: str, start: int, end: int, before: str) -> Clause:
    said = text[start:end]
    if said[1:2].islower() and not _NAME_FOLLOWS.search(before):
        said = said[0].lower() + said[1:]  # it opened a sentence, and does not any more
    return Clause(before + said, start - len(before), "", len(before))


_NAME_FOLLOWS = re.compile(r"^$|(?:in|from|at|name is|called|birthday is|speak|My (?!job).*is) $")
