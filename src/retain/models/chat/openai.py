"""Any endpoint that answers as OpenAI does: OpenAI, Ollama, vLLM, LM Studio, llama.cpp, ..."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final
from weakref import finalize

from retain.errors import ConfigError
from retain.models.base import ChatAnswer, ChatRequest
from retain.models.chat.answer import (
    AUTO,
    Form,
    Options,
    Turnstile,
    chat_failure,
    check_limits,
    given,
    least_of,
    messages_of,
    read_completion,
)
from retain.models.extras import require

EXTRA: Final = "openai"
DEFAULT_WINDOW: Final = 16_384


class OpenAIChat:
    """Chat over HTTP.

    A request that fails for a passing reason (408, 409, 429, 5xx, connection) is tried again,
    after the time that a ``Retry-After`` header states.

    Args:
        model: the model's name at that endpoint.
        api_key: the key; ``OPENAI_API_KEY`` if None.
        base_url: the endpoint, ending in ``/v1``; OpenAI's own if None.
        temperature, top_p, seed: how it answers; None leaves it to the endpoint.
        max_tokens: the most that an answer may have.
        timeout: seconds a request may take.
        max_retries: how often a request is tried again.
        context_tokens: tokens that prompt and answer may have together.
        concurrency: requests at a time; None for any number.
        structured: how it is held to data: ``schema``, ``json``, ``none``, or ``auto``, which finds
            out what the endpoint can do.
        headers: sent with every request.
        extra: further fields of every request.

    Raises:
        MissingExtra: the package is not installed.
        ConfigError: there is no key; an option that cannot be used.
    """

    def __init__(
        self,
        model: str = "gpt-4.1-mini",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        temperature: float | None = 0.0,
        top_p: float | None = None,
        seed: int | None = None,
        max_tokens: int | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        context_tokens: int = DEFAULT_WINDOW,
        concurrency: int | None = None,
        structured: str = AUTO,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        check_limits(context_tokens, timeout, max_retries)
        self.name = f"openai:{model}"
        self.window = context_tokens
        self._options = Options(
            given(temperature=temperature, top_p=top_p, seed=seed, max_tokens=max_tokens)
        )
        self._model = model
        self._extra = dict(extra or {})
        self._most = max_tokens
        self._form = Form(structured)
        self._turnstile = Turnstile(concurrency)
        module = require("openai", EXTRA)
        try:
            self._client = module.OpenAI(
                api_key=api_key,
                base_url=base_url,
                timeout=timeout,
                max_retries=max_retries,
                default_headers=dict(headers or {}),
            )
        except module.OpenAIError as error:
            raise ConfigError(
                "the openai chat model needs a key: set the option 'api_key', or OPENAI_API_KEY "
                "(for an endpoint of your own that checks none, any text will do)",
                field="llm.api_key",
            ) from error
        # Whoever forgets it leaves no open connections behind.
        finalize(self, self._client.close)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """How it answers, as far as the endpoint takes it."""
        return dict(self._options.given)

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Answer.

        Raises:
            ModelUnavailable: not reached, refused, or out of time.
            ModelAnswerInvalid: the answer holds no message.
        """
        with chat_failure(self.name), self._turnstile():
            started = time.monotonic()
            answer = self._create(request)
            return read_completion(answer, self.name, time.monotonic() - started)

    def _create(self, request: ChatRequest) -> Any:
        while True:
            form = self._form.present
            arguments = {
                "model": self._model,
                "messages": messages_of(request),
                **self._options.arguments(
                    **given(max_tokens=least_of(request.max_tokens, self._most))
                ),
                **self._form.arguments(request, form),
            }
            try:
                return self._client.chat.completions.create(
                    **arguments, **given(extra_body=self._extra or None)
                )
            except Exception as error:  # only what it refuses by name is given up
                gives_way = self._options.give_way(arguments, error)
                if not (gives_way or self._form.give_way(request, form, error)):
                    raise
