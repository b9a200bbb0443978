"""Words that speak of one thing about a person: a home, a job, a birthday, a spouse.

Who asks rarely uses the word of who told: "What is my job?" of "I work as a carpenter". These are
the things that the extraction rules know; words that everybody's talk is full of are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from retain.analysis.words import terms_of, words

_KIN = (
    # home
    """
    live lives lived reside resides home address moved
    wohne wohnst wohnt wohnen zuhause wohnort umgezogen gezogen
    vivo vives vive vivir mudé mudado domicilio
    habite habites habiter déménagé domicile
    abito abiti abita abitare vivi trasferito trasferita
    moro moras mora morar mudei
    живу живёшь живёт жить переехал переехала
    """,
    # job
    """
    job occupation profession career work works employer employed
    beruf arbeite arbeitest arbeitet arbeiten arbeitgeber
    trabajo trabajas trabaja profesión empleo oficio
    travaille travailles travailler métier emploi
    lavoro lavori lavora professione mestiere
    trabalho trabalhas trabalha profissão emprego
    работаю работаешь работает работа профессия
    """,
    # birthday
    """
    birthday born birth geburtstag geboren cumpleaños nací nacido nacida anniversaire né née
    compleanno nato nata aniversário nasci nascido nascida
    """,
    # spouse
    """
    wife husband spouse married ehefrau ehemann verheiratet esposa esposo casado casada mari marié
    mariée moglie marito sposato sposata жена муж женат замужем
    """,
)


@cache
def _kin_by_term() -> Mapping[int, frozenset[int]]:
    found: dict[int, frozenset[int]] = {}
    for group in _KIN:
        terms = frozenset(terms_of(words(group)))
        for term in terms:
            found[term] = found.get(term, frozenset()) | terms
    return found


def kin_of(term: int) -> frozenset[int]:
    """The terms that speak of the same thing about a person, itself not among them; mostly none."""
    return _kin_by_term().get(term, frozenset()) - {term}
