"""Dated events: what is coming, what happened, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retain.learn.dates import When, find_dates
from retain.learn.extract.rules.clause import is_unreal_after
from retain.learn.extract.rules.phrase import reported
from retain.learn.extract.rules.rule import Finding, Told, compiled

_EVENTS = (
    r"(?:wedding|flight|appointment|interview|exam|test|surgery|operation|graduation|due date"
    r"|deadline|meeting"
    r"|move|trip|vacation|holiday|concert|presentation|conference|anniversary|ceremony|recital"
    r"|marathon|race"
    r"|party|birthday party|checkup|check-up|hearing|performance|audition|competition|tournament"
    r"|first day|last day"
    r"|start date|reservation|booking|train|match|game|dinner|lunch|reunion|baby shower"
    r"|thesis defen[cs]e|defen[cs]e"
    r"|workshop|exhibition|exhibit|show|retreat|visit|class|lesson|course|webinar|gig|festival"
    r"|delivery|photo ?shoot|date)"
)
_KIND = rf"(?P<kind>(?:[a-z'-]+\s){{0,3}}?{_EVENTS})"
_EVENT_IS = compiled(
    rf"\s+{_KIND}(?:\s+(?:to|in|with|at|for|from)\s+(?P<more>[\w' ]{{2,40}}?))?"
    r"\s*(?:is|'s|has\s+been\s+moved\s+to|was\s+moved\s+to|got\s+moved\s+to|moved\s+to|is\s+now"
    r"|is\s+scheduled\s+for|is\s+set\s+for|will\s+be|is\s+coming\s+up)"
    r"(?:\s+(?:scheduled|set|booked|planned|now|actually|on|for))*\s+(?:on\s+|for\s+)?$"
)
_HAVE_EVENT = compiled(
    rf"(?:'ve\s+got|'ve|\s+have\s+got|\s+have|\s+has)(?:\s+(?:also|just))?\s+(?:an?|my|our|the"
    rf"|another)\s+{_KIND}"
    r"(?:\s+(?:to|in|with|at|for)\s+(?P<more>[\w' ]{2,40}?))?\s*(?:scheduled|booked|coming\s+up"
    r"|set)?\s*(?:on|for)?\s*$"
)
_DOING = compiled(
    r"(?:'m|m|'re|\s+am|\s+are|\s+is)(?:\s+(?:actually|also|finally|both|all))?\s+(?P<does>"
    r"(?:flying|travell?ing|going|moving|getting|starting|leaving"
    r"|having|visiting|meeting|heading|driving|taking|running|hosting|throwing|attending|performing"
    r"|presenting"
    r"|competing|returning|coming|graduating|retiring|seeing|joining|launching|opening|giving"
    r"|speaking|turning)\b"
    r"[^,;:()]{0,90}?)(?P<link>\s+(?:on|for|by|from|until|till|before|after|since|around"
    r"|about))?\s*$"
)
_IRREGULAR = """
went got had made took saw met bought ran won lost found began started finished left came gave did
flew drove swam sang wrote read built sold taught caught broke fell hurt led spent held threw rode
ate drank cooked became heard spoke chose hiked beat hit cut put set brought planted passed set
went
""".split()
_PAST = compiled(
    r"(?:'ve)?(?:\s+(?:just|finally|actually|also|both|recently|even))?\s+(?P<did>(?:"
    + "|".join(sorted(set(_IRREGULAR)))
    + r"|(?!need|indeed|bed|red\b|used\b|wanted|liked|loved|hoped|hated|needed|wished|tried\b"
    r"|preferred|enjoyed|planned|supposed|decided|wondered|asked|mentioned|talked|discussed"
    r"|noticed|realized|realised|thought)[a-z]{2,12}ed)(?![\w'])[^;:()]{0,140}?)(?P<link>"
    r"(?:\s*,)?(?:\s+(?:back\s+on|back\s+in|on|in|about|around|roughly|almost|nearly|over|by"
    r"|from|since|until|till|through|before|after|starting|between|to|at|for|of))?)\s*$"
)
_VAGUE = re.compile(
    r"(?<![\w'])(?:it|that|this|these|those|you|your|him|her|them|they|there|here|one|something"
    r"|a lot|so much|he|she"
    r"|his|their|i|we|some|things?|what|which|who|how|if|when|not|never|didn't|the same|such"
    r"|another|yet)(?![\w'])",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s(?:and|but|so|because|since|where|while|which|who)\s|,|[—–]|\s-\s")


def happenings(told: Told, lead: str, said_at: int) -> Iterator[tuple[Finding, When, int]]:
    """The dated event in a clause, its date, and where in the clause the two begin.

    ``lead``, which stands right before the clause, may date it ("Yesterday, ..."): the beginning is
    then below zero.
    """
    for when in find_dates(told.text, said_at):
        if when.start <= told.at or not _closes(told.text, when.end):
            continue
        finding = _coming(told, when)
        if finding is not None and when.unit == "day" and when.until > said_at:
            yield finding, when, 0
            return
    before = find_dates(lead, said_at, past=True)
    if before:
        yield from _dated_ahead(told, lead, before[-1], said_at)
        return
    for when in find_dates(told.text, said_at, past=True):
        if when.start <= told.at or not _closes(told.text, when.end):
            continue
        finding = _happened(told, when)
        if finding is not None and when.begins <= said_at:
            yield finding, when, 0
            return


def _dated_ahead(
    told: Told, lead: str, when: When, said_at: int
) -> Iterator[tuple[Finding, When, int]]:
    """What happened at the time that opens the sentence."""
    opens = _ONLY_OPENERS.fullmatch(lead[: when.start]) and _COMMA.fullmatch(lead[when.end :])
    if not opens or when.begins > said_at or find_dates(told.text, said_at):
        return
    ended = _SPLIT.search(told.text, told.at + 1)
    end = ended.start() if ended else len(told.text)
    finding = _happened(told, replace(when, start=end, end=end))
    if finding is not None and not is_unreal_after(told.text[end : end + 40]):
        yield finding, replace(when, start=end, end=end), when.start - len(lead)


_ONLY_OPENERS = compiled(
    r"[\s,!]*(?:(?:so|oh|hey|well|yeah|also|and|btw|by the way|just|anyway)[\s,!]+){0,3}"
)
_COMMA = compiled(r"\s*,?\s*")


def _closes(text: str, at: int) -> bool:
    """Whether a time expression that ends at ``at`` closes what it dates."""
    return _AFTER_DATE.match(text, at) is not None


_AFTER_DATE = compiled(
    r"\s*(?:$|[.,;!:)(—–]|-\s|(?:at|around|from|in\s+the)\b|(?:and|but|so|with|to|because|for|where"
    r"|it|which|as|that|while|after|before|since)\b)"
)


def _coming(told: Told, when: When) -> Finding | None:
    text, at = told.text, told.at
    if text.startswith("'s ", at) and not told.person.is_speaker:
        at += 2
    before = text[at : when.start]
    for pattern, owns in ((_EVENT_IS, True), (_HAVE_EVENT, False)):
        match = pattern.match(before)
        if (
            match is None
            or (owns and not told.is_possessed and at == told.at)
            or _VAGUE.search(match.group("kind"))
        ):
            continue
        more = match.group("more")
        if more and _VAGUE.search(more):
            return None
        kind = " ".join(match.group("kind").split())
        shown = reported(_more(before, match)) if more else kind
        article = "an" if kind[0] in "aeiou" else "a"
        says = (
            f"'s {shown} is {when.adverbial}"
            if owns
            else f" has {article} {shown} {when.adverbial}"
        )
        return Finding(
            "event.coming",
            told.person,
            f"event:{_key(shown)}",
            when.iso,
            says,
            when.end,
            single=owns,
        )
    match = _DOING.match(before)
    if match is not None:
        does = " ".join(match.group("does").split())
        if (
            _VAGUE.search(does)
            or _SPLIT.search(does)
            or _OPEN_ENDED.search(match.group("link") or "")
        ):
            return None
        does = reported(does)
        return Finding("event.doing", told.person, "event", f"{does} ({when.iso})",
                       f" is {does} {when.adverbial}", when.end)  # fmt: skip
    return None


def _more(before: str, match: re.Match[str]) -> str:
    return " ".join(before[match.start("kind") : match.end("more")].split())


def _key(kind: str) -> str:
    return kind.casefold()


def _happened(told: Told, when: When) -> Finding | None:
    match = _PAST.match(told.text[told.at : when.start])
    if (
        match is None
        or _OPEN_ENDED.search(match.group("link"))
        or told.text.startswith(" to ", when.end)
    ):
        return None
    did = " ".join(match.group("did").split())
    if (
        _VAGUE.search(did)
        or _SPLIT.search(did)
        or did.endswith(("-", "just"))
        or not 2 <= len(did.split()) <= 16
    ):
        return None
    if _SAYS_NOTHING.fullmatch(did):
        return None
    did = reported(did)
    then = f"around {when.spoken}" if _ROUGHLY.search(match.group("link")) else when.adverbial
    return Finding("event.happened", told.person, "event", f"{did} ({when.iso})",
                   f" {did} {then}", when.end, is_past=True, is_change=True)  # fmt: skip


_OPEN_ENDED = compiled(
    r"\b(?:by|from|since|until|till|through|before|after|starting|between|to|at|for|of)$"
)
_ROUGHLY = compiled(r"\b(?:about|around|roughly|almost|nearly|over)$")
_SAYS_NOTHING = compiled(
    r"(?:had|got|went|did|spent|made)\s(?:(?:such|quite)\s)?(?:an?|some|the|through)\s"
    r"(?:\w+\s){0,2}"
    r"(?:time|blast|day|week|night|morning|weekend|fun|one|lot|thing|stuff|ball|setback|moment"
    r"|month|year)"
)


def dated(findings: Sequence[Finding], text: str, said_at: int) -> dict[int, When]:
    """For each finding that tells a change, by place: the date right after it, if there is one."""
    found: dict[int, When] = {}
    for index, finding in enumerate(findings):
        if not finding.is_change:
            continue
        for when in find_dates(text, said_at, past=True):
            between = text[finding.end : when.start] if when.start >= finding.end else None
            if between is not None and _LINK.fullmatch(between) and when.begins <= said_at:
                found[index] = when
                break
    return found


_LINK = compiled(r"\s*,?\s*(?:back\s+)?(?:on|in)?\s*")
