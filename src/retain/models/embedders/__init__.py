"""Embedders: one small file a provider, loaded when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retain.errors import ConfigError
from retain.models.choice import ModelSettings
from retain.models.provider import Provider, check_provider

if TYPE_CHECKING:
    from retain.models.base import Embedder

_HERE = __name__

EMBEDDERS: Final[dict[str, Provider]] = {
    "static": Provider(f"{_HERE}.static", "StaticEmbedder"),
    "minilm": Provider(
        f"{_HERE}.minilm", "MiniLmEmbedder", ("model_path", "tokenizer_path", "threads")
    ),
    "multilingual": Provider(f"{_HERE}.multilingual", "MultilingualEmbedder"),
    "fastembed": Provider(
        f"{_HERE}.fastembed", "FastEmbedEmbedder", ("model", "batch_size", "cache_dir", "threads")
    ),
    "sentence-transformers": Provider(
        f"{_HERE}.sentence_transformers",
        "SentenceTransformersEmbedder",
        ("model", "device", "batch_size", "model_kwargs"),
    ),
    "openai": Provider(
        f"{_HERE}.openai",
        "OpenAIEmbedder",
        (
            "model", "api_key", "base_url", "dimensions", "request_dimensions",
            "batch_size", "timeout", "max_retries", "headers",
        ),
    ),
    "litellm": Provider(
        f"{_HERE}.litellm",
        "LiteLLMEmbedder",
        (
            "model", "api_key", "base_url", "api_version", "dimensions",
            "batch_size", "timeout", "max_retries", "extra",
        ),
        required=("model",),
    ),
    "langchain": Provider(
        f"{_HERE}.langchain", "LangchainEmbedder", ("model", "name"), required=("model",)
    ),
}  # fmt: skip


def is_embedder(value: object) -> bool:
    """Whether an object has the members of ``Embedder``; none of them is touched."""
    members = dir(value)
    return all(
        member in members for member in ("name", "dimension", "embed_documents", "embed_query")
    )


def build_embedder(settings: ModelSettings | Embedder) -> Embedder:
    """The embedder that the settings name, or the caller's own, guarded.

    Every embedder but the default is wrapped so that what it answers is checked: as many
    vectors as texts, of one dimension, finite, and brought to length 1.

    Args:
        settings: a provider and its options, or an object with the members of ``Embedder``.

    Raises:
        ConfigError: an unknown provider or option, or an object that is no embedder.
        MissingExtra: the provider's package is not installed.
        ModelUnavailable: the model cannot be loaded.
    """
    if not isinstance(settings, ModelSettings):
        if not is_embedder(settings):
            raise ConfigError(
                f"{settings!r} is no embedder: it needs name, dimension, embed_documents and "
                "embed_query (see retain.models.base.Embedder)",
                field="embedder",
            )
        from retain.models.embedders.checked import guard

        return guard(settings)
    provider = check_provider("embedder", EMBEDDERS, settings.provider, settings.options)
    if settings.provider == "static":
        default: Embedder = provider.create(settings.options)
        return default
    from retain.models.embedders.checked import guard

    return guard(provider.create(settings.options))
