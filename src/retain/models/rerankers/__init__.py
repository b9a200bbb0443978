"""Rerankers: one small file a provider, loaded when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retain.errors import ConfigError
from retain.models.choice import ModelSettings
from retain.models.provider import Provider, check_provider

if TYPE_CHECKING:
    from retain.models.base import Reranker

_HERE = __name__

RERANKERS: Final[dict[str, Provider]] = {
    "sentence-transformers": Provider(
        f"{_HERE}.sentence_transformers",
        "CrossEncoderReranker",
        ("model", "device", "batch_size", "max_length", "model_kwargs"),
    ),
    "litellm": Provider(
        f"{_HERE}.litellm",
        "LiteLLMReranker",
        ("model", "api_key", "base_url", "timeout", "max_retries", "extra"),
        required=("model",),
    ),
}


def is_reranker(value: object) -> bool:
    """Whether an object has the members of ``Reranker``; none of them is touched."""
    members = dir(value)
    return all(member in members for member in ("name", "rerank"))


def build_reranker(settings: ModelSettings | Reranker) -> Reranker:
    """The reranker that the settings name, or the caller's own.

    Args:
        settings: a provider and its options, or an object with the members of ``Reranker``.

    Raises:
        ConfigError: an unknown provider or option, or an object that is no reranker.
        MissingExtra: the provider's package is not installed.
        ModelUnavailable: the model cannot be loaded.
    """
    if not isinstance(settings, ModelSettings):
        if not is_reranker(settings):
            raise ConfigError(
                f"{settings!r} is no reranker: it needs name and rerank "
                "(see retain.models.base.Reranker)",
                field="reranker",
            )
        return settings
    provider = check_provider("reranker", RERANKERS, settings.provider, settings.options)
    reranker: Reranker = provider.create(settings.options)
    return reranker
