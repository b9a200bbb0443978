"""Named things in a text, by rules, in any script.

Where a script has capitals they are the clue; elsewhere quotation marks, honorifics, katakana and
foreign words are. A capital that only opens a sentence is no clue, so such a word counts only when
it stands elsewhere inside a sentence, or has the shape of a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from retain.domain.entity import Mention

EntityFinder = Callable[[str], list[Mention]]

MOST_MENTIONS = 64
MOST_CHARACTERS = 20_000

_MARKED = re.compile(
    r"(?P<email>\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}\w{2,24}\b)"
    r"|https?://(?:www\.)?(?P<host>[\w.-]{1,253})\S{0,2000}"
    r"|(?<!\w)(?P<handle>@\w{2,40})\b"
    r"|[“\"](?P<title>[^\W\da-z_][^“”\"\n]{1,60})[”\"]"
    r"|«\s?(?P<guillemets>[^\W\da-zа-я_][^«»\n]{1,60}?)\s?»"
    r"|[《〈「『【](?P<corner>[^《》〈〉「」『』【】\n]{1,40})[》〉」』】]"
)
_MARK = re.compile(r"[@:\"“«《〈「『【]")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|(?:(?:19|20)\d\d\s?[年년]\s?)?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日号일]"
    r"|\b\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?:January|February|March|April|May|June|July|August|"
    r"September|October|November|December)\b(?:,?\s(?:19|20)\d\d\b)?"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s\d{1,2}\b(?:st|nd|rd|th)?(?:,?\s(?:19|20)\d\d\b)?"
)
# What no date does without, each found by its first character: far sooner than a date is.
_NEAR_A_NUMERIC_DATE = re.compile(r"\d(?:[-.]\d|\s?[年년月월])")
_NEAR_A_MONTH = re.compile(
    r"[JFMASOND](?:anuary|ebruary|arch|pril|ay|une|uly|ugust|eptember|ctober|ovember|ecember)"
)
_SURNAMES = (
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯邓曹彭曾萧田董潘袁蔡"
    "蒋余杜叶葉程魏苏蘇吕丁任卢姚沈钟姜崔谭陆范汪廖石贾夏方邹熊白孟秦邱江尹薛段雷侯龙陶黎贺顾毛郝邵钱严戴莫孔汤"
)
_UNCASED = re.compile(
    r"(?P<katakana>[ァ-ヺ][ァ-ヺー・]{2,30})"
    r"|(?P<japanese>[一-龯々]{1,4}|[ァ-ヺー]{2,12})(?:さん|様|くん|ちゃん|氏)"
    rf"|(?P<chinese>[{_SURNAMES}][一-龥]{{0,2}}?)(?:先生|小姐|女士|老师|老師|教授|医生|醫生|博士)"
    r"|(?<![가-힣])(?P<korean>[가-힣]{2,4})\s?(?:님|씨)(?![가-힣]{3})"
    r"|(?P<hindi>[\u0900-\u0963\u0966-\u097f]{2,20})\sजी(?![\u0900-\u097f])"
    r"|श्री(?:मती)?\s(?P<shri>[\u0900-\u0963\u0966-\u097f]{2,20})"
    r"|(?:السيدة|السيد|الدكتورة|الدكتور|الأستاذة|الأستاذ|دكتور|أستاذ)\s"
    r"(?P<arabic>[\u0621-\u064a]{2,20})"
)
_LATIN_INSIDE = re.compile(r"[A-Za-zÀ-ž][\w&.+'’-]*(?: [A-ZÀ-Ž][\w&.+'’-]*)*")
_HAS_UNCASED = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_TOKEN = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra)\.(?=\s)|[^\W_][\w&'’]*(?:[.-](?=\w)[\w&'’]+)*|[.!?…\n:;,(]|[—–]"
)
_ENDS_SENTENCE = frozenset(".!?…\n:")
_OPENS_NEXT = _ENDS_SENTENCE | {"("}  # a capital after one of these is none of the word's own
_INNER = frozenset(["of", "de", "la", "del", "da", "do", "dos", "di", "du", "des", "van", "von",
                    "der", "den", "al", "el", "bin", "ibn", "the", "&"])  # fmt: skip
_TITLES = frozenset([
    "mr", "mrs", "ms", "dr", "prof", "herr", "frau", "señor", "señora", "sr", "sra",
                     "monsieur", "madame", "mme", "signor", "signora", "uncle", "aunt", "auntie",
                     "grandma",
                         "grandpa",
                             "don", "doña", "sir", "lady", "господин", "госпожа"])  # fmt: skip

# Words that are written with a capital for no reason of their own: sentence openers and answers,
# the pronoun I, greetings, days and months. They never open or make a name.
_COMMON = frozenset("""
a about absolutely actually after again ah aha all alright also although always am amazing an and
another any anyway apparently are as at aw aww awesome back basically be because been before being
best between both but by bye can cheers congrats congratulations could cool dear definitely
despite did do does don't during each either enjoy especially even ever every everyone everything
exactly excellent excuse fantastic few finally fine first for from fun funny generally get getting
give glad go going good goodbye gosh got great guess had haha happy hard has have having he he's
hello help her here here's hers hey hi his hmm honestly hope hopefully how how's however huh i i'd
i'll i'm i've if im imagine in indeed instead is isn't it it's its it'll just keep kind last
lately later let let's like literally lol look looking looks lots love lovely luckily make many
maybe me mine more most much must my myself neat never new next nice no nobody nope nor not
nothing now obviously of off oh ok okay omg on once one only oops or other our ours out over
perfect perhaps personally plan please plus probably quite rather really recently regarding
remember right sad same see seems seriously she she's should since so some somehow someone
something sometimes soon sorry sounds speaking still such super sure take talk tell than thank
thanks that that'd that'll that's the their them then there there's these they they'd they'll
they're they've thing things think this those though through thus till to today together tomorrow
tonight too totally true truly try two under unfortunately until up upon us used usually very wait
want was wasn't watch way we we'd we'll we're we've welcome well were what what's whatever when
when's whenever where where's whether which while who who's whoa whose why will with without
wonderful work would wow ya yay yeah yep yes yesterday yet you you'd you'll you're you've your
yours yup monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
thursdays fridays saturdays sundays january february march april may june july august september
october november december am pm mom mum dad god ich du er sie es wir ihr der die das ein eine
einen und oder aber ja nein danke bitte hallo heute morgen gestern mein meine dein deine wie was
wer wo wann warum wenn weil dass nicht auch noch schon im am zum zur herr frau yo tú él ella
nosotros ellos el la los las un una y o pero sí gracias hola hoy mañana ayer mi mis tu qué cómo
dónde cuándo por porque si no también muy je tu il elle nous vous ils elles le la les un une et ou
mais oui non merci bonjour salut mon ma mes ce c'est j'ai qui que quoi où quand pourquoi comment
eu você ele ela nós eles o a os as um uma e mas sim não obrigado obrigada olá oi meu minha io lui
lei noi voi loro lo gli uno ma sì grazie ciao mio mia che chi dove perché я ты он она мы вы они
это и но да нет спасибо привет мой моя мне у в на не как что где когда почему
""".split())  # fmt: skip

_GERMAN = frozenset("ich und der die das ist nicht wir mein meine ein eine".split())
_BEFORE_GERMAN_NAME = frozenset("in nach aus von mit bei für an heißt heiße namens bin und".split())


def entity_finder(name: str) -> EntityFinder:
    """What finds named things: by ``rules`` (in any script), or by ``spacy``.

    Raises:
        MissingExtra: spaCy or its pipeline is not installed.
    """
    if name == "rules":
        return find_mentions
    from retain.analysis.entities_spacy import spacy_finder

    return spacy_finder()


def find_mentions(text: str) -> list[Mention]:
    """The named things in ``text``, in order, without overlaps; at most 64.

    Args:
        text: any text; the first 20,000 characters are read.

    Returns:
        Mentions with spans in characters of ``text``. ``type`` is ``person`` or ``date`` where a
        rule tells, else ``thing``.
    """
    text = text[:MOST_CHARACTERS]
    found = list(_marked(text))
    taken = [(mention.start, mention.end) for mention in found]
    if not text.isascii() and _HAS_UNCASED.search(text):
        found += _apart(_uncased(text), taken)
    names = _capitalised(text)  # which do not overlap each other
    found += _apart(names, taken) if taken else islice(names, MOST_MENTIONS)
    found.sort(key=lambda mention: mention.start)
    return found[:MOST_MENTIONS]


def _apart(mentions: Iterator[Mention], taken: list[tuple[int, int]]) -> Iterator[Mention]:
    """Those mentions that overlap none before them."""
    for mention in mentions:
        if all(mention.end <= start or end <= mention.start for start, end in taken):
            taken.append((mention.start, mention.end))
            yield mention
        if len(taken) > 2 * MOST_MENTIONS:
            return


def _marked(text: str) -> Iterator[Mention]:
    """What a mark names: addresses, handles, titles in quotation marks, dates."""
    spans: list[tuple[int, int]] = []
    if _MARK.search(text):
        for match in _MARKED.finditer(text):
            group = match.lastgroup or "host"
            name = match.group(group)
            if " " in name and len(name.split()) > 8:
                continue
            if name[-1] in ".,!?" and group in ("title", "guillemets"):
                if name[-1] != ",":
                    continue  # a quoted sentence, no title
                name = name[:-1]
            spans.append(match.span())
            yield Mention(name, match.start(group), match.start(group) + len(name))
            if len(spans) >= MOST_MENTIONS:
                return
    if _DIGIT.search(text) and (_NEAR_A_NUMERIC_DATE.search(text) or _NEAR_A_MONTH.search(text)):
        for match in _DATE.finditer(text):
            if all(match.end() <= start or end <= match.start() for start, end in spans):
                yield Mention(match.group(), match.start(), match.end(), "date")


def _uncased(text: str) -> Iterator[Mention]:
    """Names in scripts without capitals: by honorific, katakana, or Latin words between."""
    for match in _UNCASED.finditer(text):
        group = match.lastgroup or ""
        kind = "thing" if group == "katakana" else "person"
        end = match.end(group)
        if kind == "thing" and text.startswith(("さん", "様", "くん", "ちゃん", "氏"), end):
            kind = "person"
        yield Mention(match.group(group), match.start(group), end, kind)
    letters = sum(character.isalpha() for character in text)
    latin = sum(character.isascii() and character.isalpha() for character in text)
    if latin * 2 < letters:
        for match in _LATIN_INSIDE.finditer(text):
            if len(match.group()) > 1:
                yield Mention(match.group(), match.start(), match.end())


def _capitalised(text: str) -> Iterator[Mention]:
    if text.islower():
        return
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens]
    starts = [index for index, word in enumerate(words) if _may_name(word)]
    if not starts or _shouts(words):
        return
    german = _is_german(words)
    run = 0
    for index in starts:
        if index < run:
            continue
        run = _run(tokens, words, index)
        if run > index:
            before = words[index - 1].lower() if index else "."
            if not german or _german_name(run - index, before):
                start = tokens[index].start()
                name = _without_possessive(text[start : tokens[run - 1].end()])
                kind = "person" if _after_title(words, index) else "thing"
                yield Mention(name, start, start + len(name), kind)


def _shouts(words: Sequence[str]) -> bool:
    upper = sum(map(str.isupper, words))
    if upper < 3:  # more than half of more than three
        return False
    count = sum(word[0].isalnum() for word in words)
    return count > 3 and upper * 2 > count


def _is_german(words: Sequence[str]) -> bool:
    return sum(map(_GERMAN.__contains__, words)) >= 2


def _stands_inside(bare: str, words: Sequence[str]) -> bool:
    """Whether a capitalised word stands inside a sentence somewhere, possessive or not."""
    if not bare[:1].isupper():
        return False
    later = words[1:]
    return any(
        word == form and words[index] not in _OPENS_NEXT
        for form in (bare, f"{bare}'s", f"{bare}’s")
        if form in later
        for index, word in enumerate(later)
    )


def _run(tokens: Sequence[re.Match[str]], words: Sequence[str], index: int) -> int:
    """Where the name that may start at ``index`` ends; ``index`` itself if it is none."""
    end = index + 1
    while end < len(words) and end - index < 6:
        following = words[end]
        if _may_name(following) and _joined(tokens, end - 1):
            end += 1
        elif following in _INNER and (further := _past_small_words(tokens, words, end)) > end:
            end = further
        else:
            break
    opens = index == 0 or words[index - 1] in _ENDS_SENTENCE
    if opens and end == index + 1 and not _known_shape(words, index):
        return index
    return end


def _past_small_words(tokens: Sequence[re.Match[str]], words: Sequence[str], at: int) -> int:
    """Past the name that follows one or two small words ("de la Cruz"); ``at`` if none does."""
    for count in (1, 2):
        last = at + count
        if last >= len(words) or words[last - 1] not in _INNER:
            return at
        if not all(_joined(tokens, index) for index in range(at - 1, last)):
            return at
        if _may_name(words[last]):
            return last + 1
    return at


def _joined(tokens: Sequence[re.Match[str]], index: int) -> bool:
    """Whether only one space stands between a word and the next, and no possessive ends it."""
    token = tokens[index]
    return tokens[index + 1].start() == token.end() + 1 and not token[0].endswith(("'s", "’s"))


@lru_cache(maxsize=16_384)
def _may_name(word: str) -> bool:
    if word.islower() or not word[0].isalpha():
        return False
    if word[0].isupper():
        return len(word) > 1 and word.lower().replace("’", "'") not in _COMMON
    # iPhone, eBay: a capital inside a word written as one
    return word.isascii() and word[1:3] != word[1:3].lower()


def forget_words() -> None:
    """Forget the words that were seen: they may be of a text that was erased."""
    _may_name.cache_clear()


def _known_shape(words: Sequence[str], index: int) -> bool:
    """Whether a sentence's first word is a name in spite of its place."""
    word = words[index]
    bare = _without_possessive(word)
    return (
        (bare != word and bare.lower() not in _COMMON)
        or (len(bare) > 1 and any(letter.isupper() or letter.isdigit() for letter in bare[1:]))
        or _stands_inside(bare, words)
    )


def _german_name(length: int, before: str) -> bool:
    """German writes every noun with a capital: a name needs a better reason."""
    return length > 1 or before in _BEFORE_GERMAN_NAME or before in _TITLES


def _after_title(words: Sequence[str], index: int) -> bool:
    if words[index].lower().rstrip(".") in _TITLES:
        return True
    before = index - 1
    if before > 0 and words[before] == ".":
        before -= 1
    return before >= 0 and words[before].lower() in _TITLES


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "’s")) else word
