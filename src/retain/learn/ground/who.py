# ruff: noqa: E501 (a table reads best by its rows)
"""Of whom a statement says something, and of whom its sources do."""

from __future__ import annotations

from collections.abc import Sequence

from retain.learn.ground.claims import Claims, own_name
from retain.learn.ground.lexicon import KIN, OWN_NAME
from retain.learn.ground.reading import Reading
from retain.learn.ground.sources import Source

# fmt: off
_SPEAKER = frozenset("i we me us im ich wir mir mich je j nous yo nosotros me mi eu nós io noi я мы мне меня 我 我们 私 僕 俺 저 나 나는 저는 우리 मैं हम मुझे أنا نحن".split())
_OTHERS = frozenset("he she they er sie il elle ils elles él ella ellos ellas ele ela eles elas lui lei loro он она они 他 她 他们 彼 彼女 그 그녀 वह वे هو هي هم".split())
_USER = frozenset("user speaker benutzer nutzer utilisateur usuario usuário utente пользователь 用户 ユーザ ユーザー 사용자 उपयोगकर्ता المستخدم".split())
# fmt: on


def unsupported_name(claims: Claims, sources: Sequence[Source]) -> str | None:
    """The name that the statement gives the user and that the user did not give as their own."""
    name = claims.own_name
    if name is None:
        return None
    wanted = name.casefold()
    first = wanted.split()[0] if wanted.split() else wanted
    for source in sources:
        if source.speaker and first in source.speaker.casefold():
            return None
        text = source.reading.text
        told = own_name(text)
        if told is not None and told.casefold() == wanted:
            return None
        if source.role == "assistant":
            continue
        for match in OWN_NAME.finditer(text):
            rest = text[match.end() : match.end() + len(first) + 1].casefold()
            if rest.startswith(first) and rest[len(first) :] not in {"'", "’"}:
                return None
    return name


def told_of_another(claims: Claims, unit: Sequence[Source]) -> str | None:
    """Whom the unit says it of, where the statement says of the user what is said of another.

    Told by the word that follows the user's in the statement: before each place where the user's
    turns have it, the nearest word for a person is a relative or a third person.
    """
    reading = claims.reading
    if not reading.keys:
        return None
    opening = 1 if reading.keys[0] == "the" else 0
    if len(reading.keys) <= opening or reading.keys[opening] not in _USER:
        return None
    if reading.text[reading.starts[opening] :].partition(" ")[0].endswith(("'s", "s'")):
        return None
    told = next((one for one in claims.content if not one.telling), None)
    if told is None:
        return None
    mentioned = {KIN[key] for key in reading.keys if key in KIN}
    other = None
    for source in unit:
        if source.role == "assistant":
            continue
        for at in source.reading.where.get(told.term, ()):
            person = _person_before(source.reading, at, mentioned)
            if person is None:
                return None
            other = other or person
    return other


def _person_before(reading: Reading, at: int, mentioned: set[int]) -> str | None:
    """The relative or third person nearest before a word; None for the speaker or nobody."""
    sentence = reading.sentences[at]
    for index in range(at - 1, -1, -1):
        if reading.sentences[index] != sentence:
            return None
        key = reading.keys[index]
        if key in _SPEAKER:
            return None
        if key in _OTHERS or (key in KIN and KIN[key] not in mentioned):
            return reading.surfaces[index]
    return None


def missing_kin(claims: Claims, sources: Sequence[Source]) -> list[str]:
    """The relatives of whom the statement speaks and no source does."""
    reading = claims.reading
    known = set().union(*(source.kin for source in sources)) if sources else set()
    return [
        reading.surfaces[index]
        for index, key in enumerate(reading.keys)
        if key in KIN and KIN[key] not in known
    ]
