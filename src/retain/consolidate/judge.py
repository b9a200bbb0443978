"""What a recurring statement is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from retain.consolidate.cues import DEMANDS, FAILS, PREFERS, WORKS
from retain.consolidate.statement import Statement
from retain.domain.insight import InsightType
from retain.domain.use import Outcome


def type_of(members: Sequence[Statement]) -> InsightType:
    """What kind of thing is said: by its words, and by how the episodes that say it ended."""
    ended = Counter(one.source.outcome for one in members)
    half = len(members) / 2
    failed, succeeded = ended[Outcome.FAILURE] > half, ended[Outcome.SUCCESS] > half
    if failed and _share(FAILS, members) >= half:
        return InsightType.WARNING
    if _share(PREFERS, members) >= half:
        return InsightType.PREFERENCE
    if _share(DEMANDS, members) >= half:
        return InsightType.RULE
    if failed:
        return InsightType.WARNING
    if succeeded or _share(WORKS, members) > half:
        return InsightType.SKILL
    if _share(_IS, members) >= half:
        return InsightType.FACT
    return InsightType.PATTERN


def domain_of(members: Sequence[Statement]) -> str:
    """The domain of most of the episodes; of equals the first by name."""
    counted = Counter(one.source.domain for one in members)
    return min(counted, key=lambda name: (-counted[name], name))


_IS = re.compile(
    r"(?<!\w)(?:is|are|has|have|was|were|ist|sind|hat|haben|es|son|está|tiene|est|sont)(?!\w)"
    r"|是|有|입니다|이다|です|である",
    re.IGNORECASE,
)


def _share(words: re.Pattern[str], members: Sequence[Statement]) -> int:
    return sum(words.search(one.text) is not None for one in members)
