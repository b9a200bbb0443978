"""Family, partners, friends and pets: who they are, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import (
    ADVERBS,
    BE,
    Finding,
    Person,
    Rule,
    Told,
    alternatives,
    compiled,
)

# The word as typed, and the attribute it stands for.
_RELATIONS: dict[str, str] = {
    **{word: word for word in (
        "sister brother wife husband partner girlfriend boyfriend fiancée fiancé daughter son"
        " mother father "
        "grandmother grandfather aunt uncle cousin niece nephew grandson granddaughter stepmother"
        " stepfather "
        "stepson stepdaughter stepsister stepbrother roommate flatmate boss colleague coworker"
        " manager neighbor "
        "neighbour twin godmother godfather godson goddaughter therapist doctor teacher"
    ).split()},
    "mom":
        "mother",
            "mum":
                "mother", "mommy": "mother", "mama": "mother", "dad": "father", "daddy": "father",
    "papa": "father", "grandma": "grandmother", "granny": "grandmother", "nana": "grandmother",
    "grandpa": "grandfather", "granddad": "grandfather", "fiance": "fiancé", "fiancee": "fiancée",
    "hubby":
        "husband",
            "best friend": "best friend", "friend": "friend", "mother-in-law": "mother-in-law",
    "father-in-law":
        "father-in-law", "sister-in-law": "sister-in-law", "brother-in-law": "brother-in-law",
    "twin sister": "sister", "twin brother": "brother", "half-sister": "half-sister",
    "half-brother":
        "half-brother", "step sister": "stepsister", "step brother": "stepbrother", "kid": "child",
    "baby": "child", "child": "child", "co-worker": "coworker",
}  # fmt: skip
_PETS = frozenset("""
dog puppy pup cat kitten kitty rabbit bunny hamster parrot horse pony goldfish fish turtle
tortoise snake lizard gecko ferret budgie canary cockatiel chinchilla hedgehog bird chicken hen
goat
""".split()) | {"guinea pig", "golden retriever", "labrador", "pet"}  # fmt: skip
# One at a time, so that a new name replaces the old one.
_ONE = frozenset(["wife", "husband", "girlfriend", "boyfriend", "fiancé", "fiancée", "best friend"])
_AGE_WORDS = (
    r"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|baby|twin|only|late|dear|sweet"
    r"|new|first|second|other"
    r"|step|half|lovely|beloved|middle|\d{1,2}[- ]year[- ]old)\s+){0,2}"
)
_BREED = r"(?:[a-z]+\s+){0,2}?"
_NUMBER = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|twin)"
_MEMBER = rf"(?P<member>{alternatives([*_RELATIONS, *_PETS])})"
_KIN = compiled(rf"(?:my|our|user's)\s+{_AGE_WORDS}{_MEMBER}(?![\w-])")
_PET_KIN = compiled(
    rf"(?:my|our|user's)\s+{_AGE_WORDS}{_BREED}(?P<member>{alternatives(sorted(_PETS))})(?![\w-])"
)
_CALLED = compiled(
    r"(?:'s\s+(?:name\s*(?:is|'s)|called|named)|\s+is\s+(?:called|named)|(?:'s)?\s+name\s+is)\s+"
    r"(?:actually\s+)?"
)
_NO_FIRST_NAME = frozenset("""
is was has and who i'm says said told loves likes hates always never just also asked will would
can had got gets christmas easter halloween thanksgiving birthday english french spanish german
instagram facebook day mom dad mum lady lord jesus god nan
""".split())  # fmt: skip


def speaker_or_kin(speaker: Person, clause: str) -> Told | None:
    """Read the subject of a first-person clause: the speaker, or one of theirs with a name."""
    match = _SELF.match(clause)
    if match is not None:
        return Told(speaker, clause, match.end())
    match = _KIN.match(clause) or _PET_KIN.match(clause)
    if match is not None:
        member = match.group("member").lower()
        name, end = _name_after(clause, match.end())
        shown = f"{member} {name}" if name else member
        attribute = _RELATIONS.get(member, member)
        key = f"{speaker.subject}'s {f'{attribute} {name}' if name else attribute}".casefold()
        return Told(Person(key, f"{speaker.label}'s {shown}", is_speaker=False), clause, end)
    match = _MY.match(clause)
    return Told(speaker, clause, match.end(), is_possessed=True) if match else None


_SELF = compiled(r"(?:i|we)(?='|\s)|i(?=m\b|ve\b)|user(?=\s)")
_MY = compiled(r"(?:my|our|user's)(?=\s)")


def _name_after(text: str, at: int) -> tuple[str | None, int]:
    """The name that stands right after "my sister", bare or between commas, and where it ends."""
    start = at + 2 if text.startswith(", ", at) else at + 1
    if text[start - 1 : start] != " ":
        return None, at
    end = phrase.first_name(text, start)
    if end is None:
        return None, at
    name = text[start:end]
    if name.split()[0].lower() in _NO_FIRST_NAME or not name[1:2].islower():
        return None, at
    if start == at + 2 and not text.startswith(",", end):
        return None, at  # "my sister, Ana and I": whose name it is stays open
    return name, end + 1 if start == at + 2 else end


def members(speaker: Person, text: str) -> Iterator[Finding]:
    """Those whom a clause names: "my sister Ana", "my dog is called Poppy", "I have two cats"."""
    match = _KIN.match(text) or _PET_KIN.match(text)
    if match is not None:
        yield from _named_member(speaker, text, match)
    have = _HAVE.match(text)
    if have is not None:
        yield from _had_member(speaker, text, have)
    for rule in RULES:
        subject = (_MY if rule.possessed else _SELF).match(text)
        if subject is not None:
            yield from rule.find(Told(speaker, text, subject.end(), rule.possessed))


def _named_member(speaker: Person, text: str, match: re.Match[str]) -> Iterator[Finding]:
    member = match.group("member").lower()
    called = _CALLED.match(text, match.end())
    if called is not None:
        end = phrase.first_name(text, called.end())
        if end is None and phrase.is_lower_typist(text):
            read = phrase.person(text, called.end())
            end = read
        if end is not None:
            yield _member(speaker, member, text[called.end() : end], end)
        return
    name, end = _name_after(text, match.end())
    if name is not None:
        yield _member(speaker, member, name, end)


def _member(speaker: Person, member: str, name: str, end: int) -> Finding:
    attribute = "pet" if member in _PETS else _RELATIONS[member]
    return Finding(
        rule=f"kin.{'pet' if attribute == 'pet' else 'relation'}",
        person=speaker,
        attribute=attribute,
        value=name,
        says=f"'s {member} is called {name}",
        end=end,
        single=attribute in _ONE,
    )


_PLURAL = alternatives(
    sorted(
        {f"{word}s" for word in _PETS} | {"kitties", "bunnies", "puppies", "ponies"} | set(_PETS)
    )
)
_CHILDREN = (
    r"(?:kids?|children|child|sons?|daughters?|boys|girls|sisters?|brothers?|siblings?|twins"
    r"|grandkids"
    r"|grandchildren|grandsons?|granddaughters?|nephews?|nieces?|twin (?:boys|girls|brother"
    r"|sister))"
)
_HAVE = compiled(
    rf"(?:i|we|user)(?:'ve\s+got|'ve|\s+have\s+got|\s+have|\s+has|\s+got|\s+adopted|(?:'ve|\s+have)?\s+(?:just"
    rf"|recently)\s+(?:got|adopted))"
    rf"(?:\s+(?:also|now|just))?\s+(?P<v>(?P<number>{_NUMBER})\s+(?:(?:\w+[- ]){{0,3}}?)(?:"
    rf"(?P<pet>{_PLURAL})|(?P<kin>{_CHILDREN})))"
    r"(?![\w-])(?P<after>\s*(?:,\s*)?(?:called|named)\s+"
    r"|,?\s+(?:and\s+)?(?:his|her|its|their)\s+names?(?:'s|\s+is|\s+are)\s+|:\s*|,\s+|\s+-\s+)?"
)
_HAVE_ENDS = compiled(
    r"\s*(?:$|[.,;!:)(—–]|-\s|\s(?:and|but|who|that|at|now|so|because|named|called|aged|in|with"
    r"|from|which|too|"
    r"age|ages|together|living|as|since|of|one|both|last|yesterday|today|this|two|three|a|for|over"
    r"|when|after|\d)\b)"
)
_NOT_HAD = compiled(
    r".*\b(?:from|for|of|with|my|our|his|her|to|by|about|call|text|gift|favou?rite|question|problem|idea|photo|picture|pic|video|no|hot|toy|stuffed|story"
    r"|friend|lover|person|food|theme"
    r"|feeling|show|book|sitter|shaped|dream|new)\b"
)
_NAME_LIST = re.compile(
    r"(?P<first>[^\W\d_][\w'-]+)(?:\s\(\d{1,2}\))?(?:,\s(?P<second>[^\W\d_][\w'-]+)"
    r"(?:\s\(\d{1,2}\))?)?(?:,?\s(?:and|&)\s"
    r"(?P<last>[^\W\d_][\w'-]+))?"
)


def _had_member(speaker: Person, text: str, have: re.Match[str]) -> Iterator[Finding]:
    value = " ".join(have.group("v").split())
    attribute = "pet" if have.group("pet") else "family"
    end = have.end("v")
    if _NOT_HAD.match(value) or not _HAVE_ENDS.match(text, end):
        return
    names: list[str] = []
    places: list[str] = []
    if have.group("after"):
        listed = _NAME_LIST.match(text, have.end())
        if listed is not None:
            places = [place for place, name in listed.groupdict().items() if name]
            if listed["first"][0].isupper() and not listed[places[-1]][0].isupper():
                places.pop()  # "named Rex and he ...": the list ended before
            names = [listed[place] for place in places]
        is_named = "called" in have.group("after") or "name" in have.group("after")
        proper = all(name[0].isupper() and name.lower() not in _NO_FIRST_NAME for name in names)
        counted = len(names) > 1 or have.group("number").lower() in ("a", "an", "one")
        if names and proper and (is_named or (counted and len(names) > 1)):
            end = listed.end(places[-1]) if listed else end
        else:
            names = []
    says = f" has {value}" + (f" called {_joined(names)}" if names else "")
    if len(names) == 1:
        member = have.group("pet") or have.group("kin")
        yield Finding(
            "kin.has_named", speaker, "pet" if attribute == "pet" else _relation(member), names[0],
            says, end,
        )  # fmt: skip
        return
    yield Finding("kin.has", speaker, attribute, _joined(names) if names else value, says, end)


def _relation(member: str) -> str:
    word = member.lower()
    return _RELATIONS.get(word, _RELATIONS.get(word.rstrip("s"), "family"))


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _after_preposition(text: str, at: int) -> int | None:
    return phrase.first_name(text, at)


RULES: tuple[Rule, ...] = (
    Rule(
        "kin.married_to", compiled(rf"{BE}{ADVERBS}\s+married\s+to\s+(?:my\s+\w+\s+)?"),
        "spouse", " is married to {v}", _after_preposition, single=True,
    ),
    Rule(
        "kin.engaged_to", compiled(rf"{BE}{ADVERBS}\s+engaged\s+to\s+(?:my\s+\w+\s+)?"),
        "fiancé", " is engaged to {v}", _after_preposition, single=True,
    ),
    Rule(
        "kin.broke_up", compiled(
            r"(?:'ve|\s+have)?(?:\s+(?:just|recently|finally))?\s+(?:broke|broken"
            r"|split)\s+up\s+with\s+my\s+(?P<kin>girlfriend|boyfriend)\b"
        ),
        "{kin}", " broke up with their {kin}", ends=True, is_past=True, is_change=True,
    ),
    Rule(
        "kin.and_i_broke_up", compiled(
            r"\s+(?P<kin>girlfriend|boyfriend)\s+and\s+(?:i|me)\s+(?:just\s+|recently\s+|have\s+"
            r"|'ve\s+)?(?:broke|broken|split)\s+up\b"
        ),
        "{kin}",
            " broke up with their {kin}", ends=True, is_past=True, is_change=True, possessed=True,
    ),
    Rule(
        "kin.pet_died", compiled(
            r"\s+(?:dog|cat|rabbit|hamster|parrot|horse)\s+(?P<v>[A-Z][a-z]+)\s+(?:died"
            r"|passed\s+away|passed)\b"
        ),
        "pet", "'s pet {v} died", ends=True, is_past=True, is_change=True, possessed=True,
    ),
)  # fmt: skip

_NAMED_ANYWHERE = re.compile(
    rf"(?<![\w'])(?i:my|our)\s+(?:(?i:older|younger|little|big|eldest|oldest|youngest|twin)\s+)?"
    rf"(?P<member>{alternatives([*_RELATIONS, *_PETS])})"
    r"(?:,\s(?P<comma>[A-Z][a-zà-ÿ]+),|\s(?P<name>[A-Z][a-zà-ÿ]+))(?![\w-])"
)


def mentioned(speaker: Person, text: str, at: int, end: int) -> Iterator[tuple[Finding, int]]:
    """Those named in passing ("I'm visiting my sister Ana"), each with where the words start."""
    for match in _NAMED_ANYWHERE.finditer(text, at, end):
        name = match.group("name") or match.group("comma")
        lower = name.lower()
        if lower in _NO_FIRST_NAME or phrase.first_name(name, 0) is None:
            continue
        stop = match.end("name") if match.group("name") else match.end("comma")
        further = phrase.first_name(text, stop + 1) if text[stop : stop + 1] == " " else None
        if further is not None and match.group("name"):
            name, stop = text[match.start("name") : further], further
        yield _member(speaker, match.group("member").lower(), name, stop), match.start()
