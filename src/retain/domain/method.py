"""The instruction text that a derivation followed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    """A text under a name and a version; ``id`` is ``name@version``."""

    name: str
    version: str
    text: str

    @property
    def id(self) -> str:
        """How a derivation names it."""
        return f"{self.name}@{self.version}"

    @classmethod
    def of(cls, method_id: str, text: str) -> Method:
        """The method with this id."""
        name, _, version = method_id.partition("@")
        return cls(name, version, text)
