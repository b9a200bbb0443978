"""Warnings: what was accepted, but does not do what its author may expect."""

from __future__ import annotations

from typing import Final


class RetainWarning(UserWarning):
    """A setting or argument was accepted without having the effect it has elsewhere."""


INSTRUCTIONS_NOT_USED: Final = (
    "custom_instructions are for a chat model, and none is configured: rules learn without them. "
    "Set llm to use them"
)
