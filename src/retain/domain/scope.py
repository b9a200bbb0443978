"""Whose memory it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retain.domain.plain import plain_text, shown
from retain.errors import InvalidScope

MAX_ID = 1024  # characters


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory: a project (tenant) and at least one of user, agent and run (session).

    An id left out means *any* when reading, and *none* when writing.
    """

    project: str = "default"
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no identity is named at all."""
        return self.user_id is None and self.agent_id is None and self.run_id is None

    @property
    def owner(self) -> tuple[str, str]:
        """The one identity whose memories lie together: the user, else the agent, else the run."""
        if self.user_id is not None:
            return ("user", self.user_id)
        if self.agent_id is not None:
            return ("agent", self.agent_id)
        if self.run_id is not None:
            return ("run", self.run_id)
        raise ValueError("an empty scope has no owner")

    @property
    def holder(self) -> Scope:
        """The scope without its run, unless the run is all there is: facts are compared here."""
        if self.user_id is None and self.agent_id is None:
            return self
        return replace(self, run_id=None)

    def covers(self, other: Scope) -> bool:
        """Whether a read of this scope may see a memory of ``other``."""
        return (
            self.project == other.project
            and self.user_id in (None, other.user_id)
            and self.agent_id in (None, other.agent_id)
            and self.run_id in (None, other.run_id)
        )

    def ids(self) -> dict[str, str]:
        """The identities that are set, by their public names."""
        named = {"user_id": self.user_id, "agent_id": self.agent_id, "run_id": self.run_id}
        return {name: value for name, value in named.items() if value is not None}


def clean_id(name: str, value: object) -> str | None:
    """A caller's identity as text, trimmed; integers become text, None stays None.

    Args:
        name: ``user_id``, ``agent_id`` or ``run_id``, for the message.
        value: what the caller passed.

    Raises:
        InvalidScope: no text and no integer, empty, with whitespace or a control character inside,
            or longer than ``MAX_ID`` characters.
    """
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= 10**MAX_ID:
            raise InvalidScope(f"Invalid {name}: an integer of more than {MAX_ID} digits")
        return str(value)
    if not isinstance(value, str):
        raise InvalidScope(
            f"Invalid {name}: must be a text or an integer, got {shown(value)}. One read has one "
            f"{name}; to read another, ask again"
        )
    trimmed = value.strip()
    if not trimmed:
        raise InvalidScope(
            f"Invalid {name}: cannot be empty or whitespace-only. Provide a valid identifier."
        )
    if any(character.isspace() for character in trimmed):
        raise InvalidScope(
            f"Invalid {name}: cannot contain whitespace, got {shown(value)}. Provide a valid "
            "identifier without spaces."
        )
    if len(trimmed) > MAX_ID:
        raise InvalidScope(f"Invalid {name}: has {len(trimmed)} characters, the limit is {MAX_ID}")
    try:
        plain_text(trimmed, name)
    except ValueError as error:
        raise InvalidScope(f"Invalid {name}: {error}") from error
    if not trimmed.isprintable():
        raise InvalidScope(f"Invalid {name}: cannot contain control characters, got {shown(value)}")
    return trimmed
