"""Allergies, diets and conditions, where they are said plainly."""

from __future__ import annotations

import re

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import ADVERBS, BE, HAVE, NOT, Rule, compiled

_SEVERITY = (
    r"(?:\s+(?:severely|deathly|mildly|highly|slightly|extremely|terribly|violently|seriously))?"
)
_DIETS = (
    r"(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|plant-based|gluten[- ]free"
    r"|dairy[- ]free"
    r"|lactose[- ]intolerant|gluten[- ]intolerant|keto|halal|kosher|omnivore|raw vegan|teetotal"
    r"|coeliac|celiac)"
)
_CONDITIONS = (
    r"(?:(?:type\s+(?:1|2|one|two)\s+)?diabetes|asthma|epilepsy|arthritis|rheumatoid arthritis"
    r"|migraines?"
    r"|chronic migraines?|high blood pressure|hypertension|low blood pressure|anemia|anaemia|eczema"
    r"|psoriasis"
    r"|adhd|add|autism|ocd|ptsd|bipolar disorder|depression|anxiety|social anxiety|insomnia|ibs"
    r"|crohn's(?: disease)?"
    r"|celiac disease|coeliac disease|lupus|hypothyroidism|hyperthyroidism|endometriosis|pcos"
    r"|scoliosis"
    r"|tinnitus|sleep apnea|sleep apnoea|fibromyalgia|multiple sclerosis|parkinson's(?: disease)?"
    r"|dyslexia|gerd"
    r"|acid reflux|hay fever|lactose intolerance|a heart condition|a bad back|vertigo|gout|glaucoma"
    r"|high cholesterol"
    r"|cancer|breast cancer|osteoporosis|chronic pain|chronic fatigue(?: syndrome)?)"
)
_DONE = (
    r"(?=\s*$|[.,;:!)]|\s+(?:and|but|so|now|since|because|too|for|from|as|again|though|who|these"
    r"|at)\b)"
)
_NOT_FOOD = re.compile(
    r"(?:much|enough|there|out|anything|nothing|lunch|breakfast|dinner|well|right|properly|healthy|"
    r"healthily|in|at|before|after|when|a lot|often|too|any|late|junk|regularly|there|here|here|as"
    r"|like"
    r"|together|alone|on|very|until|more|that|this|it|them)\b",
    re.IGNORECASE,
)  # fmt: skip
_FEELINGS = re.compile(
    r"(?:mornings?|mondays?|work|people|bullshit|drama|stupid\w*|exercise|fun|commitment|change"
    r"|you)\b",
    re.IGNORECASE,
)

