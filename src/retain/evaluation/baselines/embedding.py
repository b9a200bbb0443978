"""The embedder of given settings, for baselines that must use the same vectors as Retain."""

from __future__ import annotations

from retain.models.base import Embedder
from retain.settings import Settings


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that ``Memory(settings)`` would use.

    Raises:
        ConfigError: there is no such embedder, or its package is not installed.
    """
    from retain.models.embedders import build_embedder

    return build_embedder(settings.embedder)
