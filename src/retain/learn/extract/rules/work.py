"""Job, employer, studies, and changes of them."""

from __future__ import annotations

import re

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.rule import ADVERBS, BE, HAVE, Rule, compiled

# Words that end the name of an occupation. Words with another common sense ("cook", "driver",
# "fan") are left out: one may be a terrible cook and a careful driver.
_OCCUPATIONS = frozenset("""
accountant actor actress actuary administrator adviser advisor analyst anaesthetist architect
archaeologist artist astronomer attorney auditor author baker banker barber barista bartender
biologist blacksmith bookkeeper botanist bricklayer broker builder butcher captain carer caregiver
carpenter cashier chef chemist chiropractor choreographer cleaner clerk comedian composer
consultant contractor copywriter counselor counsellor curator dentist dermatologist designer
developer dietitian diplomat director doctor ecologist economist editor electrician engineer
estimator farmer filmmaker firefighter fisherman florist freelancer gardener geologist graphic
hairdresser historian housekeeper illustrator instructor interpreter investigator janitor jeweler
journalist judge lawyer lecturer librarian lifeguard linguist locksmith machinist magistrate
manager marketer masseuse mathematician mechanic meteorologist midwife miner minister model
musician nanny neurologist nurse nutritionist officer optician optometrist orthodontist painter
paralegal paramedic pastor pediatrician paediatrician pharmacist photographer physician physicist
physiotherapist pilot plumber policeman policewoman politician postdoc principal producer
professor programmer psychiatrist psychologist psychotherapist publisher radiologist realtor
receptionist recruiter researcher sailor salesman salesperson saleswoman scientist sculptor
secretary singer sociologist soldier statistician stylist surgeon surveyor tailor teacher
technician technologist therapist trader trainer translator tutor vet veterinarian waiter waitress
welder writer videographer entrepreneur founder cofounder co-founder ceo cto cfo student
undergraduate apprentice intern resident retiree landlord zookeeper dj paralegal planner
strategist coordinator supervisor assistant associate executive representative specialist operator
inspector auditor pharmacologist vp
""".split())  # fmt: skip
_NOT_A_JOB = frozenset("""
bad good great terrible awful horrible better best worse worst big huge natural born slow fast quick
careful horrible decent lousy avid keen visual fellow proud happy control perfect wannabe aspiring
would-be future former ex ex- amateur hobby bit little my your frustrated failed such same perfect
armchair closet self-taught you are is was he she it they
""".split())  # fmt: skip
_JOB_ENDS = re.compile(
    r"[.,;:!?()\n—–]|\s-+\s|\s*$|\s(?:and|but|at|for|with|who|that|which|from|based|living|so|in|by"
    r"|of|on"
    r"|working|now|because|since|specializing|specialising|focused|here|trying|looking|to|myself"
    r"|where"
    r"|while|there|too|full-time|part-time|interested|recently|currently|as|or|myself|again)\b",
    re.IGNORECASE,
)


def job(text: str, at: int) -> int | None:
    """An occupation: up to five words whose last names one."""
    ended = _JOB_ENDS.search(text, at)
    end = ended.start() if ended else len(text)
    if text.startswith(" of ", end):  # "head of sales", "director of engineering"
        further = _JOB_ENDS.search(text, end + 4)
        end = further.start() if further else len(text)
    words = text[at:end].lower().split()
    if not 1 <= len(words) <= 6 or any(word in _NOT_A_JOB for word in words):
        return None
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1]
    return end if head in _OCCUPATIONS or head.endswith("ologist") else None


# After "works as a", the ending of a word is enough to tell an occupation ("bookbinder").
_TRADE = re.compile(
    r"[a-z-]{2,}(?:er|or|ist|ian|man|woman|person|smith|wright|eer|monger|ant|herd)|guide|clown"
    r"|monk|nun|priest|rabbi|imam|cook|coach|au pair|temp|medic|guard|porter|sommelier|barrister"
)
_NO_TRADE = frozenset("""
member partner number matter reminder placeholder filler counter order power buffer barrier factor
color colour flavor metaphor mirror whisper deter favor favour deterrent container adapter filter
door floor constant instant variant
""".split())  # fmt: skip


def worked_as(text: str, at: int) -> int | None:
    """What somebody works as: an occupation, or up to three words that end like one."""
    end = job(text, at)
    if end is not None:
        return end
    ended = _JOB_ENDS.search(text, at)
    end = ended.start() if ended else len(text)
    words = text[at:end].lower().split()
    if not 1 <= len(words) <= 3 or any(word in _NOT_A_JOB for word in words):
        return None
    if words[-1] in _NO_TRADE:
        return None
    return end if _TRADE.fullmatch(words[-1]) and "team" not in words else None


