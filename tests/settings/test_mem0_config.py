"""A configuration written for Mem0 keeps its meaning, or says that it cannot."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from retain.compat.mem0_keys import EMBEDDERS, LLMS, RERANKERS, STORE_KEYS
from retain.errors import ConfigError
from retain.notices import RetainWarning
from retain.settings import ModelSettings, Settings, settings_from


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("RETAIN_"):
            monkeypatch.delenv(name)


def quiet(config: dict[str, Any]) -> Settings:
    """The settings, whatever is warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RetainWarning)
        return settings_from(config)


def full(folder: str = "data") -> dict[str, Any]:
    url = "http://127.0.0.1:9/v1"
    return {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "collection_name": "notes",
                "path": f"{folder}/qdrant",
                "embedding_model_dims": 384,
                "on_disk": True,
            },
        },
        "llm": {
            "provider": "openai",
            "config": {"model": "g", "api_key": "k", "openai_base_url": url},
        },
        "embedder": {
            "provider": "openai",
            "config": {
                "model": "e",
                "api_key": "k",
                "openai_base_url": url,
                "embedding_dims": 384,
            },
        },
        "history_db_path": f"{folder}/history.db",
        "version": "v1.1",
    }


def test_a_usual_configuration_works_without_a_warning() -> None:
    settings = settings_from(full())
    assert settings.path == str(Path("data/qdrant/retain.db"))
    assert settings.project == "notes"
    url = "http://127.0.0.1:9/v1"
    assert settings.embedder == ModelSettings(
        "openai", {"model": "e", "api_key": "k", "base_url": url, "dimensions": 384}
    )
    assert settings.llm == ModelSettings("openai", {"model": "g", "api_key": "k", "base_url": url})


