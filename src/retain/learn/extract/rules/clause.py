"""Where a speaker starts to say something of themselves, and whether it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retain.learn.extract.rules.speech import Speech

_LONGEST_CLAUSE = 320
_LONGEST_LEAD = 400

_OPENERS = (
    r"(?:(?:well|oh|so|yes|yeah|yep|yup|no|nope|nah|ok|okay|hi|hello|hey|hiya|actually|anyway|also|"
    r"btw|fyi|by the way|in fact|honestly|personally|sure|thanks|thank you|sorry|wow|haha|lol|hmm"
    r"|um|"
    r"uh|plus|just so you know|for the record|to be honest|tbh|correction|update|note|"
    r"good (?:morning|evening|afternoon)|currently|nowadays|these days|recently|lately|"
    r"as of (?:today|now)|right now|now|at the moment|today|yesterday|last (?:night|week|weekend"
    r"|month|"
    r"year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:morning|week|weekend)|"
    r"tomorrow|next (?:week|month|year|weekend|monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday)|unfortunately|luckily|fortunately|sadly|finally|"
    r"please remember(?: that)?|remember(?: that)?|please note(?: that)?|note that|"
    r"don't forget(?: that)?)"
    r"(?:,? there|,? [A-Z][a-z]{1,20})?[ ,:!.-]{1,3}){0,4}"
)
# The start of a clause in the first person; the group is where the clause itself begins.
_START = re.compile(
    r"(?:^|[.!?…;:,\n()*]|[—–]|\s-|\b(?:and|but|so|because|since|as|also|plus|then|though|although"
    r"|or"
    r"|while|cause|cuz|that's why))\s{0,3}"
    + _OPENERS
    + r"(?P<start>\b(?:i|i'm|im|i've|ive|my|we|we're|we've|our|call me|you can call me"
    r"|(?:everyone|everybody|people|friends|my friends) calls? me)\b)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|i've|ive|my|we|we're|we've|our|me)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…]+(?=[\s\"')*\]]|$)|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|prof|jr|sr|vs|etc|e\.g|i\.e|no|approx|inc|ltd|co)|\b[A-Z])$",
    re.IGNORECASE,
)

# What makes the clauses after it, or the sentence, not a plain statement.
_UNREAL_LEAD = re.compile(
    r"\b(?:if|unless|whether|imagine|suppose|supposing|pretend|assume|assuming|wish|would|could"
    r"|should"
    r"|might|may|maybe|perhaps|possibly|until|before|once|when|whenever|in case|as though|as if"
    r"|what if"
    r"|let's say|say that|saying|said|says|told|tells|asked|asks|replied|wrote|writes|claim(?:s"
    r"|ed)?"
    r"|think|thinks|thought|believes?|believed|guess(?! what\b)(?:es|ed)?|assumed|assumes"
    r"|dream(?:s|ed|t)?"
    r"|heard"
    r"|hopes?|hoping|hoped|example|e\.g|hypothetical(?:ly)?|joking|kidding|lying|lied|lie|fake"
    r"|sarcas\w*"
    r"|yeah,? right|as a (?:kid|child|teenager|joke)|growing up|back then|back when|not that"
    r"|don't say"
    r"|do not say|don't tell|translate|means|meaning|lyrics?|song|quote|phrase|sentence|character"
    r"|named"
    r"|prompt|persona|how do you say|not true that|isn't true that|doubt|sounds like|feels like"
    r"|seems like|used to think|never)\b",
    re.IGNORECASE,
)
_UNREAL_TAIL = re.compile(
    r"[\s,.!?\"'”]*(?:,? ?(?:said|says|asked|replied|sang|sings|shouted|whispered|wrote) (?!hi\b"
    r"|hello\b)"
    r"|(?:just )?(?:kidding|joking)\b|jk\b|not\s*(?:!|$)|/s\b|\(?(?:just )?(?:kidding|joking|jk"
    r"|not really|sarcasm)"
    r"|if (?!you (?:must|want to) know)|unless |🙄|🙃)",
    re.IGNORECASE,
)
# A statement with a question after it in one sentence ("I live in Oslo, what about you?").
_ASKED = re.compile(
    r"(?:[,;—–]|\s-)\s{0,2}(?:(?:so|and|but)\s)?(?=(?:what|what's|how|where|who|which|why|when|do"
    r"|does"
    r"|did|is|are|can|could|would|will|have|any|you|could you|should)\b)"
    r"|\s(?:so|and|but)\s(?=(?:what|what's|how|where|which|can you|could you|do you|are there"
    r"|is there)\b)",
    re.IGNORECASE,
)
_TAG = re.compile(r"(?:\w+\s)?(?:\w+n't\s)?(?:i|we|my)\b", re.IGNORECASE)
_PLAY = re.compile(
    r"(?:^|[.!?\n,:;]\s{0,3}|\b(?:please|you|to|and|let's)\s)"
    r"(?:(?:pretend|imagine|suppose|role-?play|act as|act like|act out|play the (?:role|part)|"
    r"you are now|from now on,? you|let's (?:play|pretend|role-?play|imagine)|"
    r"(?:re)?write|draft|compose|create|generate|give|make|tell|produce|prepare|develop|continue"
    r"|finish|"
    r"complete)\s"
    r"(?:me |us )?(?:up )?(?:a|an|the|this|that|my|some|another|one|\d+)?\s?(?:\w+[ -]){0,5}?"
    r"(?:story|stories|poem|song|lyrics|script|monologue|dialogue|dialog|conversation|scene|speech|"
    r"letter|essay|diary|persona|character|cover letter|bio|biography|chapter|novel|email|e-mail"
    r"|post|"
    r"tweet|caption|blog|article|statement|testimonial|review|message|text|paragraph|sentence|"
    r"sentences|examples?|sample|resume|cv|introduction|description|rap|joke|skit|report|paper|"
    r"summary|reply|response|answer|profile|speeches)s?\b"
    r"|(?:pretend|role-?play|act as|act like|act out|you are now|play the (?:role|part)"
    r"|from now on,? you|let's (?:play|pretend|role-?play|imagine))\b"
    r"|(?:imagine|suppose) (?:that |you|i|we|a |an |the )"
    r"|(?:translate|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e|correct|edit|fix"
    r"|improve|"
    r"analy[sz]e|classify|polish)\b[^.!?\n]{0,60}?(?:\b(?:this|these|the following|following|text|"
    r"sentences?|paragraph|grammar|below|passage|email|letter|into|in|to)\b|:))",
    re.IGNORECASE,
)
_LONG_PASTE = 2_500


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause in the first person: ``text`` runs from it to the end of its sentence.

    ``start`` is its place in the turn, ``lead`` what the sentence says before it. The first
    ``supplied`` characters of ``text`` were not said: the turn left out its subject.
    """

    text: str
    start: int
    lead: str
    supplied: int = 0


