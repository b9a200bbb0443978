# ruff: noqa: E501 (a table: a language a row reads best)
"""Whether two texts are in one language, by their script and their commonest words."""

from __future__ import annotations

from collections.abc import Sequence

from retain.learn.ground.reading import Reading

_LEAST_WORDS = 6  # of a text without which nothing is told
_OWN_SHARE = 0.08  # of a text's words are its language's commonest at least
_PLAIN_SHARE = 0.25  # and at these many, it is that language for certain
_FOREIGN_SHARE = 0.04  # at most are those of another language
# fmt: off
_COMMON: dict[str, frozenset[str]] = {
    tongue: frozenset(words.split())
    for tongue, words in {
        "en": "the of and to in is that for it with was on are be this have from not but they you what my we will has as by an at or user user's prefers wants likes lives works i i'm your would can should been their his her",
        "de": "der die das und ist nicht ein eine mit für von den dem des sich auf ich mein meine wir im zu auch als wird hat sie er dass bei noch",
        "fr": "le la les des et est une pour que dans qui pas sur avec je mon ma nous du au ce cette il elle plus sont par ont",
        "es": "el la los las de y es que en un una para con por no mi yo del al se su lo más son como está",
        "it": "il la che di e è un una per con non mi sono del della gli le ho nel si come più anche alla",
        "pt": "o a os as de e é que em um uma para com não eu meu minha do da no na se por mais como está",
    }.items()
}
# fmt: on
_SCRIPTS = (
    (0x0250, "latin"),
    (0x0370, "other"),
    (0x0400, "greek"),
    (0x0530, "cyrillic"),
    (0x0600, "other"),
    (0x0780, "arabic"),
    (0x0900, "other"),
    (0x0980, "devanagari"),
    (0x3040, "other"),
    (0x3100, "kana"),
    (0x3400, "other"),
    (0xA000, "han"),
    (0xAC00, "other"),
    (0xD7B0, "hangul"),
)  # fmt: skip
_SAME = frozenset([frozenset(["kana", "han"])])


def is_foreign(statement: Reading, source: Reading) -> bool:
    """Whether the words of a source are those of another language than the statement's.

    Only where that is plain: a short source, or a statement of no known language, is not foreign.
    """
    if not source.keys:
        return False
    mine, theirs = _script(statement), _script(source)
    if mine != theirs:
        return frozenset([mine, theirs]) not in _SAME
    if mine != "latin" or len(source.keys) < _LEAST_WORDS:
        return False
    share, tongue = max((_share(statement.keys, one), one) for one in _COMMON)
    if share < _OWN_SHARE:
        return False
    own = _share(source.keys, tongue)
    if own >= _PLAIN_SHARE:
        return False
    return own < _FOREIGN_SHARE or own < max(_share(source.keys, one) for one in _COMMON) / 2


def _share(words: Sequence[str], tongue: str) -> float:
    return sum(map(_COMMON[tongue].__contains__, words)) / max(1, len(words))


def _script(reading: Reading) -> str:
    if reading.text.isascii():
        return "latin"
    counts: dict[str, int] = {}
    for word in reading.keys:
        if word[0] < "\u0250":
            name, weight = "latin", 1
        else:
            # Foreign names are many in a short text: what is not Latin tells more.
            name, weight = next((name for end, name in _SCRIPTS if word[0] < chr(end)), "other"), 3
        counts[name] = counts.get(name, 0) + weight
    return max(counts, key=lambda one: (counts[one], one)) if counts else "latin"
