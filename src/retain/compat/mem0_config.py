"""A configuration written for Mem0, as settings and notes on what it cannot mean here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from retain.compat.mem0_keys import (
    AZURE_KEYS,
    CHAT_NATIVE,
    EMBEDDER_KEYS,
    EMBEDDERS,
    HUGGINGFACE_SERVER,
    LLMS,
    LOCAL_STORES,
    RERANKER_KEYS,
    RERANKERS,
    RERANKERS_REFUSED,
    STORE_KEYS,
    VERTEX_PREFIX,
    Mapped,
)
from retain.errors import ConfigError
from retain.models.chat import CHATS
from retain.models.choice import ModelSettings, model_from
from retain.models.embedders import EMBEDDERS as OUR_EMBEDDERS
from retain.models.provider import Provider, listed, suggestion
from retain.models.rerankers import RERANKERS as OUR_RERANKERS

LEDGER_NAME: Final = "retain.db"
MEMORY_ONLY: Final = ":memory:"
SUPPORTED_VERSION: Final = "v1.1"

# The keys of a configuration that only Mem0's shape has; it shares others with ``Settings``.
TOP_LEVEL: Final = (
    "vector_store",
    "history_db_path",
    "version",
    "graph_store",
    "custom_fact_extraction_prompt",
    "custom_update_memory_prompt",
)
_MODELS: Final = ("embedder", "llm", "reranker")
_OURS: Final[Mapping[str, Mapping[str, Provider]]] = {
    "embedder": OUR_EMBEDDERS,
    "reranker": OUR_RERANKERS,
    "llm": CHATS,
}
_THEIRS: Final[Mapping[str, Collection[str]]] = {
    "embedder": EMBEDDERS,
    "reranker": (*RERANKERS, *RERANKERS_REFUSED),
    "llm": LLMS,
}


def is_mem0_shaped(config: Mapping[str, Any]) -> bool:
    """Whether a mapping uses a key, a ``config`` table or a provider's name of Mem0's."""
    if any(key in config for key in TOP_LEVEL):
        return True
    for kind in _MODELS:
        entry = config.get(kind)
        if isinstance(entry, Mapping):
            foreign = entry.get("provider") not in _OURS[kind]
            if "config" in entry or (foreign and entry.get("provider") in _THEIRS[kind]):
                return True
    return False


def read_mem0_config(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields of ``Settings`` that a configuration of Mem0's shape asks for.

    Mem0 spreads one memory over a vector store and a history database; here all lies in one
    file, ``retain.db`` in the vector store's folder, or else beside the history database. A
    collection becomes a project, since neither sees what another holds.

    Args:
        config: Mem0's keys; those of ``Settings`` may stand beside them, and win.

    Returns:
        The fields, and notes for the user on keys that have no effect.

    Raises:
        ConfigError: an unknown provider or option, or a value of the wrong type.
    """
    notes: list[str] = []
    values: dict[str, Any] = {
        name: value
        for name, value in config.items()
        if name not in TOP_LEVEL and name not in _MODELS
    }
    values = {**_place(config, notes), **values}
    if (embedder := config.get("embedder")) is not None:
        values["embedder"] = _embedder(embedder, notes)
    if (reranker := config.get("reranker")) is not None:
        values["reranker"] = _reranker(reranker, notes)
    if (llm := config.get("llm")) is not None:
        values["llm"] = _llm(llm, notes)
    _note_dimensions(config, values.get("embedder"), notes)
    _read_older_keys(config, values, notes)
    return values, notes


# -- where it lies --------------------------------------------------------------------------------


