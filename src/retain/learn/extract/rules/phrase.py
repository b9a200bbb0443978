"""Reading the object of a statement: names, places, things, up to where they end.

Each reader takes a text and where the object starts, and returns where it ends, or None if what
stands there is not what it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Reader = Callable[[str, int], "int | None"]

_TOKEN = re.compile(r"[^\W_](?:[\w'&/+]|-(?=\w))*(?:\.[\w'&+-]+)*")
_INNER = frozenset(
    "of de la del da do dos di du van von der den al el bin the and & upon am".split()
)
# A lower-case place is read only where the sentence goes on with one of these, or ends.
_AFTER_NAME = re.compile(
    r"\s*(?:$|[.,;:!?()\n—–]|-\s|\s(?:and|but|with|for|since|now|right|because|so|which|where|when"
    r"|at"
    r"|near|by|these|this|last|next|already|again|too|as|to|if|though|although|on|in|from|about"
    r"|until|while|who|after|before|actually|currently|by|not|or|btw|lol|anymore|any|yesterday"
    r"|today"
    r"|tomorrow|recently|just|however|after|over|around|during|ago|back|full|part|instead|here|is"
    r"|myself|ourselves|a|an|the|every|my|our|we|i)\b)",
    re.IGNORECASE,
)
_AREA = re.compile(
    r"(?:(?:downtown|central|north(?:ern|-east|-west)?|south(?:ern|-east|-west)?|east(?:ern)?"
    r"|west(?:ern)?|upstate|rural|greater|inner|mid|the)\s+)+",
    re.IGNORECASE,
)
_NO_NAME = frozenset("""
i i'm i've i'd i'll a an the my our your his her their this that these those it he she they we you
in on at to of for with from by as is are was am be been not no never so very too really just here
there home town city country area place middle house flat apartment moment future past present
denial fear hope peace monday tuesday wednesday thursday friday saturday sunday january february
march april june july august september october november december today tomorrow yesterday
something someone somewhere everything everyone nothing anything what which who how why when where
and or but if because since then now also only still already again maybe person work bed love
doing going getting having another different small same beautiful good nice night nights free fun
hours school home couch sofa next floor side office store restaurant school hospital university
college days weekends myself end top front bottom country countryside suburbs sea beach mountains
woods forest lovely quiet busy mr mrs english french german spanish god
""".split())  # fmt: skip

_STILL_NAMES = frozenset(["Nice"])  # with a capital, a city
_PRONOUNS = frozenset("i i'm i've i'd i'll my we our he she they it you and but so".split())

_INITIALS = re.compile(r"(?:[A-Z]\.)*[A-Z]|St|Dr|Mt|Ft|Mr|Mrs|Ms")
_THING_ENDS = re.compile(
    r"\.(?=\s|$)|[,;:!?()\n—–\"*]|\s/s\b|\s-+\s|\s*$|\s(?:and\s(?:i|i'm|i've|we|my|our|it|it's|that"
    r"|he|she|they|also|have|am"
    r"|was|then|now|always|would|will|can|can't|don't|want|need|would|love|like|hate|enjoy|how|what"
    r"|trying|looking|just|get|got|usually|often|so|am|in|on|for|thinking|wondering|think|do)"
    r"|but|because|cause|cuz|since|so|which|who|whose|when|whenever|where|while|though|although"
    r"|even"
    r"|if|unless|as|except|lol|haha|btw|too|a\slot|very|at\sthe\smoment|right\snow|these\sdays"
    r"|nowadays|now|anymore|any\smore|any\slonger|the\smost|more\sthan|most\sof|especially|whether"
    r"|is"
    r"|are|was|has|or\s(?:i|we)|i|i'm|i've|we|it|they|that|thanks|please|every|either|at\sall|after"
    r"|before|lately|already|again|until|still|right)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?:,\s(?:and\s|or\s)?|\s(?:and|or)\s)(?=[^\W_])", re.IGNORECASE)
_POINTING = re.compile(
    r"(?:it|that|this|these|those|how|when|what|where|why|who|you|your|yours|u|ur|him|her|them|his"
    r"|their"
    r"|its|being|there|here|all|everything|anything|something|nothing|one|ones|some|any|both|each"
    r"|the\s(?:way|idea|fact|thought|look|sound|photo|picture|pic|new|one|ones|first|second|last"
    r"|other|same|feeling|concept|name|part|results?|suggestions?|ideas|plan|title|energy|vibe"
    r"|vibes|way|quote|song|view|message|design|colou?rs?|story|app|recipe)"
    r"|the|such|so|hearing|seeing|knowing|thinking|having|getting|asking|saying|telling"
    r"|(?:two|three|four|five|six|several|another|other|different|certain|every)|a\s(?:lot|bit|few"
    r"|little)|myself|most|many|more|much|and|or|to|in|on|at|for|with|about|as|just"
    r"|not|like|no|too|very|really|never|always|i|we|me|us|my|our|if|by|from|is|are|was|he|she"
    r"|they)"
    r"(?![\w'])",
    re.IGNORECASE,
)
_GENERIC_THE = re.compile(
    r"the\s(?:outdoors|beach|mountains?|ocean|sea|rain|snow|cold|heat|winter|summer|autumn|fall"
    r"|spring"
    r"|countryside|city|gym|theatre|theater|cinema|opera|ballet|piano|guitar|violin|woods|forest"
    r"|smell\sof|taste\sof|sound\sof\s(?:the\s)?(?:rain|waves|sea|ocean|birds)|colou?r\s\w)\b",
    re.IGNORECASE,
)
_POINTS_INSIDE = re.compile(
    r"(?<![\w'])(?:you|your|you're|this|that|these|those|it|its|such|his|her|him|he|she|their|them"
    r"|they"
    r"|i|i'm|i've|we|here|there|us|'s|yours|above|below|what|how)(?![\w'])",
    re.IGNORECASE,
)


def tokens_end(
    text: str, at: int, *, most: int, inner: bool = False, keeps_possessive: bool = False
) -> int:
    """Where a run of capitalised words that starts at ``at`` ends; ``at`` if there is none.

    ``inner`` lets small words stand inside ("Rio de Janeiro"). A possessive ends the run, or with
    ``keeps_possessive`` is a part of it ("St. Olav's Hospital").
    """
    end = at
    count = 0
    while count < most:
        start = end if end == at else end + 1
        if end > at and (end >= len(text) or text[end] != " "):
            break
        if text.endswith("'s", at, end) and not keeps_possessive:
            break
        token = _TOKEN.match(text, start)
        if token is None:
            break
        word = token.group()
        if _INITIALS.fullmatch(word) and text.startswith(".", token.end()):
            further = _TOKEN.match(text, token.end() + 2)
            if further is not None and further.group()[0].isupper():
                end = token.end() + 1
                count += 1
                continue
        if word[0].isupper() and (end == at or word.lower() not in _PRONOUNS):
            end = token.end()
            count += 1
            continue
        following = _after_small_words(text, token) if inner and end > at else None
        if following is not None:
            end = following
            count += 1
            continue
        break
    if keeps_possessive:
        return end
    return end - 2 if text.endswith("'s", at, end) else end


def _after_small_words(text: str, token: re.Match[str]) -> int | None:
    """Where the capitalised word ends that follows one or two small words ("de la Cruz")."""
    for _ in range(2):
        if token.group() not in _INNER or not text.startswith(" ", token.end()):
            return None
        following = _TOKEN.match(text, token.end() + 1)
        if following is None:
            return None
        if following.group()[0].isupper():
            return None if following.group().lower() in _NO_NAME else following.end()
        token = following
    return None


def is_lower_typist(text: str) -> bool:
    """Whether a speaker types without capitals, so that their lack says nothing."""
    return text == text.lower()


_ARTICLE_PLACE = re.compile(
    r"the\s(?:netherlands|philippines|bahamas|maldives|uk|us|usa|uae|states|united\s|czech|north"
    r"|south|east|west"
    r"|bronx|bay\sarea|midwest|hague)"
)


def person(text: str, at: int) -> int | None:
    """A person's name: up to four capitalised words, or one or two typed without capitals."""
    return _named(text, at, most=4, lower=2, inner=True)


