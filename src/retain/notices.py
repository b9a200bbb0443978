"""Warnings: what was accepted, but does not do what its author may expect."""

from __future__ import annotations

from typing import Final


class RetainWarning(UserWarning):
    """A setting or argument was accepted without having the effect it has elsewhere."""


INSTRUCTIONS_NOT_USED: Final = (
    "custom_instructions are for a chat model, but this version learns by rules and calls none; "
    "the setting is kept for the version that does"
)
LLM_NOT_USED: Final = (
    "a chat model is configured, but this version learns by rules and does not call it; "
    "the setting is kept for the version that does"
)
