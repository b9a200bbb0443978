"""Dated events: what is coming, what happened, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retain.learn.dates import When, find_dates
from retain.learn.extract.rules.phrase import reported
from retain.learn.extract.rules.rule import Finding, Told, compiled

_EVENTS = (
    r"(?:wedding|flight|appointment|interview|exam|test|surgery|operation|graduation|due date|deadline|meeting"
    r"|move|trip|vacation|holiday|concert|presentation|conference|anniversary|ceremony|recital|marathon|race"
    r"|party|birthday party|checkup|check-up|hearing|performance|audition|competition|tournament|first day|last day"
    r"|start date|reservation|booking|train|match|game|dinner|lunch|reunion|baby shower|thesis defen[cs]e|defen[cs]e"
    r"|workshop|exhibition|exhibit|show|retreat|visit|class|lesson|course|webinar|gig|festival|delivery|photo ?shoot|date)"
)
_KIND = rf"(?P<kind>(?:[a-z'-]+\s){{0,3}}?{_EVENTS})"
_ON = r"\s+(?:on\s+|for\s+|at\s+|is\s+on\s+)?"
_EVENT_IS = compiled(
    rf"\s+{_KIND}(?:\s+(?:to|in|with|at|for|from)\s+(?P<more>[\w' ]{{2,40}}?))?"
    r"\s*(?:is|'s|has\s+been\s+moved\s+to|was\s+moved\s+to|got\s+moved\s+to|moved\s+to|is\s+now|is\s+scheduled\s+for|is\s+set\s+for|will\s+be|is\s+coming\s+up)"
    r"(?:\s+(?:scheduled|set|booked|planned|now|actually|on|for))*\s+(?:on\s+|for\s+)?$"
)
_HAVE_EVENT = compiled(
    rf"(?:'ve\s+got|'ve|\s+have\s+got|\s+have|\s+has)(?:\s+(?:also|just))?\s+(?:an?|my|our|the|another)\s+{_KIND}"
    r"(?:\s+(?:to|in|with|at|for)\s+(?P<more>[\w' ]{2,40}?))?\s*(?:scheduled|booked|coming\s+up|set)?\s*(?:on|for)?\s*$"
)
_DOING = compiled(
    r"(?:'m|m|'re|\s+am|\s+are|\s+is)(?:\s+(?:actually|also|finally|both|all))?\s+(?P<does>(?:flying|travell?ing|going|moving|getting|starting|leaving"
    r"|having|visiting|meeting|heading|driving|taking|running|hosting|throwing|attending|performing|presenting"
    r"|competing|returning|coming|graduating|retiring|seeing|joining|launching|opening|giving|speaking|turning)\b"
    r"[^,;:()]{0,90}?)\s*(?:on|for)?\s*$"
)
_IRREGULAR = """
went got had made took saw met bought ran won lost found began started finished left came gave did flew
drove swam sang wrote read built sold taught caught broke fell hurt led spent held threw rode ate drank
cooked became heard spoke chose hiked beat hit cut put set brought planted passed set went
""".split()
_PAST = compiled(
    r"(?:'ve)?(?:\s+(?:just|finally|actually|also|both|recently|even))?\s+(?P<did>(?:"
    + "|".join(sorted(set(_IRREGULAR)))
    + r"|(?!need|indeed|bed|red\b|used\b|wanted|liked|loved|hoped|hated|needed|wished|tried\b|preferred|enjoyed|planned|supposed|decided|wondered|asked|mentioned|talked|discussed|noticed|realized|realised|thought)[a-z]{2,12}ed)\b[^;:()]{0,140}?)[\s,]*(?:on|back\s+on|in|back\s+in)?\s*$"
)
_VAGUE = re.compile(
    r"(?<![\w'])(?:it|that|this|these|those|you|your|him|her|them|they|there|here|one|something|a lot|so much|he|she"
    r"|his|their|i|we|some|things?|what|which|who|how|if|when|not|never|didn't|the same|such|another|yet)(?![\w'])",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s(?:and|but|so|because|since|where|while|which|who)\s|,|[—–]|\s-\s")
_DAYS = frozenset(["day", "weekend", "week", "month", "year"])


def happenings(told: Told, said_at: int) -> Iterator[tuple[Finding, When]]:
    """The dated events in a clause, each with its date."""
    for when in find_dates(told.text, said_at):
        if when.start <= told.at or not _closes(told.text, when.end):
            continue
        finding = _coming(told, when)
        if finding is not None and when.unit == "day" and when.until > said_at:
            yield finding, when
            return
    for when in find_dates(told.text, said_at, past=True):
        if when.start <= told.at or not _closes(told.text, when.end):
            continue
        finding = _happened(told, when)
        if finding is not None and when.begins <= said_at:
            yield finding, when
            return


def _closes(text: str, at: int) -> bool:
    """Whether a time expression that ends at ``at`` closes what it dates."""
    return _AFTER_DATE.match(text, at) is not None


_AFTER_DATE = compiled(
    r"\s*(?:$|[.,;!:)(—–]|-\s|(?:at|around|from|in\s+the)\b|(?:and|but|so|with|to|because|for|where|it|which|as|that|while|after|before|since)\b)"
)


def _coming(told: Told, when: When) -> Finding | None:
    text, at = told.text, told.at
    before = text[at : when.start]
    for pattern, owns in ((_EVENT_IS, True), (_HAVE_EVENT, False)):
        match = pattern.match(before)
        if match is None or _VAGUE.search(match.group("kind")):
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
        if _VAGUE.search(does) or _SPLIT.search(does):
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
    if match is None:
        return None
    did = " ".join(match.group("did").split())
    if _VAGUE.search(did) or _SPLIT.search(did) or not 2 <= len(did.split()) <= 16:
        return None
    did = reported(did)
    return Finding("event.happened", told.person, "event", f"{did} ({when.iso})",
                   f" {did} {when.adverbial}", when.end, is_past=True, is_change=True)  # fmt: skip


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
