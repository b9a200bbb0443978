"""Which model, and with what options: chosen by a caller, not yet built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from retain.errors import ConfigError

_SECRET_WORDS: Final = ("key", "token", "secret", "password", "credential", "headers", "extra")


@dataclass(frozen=True, slots=True, repr=False)
class ModelSettings:
    """A model: its provider, and the provider's options (model, api_key, base_url, ...).

    Its ``repr`` hides the values of options that may hold a secret.

    Raises:
        ConfigError: the provider is no text, or the options are no mapping of names.
    """

    provider: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.provider, str) or not self.provider.strip():
            raise unfit("provider", self.provider, "the name of a provider")
        if not isinstance(self.options, Mapping) or not all(
            isinstance(name, str) for name in self.options
        ):
            raise ConfigError(
                f"the options of provider {self.provider!r} must be a mapping with names as keys, "
                f"not {type(self.options).__name__}",
                field="options",
            )

    def __repr__(self) -> str:
        shown = {
            name: "***" if value is not None and _is_secret(name) else value
            for name, value in self.options.items()
        }
        return f"ModelSettings({self.provider!r}, {shown!r})"


def model_from(kind: str, value: Any) -> Any:
    """A model as a caller may write it: a name, a mapping, settings, or an object of his own.

    Args:
        kind: ``embedder``, ``reranker`` or ``llm``.
        value: ``"provider"``, ``"provider:model"``, or a mapping with ``provider`` and its options
            beside it or under ``options``; anything else is returned as it is.
    """
    if isinstance(value, str):
        provider, _, model = value.partition(":")
        return ModelSettings(provider.strip(), {"model": model.strip()} if model.strip() else {})
    if isinstance(value, Mapping):
        rest = dict(value)
        provider = rest.pop("provider", None)
        if provider is None:
            raise ConfigError(f"{kind} names no provider: {sorted(rest)}", field=kind)
        options = rest.pop("options", None) or {}
        if not isinstance(options, Mapping):
            raise unfit(f"{kind}.options", options, "a mapping")
        return ModelSettings(provider, {**options, **rest})
    return value


def unfit(name: str, value: object, needed: str) -> ConfigError:
    """The error that names a field, what it holds, and what it needs."""
    # A mapping may hold a key of a service: only its type is shown.
    shown = f"a {type(value).__name__}" if isinstance(value, Mapping) else repr(value)
    return ConfigError(f"{name} must be {needed}, not {shown}", field=name)


def _is_secret(option: str) -> bool:
    return any(word in option.lower() for word in _SECRET_WORDS)