def clauses(speech: Speech) -> Iterator[Clause]:
    """The first-person clauses of a turn that are plain statements of its speaker."""
    text = speech.text
    if _FIRST_PERSON.search(text) is None:
        return
    own_words: int | None = None  # found only when needed: most turns start no such clause
    ends = _SentenceEnds(text)
    for match in _START.finditer(text):
        start = match.start("start")
        own_words = _own_words(text) if own_words is None else own_words
        if start >= own_words:
            return
        if speech.is_quoted(start):
            continue
        opened, end = ends.around(start)
        lead = text[max(opened, start - _LONGEST_LEAD) : start]
        if lead and _UNREAL_LEAD.search(lead):
            continue
        if is_unreal_after(text[end : end + 40]):
            continue
        said = text[start : min(end, start + _LONGEST_CLAUSE)]
        if text[end : end + 4].lstrip(".!…").startswith("?"):
            asked = _ASKED.search(said)
            if asked is None or _TAG.match(said, asked.end()):
                continue
            said = said[: asked.start()]
        yield Clause(said, start, lead)


def is_unreal_after(tail: str) -> bool:
    """Whether what follows a statement takes it back: a speaker's tag, a joke, a condition."""
    return _UNREAL_TAIL.match(tail) is not None


def _own_words(text: str) -> int:
    """Where the speaker's own words end: a task set on a text speaks in another's voice after it.

    So does a long paste, which is rarely about the one who pasted it.
    """
    limit = len(text)
    if len(text) > _LONG_PASTE:
        limit = min(limit, max(text.find("\n", 400), 400))
    play = _PLAY.search(text, 0, limit)
    return limit if play is None else play.start()


class _SentenceEnds:
    """The sentence around a position; positions are asked for in rising order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = _SENTENCE_END.finditer(text)
        self._opened = 0
        self._end, self._after = self._next()

    def around(self, position: int) -> tuple[int, int]:
        """Start and end (before its mark) of the sentence that holds ``position``."""
        while self._after <= position and self._end < len(self._text):
            self._opened = self._after
            self._end, self._after = self._next()
        return self._opened, self._end

    def _next(self) -> tuple[int, int]:
        for match in self._ends:
            before = self._text[max(0, match.start() - 8) : match.start()]
            if match.group() == "." and _ABBREVIATION.search(before):
                continue
            return match.span()
        return len(self._text), len(self._text)
