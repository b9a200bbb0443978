"""Settings say what is wrong, with what value, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retain.errors import ConfigError
from retain.settings import ModelSettings, Settings, settings_from
from retain.testing.embedders import HashEmbedder
from retain.testing.rerankers import FakeReranker


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("RETAIN_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("path", "", "path must be a file's path"),
        ("path", 7, "not 7"),
        ("path", "a\x00b", "path must be"),
        ("project", "  ", "project must be"),
        ("project", "a\nb", "without control characters"),
        ("project", None, "not None"),
        ("profile", "defalt", "did you mean 'default'"),
        ("profile", 3, "'default', 'plain', 'rem'"),
        ("busy_timeout", -1, "busy_timeout must be a number of seconds from 0, not -1"),
        ("busy_timeout", "30", "not '30'"),
        ("busy_timeout", True, "not True"),
        ("busy_timeout", float("nan"), "not nan"),
        ("rerank_timeout", 0, "above 0, not 0"),
        ("rerank_timeout", float("inf"), "not inf"),
        ("session_gap", -5.0, "session_gap"),
        ("cache_megabytes", 1.5, "whole number"),
        ("cache_megabytes", -1, "0 or more"),
        ("custom_instructions", 5, "a text or None"),
        ("embedder", "minilm", r"ModelSettings\('minilm'\)"),
        ("embedder", None, "embedder must be"),
        ("embedder", ModelSettings("minilmm"), "did you mean 'minilm'.*known are 'fastembed'"),
        ("embedder", ModelSettings("openai", {"modle": "x"}), "no option 'modle'.*'model'"),
        ("embedder", ModelSettings("static", {"model": "x"}), "it takes none"),
        ("embedder", ModelSettings("litellm"), "needs the option 'model'"),
        ("reranker", ModelSettings("cohere"), "reranker provider 'cohere' is unknown"),
        ("reranker", 3, "reranker must be"),
        ("llm", ModelSettings("opnai"), "did you mean 'openai'"),
        ("llm", "openai", "llm must be"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(field: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        Settings(**{field: value})
    assert field in str(caught.value)
    assert caught.value.details["field"].startswith(field)


def test_objects_of_the_caller_are_taken() -> None:
    embedder, reranker = HashEmbedder(), FakeReranker()
    settings = Settings(embedder=embedder, reranker=reranker)
    assert settings.embedder is embedder
    assert settings.reranker is reranker


def test_no_key_is_ever_shown() -> None:
    model = ModelSettings(
        "openai", {"api_key": "sk-secret", "model": "m", "headers": {"X": "sk-secret"}}
    )
    assert "sk-secret" not in repr(Settings(embedder=model))
    assert "'model': 'm'" in repr(model)
    with pytest.raises(ConfigError) as caught:
        Settings(embedder=ModelSettings("openai", {"api_kay": "sk-secret"}))
    assert "sk-secret" not in f"{caught.value}{caught.value.details}"
    with pytest.raises(ConfigError) as caught:
        Settings(embedder={"provider": "openai", "api_key": "sk-secret"})  # type: ignore[arg-type]
    assert "sk-secret" not in f"{caught.value}{caught.value.details}"


def test_a_path_or_nothing_or_settings() -> None:
    assert settings_from(None) == Settings()
    assert settings_from("a.db").path == "a.db"
    assert settings_from(Path("a.db")).path == Path("a.db")
    own = Settings(project="p")
    assert settings_from(own) is own
    with pytest.raises(ConfigError, match="not int"):
        settings_from(3)  # type: ignore[arg-type]


def test_a_mapping_of_our_names() -> None:
    settings = settings_from(
        {
            "path": "a.db",
            "profile": "rem",
            "embedder": "openai:m1",
            "reranker": {"provider": "litellm", "model": "cohere/r"},
            "llm": {"provider": "openai", "options": {"model": "g"}},
        }
    )
    assert settings.embedder == ModelSettings("openai", {"model": "m1"})
    assert settings.reranker == ModelSettings("litellm", {"model": "cohere/r"})
    assert settings.llm == ModelSettings("openai", {"model": "g"})
    assert (settings.path, settings.profile) == ("a.db", "rem")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"embeder": "static"}, "'embeder' is unknown.*did you mean 'embedder'"),
        ({"projct": "x", "path": "a"}, "did you mean 'project'"),
        ({"embedder": {"model": "x"}}, "names no provider"),
        ({"profile": "x"}, "profile must be"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(config: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings_from(config)


def test_the_environment_sets_what_is_not_given() -> None:
    environ = {
        "RETAIN_PATH": "env.db",
        "RETAIN_PROJECT": "team",
        "RETAIN_EMBEDDER": "openai:m",
        "RETAIN_EMBEDDER_BASE_URL": "http://h/v1",
        "RETAIN_EMBEDDER_DIMENSIONS": "64",
        "RETAIN_EMBEDDER_REQUEST_DIMENSIONS": "false",
        "RETAIN_RERANK_TIMEOUT": "2.5",
        "RETAIN_CACHE_MEGABYTES": "64",
        "RETAIN_PROFILE": "",
        "OPENAI_MODEL": "ignored",
    }
    settings = Settings.from_env(environ)
    assert settings == Settings(
        path="env.db",
        project="team",
        embedder=ModelSettings(
            "openai",
            {
                "model": "m",
                "base_url": "http://h/v1",
                "dimensions": 64,
                "request_dimensions": False,
            },
        ),
        rerank_timeout=2.5,
        cache_megabytes=64,
    )


def test_the_environment_names_a_chat_model() -> None:
    settings = Settings.from_env(
        {
            "RETAIN_LLM": "openai:m",
            "RETAIN_LLM_BASE_URL": "http://h/v1",
            "RETAIN_LLM_API_KEY": "k",
            "RETAIN_LLM_TEMPERATURE": "0.2",
            "RETAIN_LLM_TIMEOUT": "9",
            "RETAIN_LLM_CONTEXT_TOKENS": "8192",
            "RETAIN_LLM_CONCURRENCY": "2",
            "RETAIN_LLM_STRUCTURED": "json",
            "RETAIN_LLM_HEADERS": '{"X-Own": "1"}',
            "RETAIN_LLM_EXTRA": '{"top_k": 3}',
            "RETAIN_GATE": "strict",
            "RETAIN_EXTRACTION_TOKENS": "5000",
            "RETAIN_CUSTOM_INSTRUCTIONS": "Only hobbies.",
        }
    )
    assert settings == Settings(
        llm=ModelSettings(
            "openai",
            {
                "model": "m",
                "base_url": "http://h/v1",
                "api_key": "k",
                "temperature": 0.2,
                "timeout": 9.0,
                "context_tokens": 8192,
                "concurrency": 2,
                "structured": "json",
                "headers": {"X-Own": "1"},
                "extra": {"top_k": 3},
            },
        ),
        gate="strict",
        extraction_tokens=5000,
        custom_instructions="Only hobbies.",
    )


def test_what_is_given_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETAIN_PATH", "env.db")
    monkeypatch.setenv("RETAIN_PROJECT", "team")
    assert Settings().resolved_path() == "env.db"
    given = settings_from("own.db")
    assert (given.resolved_path(), given.project) == ("own.db", "team")
    assert settings_from({"project": "mine"}).project == "mine"


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"RETAIN_BUSY_TIMEOUT": "soon"}, "RETAIN_BUSY_TIMEOUT must be a number, not 'soon'"),
        ({"RETAIN_EMBEDDER_MODEL": "m"}, "RETAIN_EMBEDDER_MODEL is set, but not RETAIN_EMBEDDER"),
        ({"RETAIN_LLM_BASE_URL": "u"}, "RETAIN_LLM_BASE_URL is set, but not RETAIN_LLM"),
        ({"RETAIN_LLM": "opnai"}, "did you mean 'openai'"),
        ({"RETAIN_LLM": "openai", "RETAIN_LLM_TOP_P": "x"}, "RETAIN_LLM_TOP_P must be a number"),
        ({"RETAIN_LLM": "openai", "RETAIN_LLM_HEADERS": "[1]"}, "HEADERS must be a JSON object$"),
        ({"RETAIN_GATE": "lax"}, "gate must be one of"),
        ({"RETAIN_EXTRACTION_TOKENS": "0"}, "extraction_tokens must be"),
        ({"RETAIN_EMBEDDER": "nope"}, "'nope' is unknown"),
        ({"RETAIN_EMBEDDER": "openai", "RETAIN_EMBEDDER_DIMENSIONS": "x"}, "must be a number"),
        ({"RETAIN_EMBEDDER": "openai", "RETAIN_EMBEDDER_REQUEST_DIMENSIONS": "x"}, "true or false"),
    ],
)
def test_a_wrong_variable_is_named(environ: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Settings.from_env(environ)


def test_a_home_folder_is_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert Settings(path="~/a.db").resolved_path() == str(tmp_path / "a.db")
