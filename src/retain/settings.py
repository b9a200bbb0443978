"""Every setting, read once and checked when it is made."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from retain.errors import ConfigError
from retain.models.base import ChatModel, Embedder, Reranker
from retain.models.chat import CHATS, is_chat
from retain.models.choice import ModelSettings, model_from, unfit
from retain.models.embedders import EMBEDDERS, is_embedder
from retain.models.provider import Provider, check_provider, listed, suggestion
from retain.models.rerankers import RERANKERS, is_reranker
from retain.notices import RetainWarning

__all__ = ["ModelSettings", "Settings", "settings_from"]

PROFILES: Final = ("default", "plain", "rem")
ENTITIES: Final = ("rules", "spacy")
GATES: Final = ("strict", "standard", "off")


@dataclass(frozen=True, slots=True)
class Settings:
    """How an instance is put together.

    Attributes:
        path: the ledger's file; ``":memory:"`` for none; None for the default place
            (``RETAIN_PATH``, else ``retain.db`` in the user's data directory).
        project: the tenant; memories of one project are never seen from another.
        embedder: provider ``static`` (default, no download), ``minilm``, ``multilingual``,
            ``fastembed``, ``sentence-transformers``, ``openai``, ``litellm``, ``langchain``;
            or an object of the caller with the members of ``Embedder``.
        reranker: None, or provider ``sentence-transformers`` or ``litellm``; or an object of the
            caller with the members of ``Reranker``.
        llm: None learns by rules alone, with no model; else a chat model: provider ``openai`` (any
            compatible endpoint), ``litellm`` or ``langchain``, or an object of the caller with the
            members of ``ChatModel``.
        profile: the ranking: ``default``, ``plain`` (BM25 and vectors, summed), ``rem``.
        entities: what finds named things: ``rules`` (any script), or ``spacy`` (English texts;
            needs the extra of that name).
        custom_instructions: for the method by which a chat model extracts; without effect (and
            warned of) while rules alone learn.
        gate: what a model's statement must show to be held: ``strict``, ``standard`` or ``off``.
        extraction_tokens: the most that one call of ``add`` may send to the chat model.
        busy_timeout: seconds to wait for another writer.
        rerank_timeout: seconds a reranker may take before its answer is done without.
        cache_megabytes: what the search cache may hold, over all scopes.
        session_gap: seconds of silence after which a new turn starts a new session.
        consolidate_after: how many new episodes start a consolidation in the background; None:
            it runs when it is called.

    Raises:
        ConfigError: a value that cannot be used; the message names field, value and way out.
    """

    path: str | Path | None = None
    project: str = "default"
    embedder: ModelSettings | Embedder = field(default_factory=lambda: ModelSettings("static"))
    reranker: ModelSettings | Reranker | None = None
    llm: ModelSettings | ChatModel | None = None
    profile: str = "default"
    entities: str = "rules"
    custom_instructions: str | None = None
    gate: str = "standard"
    extraction_tokens: int = 1_000_000
    busy_timeout: float = 30.0
    rerank_timeout: float = 5.0
    cache_megabytes: int = 512
    session_gap: float = 3600.0
    consolidate_after: int | None = None

    def __post_init__(self) -> None:
        _check_path(self.path)
        if not isinstance(self.project, str) or not self.project.strip():
            raise unfit("project", self.project, "a text that is not blank")
        if not self.project.isprintable():
            raise unfit("project", self.project, "a text without control characters")
        _check_model("embedder", self.embedder, EMBEDDERS, is_embedder)
        if self.reranker is not None:
            _check_model("reranker", self.reranker, RERANKERS, is_reranker)
        if self.llm is not None:
            _check_chat(self.llm)
        if self.profile not in PROFILES:
            hint = suggestion(self.profile, PROFILES)
            raise unfit("profile", self.profile, f"one of {listed(PROFILES)}{hint}")
        if self.entities not in ENTITIES:
            hint = suggestion(self.entities, ENTITIES)
            raise unfit("entities", self.entities, f"one of {listed(ENTITIES)}{hint}")
        if not isinstance(self.custom_instructions, str | None):
            raise unfit("custom_instructions", self.custom_instructions, "a text or None")
        if self.gate not in GATES:
            raise unfit("gate", self.gate, f"one of {listed(GATES)}{suggestion(self.gate, GATES)}")
        most = self.extraction_tokens
        if not isinstance(most, int) or isinstance(most, bool) or most < 1:
            raise unfit("extraction_tokens", most, "a whole number of tokens, 1 or more")
        _check_seconds("busy_timeout", self.busy_timeout, zero=True)
        _check_seconds("rerank_timeout", self.rerank_timeout, zero=False)
        _check_seconds("session_gap", self.session_gap, zero=False)
        after = self.consolidate_after
        if after is not None and (
            not isinstance(after, int) or isinstance(after, bool) or after < 1
        ):
            raise unfit("consolidate_after", after, "a whole number of episodes from 1, or None")
        size = self.cache_megabytes
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise unfit("cache_megabytes", size, "a whole number of megabytes, 0 or more")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """The defaults, with what the environment sets.

        Read are ``RETAIN_`` and the name of a field, in capitals: ``RETAIN_PATH``,
        ``RETAIN_PROJECT``, ``RETAIN_PROFILE``, ... A model is named by its provider, or by
        provider and model with a colon between (``RETAIN_EMBEDDER=openai:text-embedding-3-small``);
        its further options have variables of their own (``RETAIN_EMBEDDER_BASE_URL``,
        ``RETAIN_EMBEDDER_DIMENSIONS``). An empty variable counts as not set.

        Args:
            environ: the variables; those of the process if None.

        Raises:
            ConfigError: a value that cannot be used; the message names the variable.
        """
        from retain.environment import read_environment

        return cls(**read_environment(os.environ if environ is None else environ))

    def resolved_path(self) -> str:
        """The ledger's file as text, after ``RETAIN_PATH`` and the default place."""
        if self.path is not None:
            return _expanded(str(self.path))
        named = os.environ.get("RETAIN_PATH")
        if named:
            return _expanded(named)
        from platformdirs import user_data_dir

        return str(Path(user_data_dir("retain", appauthor=False)) / "retain.db")


def settings_from(config: str | Path | Settings | Mapping[str, Any] | None) -> Settings:
    """The settings that a caller means, over what the environment sets.

    Args:
        config: None for the environment's alone, the ledger's path, settings (taken as they
            are), or a mapping: the names of ``Settings``, or a configuration of Mem0's shape.

    Returns:
        Settings, checked. What Mem0's shape holds without meaning here is warned of.

    Raises:
        ConfigError: an unknown name (with the nearest known one), or a value that cannot be used.
    """
    if isinstance(config, Settings):
        return config
    if config is None:
        return Settings.from_env()
    if isinstance(config, str | Path):
        return replace(Settings.from_env(), path=config)
    if isinstance(config, Mapping):
        values, notes = _read_mapping(config)
        for note in notes:
            warnings.warn(note, RetainWarning, stacklevel=4)
        return replace(Settings.from_env(), **values)
    raise ConfigError(
        f"config must be a path, Settings or a mapping, not {type(config).__name__}",
        field="config",
    )


def field_names() -> tuple[str, ...]:
    """The names of all settings."""
    return tuple(each.name for each in fields(Settings))


def _read_mapping(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    from retain.compat.mem0_config import TOP_LEVEL, is_mem0_shaped, read_mem0_config

    known = {*field_names(), *TOP_LEVEL}
    for name in config:
        if name not in known:
            raise ConfigError(
                f"setting {name!r} is unknown{suggestion(name, known)}; "
                f"known are {listed(field_names())}",
                field=str(name),
            )
    if is_mem0_shaped(config):
        return read_mem0_config(config)
    models = ("embedder", "reranker", "llm")
    return {
        name: model_from(name, value) if name in models else value for name, value in config.items()
    }, []


def _check_path(path: object) -> None:
    if path is None:
        return
    if not isinstance(path, str | Path) or not str(path).strip() or "\x00" in str(path):
        raise unfit("path", path, "a file's path, ':memory:' or None")


def _check_model(
    kind: str,
    value: object,
    table: Mapping[str, Provider],
    fits: Callable[[object], bool],
) -> None:
    if isinstance(value, ModelSettings):
        check_provider(kind, table, value.provider, value.options)
    elif not fits(value):
        example = f"ModelSettings({value!r})" if isinstance(value, str) else "ModelSettings('...')"
        raise unfit(
            kind, value, f"{example} with one of {listed(table)}, or a {kind} object of your own"
        )


def _check_chat(value: object) -> None:
    if isinstance(value, ModelSettings):
        check_provider("llm", CHATS, value.provider, value.options)
    elif not is_chat(value):
        raise unfit(
            "llm",
            value,
            f"ModelSettings with one of {listed(CHATS)}, a chat model object of your own, or None",
        )


def _check_seconds(name: str, value: object, *, zero: bool) -> None:
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    if usable and math.isfinite(value) and (value > 0 or (zero and value == 0)):  # type: ignore[arg-type,operator]
        return
    raise unfit(name, value, f"a number of seconds {'from 0' if zero else 'above 0'}")


def _expanded(path: str) -> str:
    return str(Path(path).expanduser()) if path.startswith("~") else path
