"""Chats through litellm and LangChain, of which only the calls matter here."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from retain.errors import ModelAnswerInvalid, ModelUnavailable
from retain.models.base import ChatMessage, ChatModel, ChatRequest
from retain.models.chat import build_chat
from retain.models.choice import ModelSettings

MESSAGES = (ChatMessage("system", "Be brief."), ChatMessage("user", "Hello"))
HELLO = ChatRequest(MESSAGES)
DATA = ChatRequest(MESSAGES, {"type": "object"}, "verdict", 9)


def answered(text: str) -> Any:
    return SimpleNamespace(
        choices=[SimpleNamespace(message=SimpleNamespace(content=text), finish_reason="length")],
        usage=SimpleNamespace(prompt_tokens=5, completion_tokens=2),
    )


class RateLimitError(Exception):
    status_code = 429
    response = SimpleNamespace(headers={"retry-after": "3"})


class BadRequest(Exception):
    status_code = 400


class LiteLLM(ModuleType):
    """The one function that is used, with answers that a test prepares."""

    def __init__(self, *answers: Any) -> None:
        super().__init__("litellm")
        self.answers = list(answers)
        self.calls: list[dict[str, Any]] = []

    def completion(self, **arguments: Any) -> Any:
        self.calls.append(arguments)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def litellm_of(
    monkeypatch: pytest.MonkeyPatch, *answers: Any, **options: Any
) -> tuple[LiteLLM, ChatModel]:
    module = LiteLLM(*answers)
    monkeypatch.setitem(sys.modules, "litellm", module)
    return module, build_chat(ModelSettings("litellm", {"model": "s/m", **options}))


def test_litellm_is_called_with_what_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    module, chat = litellm_of(
        monkeypatch, answered("Hi."),
        api_key="k", base_url="http://h", api_version="v", max_retries=4, timeout=5.0,
        extra={"aws_region_name": "r"},
    )  # fmt: skip
    answer = chat.complete(HELLO)
    assert (answer.text, answer.finish) == ("Hi.", "length")
    assert (answer.input_tokens, answer.output_tokens) == (5, 2)
    assert module.calls == [
        {
            "model": "s/m", "api_key": "k", "api_base": "http://h", "api_version": "v",
            "num_retries": 4, "timeout": 5.0, "drop_params": True, "aws_region_name": "r",
            "temperature": 0.0,
            "messages": [
                {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
            ],
        }
    ]  # fmt: skip
    assert chat.name == "litellm:s/m"
    assert (module.telemetry, module.suppress_debug_info) == (False, True)


def test_litellm_is_asked_for_the_best_form_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = BadRequest("response_format is not supported")
    module, chat = litellm_of(monkeypatch, refusal, refusal, answered("{}"))
    assert chat.complete(DATA).text == "{}"
    asked = [call.get("response_format", {}).get("type") for call in module.calls]
    assert asked == ["json_schema", "json_object", None]
    assert {call["max_tokens"] for call in module.calls} == {9}


def test_failures_of_litellm_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    _, chat = litellm_of(monkeypatch, RateLimitError("slowly"), SimpleNamespace(choices=[]))
    with pytest.raises(ModelUnavailable, match="slowly") as caught:
        chat.complete(HELLO)
    assert caught.value.details == {
        "model": "litellm:s/m", "reason": "rate_limit", "retry_after": 3.0
    }  # fmt: skip
    with pytest.raises(ModelAnswerInvalid, match="no message"):
        chat.complete(HELLO)


class Chain:
    """The one method of LangChain's chat models that is used."""

    model_name = "m"

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: Any = None

    def invoke(self, messages: Any) -> Any:
        self.asked = messages
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def langchain_of(answer: Any, **options: Any) -> tuple[Chain, ChatModel]:
    chain = Chain(answer)
    return chain, build_chat(ModelSettings("langchain", {"model": chain, **options}))


def test_langchain_is_given_pairs_and_answers_with_its_cost() -> None:
    usage = {"input_tokens": 5, "output_tokens": 2}
    chain, chat = langchain_of(SimpleNamespace(content="Hi.", usage_metadata=usage))
    answer = chat.complete(DATA)
    assert chain.asked == [("system", "Be brief."), ("user", "Hello")]
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("Hi.", 5, 2)
    assert chat.name == "langchain:Chain:m"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "Hi"}, {"type": "image"}, "!"], "Hi!"),
        ("Hi!", "Hi!"),
        ([{"type": "text", "text": None}], ""),
        (None, ""),
    ],
)
def test_an_answer_of_langchain_may_come_in_parts(content: Any, text: str) -> None:
    _, chat = langchain_of(SimpleNamespace(content=content), name="own", context_tokens=99)
    answer = chat.complete(HELLO)
    assert (answer.text, answer.input_tokens) == (text, None)
    assert (chat.name, chat.window) == ("langchain:own", 99)


def test_failures_of_langchain_are_ours() -> None:
    _, chat = langchain_of(RateLimitError("slowly"))
    with pytest.raises(ModelUnavailable, match="slowly") as caught:
        chat.complete(HELLO)
    assert caught.value.details["reason"] == "rate_limit"
