"""Which chat model: what is accepted, and errors that name the option."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from retain.errors import ConfigError, MissingExtra
from retain.models.chat import build_chat, is_chat
from retain.models.choice import ModelSettings
from retain.settings import Settings
from retain.testing.chat import FailingChat, ScriptedChat


def test_an_object_with_the_members_is_a_chat_model() -> None:
    for chat in (ScriptedChat(), FailingChat()):
        assert is_chat(chat)
        assert build_chat(chat) is chat
        assert Settings(llm=chat).llm is chat


def test_no_member_is_touched_to_find_out() -> None:
    class Shy:
        parameters: ClassVar[dict[str, Any]] = {}

        @property
        def name(self) -> str:
            raise AssertionError("touched")

        @property
        def window(self) -> int:
            raise AssertionError("touched")

        @property
        def complete(self) -> Any:
            raise AssertionError("touched")

    assert is_chat(Shy())


@pytest.mark.parametrize("other", [object(), "openai:m", {"provider": "openai"}, ScriptedChat])
def test_anything_else_is_refused(other: Any) -> None:
    if other is ScriptedChat:  # the class lacks what only its objects have
        assert not is_chat(other)
    with pytest.raises(ConfigError, match="no chat model: it needs name, parameters, window"):
        build_chat(other)
    with pytest.raises(ConfigError, match=r"^llm must be ModelSettings with one of"):
        Settings(llm=other)


@pytest.mark.parametrize(
    ("settings", "message", "field"),
    [
        (ModelSettings("opnai"), "did you mean 'openai'", "llm"),
        (ModelSettings("openai", {"modell": "m"}), "no option 'modell'.*'model'", "llm.modell"),
        (ModelSettings("litellm"), "needs the option 'model'", "llm.model"),
        (ModelSettings("langchain"), "needs the option 'model'", "llm.model"),
        (ModelSettings("langchain", {"model": 3}), "no method 'invoke'", "llm.model"),
        (
            ModelSettings("openai", {"api_key": "k", "structured": "xml"}),
            "llm.structured must be one of auto, schema, json, none, not 'xml'",
            "llm.structured",
        ),
        *(
            (
                ModelSettings("openai", {"api_key": "k", "concurrency": wrong}),
                "llm.concurrency must be a whole number",
                "llm.concurrency",
            )
            for wrong in (0, -1, True, "2", 1.5)
        ),
        *(
            (
                ModelSettings("openai", {"api_key": "k", name: wrong}),
                f"llm.{name} must be",
                f"llm.{name}",
            )
            for name, wrong in (
                ("context_tokens", 0),
                ("context_tokens", "many"),
                ("timeout", 0),
                ("timeout", "long"),
                ("timeout", float("nan")),
                ("max_retries", -1),
            )
        ),
    ],
    ids=repr,
)
def test_an_error_names_the_option(settings: ModelSettings, message: str, field: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        build_chat(settings)
    assert caught.value.details["field"] == field


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(MissingExtra, match=r"retain\[litellm\]"):
        build_chat(ModelSettings("litellm", {"model": "a/b"}))


def test_a_key_is_in_no_repr() -> None:
    settings = ModelSettings("openai", {"api_key": "sk-1", "extra": {"token": "sk-2"}})
    assert "sk-" not in repr(settings)
