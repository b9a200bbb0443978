"""Whether a statement denies what its sources affirm, or affirms what they deny."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retain.learn.ground.claims import Claims, Content, Denial
from retain.learn.ground.lexicon import ANTONYMS
from retain.learn.ground.reading import FAR, Reading
from retain.learn.ground.sources import Source

_AHEAD, _BACK = 4, 2  # words after and before a denying word that it may deny
_TIGHT = 3  # words behind a negator that it denies for certain
_LEAST_ALIGNED = 3  # shared words from which a sentence is taken to say what the statement says
_NONE: frozenset[str] = frozenset()
_opposites: dict[str, frozenset[str]] = {}
for _one, _other in ANTONYMS:
    for _words, _against in ((_one, _other), (_other, _one)):
        for _word in _words:
            _opposites[_word] = _opposites.get(_word, _NONE) | _against


def opposites(key: str) -> frozenset[str]:
    """The words that say the opposite of one."""
    return _opposites.get(key, _NONE)


def supports_denial(claims: Claims, denial: Denial, unit: Sequence[Source]) -> bool:
    """Whether the sentences of a unit that are most like the denying one deny the same."""
    own = claims.reading
    heads = {own.terms[index] for index in denial.heads}
    terms = heads | {
        content.term
        for content in claims.content
        if own.sentences[content.index] == own.sentences[denial.negator]
    }
    if any(opposites(own.keys[index]) & source.keys for index in denial.heads for source in unit):
        return True
    for source, sentences in _aligned(unit, terms, heads):
        reading = source.reading
        first = own.terms[denial.heads[0]] if denial.heads else None
        said = _standing(reading, [first] if first is not None else [], sentences) or _standing(
            reading, heads, sentences
        )
        if said:
            if any(_is_denied(reading, at) for at in said):
                return True
        elif any(reading.sentences[at] in sentences for at in reading.denials) or any(
            reading.clauses[at] in reading.denied_clauses
            for at, sentence in enumerate(reading.sentences)
            if sentence in sentences
        ):
            return True
    return False


def affirms_denied(claims: Claims, unit: Sequence[Source]) -> Content | None:
    """The first word that the statement affirms and the unit, where it is most alike, denies."""
    own = claims.reading
    for content in claims.content:
        against = opposites(content.key)
        if not against and (content.telling or not _ever_denied(content, unit)):
            continue
        if _is_denied(own, content.index):
            continue
        sentence = own.sentences[content.index]
        terms = {one.term for one in claims.content if own.sentences[one.index] == sentence}
        said = [
            (source.reading, at)
            for source, sentences in _aligned(unit, terms, {content.term}, _LEAST_ALIGNED)
            for at in _standing(source.reading, [content.term], sentences)
        ]
        if said and all(reading.denied[at] <= _TIGHT for reading, at in said):
            return content
        if _is_opposed(claims, content, unit):
            return content
    return None


def _ever_denied(content: Content, unit: Sequence[Source]) -> bool:
    return any(
        source.reading.denied[at] <= _TIGHT
        for source in unit
        for at in source.reading.where.get(content.term, ())
    )


def _is_opposed(claims: Claims, content: Content, unit: Sequence[Source]) -> bool:
    """Whether the unit says the opposite word, affirmed, and the word itself nowhere."""
    against = opposites(content.key)
    if not against or any(content.term in source.reading.where for source in unit):
        return False
    others = {one.term for one in claims.content} - {content.term}
    for source in unit:
        reading = source.reading
        for at, key in enumerate(reading.keys):
            if key in against and reading.denied[at] == FAR:
                sentence = reading.sentences[at]
                shared = sum(
                    any(reading.sentences[one] == sentence for one in reading.where.get(term, ()))
                    for term in others
                )
                if shared and shared >= min(_LEAST_ALIGNED - 1, len(others)):
                    return True
    return False


def _aligned(
    unit: Sequence[Source], terms: set[int], heads: set[int], least: int = 1
) -> list[tuple[Source, set[int]]]:
    """The sentences of a unit that share most with the statement; heads count twice."""
    shared: dict[tuple[int, int], int] = {}
    for number, source in enumerate(unit):
        reading = source.reading
        for term in terms:
            for sentence in {reading.sentences[at] for at in reading.where.get(term, ())}:
                key = number, sentence
                shared[key] = shared.get(key, 0) + (2 if term in heads else 1)
    most = max(shared.values(), default=0)
    if most < min(least, len(terms)):
        return []
    best: dict[int, set[int]] = {}
    for (number, sentence), count in shared.items():
        if count == most:
            best.setdefault(number, set()).add(sentence)
    return [(unit[number], sentences) for number, sentences in best.items()]


def _standing(reading: Reading, terms: Iterable[int], sentences: set[int]) -> list[int]:
    return [
        at
        for term in terms
        for at in reading.where.get(term, ())
        if reading.sentences[at] in sentences
    ]


def _is_denied(reading: Reading, at: int) -> bool:
    if reading.denied[at] < FAR or reading.clauses[at] in reading.denied_clauses:
        return True
    return any(
        reading.clauses[one] == reading.clauses[at] and -_BACK <= at - one <= _AHEAD and at != one
        for one in reading.denials
    )