_AN = r"(?:an?|the|their|our)\s+"
_FIELDS = (
    r"(?P<v>(?:the\s+)?(?:finance|banking|marketing|sales|advertising|consulting|healthcare"
    r"|education|IT|tech"
    r"|HR|human resources|real estate|construction|hospitality|retail|insurance|logistics"
    r"|publishing"
    r"|journalism|law|law enforcement|software|software development|cybersecurity|data science"
    r"|customer service|customer support|public relations|biotech|pharma|agriculture|film|fashion"
    r"|social work|accounting|engineering|manufacturing|research|academia|government|politics"
    r"|mental health|nursing|medicine|aviation|tourism|entertainment|music|gaming|e-commerce)"
    r"(?:\s+industry)?)(?=\s*$|[.,;!)]|\s+(?:and|but|at|so|now|for)\b)"
)

RULES: tuple[Rule, ...] = (
    Rule(
        "work.as", compiled(
            rf"(?:{ADVERBS}\s+works?|(?:{BE}|'ve been|\s+have been"
            rf"|\s+has been){ADVERBS}\s+working){ADVERBS}\s+as\s+{_AN}"
        ),
        "job", "works as {a} {v}", worked_as, single=True,
    ),
    Rule(
        "work.is", compiled(rf"{BE}{ADVERBS}\s+an?\s+(?!student\b)"),
        "job", "is {a} {v}", job, single=True,
    ),
    Rule(
        "work.title", compiled(
            r"\s+(?:current\s+|new\s+)?(?:job\s+title|job|profession|occupation|role|position)(?:'s"
            r"|\s+is)(?:\s+now)?\s+"
            rf"(?:as\s+)?(?:{_AN})?"
        ),
        "job", "works as {a} {v}", job, single=True, possessed=True,
    ),
    Rule(
        "work.title_now", compiled(rf"{BE}(?:\s+(?:now|officially))?\s+the\s+new\s+"),
        "job", "is the new {v}", job, single=True,
    ),
    Rule(
        "work.started_as", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:started|begun|began)(?:\s+(?:working|a\s+new\s+job"
            rf"|my\s+new\s+job|a\s+job|work))?"
            rf"\s+as\s+{_AN}"
        ),
        "job", "works as {a} {v}", job, single=True, is_past=True, is_change=True,
        by="started", once="started as {a} {v}",
    ),
    Rule(
        "work.got_job_as", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:got|found|landed|accepted|took)\s+(?:a|the|my)\s+(?:new\s+"
            rf"|dream\s+)?(?:job|position|role)"
            rf"\s+as\s+{_AN}"
        ),
        "job", "works as {a} {v}", job, single=True, is_past=True, is_change=True,
        by="got the job", once="got a job as {a} {v}",
    ),
    Rule(
        "work.promoted", compiled(
            rf"(?:{HAVE}|\s+got|\s+was|'ve\s+been|\s+have\s+been)?{ADVERBS}\s+(?:got\s+"
            rf"|been\s+)?promoted\s+to\s+(?:{_AN})?"
        ),
        "job", "was promoted to {v}", job, single=True, is_past=True, is_change=True,
    ),
    Rule(
        "work.at", compiled(
            rf"(?:{ADVERBS}\s+works?|(?:{BE}|'ve been|\s+have been|\s+has been){ADVERBS}\s+"
            rf"(?:working|employed)){ADVERBS}"
            r"(?:\s+(?:full|part)[- ]time)?\s+(?:at|for)\s+"
        ),
        "employer", "works at {v}", phrase.organisation, single=True,
    ),
    Rule(
        "work.at_as", compiled(
            rf"{BE}{ADVERBS}\s+an?\s+(?P<job>[a-z][a-z -]{{2,40}}?)\s+(?:at|for|with)\s+"
        ),
        "employer", "works at {v}", phrase.organisation, single=True,
        requires=("job", job),
    ),
    Rule(
        "work.started_at", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:started|got|found|landed|took|accepted)"
            r"(?:\s+(?:working|work|(?:a|my)\s+(?:new\s+|dream\s+)?(?:job|position|role)))\s+(?:at"
            r"|with|for)\s+"
        ),
        "employer", "works at {v}", phrase.organisation, single=True, is_past=True,
        is_change=True, by="started", once="started working at {v}",
    ),
    Rule(
        "work.employer", compiled(r"\s+(?:current\s+|new\s+)?employer(?:'s|\s+is)(?:\s+now)?\s+"),
        "employer", "works at {v}", phrase.organisation, single=True, possessed=True,
    ),
    Rule(
        "work.at_not", compiled(
            r"(?:\s+(?:don't|dont|do not|doesn't|does not|no longer)\s+works?|'m\s+no\s+longer\s+"
            r"(?:working|employed)"
            r"|\s+used\s+to\s+work|\s+stopped\s+working)\s+(?:at|for)\s+"
        ),
        "employer", "does not work at {v} any more", phrase.organisation, ends=True,
    ),
    Rule(
        "work.left", compiled(
            rf"(?:{HAVE}|\s+was|\s+got)?{ADVERBS}\s+(?:(?:quit|left|lost|resigned\s+from)\s+my\s+"
            rf"(?:old\s+)?job\s+(?:at|with)"
            r"|laid\s+off\s+(?:from|by)|fired\s+(?:from|by)|resigned\s+from)\s+"
        ),
        "employer", "left {v}", phrase.organisation, ends=True, is_past=True, is_change=True,
    ),
    Rule(
        "work.left_known", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:left|quit)\s+(?=[^,.;]{{2,40}})(?!.{{2,40}}?\s(?:at|by|around"
            r"|before|after)\s\d)(?!.{2,40}?\s(?:early|late|with|for\s+(?:lunch|the\s+day|home))\b)"
        ),
        "employer", "does not work at {v} any more", phrase.organisation, ends=True, is_past=True,
        is_change=True, by="left", once="left {v}", if_known=True,
    ),
    Rule(
        "work.quit", compiled(
            rf"(?:{HAVE})?{ADVERBS}\s+(?:quit|lost)\s+my\s+(?P<old>old\s+)?job\b(?!\s+(?:at|with|as"
            rf"|in|for|to)\b)"
        ),
        "employer", "left their job", ends=True, is_past=True, is_change=True, speaker_only=True,
    ),
    Rule(
        "work.in", compiled(
            rf"(?:{ADVERBS}\s+works?|(?:{BE}|'ve been"
            rf"|\s+have been){ADVERBS}\s+working)\s+in\s+{_FIELDS}"
        ),
        "field of work", "works in {v}", single=True,
    ),
    Rule(
        "work.retired", compiled(
            rf"(?:{BE}{ADVERBS}\s+(?P<v>retired|self-employed|unemployed|freelancing)"
            r"|(?:\s+just|\s+recently)?\s+(?P<v2>retired))(?=\s*$|[.,;!)]|\s+(?:and|now|from|last"
            r"|this|in|but)\b)"
        ),
        "job", "is {v}{v2}", single=True,
    ),
    Rule(
        "work.studies", compiled(
            rf"(?:{ADVERBS}\s+(?:study|studies|major(?:s|ed)?\s+in)|{BE}{ADVERBS}\s+(?:studying"
            rf"|majoring\s+in))\s+"
            r"(?P<v>(?:computer science|physics|mathematics|maths|math|biology|chemistry|medicine"
            r"|law|history"
            r"|philosophy|psychology|economics|engineering|[a-z]+ engineering|architecture"
            r"|literature"
            r"|english literature|art history|fine arts?|music|nursing|business(?: administration)?"
            r"|finance"
            r"|accounting|marketing|linguistics|sociology|anthropology|political science|journalism"
            r"|design"
            r"|graphic design|data science|statistics|biochemistry|neuroscience|geography|theology"
            r"|education|pharmacy|dentistry|veterinary medicine|international relations))"
            r"(?=\s*$|[.,;!)]|\s+(?:and|at|in|but|now|so)\b)"
        ),
        "studies", "studies {v}", single=True,
    ),
    Rule(
        "work.school", compiled(
            rf"(?:{ADVERBS}\s+(?:study|studies|goes?\s+to\s+(?:school|college|university))"
            rf"|{BE}{ADVERBS}\s+(?:studying|a\s+student))\s+at\s+"
        ),
        "school", "studies at {v}", phrase.organisation, single=True,
    ),
    Rule(
        "work.owns", compiled(
            rf"{ADVERBS}\s+(?:owns?|runs?)\s+(?P<v>(?:a|an|my\s+own|our\s+own)\s+(?:\w+\s+){{0,3}}?"
            r"(?:business|company|shop|store|bakery|restaurant|café|cafe|farm|startup|start-up"
            r"|studio|agency|firm"
            r"|salon|gallery|bookshop|bookstore|brewery|hotel|bed and breakfast|practice|gym))\b"
        ),
        "business", "runs {v}",
    ),
)  # fmt: skip
