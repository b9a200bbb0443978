"""The instruction texts that derivations use: versioned files, never changed once released."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Final

from retain.domain.method import Method
from retain.errors import InvalidInput

CONVERSATION: Final = "conversation-facts"
AGENT: Final = "agent-perspective"
PROCEDURE: Final = "procedure"
EPISODE: Final = "episode"
INSIGHTS: Final = "insights"
CUSTOM: Final = "custom"


def shipped(name: str) -> Method:
    """The newest shipped version of a method."""
    versions = [method for method in shipped_methods() if method.name == name]
    return max(versions, key=lambda method: int(method.version))


@lru_cache
def shipped_methods() -> tuple[Method, ...]:
    """Every method of this release, all versions."""
    found = []
    for file in files(__package__).iterdir():
        name, _, ending = file.name.partition("@")
        if ending.endswith(".md"):
            text = file.read_text(encoding="utf-8").strip()
            found.append(Method(name, ending.removesuffix(".md"), text))
    return tuple(sorted(found, key=lambda method: method.id))


def custom(text: str) -> Method:
    """A caller's own text as a method; its version is the beginning of its SHA-256."""
    return Method(CUSTOM, hashlib.sha256(text.encode("utf-8")).hexdigest()[:12], text.strip())


def method_named(method_id: str) -> Method:
    """A shipped method by ``name@version``, or by its name alone for the newest version.

    Raises:
        InvalidInput: there is none.
    """
    for method in shipped_methods():
        if method.id == method_id:
            return method
    if any(method.name == method_id for method in shipped_methods()):
        return shipped(method_id)
    known = ", ".join(method.id for method in shipped_methods())
    raise InvalidInput(f"there is no method {method_id!r}; shipped are: {known}")
