"""The contract of a chat at an OpenAI-compatible endpoint, over real HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from retain.errors import ConfigError, ModelAnswerInvalid, ModelUnavailable
from retain.models.base import ChatMessage, ChatModel, ChatRequest
from retain.models.chat import build_chat
from retain.models.chat.structured import ask_structured
from retain.models.choice import ModelSettings
from tests.models.endpoint import Answer, Endpoint, completion, serve_chat

pytest.importorskip("openai", reason="the extra 'openai' is not installed")

HELLO = ChatRequest((ChatMessage("system", "Be brief."), ChatMessage("user", "Hello")))
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
DATA = ChatRequest(HELLO.messages, SCHEMA, "verdict", 50)
NOW = {"Retry-After": "0", "retry-after-ms": "1"}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serve_chat("Hi.") as endpoint:
        yield endpoint


def chat_of(endpoint: Endpoint, **options: Any) -> ChatModel:
    given = {"model": "m", "api_key": "k", "base_url": endpoint.url, "max_retries": 1, **options}
    return build_chat(ModelSettings("openai", given))


def test_an_answer_has_its_text_its_end_and_its_cost(endpoint: Endpoint) -> None:
    chat = chat_of(endpoint, headers={"X-Own": "1"}, extra={"top_k": 4}, seed=9)
    answer = chat.complete(HELLO)
    assert (answer.text, answer.finish) == ("Hi.", "stop")
    assert (answer.input_tokens, answer.output_tokens) == (7, 3)
    assert answer.seconds > 0
    (asked,) = endpoint.asked
    assert asked["path"] == "/v1/chat/completions"
    assert asked["authorization"] == "Bearer k"
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]
    assert (asked["model"], asked["temperature"], asked["seed"], asked["top_k"]) == ("m", 0, 9, 4)
    assert "response_format" not in asked
    assert (chat.name, chat.parameters) == ("openai:m", {"temperature": 0.0, "seed": 9})


def test_a_parameter_that_is_none_is_not_sent(endpoint: Endpoint) -> None:
    chat_of(endpoint, temperature=None).complete(HELLO)
    assert not {"temperature", "top_p", "seed", "max_tokens"} & set(endpoint.asked[0])


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_failure_is_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.queued = [(status, NOW, {"error": {"message": "later"}})]
    assert chat_of(endpoint).complete(HELLO).text == "Hi."
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(
    ("status", "reason"),
    [(400, "request"), (401, "auth"), (403, "auth"), (429, "rate_limit"), (500, "error"),
     (504, "timeout")],
)  # fmt: skip
def test_a_lasting_failure_says_of_what_kind_it_is(
    endpoint: Endpoint, status: int, reason: str
) -> None:
    endpoint.usual = lambda _: (status, {}, {"error": {"message": "no such thing"}})
    with pytest.raises(ModelUnavailable, match=r"openai:m.*no such thing") as caught:
        chat_of(endpoint, max_retries=0).complete(HELLO)
    assert caught.value.details == {"model": "openai:m", "reason": reason}
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("stated", "seconds"), [("7", 7.0), ("Wed, 21 Oct 2015 07:28:00 GMT", None)]
)
def test_when_to_come_back_is_told(endpoint: Endpoint, stated: str, seconds: float | None) -> None:
    endpoint.usual = lambda _: (429, {"Retry-After": stated}, {"error": {"message": "slowly"}})
    with pytest.raises(ModelUnavailable) as caught:
        chat_of(endpoint, max_retries=0).complete(HELLO)
    assert caught.value.details.get("retry_after") == seconds


def test_a_timeout_is_an_error(endpoint: Endpoint) -> None:
    answered = threading.Event()

    def late(_body: dict[str, Any]) -> Answer:
        answered.wait(30)
        return 200, {}, completion("too late")

    endpoint.usual = late
    try:
        with pytest.raises(ModelUnavailable) as caught:
            chat_of(endpoint, max_retries=0, timeout=0.2).complete(HELLO)
    finally:
        answered.set()
    assert caught.value.details["reason"] == "timeout"


def test_an_endpoint_that_is_gone_is_an_error() -> None:
    with serve_chat() as gone:
        pass
    with pytest.raises(ModelUnavailable) as caught:
        chat_of(gone, max_retries=0).complete(HELLO)
    assert caught.value.details["reason"] == "connection"


def picky(*takes: str) -> Any:
    """An endpoint that refuses every form of answer but these."""

    def answer(body: dict[str, Any]) -> Answer:
        form = body.get("response_format", {}).get("type", "none")
        if form in takes:
            return 200, {}, completion('{"ok": true}')
        return 400, {}, {"error": {"message": f"response_format {form!r} is not supported"}}

    return answer


def forms(endpoint: Endpoint) -> list[str]:
    """The forms that were asked for, in order."""
    return [asked.get("response_format", {}).get("type", "none") for asked in endpoint.asked]


@pytest.mark.parametrize(
    ("takes", "asked"),
    [
        ("json_schema", ["json_schema"]),
        ("json_object", ["json_schema", "json_object"]),
        ("none", ["json_schema", "json_object", "none"]),
    ],
)
def test_the_best_form_that_an_endpoint_takes_is_found_once(
    endpoint: Endpoint, takes: str, asked: list[str]
) -> None:
    endpoint.usual = picky(takes)
    chat = chat_of(endpoint)
    assert chat.complete(DATA).text == '{"ok": true}'
    assert forms(endpoint) == asked
    chat.complete(DATA)
    assert forms(endpoint) == [*asked, asked[-1]]
    sent = endpoint.asked[0]["response_format"]["json_schema"]
    assert (sent["name"], sent["schema"], endpoint.asked[0]["max_tokens"]) == (
        "verdict", SCHEMA, 50,
    )  # fmt: skip


def test_a_form_that_was_chosen_is_not_given_up(endpoint: Endpoint) -> None:
    endpoint.usual = picky("none")
    with pytest.raises(ModelUnavailable, match="json_object"):
        chat_of(endpoint, structured="json").complete(DATA)
    assert forms(endpoint) == ["json_object"]
    assert chat_of(endpoint, structured="none").complete(DATA).text == '{"ok": true}'


def test_a_refusal_for_another_reason_changes_no_form(endpoint: Endpoint) -> None:
    endpoint.usual = lambda _: (400, {}, {"error": {"message": "the prompt is too long"}})
    chat = chat_of(endpoint)
    with pytest.raises(ModelUnavailable, match="too long"):
        chat.complete(DATA)
    assert forms(endpoint) == ["json_schema"]


def test_threads_that_meet_the_same_refusal_step_down_once(endpoint: Endpoint) -> None:
    both = threading.Barrier(2)
    endpoint.usual = picky("json_object")
    usual = endpoint.usual

    def together(body: dict[str, Any]) -> Answer:
        if body["response_format"]["type"] == "json_schema":
            both.wait(30)
        return usual(body)

    endpoint.usual = together
    chat = chat_of(endpoint)
    texts: list[str] = []
    threads = [
        threading.Thread(target=lambda: texts.append(chat.complete(DATA).text)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ['{"ok": true}'] * 2
    assert sorted(forms(endpoint)) == ["json_object"] * 2 + ["json_schema"] * 2


def test_a_refusal_of_the_model_is_no_data(endpoint: Endpoint) -> None:
    endpoint.usual = lambda _: (200, {}, completion(None, refusal="I will not."))
    answer = chat_of(endpoint).complete(HELLO)
    assert (answer.text, answer.finish) == ("I will not.", "refusal")
    with pytest.raises(ModelAnswerInvalid, match="refused"):
        ask_structured(chat_of(endpoint), HELLO.messages, SCHEMA, schema_name="verdict")


@pytest.mark.parametrize(
    "wrong", [{"choices": []}, {"choices": None}, {"error": "but status 200"}, {}, []]
)
def test_an_answer_without_a_message_is_an_error(endpoint: Endpoint, wrong: Any) -> None:
    endpoint.usual = lambda _: (200, {}, wrong)
    with pytest.raises(ModelAnswerInvalid, match="openai:m") as caught:
        chat_of(endpoint).complete(HELLO)
    assert "raw" in caught.value.details


def test_what_it_cost_may_be_unknown(endpoint: Endpoint) -> None:
    endpoint.usual = lambda _: (200, {}, {**completion("Hi."), "usage": None})
    answer = chat_of(endpoint).complete(HELLO)
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("Hi.", None, None)


def test_lone_surrogates_do_not_break_the_request(endpoint: Endpoint) -> None:
    chat_of(endpoint).complete(ChatRequest((ChatMessage("user", "a\ud800b"),)))
    assert endpoint.asked[0]["messages"][0]["content"] == "a?b"


def test_so_many_requests_at_a_time(endpoint: Endpoint) -> None:
    lock, inside, most = threading.Lock(), 0, 0

    def counted(_body: dict[str, Any]) -> Answer:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        with lock:
            inside -= 1
        return 200, {}, completion("Hi.")

    endpoint.usual = counted
    chat = chat_of(endpoint, concurrency=1)
    threads = [threading.Thread(target=chat.complete, args=(HELLO,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, len(endpoint.asked)) == (1, 8)


def test_without_a_key_the_error_says_where_to_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as caught:
        build_chat(ModelSettings("openai"))
    assert caught.value.details["field"] == "llm.api_key"


def test_options_that_a_model_refuses_by_name_are_renamed_or_left_out(endpoint: Endpoint) -> None:
    """As models that reason do."""

    def answer(body: dict[str, Any]) -> Answer:
        if "max_tokens" in body:
            return refused(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead."
            )
        if "temperature" in body:
            return refused("Unsupported value: 'temperature' does not support 0.0 with this model.")
        return 200, {}, completion("[]")

    endpoint.usual = answer
    chat = chat_of(endpoint, max_tokens=50, seed=7)
    assert chat.parameters == {"temperature": 0.0, "max_tokens": 50, "seed": 7}
    for _ in range(2):
        assert chat.complete(HELLO).text == "[]"
    assert [("max_tokens" in body, "temperature" in body) for body in endpoint.asked] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),  # it asks right from then on
    ]
    assert endpoint.asked[-1]["max_completion_tokens"] == 50
    assert endpoint.asked[-1]["seed"] == 7
    assert chat.parameters == {"max_tokens": 50, "seed": 7}


def test_a_refusal_that_names_no_option_is_an_error(endpoint: Endpoint) -> None:
    endpoint.usual = lambda _body: refused("Unsupported region.")
    with pytest.raises(ModelUnavailable, match="Unsupported region"):
        chat_of(endpoint, max_tokens=50).complete(HELLO)
    assert len(endpoint.asked) == 1


def refused(message: str) -> Answer:
    return 400, {}, {"error": {"message": message, "type": "invalid_request_error"}}
