"""Name, age, birthday, languages, marital status."""

from __future__ import annotations

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import ADVERBS, BE, NOT, Rule, alternatives, compiled

_LANGUAGES = alternatives(
    "english german french spanish portuguese italian dutch norwegian swedish danish finnish"
    " icelandic "
    "russian ukrainian polish czech slovak hungarian romanian bulgarian serbian croatian slovenian "
    "greek turkish arabic hebrew persian farsi urdu hindi bengali punjabi tamil telugu marathi"
    " gujarati "
    "chinese mandarin cantonese japanese korean vietnamese thai indonesian malay tagalog swahili"
    " yoruba "
    "igbo hausa zulu amharic catalan basque galician irish welsh latin esperanto albanian"
    " lithuanian "
    "latvian estonian armenian georgian nepali sinhala khmer mongolian kazakh".split()
)
_AND_LANGUAGES = rf"(?:(?:,\s(?:and\s)?|\sand\s)(?:some\s|a little\s)?(?:{_LANGUAGES})\b)*"
_FLUENCY = r"(?:fluent|fluently|native|basic|some|a little|a bit of|conversational|decent|both)"
_LEVEL = rf"(?:(?P<level>{_FLUENCY})\s+)?"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_DAY = (
    rf"(?P<v>(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s(?:19|20)\d\d)?\b"
    rf"|{_MONTH}\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s(?:19|20)\d\d\b)?"
    r"|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d)"
)
_AGE_ENDS = r"(?=\s*$|[.,;:!)]|\s+(?:and|but|now|so|today|this year|next)\b)"

RULES: tuple[Rule, ...] = (
    Rule(
        "identity.birthday", compiled(
            rf"\s+(?:birthday|bday|b-day|date of birth)\s*(?:is|'s)\s+(?:on\s+)?{_DAY}"),
        "birthday", "has their birthday on {v}", single=True, possessed=True,
    ),
    Rule(
        "identity.born_on", compiled(rf"\s+(?:was|were)\s+born\s+on\s+{_DAY}"),
        "birthday", "was born on {v}", single=True,
    ),
    Rule(
        "identity.born_year", compiled(r"\s+(?:was|were)\s+born\s+in\s+(?P<v>(?:19|20)\d\d)\b"),
        "birth year", "was born in {v}", single=True,
    ),
    Rule(
        "identity.age", compiled(
            rf"{BE}{ADVERBS}\s+(?P<v>\d{{1,3}})(?:\s|-)?(?:years?(?:\s|-)old|yrs? old|years of age"
            r"|y/?o\b)"
        ),
        "age", "is {v} years old", single=True,
    ),
    Rule(
        "identity.age_bare", compiled(
            rf"(?:'m|m|\s+am)\s+(?P<v>(?:1[6-9]|[2-8]\d|9[0-8]))(?:\s+now)?{_AGE_ENDS}"),
        "age", "is {v} years old", single=True, speaker_only=True,
    ),
    Rule(
        "identity.age_turned", compiled(
            rf"(?:{ADVERBS})\s+turned\s+(?P<v>[1-9]\d?)\b(?!\s*(?:%|degrees|percent|of|pages))"),
        "age", "turned {v}", single=True, is_past=True, is_change=True,
    ),
    Rule(
        "identity.speaks", compiled(
            rf"{ADVERBS}\s+speaks?\s+{_LEVEL}(?P<v>(?:{_LANGUAGES})\b{_AND_LANGUAGES})"
        ),
        "language", "speaks {v}", lists=True,
    ),
    Rule(
        "identity.fluent", compiled(
            rf"{BE}{ADVERBS}\s+fluent\s+in\s+(?P<v>(?:{_LANGUAGES})\b{_AND_LANGUAGES})"),
        "language", "is fluent in {v}", lists=True,
    ),
    Rule(
        "identity.learning", compiled(
            rf"(?:{BE}|'ve been|\s+(?:have|has) been){ADVERBS}\s+(?:learning|studying)\s+(?P<v>"
            rf"(?:{_LANGUAGES})\b{_AND_LANGUAGES})"
        ),
        "learning", "is learning {v}",
    ),
    Rule(
        "identity.mother_tongue", compiled(
            rf"\s+(?:native language|mother tongue|first language)\s*(?:is|'s)\s+(?P<v>"
            rf"(?:{_LANGUAGES})\b)"
        ),
        "native language", "has {v} as their native language", single=True, possessed=True,
    ),
    Rule(
        "identity.speaks_not", compiled(rf"{NOT}\s+speak\s+(?:any\s+)?(?P<v>(?:{_LANGUAGES})\b)"),
        "language", "does not speak {v}", ends=True,
    ),
    Rule(
        "identity.name", compiled(
            r"\s+(?:(?:full|real|actual|given|legal|birth)\s+)?name(?:'s|\s+is)(?:\s+(?:actually"
            r"|now|really))?\s+"
        ),
        "name", "is called {v}", phrase.person, single=True, speaker_only=True, possessed=True,
    ),
    Rule(
        "identity.first_name", compiled(r"\s+first\s+name(?:'s|\s+is)\s+"),
        "first name", "has the first name {v}", phrase.person, single=True, possessed=True,
    ),
    Rule(
        "identity.surname", compiled(
            r"\s+(?:last|family|sur|maiden)\s?name(?:'s|\s+is)(?:\s+now)?\s+"),
        "surname", "has the surname {v}", phrase.person, single=True, possessed=True,
    ),
    Rule(
        "identity.name_changed", compiled(
            r"(?:'ve|\s+have)?(?:\s+(?:just|legally|officially|recently))?\s+changed\s+my\s+name\s+"
            r"(?:from\s+\S+\s+)?to\s+"
        ),
        "name", "is called {v}", phrase.person, single=True, is_past=True, is_change=True,
    ),
    Rule(
        "identity.name_not", compiled(r"\s+name(?:\s+is\s+not|\s+isn't|'s\s+not)\s+"),
        "name", "is not called {v}", phrase.person, ends=True, possessed=True,
    ),
    Rule(
        "identity.goes_by", compiled(rf"{ADVERBS}\s+goe?s?\s+by\s+(?:the name\s+(?:of\s+)?)?"),
        "nickname", "goes by {v}", phrase.first_name,
    ),
    Rule(
        "identity.nickname", compiled(r"\s+nickname(?:'s|\s+is)\s+"),
        "nickname", "has the nickname {v}", phrase.person, possessed=True,
    ),
    Rule(
        "identity.pronouns", compiled(r"\s+pronouns\s+are\s+(?P<v>\w{2,5}/\w{2,5}(?:/\w{2,6})?)"),
        "pronouns", "uses the pronouns {v}", single=True, possessed=True,
    ),
    Rule(
        "identity.married", compiled(
            rf"(?:{BE}|\s+got|\s+just got){ADVERBS}\s+(?P<v>married|divorced|engaged|widowed)"
            rf"(?=\s*$|[.,;!)]|\s+(?:and|now|to [A-Z]))"),
        "marital status", "is {v}", single=True,
    ),
    Rule(
        "identity.single", compiled(
            rf"(?:'m|\s+am){ADVERBS}\s+(?P<v>single)(?=\s*$|[.,;!)]|\s+(?:and|now|again)\b)"),
        "marital status", "is {v}", single=True, speaker_only=True,
    ),
)  # fmt: skip