def _place(config: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    place: dict[str, Any] = {}
    folder: str | None = None
    store = config.get("vector_store")
    if store is not None:
        provider, options = _entry("vector_store", store, default="qdrant")
        if provider not in STORE_KEYS:
            raise _unknown_provider("vector_store", provider, STORE_KEYS)
        _refuse_unknown("vector_store", provider, options, STORE_KEYS[provider])
        if provider in LOCAL_STORES:
            folder = _text_or_none("vector_store.config.path", options.get("path"))
        if isinstance(options.get("collection_name"), str):
            place["project"] = options["collection_name"]
        _note_store(provider, options, folder, notes)
    history = _text_or_none("history_db_path", config.get("history_db_path"))
    if MEMORY_ONLY in (folder, history if folder is None else None):
        place["path"] = MEMORY_ONLY
    elif folder is not None:
        place["path"] = str(Path(folder) / LEDGER_NAME)
    elif history is not None:
        place["path"] = str(Path(history).parent / LEDGER_NAME)
    return place


def _note_store(
    provider: str, options: Mapping[str, Any], folder: str | None, notes: list[str]
) -> None:
    used = {"collection_name", "embedding_model_dims", "path", "on_disk"}
    unused = sorted(key for key, value in options.items() if key not in used and value is not None)
    if provider not in LOCAL_STORES or (unused and folder is None):
        notes.append(
            f"vector_store {provider!r} is not used: everything is kept in one ledger, a file of "
            "this machine; name it with 'path'"
        )
    if unused:
        notes.append(f"vector_store.config: {', '.join(unused)}: no effect here")
    if options.get("on_disk") is False:
        notes.append(
            "vector_store.config: on_disk=False has no effect: the ledger is kept on disk; "
            f"name the path {MEMORY_ONLY!r} to keep nothing"
        )


# -- models ---------------------------------------------------------------------------------------


def _embedder(entry: Any, notes: list[str]) -> Any:
    if not _is_mem0_model(entry, "embedder"):
        return model_from("embedder", entry)
    provider, options = _entry("embedder", entry, default="openai")
    if provider not in EMBEDDERS:
        return _our_own("embedder", provider, options)
    native = OUR_EMBEDDERS[provider].options if provider in OUR_EMBEDDERS else ()
    _refuse_unknown("embedder", provider, options, EMBEDDER_KEYS.union(native))
    mapped = EMBEDDERS[provider]
    if provider == "huggingface" and options.get("huggingface_base_url"):
        mapped = HUGGINGFACE_SERVER
    options = dict(options)
    azure = (
        _azure("embedder", options.pop("azure_kwargs", None), notes)
        if provider == "azure_openai"
        else {}
    )
    if provider == "ollama" and options.get("ollama_base_url"):
        options["ollama_base_url"] = _with_v1(str(options["ollama_base_url"]))
    if provider == "gemini" and isinstance(options.get("model"), str):
        options["model"] = options["model"].removeprefix("models/")
    ours = _mapped("embedder", mapped, options, notes, native)
    if "model" in azure:
        azure["model"] = _prefixed(mapped.prefix, azure["model"])
    return ModelSettings(mapped.provider, {**ours, **azure})


def _reranker(entry: Any, notes: list[str]) -> Any:
    if not _is_mem0_model(entry, "reranker"):
        return model_from("reranker", entry)
    provider, options = _entry("reranker", entry, default="cohere")
    if provider in RERANKERS_REFUSED:
        raise ConfigError(
            f"reranker provider {provider!r}: {RERANKERS_REFUSED[provider]}; "
            f"use one of {listed([*RERANKERS, *OUR_RERANKERS])}",
            field="reranker.provider",
        )
    if provider not in RERANKERS:
        return _our_own("reranker", provider, options)
    _refuse_unknown("reranker", provider, options, RERANKER_KEYS[provider])
    if options.get("top_k") is not None:
        notes.append("reranker.config: top_k has no effect here; use search(top_k=...)")
    if options.get("normalize") is False:
        notes.append("reranker.config: normalize=False has no effect: scores are 0..1 here")
    silent = {"provider", "top_k", "normalize", "show_progress_bar", "return_documents"}
    mapped = RERANKERS[provider]
    rest = {key: value for key, value in options.items() if key not in silent}
    return ModelSettings(mapped.provider, _mapped("reranker", mapped, rest, notes))


def _llm(entry: Any, notes: list[str]) -> Any:
    if not _is_mem0_model(entry, "llm"):
        return model_from("llm", entry)
    provider, options = _entry("llm", entry, default="openai")
    if provider not in LLMS:
        raise _unknown_provider("llm", provider, {*LLMS, *CHATS})
    mapped, known = LLMS[provider]
    _refuse_unknown("llm", provider, options, known)
    # What is off by default is no loss: Mem0's configurations often write it out.
    options = {key: value for key, value in options.items() if value is not False}
    azure = _azure("llm", options.pop("azure_kwargs", None), notes)
    if provider == "ollama" and options.get("ollama_base_url"):
        options["ollama_base_url"] = _with_v1(str(options["ollama_base_url"]))
    if provider == "gemini" and options.pop("vertexai", None):
        mapped = replace(mapped, prefix=VERTEX_PREFIX)
    ours = _mapped("llm", mapped, options, notes, CHAT_NATIVE)
    if "model" in azure:
        azure["model"] = _prefixed(mapped.prefix, azure["model"])
    return ModelSettings(mapped.provider, {**ours, **azure})


def _mapped(
    kind: str,
    mapped: Mapped,
    options: Mapping[str, Any],
    notes: list[str],
    native: Iterable[str] = (),
) -> dict[str, Any]:
    """Mem0's options under our names; what our provider does not take is noted."""
    takes = _OURS[kind][mapped.provider].options
    ours: dict[str, Any] = dict(mapped.fixed)
    extra: dict[str, Any] = {}
    for key, value in options.items():
        if value is None:
            continue
        name = mapped.keys.get(key, key if key in {"model", "api_key", *native} else None)
        if name is not None and name.startswith("extra."):
            extra[name.removeprefix("extra.")] = value
        elif name in takes:
            ours[str(name)] = value
        elif key == "embedding_dims":
            # The model is asked for its dimension.
            continue
        else:
            notes.append(f"{kind}.config: {key} has no effect with provider {mapped.provider!r}")
    if extra:
        ours["extra"] = extra
    model = ours.get("model", mapped.model)
    if isinstance(model, str):
        ours["model"] = _prefixed(mapped.prefix, model)
    elif model is not None:
        ours["model"] = model
    return ours


def _azure(kind: str, given: Any, notes: list[str]) -> dict[str, Any]:
    """The nested options of an Azure deployment, under our names."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigError(
            f"{kind}.config.azure_kwargs must be a mapping, not {type(given).__name__}",
            field=f"{kind}.config.azure_kwargs",
        )
    _refuse_unknown(kind, "azure_openai", given, AZURE_KEYS)
    if given.get("default_headers"):
        notes.append(f"{kind}.config.azure_kwargs: default_headers has no effect here")
    names = {
        "azure_deployment": "model",
        "azure_endpoint": "base_url",
        "api_version": "api_version",
        "api_key": "api_key",
    }
    return {ours: given[name] for name, ours in names.items() if given.get(name)}


# -- the rest -------------------------------------------------------------------------------------


def _note_dimensions(config: Mapping[str, Any], embedder: Any, notes: list[str]) -> None:
    store = config.get("vector_store")
    options = (store.get("config") or {}) if isinstance(store, Mapping) else {}
    wanted = options.get("embedding_model_dims")
    if not isinstance(embedder, ModelSettings):
        if wanted is not None:
            notes.append(
                "vector_store.config: embedding_model_dims has no effect without an embedder: "
                "the default one is used, which has a dimension of its own"
            )
        return
    given = embedder.options.get("dimensions")
    if None not in (wanted, given) and wanted != given:
        raise ConfigError(
            f"vector_store.config.embedding_model_dims is {wanted!r}, but the embedder's dimension "
            f"is {given!r}: make them equal, or leave the first out",
            field="vector_store.config.embedding_model_dims",
        )


def _read_older_keys(config: Mapping[str, Any], values: dict[str, Any], notes: list[str]) -> None:
    version = config.get("version")
    if version not in (None, SUPPORTED_VERSION):
        notes.append(
            f"version {version!r} has no effect: answers have the shape of {SUPPORTED_VERSION!r}, "
            "{'results': [...]}"
        )
    if config.get("graph_store") is not None:
        notes.append(
            "graph_store has no effect: entities and links are kept in the ledger; "
            "see Memory.entities and Memory.why"
        )
    older = config.get("custom_fact_extraction_prompt")
    if older is not None:
        if values.get("custom_instructions") is None:
            values["custom_instructions"] = older
            notes.append(
                "custom_fact_extraction_prompt is taken as custom_instructions, its newer name: "
                "it is added to the method, and does not replace it"
            )
        else:
            notes.append("custom_fact_extraction_prompt has no effect beside custom_instructions")
    if config.get("custom_update_memory_prompt") is not None:
        notes.append(
            "custom_update_memory_prompt has no effect: facts are superseded by rules; "
            "see Memory.supersede and Memory.restore"
        )


def _is_mem0_model(entry: Any, kind: str) -> bool:
    if not isinstance(entry, Mapping):
        return False
    return "config" in entry or entry.get("provider") not in _OURS[kind]


def _entry(kind: str, entry: Any, default: str) -> tuple[str, Mapping[str, Any]]:
    """The provider and the options of ``{"provider": ..., "config": {...}}``."""
    if not isinstance(entry, Mapping):
        raise ConfigError(
            f"{kind} must be a mapping with 'provider' and 'config', not {type(entry).__name__}",
            field=kind,
        )
    for key in entry:
        if key not in ("provider", "config"):
            raise ConfigError(
                f"{kind} has no key {key!r}; it takes 'provider' and 'config', and options go "
                "into 'config'",
                field=f"{kind}.{key}",
            )
    provider = entry.get("provider", default)
    options = entry.get("config")
    if options is None:
        options = {}
    if not isinstance(provider, str):
        raise ConfigError(f"{kind}.provider must be a text, not {provider!r}", field=kind)
    if not isinstance(options, Mapping):
        raise ConfigError(
            f"{kind}.config must be a mapping, not {type(options).__name__}",
            field=f"{kind}.config",
        )
    return provider, options


def _our_own(kind: str, provider: str, options: Mapping[str, Any]) -> ModelSettings:
    ours = _OURS[kind]
    if provider not in ours:
        raise _unknown_provider(kind, provider, {*ours, *_THEIRS[kind]})
    return ModelSettings(provider, options)


def _unknown_provider(kind: str, provider: str, known: Iterable[str]) -> ConfigError:
    known = sorted(known)
    return ConfigError(
        f"{kind} provider {provider!r} is unknown{suggestion(provider, known)}; "
        f"known are {listed(known)}",
        field=f"{kind}.provider",
        value=provider,
    )


def _refuse_unknown(
    kind: str, provider: str, options: Mapping[str, Any], known: Iterable[str]
) -> None:
    known = sorted(known)
    for key in options:
        if key not in known:
            raise ConfigError(
                f"{kind} provider {provider!r} has no option {key!r}{suggestion(key, known)}; "
                f"it takes {listed(known)}",
                field=f"{kind}.config.{key}",
            )


def _text_or_none(name: str, value: Any) -> str | None:
    if value is None or (isinstance(value, str | Path) and str(value).strip()):
        return None if value is None else str(value)
    raise ConfigError(f"{name} must be a path, not {value!r}", field=name, value=value)


def _prefixed(prefix: str, model: str) -> str:
    return model if model.startswith(prefix) else prefix + model


def _with_v1(url: str) -> str:
    bare = url.rstrip("/")
    return bare if bare.endswith("/v1") else f"{bare}/v1"