def first_name(text: str, at: int) -> int | None:
    """A given name, capitalised: one or two words."""
    end = tokens_end(text, at, most=2)
    if end == at or text[at:end].split(maxsplit=1)[0].lower() in _NO_NAME:
        return None
    return end


def place(text: str, at: int) -> int | None:
    """A place by name, with its region after a comma; no dwelling and no description."""
    area = _AREA.match(text, at)
    start = area.end() if area else at
    if (
        area
        and text.islower()
        and _ARTICLE_PLACE.match(text, at) is None
        and text.startswith("the ", at)
    ):
        return None
    end = _named(text, start, most=5, lower=3, inner=True)
    if end is None:
        return None
    if text[start].isupper() and text.startswith(", ", end):
        region = tokens_end(text, end + 2, most=3)
        if region > end + 2 and text[end + 2 : region].lower().split()[0] not in _NO_NAME:
            after = _AFTER_NAME.match(text, region)
            end = region if after else end
    return end


def organisation(text: str, at: int) -> int | None:
    """An organisation by name: capitalised, or typed without capitals by one who uses none."""
    start = at + 4 if text[at : at + 4].lower() == "the " else at
    end = tokens_end(text, start, most=6, inner=True, keeps_possessive=True)
    if end == start and text[start:].startswith(("a ", "an ")):
        return None
    if end == start:
        return _named(text, start, most=6, lower=2, inner=True)
    if text[start:end].lower().split()[0] in _NO_NAME:
        return None
    return end


