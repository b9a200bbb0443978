"""Settings from variables of the environment; only names that start with ``RETAIN_`` are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from retain.errors import ConfigError
from retain.models.choice import ModelSettings, model_from

_PREFIX: Final = "RETAIN_"
_NUMBERS: Final = frozenset(
    "dimensions batch_size max_retries max_length threads max_tokens context_tokens concurrency "
    "seed".split()
)
_FRACTIONS: Final = frozenset({"timeout", "temperature", "top_p"})
_MAPPINGS: Final = frozenset({"headers", "extra"})
_TRUTH: Final = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """The fields of ``Settings`` that variables set.

    Raises:
        ConfigError: a number that is none; options of a model that no variable names.
    """
    values: dict[str, Any] = {}
    for name in ("path", "project", "profile", "entities", "custom_instructions", "gate"):
        if text := environ.get(_PREFIX + name.upper()):
            values[name] = text
    for name in ("busy_timeout", "rerank_timeout", "session_gap"):
        if text := environ.get(_PREFIX + name.upper()):
            values[name] = _number(float, _PREFIX + name.upper(), text)
    for name in ("cache_megabytes", "extraction_tokens"):
        if text := environ.get(_PREFIX + name.upper()):
            values[name] = _number(int, _PREFIX + name.upper(), text)
    for kind in ("embedder", "reranker", "llm"):
        model = _model(kind, environ)
        if model is not None:
            values[kind] = model
    return values


def _model(kind: str, environ: Mapping[str, str]) -> ModelSettings | None:
    variable = _PREFIX + kind.upper()
    options = {
        name.removeprefix(f"{variable}_").lower(): text
        for name, text in environ.items()
        if name.startswith(f"{variable}_") and text
    }
    named = environ.get(variable)
    if not named:
        if options:
            first = f"{variable}_{min(options).upper()}"
            raise ConfigError(
                f"{first} is set, but not {variable}, which names the provider", field=kind
            )
        return None
    model = model_from(kind, named)
    typed = {
        name: _option(f"{variable}_{name.upper()}", name, text) for name, text in options.items()
    }
    return ModelSettings(model.provider, {**model.options, **typed})


def _option(variable: str, name: str, text: str) -> Any:
    if name in _NUMBERS:
        return _number(int, variable, text)
    if name in _FRACTIONS:
        return _number(float, variable, text)
    if name in _MAPPINGS:
        return _mapping(variable, text)
    if name == "request_dimensions":
        if text.lower() not in _TRUTH:
            raise ConfigError(f"{variable} must be true or false, not {text!r}", field=variable)
        return _TRUTH[text.lower()]
    return text


def _mapping(variable: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        # What it holds may be a secret: it is not shown.
        raise ConfigError(f"{variable} must be a JSON object", field=variable)
    return value


def _number(kind: Callable[[str], Any], variable: str, text: str) -> Any:
    try:
        return kind(text)
    except ValueError as error:
        raise ConfigError(
            f"{variable} must be a number, not {text!r}", field=variable, value=text
        ) from error