RULES: tuple[Rule, ...] = (
    Rule(
        "health.allergic", compiled(
            rf"(?:{BE}|\s+got|\s+became){ADVERBS}{_SEVERITY}\s+allergic\s+to\s+"),
        "allergy", "is allergic to {v}", phrase.thing, lists=True, refuse=_FEELINGS,
    ),
    Rule(
        "health.allergy", compiled(
            rf"(?:{HAVE}|'ve\s+got|\s+have\s+got|\s+has\s+got){ADVERBS}\s+(?:a|an)\s+(?:(?:severe"
            rf"|serious|bad|mild|strong|slight|deadly)\s+)?"
            r"(?P<v>(?!bad|family|food\b)[a-z]+(?:\s[a-z]+)?)\s+allergy\b"
        ),
        "allergy", "is allergic to {v}",
    ),
    Rule(
        "health.allergy_to", compiled(
            rf"{HAVE}(?:\s+got)?{ADVERBS}\s+an?\s+(?:(?:severe|serious|bad|mild|strong|slight"
            rf"|deadly)\s+)?allergy\s+to\s+"
        ),
        "allergy", "is allergic to {v}", phrase.thing, lists=True, refuse=_FEELINGS,
    ),
    Rule(
        "health.allergic_not", compiled(
            rf"(?:{BE}\s+not|\s+isn't|\s+aren't|{BE}\s+no\s+longer)\s+"
            rf"(?:actually\s+)?allergic\s+to\s+"),
        "allergy", "is not allergic to {v}", phrase.thing, ends=True, lists=True,
    ),
    Rule(
        "health.diet", compiled(
            rf"(?:{BE}|\s+went|\s+became|'ve\s+(?:been|gone|become)|\s+have\s+(?:been|gone|become)"
            rf"|\s+turned){ADVERBS}\s+(?:a\s+|an\s+)?"
            rf"(?:strict\s+|lifelong\s+|committed\s+)?(?P<v>{_DIETS}){_DONE}"
        ),
        "diet", "is {v}", single=True,
    ),
    Rule(
        "health.diet_on", compiled(
            rf"(?:{BE}\s+on|\s+follows?|'m\s+following|\s+eats?){ADVERBS}\s+(?:a|an)\s+"
            rf"(?:strict\s+)?(?P<v>(?:low[- ]\w+|high[- ]\w+|{_DIETS}|mediterranean|paleo|whole30"
            rf"|diabetic|carnivore))\s+diet\b"
        ),
        "diet", "follows a {v} diet", single=True,
    ),
    Rule(
        "health.diet_not", compiled(
            rf"(?:{BE}\s+no\s+longer|{BE}\s+not|\s+isn't|\s+stopped\s+being|\s+quit\s+being"
            rf"|\s+gave\s+up\s+being){ADVERBS}\s+(?:a\s+)?(?P<v>{_DIETS})(?:\s+any\s?more)?{_DONE}"
        ),
        "diet", "is not {v} any more", ends=True,
    ),
    Rule(
        "health.eats_not", compiled(
            r"(?:\s+(?:don't|dont|do\s+not|doesn't|does\s+not|never|no\s+longer|can't|cannot"
            r"|can\s+not))\s+eats?\s+(?:any\s+)?"
        ),
        "avoids", "does not eat {v}", phrase.thing, lists=True, refuse=_NOT_FOOD,
    ),
    Rule(
        "health.eats_again", compiled(
            r"(?:'ve|\s+have)?\s+started\s+eating\s+(?=[\w ]{2,30}\sagain\b)"),
        "avoids", "eats {v} again", phrase.thing, ends=True, lists=True,
    ),
    Rule(
        "health.drinks_not", compiled(
            r"\s+(?:don't|dont|do\s+not|doesn't|does\s+not|never|no\s+longer)\s+drinks?\s+"
            r"(?:any\s+)?(?P<v>alcohol|coffee|milk|beer|wine|tea|soda|caffeine|cow's milk|dairy"
            r"|sugary drinks)\b"
        ),
        "avoids", "does not drink {v}",
    ),
    Rule(
        "health.smokes_not", compiled(
            r"(?:\s+(?:don't|do\s+not|doesn't)\s+smoke|\s+(?:quit|stopped)\s+smoking)" + _DONE),
        "smoking", "does not smoke", value="no", single=True,
    ),
    Rule(
        "health.condition", compiled(
            rf"(?:{HAVE}|'ve\s+got|\s+have\s+got|\s+suffers?\s+from|\s+live\s+with"
            rf"|\s+was\s+diagnosed\s+with"
            rf"|'ve\s+been\s+diagnosed\s+with|\s+have\s+been\s+diagnosed\s+with"
            rf"|\s+got\s+diagnosed\s+with|{BE}\s+living\s+with)"
            rf"{ADVERBS}\s+(?:chronic\s+|severe\s+|mild\s+)?(?P<v>{_CONDITIONS}){_DONE}"
        ),
        "condition", "has {v}",
    ),
    Rule(
        "health.is_condition", compiled(
            rf"{BE}{ADVERBS}\s+(?:a\s+)?(?P<v>diabetic|asthmatic|epileptic|autistic|dyslexic"
            rf"|colou?r[- ]?blind|deaf|blind|pregnant|hard of hearing|a wheelchair user"
            rf"|left-handed){_DONE}"
        ),
        "condition", "is {v}",
    ),
    Rule(
        "health.has_not", compiled(rf"{NOT}\s+have\s+(?P<v>{_CONDITIONS}){_DONE}"),
        "condition", "does not have {v}", ends=True,
    ),
)  # fmt: skip
