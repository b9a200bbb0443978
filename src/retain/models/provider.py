"""Providers of models: what they are called, what they accept, and where they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from retain.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider's class is, imported only when it is used.

    Attributes:
        module, attribute: the class.
        options: the keyword arguments it takes.
        required: those of them that have no default.
    """

    module: str
    attribute: str
    options: tuple[str, ...] = ()
    required: tuple[str, ...] = ()

    def create(self, options: Mapping[str, Any]) -> Any:
        """An instance with these options, which ``check_provider`` has accepted."""
        return getattr(import_module(self.module), self.attribute)(**options)


def check_provider(
    kind: str, table: Mapping[str, Provider], name: str, options: Mapping[str, Any]
) -> Provider:
    """The provider of this name, if it is known and takes these options.

    Args:
        kind: what is configured, for messages: ``embedder`` or ``reranker``.
        table: the known providers.

    Raises:
        ConfigError: naming what is unknown or missing, and what is known.
    """
    provider = table.get(name)
    if provider is None:
        raise ConfigError(
            f"{kind} provider {name!r} is unknown{suggestion(name, table)}; "
            f"known are {listed(table)}",
            field=kind,
            value=name,
        )
    for option in options:
        if option not in provider.options:
            takes = f"it takes {listed(provider.options)}" if provider.options else "it takes none"
            raise ConfigError(
                f"{kind} provider {name!r} has no option {option!r}"
                f"{suggestion(option, provider.options)}; {takes}",
                field=f"{kind}.{option}",
            )
    for option in provider.required:
        if options.get(option) is None:
            raise ConfigError(
                f"{kind} provider {name!r} needs the option {option!r}", field=f"{kind}.{option}"
            )
    return provider


def suggestion(name: object, known: Iterable[str]) -> str:
    """``" (did you mean 'x'?)"`` where a known name is near, else nothing."""
    near = get_close_matches(str(name), list(known), n=1, cutoff=0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def listed(names: Iterable[str]) -> str:
    """The names in order, quoted, for a message."""
    return ", ".join(repr(name) for name in sorted(names))
