"""How a speaker introduces themselves: "Hi, I'm Ana", "call me Bob"."""

from __future__ import annotations

from collections.abc import Iterator

from retain.learn.extract.rules import phrase
from retain.learn.extract.rules.clause import Clause, is_unreal_after
from retain.learn.extract.rules.rule import Finding, Person, compiled

_CALL_ME = compiled(
    r"(?:you can call me|(?:everyone|everybody|people|friends|my friends) calls? me|call me)\s+"
)
_GREETED = compiled(
    r"\s*(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon))(?:\s(?:there|all|everyone"
    r"|everybody))?[\s,!.]+$"
)
_I_AM = compiled(r"(?:i'm|i am|im)\s+")
_ENDS = compiled(r"\s*(?:$|[.,!;]|(?:and|from)\b|\s-)")
# "Hi, I'm Hungry": a mood, a trade or a people with a capital is no name.
_NO_NAME = frozenset("""
hungry happy sad tired bored excited curious new back here fine good great okay ok sorry glad
ready sick busy lost stuck confused worried nervous anxious angry upset afraid scared lonely
depressed stressed thirsty sleepy interested looking trying working thinking planning feeling
having going doing writing learning studying vegan vegetarian catholic christian muslim jewish
buddhist hindu atheist single married divorced engaged american british english german french
spanish italian russian chinese japanese korean indian canadian australian norwegian swedish
danish finnish dutch polish turkish greek irish scottish mexican brazilian african european asian
republican democrat autistic gay lesbian bi bisexual straight trans queer pregnant doctor teacher
nurse engineer student developer team senior junior founder ceo cto manager mom dad
""".split())  # fmt: skip


def introductions(speaker: Person, clause: Clause) -> Iterator[Finding]:
    """The name by which a speaker introduces themselves."""
    match = _CALL_ME.match(clause.text)
    if match is not None:
        end = phrase.first_name(clause.text, match.end())
        if (
            end is not None
            and _ENDS.match(clause.text, end)
            and not _is_mood(clause.text[match.end() : end])
        ):
            name = clause.text[match.end() : end]
            yield Finding("identity.call_me", speaker, "nickname", name, f" goes by {name}", end)
        return
    match = _I_AM.match(clause.text)
    if match is None or _GREETED.search(clause.lead) is None:
        return
    end = phrase.first_name(clause.text, match.end())
    if end is None or not _ENDS.match(clause.text, end) or is_unreal_after(clause.text[end:]):
        return
    name = clause.text[match.end() : end]
    if not _is_mood(name):
        yield Finding(
            "identity.introduced", speaker, "name", name, f" is called {name}", end, single=True
        )


def _is_mood(name: str) -> bool:
    return any(
        word.lower() in _NO_NAME or not word[1:].islower() or word.endswith(("ing", "ed", "est"))
        for word in name.split()
    )