def test_without_an_embedder_the_default_is_used() -> None:
    settings = settings_from({"history_db_path": "x/history.db"})
    assert settings.embedder == ModelSettings("static")
    assert settings.path == str(Path("x/retain.db"))


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"vector_store": {"provider": "chroma", "config": {"path": "c"}}}, "c/retain.db"),
        ({"vector_store": {"provider": "faiss", "config": {"path": "f"}}}, "f/retain.db"),
        ({"vector_store": {"provider": "qdrant", "config": {"path": ":memory:"}}}, ":memory:"),
        ({"history_db_path": ":memory:"}, ":memory:"),
        ({"history_db_path": ":memory:", "path": "own.db"}, "own.db"),
        ({"vector_store": {"provider": "qdrant", "config": {}}}, None),
    ],
)
def test_where_the_ledger_lies(config: dict[str, Any], path: str | None) -> None:
    expected = path if path in (None, ":memory:") else str(Path(str(path)))
    assert settings_from(config).path == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"graph_store": {"provider": "neo4j"}}, "graph_store has no effect"),
        ({"custom_fact_extraction_prompt": "x"}, "taken as custom_instructions"),
        ({"custom_update_memory_prompt": "x"}, "Memory.supersede"),
        ({"version": "v1.0"}, "'v1.0' has no effect"),
        (
            {"vector_store": {"provider": "pgvector", "config": {"host": "h"}}},
            "'pgvector' is not used",
        ),
        (
            {"vector_store": {"provider": "qdrant", "config": {"path": "p", "on_disk": False}}},
            "on_disk=False",
        ),
        (
            {"vector_store": {"provider": "qdrant", "config": {"host": "h", "port": 1}}},
            "host, port: no effect",
        ),
        ({"embedder": {"provider": "openai", "config": {"aws_region": "r"}}}, "aws_region"),
        ({"reranker": {"provider": "cohere", "config": {"top_k": 3}}}, r"search\(top_k=\.\.\.\)"),
    ],
)
def test_what_has_no_effect_is_warned_of(change: dict[str, Any], message: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        settings_from({**full(), **change})
    assert all(issubclass(one.category, RetainWarning) for one in caught)
    assert any(re.search(message, str(one.message)) for one in caught)


def test_an_older_prompt_becomes_instructions() -> None:
    assert quiet({"custom_fact_extraction_prompt": "old"}).custom_instructions == "old"
    both = quiet({"custom_fact_extraction_prompt": "old", "custom_instructions": "new"})
    assert both.custom_instructions == "new"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vector_store": {"provider": "nope"}}, "vector_store provider 'nope'.*'pgvector'"),
        ({"llm": {"provider": "nope", "config": {}}}, "llm provider 'nope'.*'anthropic'"),
        ({"embedder": {"provider": "nope", "config": {}}}, "embedder provider 'nope'.*'ollama'"),
        ({"reranker": {"provider": "nope"}}, "reranker provider 'nope'.*'cohere'"),
        ({"reranker": {"provider": "cohere", "x": 1}}, "no key 'x'"),
        ({"reranker": {"provider": "llm_reranker", "config": {}}}, "use one of"),
        ({"reranker": {"provider": "zero_entropy"}}, "use one of"),
        ({"vector_store": {"provider": "qdrant", "config": {"foo": 1}}}, "no option 'foo'"),
        ({"llm": {"provider": "openai", "config": {"modell": 1}}}, "did you mean 'model'"),
        ({"embedder": {"provider": "openai", "config": {"foo": 1}}}, "no option 'foo'"),
        ({"embedder": {"provider": "openai", "config": 3}}, "config must be a mapping"),
        ({"vector_store": "qdrant"}, "vector_store must be a mapping"),
        ({"history_db_path": 5}, "history_db_path must be a path"),
        ({"vector_stor": {}}, "did you mean 'vector_store'"),
        (
            {"vector_store": {"provider": "faiss", "config": {"embedding_model_dims": 9}}},
            "embedding_model_dims is 9, but the embedder's dimension is 384",
        ),
        (
            {"embedder": {"provider": "azure_openai", "config": {"azure_kwargs": 3}}},
            "azure_kwargs must be a mapping",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings_from({**full(), **change})


@pytest.mark.parametrize(
    ("provider", "config", "ours"),
    [
        (
            "ollama",
            {"model": "m", "ollama_base_url": "http://h:1/"},
            ("openai", {"model": "m", "base_url": "http://h:1/v1", "api_key": "none"}),
        ),
        ("ollama", {}, ("openai", {"base_url": "http://localhost:11434/v1"})),
        ("lmstudio", {}, ("openai", {"base_url": "http://localhost:1234/v1"})),
        ("together", {"model": "a/b"}, ("litellm", {"model": "together_ai/a/b"})),
        ("gemini", {"model": "models/g"}, ("litellm", {"model": "gemini/g"})),
        ("gemini", {"output_dimensionality": 9}, ("litellm", {"dimensions": 9})),
        (
            "vertexai",
            {"vertex_credentials_json": "c"},
            ("litellm", {"extra": {"vertex_credentials": "c"}}),
        ),
        (
            "aws_bedrock",
            {"aws_region": "r"},
            ("litellm", {"extra": {"aws_region_name": "r"}}),
        ),
        ("huggingface", {"model": "m"}, ("sentence-transformers", {"model": "m"})),
        (
            "huggingface",
            {"huggingface_base_url": "http://h/v1"},
            ("openai", {"model": "tei", "base_url": "http://h/v1"}),
        ),
        ("fastembed", {}, ("fastembed", {"model": "thenlper/gte-large"})),
        (
            "azure_openai",
            {"azure_kwargs": {"azure_deployment": "d", "azure_endpoint": "e", "api_version": "1"}},
            ("litellm", {"model": "azure/d", "base_url": "e", "api_version": "1"}),
        ),
        ("minilm", {}, ("minilm", {})),
    ],
)
def test_embedders_are_mapped(
    provider: str, config: dict[str, Any], ours: tuple[str, dict[str, Any]]
) -> None:
    embedder = settings_from({"embedder": {"provider": provider, "config": config}}).embedder
    assert isinstance(embedder, ModelSettings)
    assert embedder.provider == ours[0]
    assert {name: embedder.options.get(name) for name in ours[1]} == ours[1]


def test_every_known_provider_makes_settings() -> None:
    for provider in EMBEDDERS:
        config = {"model": object()} if provider == "langchain" else {}
        quiet({"embedder": {"provider": provider, "config": config}})
    for provider in LLMS:
        quiet({"llm": {"provider": provider, "config": {"model": "m"}}})
    for provider in RERANKERS:
        quiet({"reranker": {"provider": provider, "config": {}}})
    for provider in STORE_KEYS:
        quiet({"vector_store": {"provider": provider, "config": {}}})
    assert (len(EMBEDDERS), len(LLMS), len(STORE_KEYS)) == (11, 18, 25)


URL = "http://h:1/v1"
NOT_WORTH_A_NOTE = {"temperature": 0.1, "max_tokens": 9, "top_p": 0.5, "enable_vision": False}


@pytest.mark.parametrize(
    ("provider", "config", "ours"),
    [
        ("openai", {"openai_base_url": URL}, ("openai", {"model": "m", "base_url": URL})),
        ("openai_structured", {"api_key": "k"}, ("openai", {"model": "m", "api_key": "k"})),
        (
            "ollama",
            {"ollama_base_url": "http://h:1/"},
            ("openai", {"model": "m", "base_url": URL, "api_key": "none"}),
        ),
        ("ollama", {}, ("openai", {"base_url": "http://localhost:11434/v1"})),
        ("lmstudio", {"lmstudio_base_url": URL}, ("openai", {"base_url": URL})),
        ("vllm", {"vllm_base_url": URL, "top_k": 3}, ("openai", {"extra": {"top_k": 3}})),
        ("anthropic", {"anthropic_base_url": URL}, ("litellm", {"base_url": URL})),
        ("deepseek", {}, ("litellm", {"model": "deepseek/m"})),
        ("minimax", {}, ("litellm", {"model": "minimax/m"})),
        ("xai", {}, ("litellm", {"model": "xai/m"})),
        ("sarvam", {"sarvam_base_url": URL}, ("litellm", {"base_url": URL})),
        ("groq", {"reasoning_effort": "low"}, ("litellm", {"extra": {"reasoning_effort": "low"}})),
        ("together", {}, ("litellm", {"model": "together_ai/m"})),
        ("gemini", {}, ("litellm", {"model": "gemini/m"})),
        (
            "gemini",
            {"vertexai": True, "project": "p", "location": "l"},
            (
                "litellm",
                {
                    "model": "vertex_ai/m",
                    "extra": {"vertex_project": "p", "vertex_location": "l"},
                },
            ),
        ),
        *(
            (
                provider,
                {"azure_kwargs": {"azure_deployment": "d", "azure_endpoint": URL}},
                ("litellm", {"model": "azure/d", "base_url": URL}),
            )
            for provider in ("azure_openai", "azure_openai_structured")
        ),
        ("aws_bedrock", {"aws_region": "r"}, ("litellm", {"extra": {"aws_region_name": "r"}})),
        ("litellm", {}, ("litellm", {"model": "m"})),
    ],
)
def test_chat_models_are_mapped(
    provider: str, config: dict[str, Any], ours: tuple[str, dict[str, Any]]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        llm = settings_from(
            {"llm": {"provider": provider, "config": {"model": "m", **NOT_WORTH_A_NOTE, **config}}}
        ).llm
    assert isinstance(llm, ModelSettings)
    assert llm.provider == ours[0]
    assert {name: llm.options.get(name) for name in ours[1]} == ours[1]
    sampled = {name: llm.options.get(name) for name in ("temperature", "max_tokens", "top_p")}
    assert sampled == {"temperature": 0.1, "max_tokens": 9, "top_p": 0.5}


def test_every_option_of_every_chat_model_is_taken_or_noted() -> None:
    for provider, (_, known) in LLMS.items():
        for key in known - {"model"}:
            value: Any = {"api_key": "k"} if key == "azure_kwargs" else "x"
            config = {"model": "m", key: value}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                llm = settings_from({"llm": {"provider": provider, "config": config}}).llm
            assert isinstance(llm, ModelSettings)
            plain = {**llm.options, **llm.options.get("extra", {})}
            taken = "x" in plain.values() or plain.get("api_key") == "k"
            taken = taken or str(llm.options.get("base_url")).startswith("x")
            noted = any(key in str(one.message) for one in caught)
            switched = key == "vertexai"
            assert taken or noted or switched, f"{provider}: {key} was dropped in silence"


def test_a_chat_model_that_must_be_named_says_so() -> None:
    with pytest.raises(ConfigError, match=r"'litellm' needs the option 'model'"):
        settings_from({"llm": {"provider": "groq", "config": {}}})


def test_our_own_settings_may_stand_beside() -> None:
    settings = settings_from({**full(), "path": "mine.db", "profile": "plain", "project": "p"})
    assert (settings.path, settings.profile, settings.project) == ("mine.db", "plain", "p")
