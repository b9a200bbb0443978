"""Chat models: one small file a provider, loaded when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retain.errors import ConfigError
from retain.models.choice import ModelSettings
from retain.models.provider import Provider, check_provider

if TYPE_CHECKING:
    from retain.models.base import ChatModel

_HERE = __name__
_SHARED: Final = (
    "model", "api_key", "base_url", "temperature", "top_p", "max_tokens", "timeout",
    "max_retries", "context_tokens", "concurrency", "structured", "extra",
)  # fmt: skip

CHATS: Final[dict[str, Provider]] = {
    "openai": Provider(f"{_HERE}.openai", "OpenAIChat", (*_SHARED, "headers", "seed")),
    "litellm": Provider(
        f"{_HERE}.litellm", "LiteLLMChat", (*_SHARED, "api_version"), required=("model",)
    ),
    "langchain": Provider(
        f"{_HERE}.langchain", "LangchainChat", ("model", "name", "context_tokens"),
        required=("model",),
    ),
}  # fmt: skip


def is_chat(value: object) -> bool:
    """Whether an object has the members of ``ChatModel``; none of them is touched."""
    members = dir(value)
    return all(member in members for member in ("name", "parameters", "window", "complete"))


def build_chat(settings: ModelSettings | ChatModel) -> ChatModel:
    """The chat model that the settings name, or the caller's own.

    Raises:
        ConfigError: an unknown provider or option, or an object that is no chat model.
        MissingExtra: the provider's package is not installed.
    """
    if not isinstance(settings, ModelSettings):
        if not is_chat(settings):
            raise ConfigError(
                f"{settings!r} is no chat model: it needs name, parameters, window and complete "
                "(see retain.models.base.ChatModel)",
                field="llm",
            )
        return settings
    provider = check_provider("llm", CHATS, settings.provider, settings.options)
    chat: ChatModel = provider.create(settings.options)
    return chat