def _named(text: str, at: int, *, most: int, lower: int, inner: bool) -> int | None:
    end = tokens_end(text, at, most=most, inner=inner)
    if end > at:
        first = text[at:end].split(maxsplit=1)[0]
        return None if first.lower() in _NO_NAME and first not in _STILL_NAMES else end
    if not is_lower_typist(text):
        return None
    for _ in range(lower):
        token = _TOKEN.match(text, end if end == at else end + 1)
        if token is None or token.group().lower() in _NO_NAME or not token.group()[0].isalpha():
            return None
        end = token.end()
        if _AFTER_NAME.match(text, end):
            return end
    return None


def thing(text: str, at: int) -> int | None:
    """A thing, kind of things or activity that one can like, own or have; nothing pointed at.

    Nothing that goes on narrowing ("games that make me think") or is the subject of a clause of its
    own ("making sure people are safe") is read: cut short, it would say more than was said.
    """
    if _TOKEN.match(text, at) is None:
        return None
    ended = _THING_ENDS.search(text, at)
    while (
        ended is not None and text.startswith(",", ended.start()) and _goes_on(text, ended.start())
    ):
        ended = _THING_ENDS.search(text, ended.start() + 1)
    end = ended.start() if ended else len(text)
    pointing = _POINTING.match(text, at)
    if pointing and not _GENERIC_THE.match(text, at):
        the = text[at : at + 4].lower() == "the "
        if not (the and _is_named_the(text, at, end)):
            return None
    words = text[at:end].split()
    if not 1 <= len(words) <= 9 or _POINTS_INSIDE.search(text, at, end):
        return None
    if words[-1].lower() in _DANGLING or _NARROWS.match(text, end) or text.startswith('"', end):
        return None
    if (
        len(words) > 1
        and words[-2].lower() in ("a", "an", "the", "more")
        and _ADJECTIVES.match(text, end)
    ):
        return None
    return end


_NARROWS = re.compile(
    r"\s(?:that|who|whose|which|when|whenever|where|if|unless|as long as|except|is|are|was|were|has"
    r"|will"
    r"|can|would|even if|only|it|they|you|him|her|them|this|these|those|i|we)\b",
    re.IGNORECASE,
)
# "a safe, inviting place": the comma stands between adjectives, and the noun is still to come.
_ADJECTIVES = re.compile(
    r",\s(?!(?:i|we|my|our|you|it|he|she|they|but|so|which|and|or|because|especially|too|like"
    r"|though)\b)[a-z]",
    re.IGNORECASE,
)
_DANGLING = frozenset(
    "to of with for in on at the a an and or my from about by more just only".split()
)


def _is_named_the(text: str, at: int, end: int) -> bool:
    """Whether all words after "the" bear capitals: "the Beatles", but not "the Beatles idea"."""
    words = text[at + 4 : end].split()
    return all(word[0].isupper() or word in _INNER for word in words) and bool(words)


_LIST_ITEM = re.compile(
    r",\s(?:and\s|or\s)?(?!(?:i|we|my|our|you|it|he|she|they|but|so|which|and|or|because|especially"
    r"|too|like"
    r"|though|can|could|do|what|how|is|are|any|please|thanks|lol|haha|the|that|this|then|if|when"
    r"|actually|just|maybe|well|so|such|have|let's|also|who|not|with|even|as|to|in|for)\b)"
    r"[^\W\d_][\w'-]*(?:\s[^\W_][\w'-]*){0,2}(?=,|\s(?:and|or)\s|\s*$|[.;!])",
    re.IGNORECASE,
)


def _goes_on(text: str, at: int) -> bool:
    """Whether the comma at ``at`` goes on with one more short item of a list."""
    return _LIST_ITEM.match(text, at) is not None


def items(value: str) -> list[str]:
    """A list ("tea, coffee and cake") as its items; anything that is no plain list stays whole."""
    if "," not in value:
        return [value]
    parts = [part.strip() for part in _LIST.split(value)]
    if len(parts) < 3 or any(not part or len(part.split()) > 3 for part in parts):
        return [value]
    return parts


_SHIFTS = {"my": "their", "our": "their", "me": "them", "myself": "themselves", "us": "them",
           "mine": "theirs", "ours": "theirs"}  # fmt: skip
_SPEAKER = re.compile(r"(?<![\w'])(?:my|our|me|myself|us|mine|ours)(?![\w'])")


def reported(value: str) -> str:
    """A value as another tells it: "my kids" becomes "their kids"."""
    return _SPEAKER.sub(lambda match: _SHIFTS[match.group().lower()], value)
