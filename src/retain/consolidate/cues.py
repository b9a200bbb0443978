"""The words that tell what kind of thing a recurring sentence says."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from retain.analysis.cue_words import pattern

CACHED: Final = 65_536  # sentences
CHANGES: Final = pattern(
    "now|no longer|from now on|these days|anymore|any more|instead of|instead|switched|"
    "changed|jetzt|nicht mehr|ab jetzt|künftig|ahora|ya no|desde ahora|maintenant|"
    "désormais|现在|不再|이제|もう|今は"
)
NAMES_THE_OLD: Final = pattern(
    "no longer|instead of|rather than|anymore|any more|nicht mehr|statt|ya no|en vez de|ne plus|"
    "au lieu|不再|더 이상|もう"
)
PREFERS: Final = pattern(
    "prefer*|wants|want|wanted|likes|like|liked|loves|dislikes|hates|insist*|asked for|asked me|"
    "asks for|would rather|favourite|favorite|bevorzug*|möchte|will|wollte|mag|besteht auf|"
    "wünscht|prefiere|quiere|quería|pidió|pide|gusta|préfère|veut|喜欢|想要|선호|원해|好む|"
    "欲しい"
)
DEMANDS: Final = pattern(
    "must|must not|never|always|should|has to|have to|needs|need|require*|only|forbidden|"
    "not allowed|muss|müssen|darf nicht|nie|immer|nur|debe|deben|hay que|siempre|nunca|"
    "solo|doit|jamais|必须|不能|总是|반드시|항상|必ず"
)
FAILS: Final = pattern(
    "fail*|timed out|timeout|broke|broken|crash*|error|errors|blocked|refused|rejected|"
    "lost|wrong|missing|fehlgeschlagen|schlug fehl|abgestürzt|fehler|voll|falló|cayó|error|"
    "bloque*|échou*|失败|错误|실패|오류|失敗|エラー"
)
WORKS: Final = pattern(
    "worked|works|passed|helped|solved|fixed|succeeded|"
    "half|geholfen|klappte|gelöst|funcionó|ayudó|resolvió|marché|成功|有效|성공|해결|うまく"
)


@lru_cache(maxsize=CACHED)
def tells_change(text: str) -> bool:
    """Whether a sentence says that something is otherwise than before."""
    return CHANGES.search(text) is not None


@lru_cache(maxsize=CACHED)
def tells_wish(text: str) -> bool:
    """Whether a sentence says what somebody wants or likes."""
    return PREFERS.search(text) is not None


@lru_cache(maxsize=CACHED)
def names_the_old(text: str) -> bool:
    """Whether a sentence of a change names what was before."""
    return NAMES_THE_OLD.search(text) is not None


def forget_words() -> None:
    """Drop the sentences that were looked at, as after an erasure."""
    for known in (tells_change, tells_wish, names_the_old):
        known.cache_clear()
