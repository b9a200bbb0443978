"""The chat models of the many services that litellm speaks to."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from retain.models.base import ChatAnswer, ChatRequest
from retain.models.chat.answer import (
    AUTO,
    Form,
    Turnstile,
    chat_failure,
    check_limits,
    given,
    least_of,
    messages_of,
    read_completion,
)
from retain.models.litellm import litellm

DEFAULT_WINDOW: Final = 16_384


class LiteLLMChat:
    """Chat by ``litellm.completion``.

    Args:
        model: litellm's name, with the service first: ``anthropic/claude-...``.
        api_key: the key; the service's own environment variable if None.
        base_url, api_version: the endpoint, where it is not the service's own.
        temperature, top_p: how it answers; None leaves it to the service.
        max_tokens: the most that an answer may have.
        timeout: seconds a request may take.
        max_retries: how often a request is tried again.
        context_tokens: tokens that prompt and answer may have together.
        concurrency: requests at a time; None for any number.
        structured: how it is held to data: ``schema``, ``json``, ``none`` or ``auto``.
        extra: further arguments of ``litellm.completion``.

    Raises:
        MissingExtra: the package is not installed.
        ConfigError: an option that cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        api_version: str | None = None,
        temperature: float | None = 0.0,
        top_p: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        context_tokens: int = DEFAULT_WINDOW,
        concurrency: int | None = None,
        structured: str = AUTO,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        check_limits(context_tokens, timeout, max_retries)
        self.name = f"litellm:{model}"
        self.window = context_tokens
        self.parameters: Mapping[str, Any] = given(
            temperature=temperature, top_p=top_p, max_tokens=max_tokens
        )
        self._call = {
            "model": model,
            "timeout": timeout,
            "num_retries": max_retries,
            # A service that lacks a parameter answers without it.
            "drop_params": True,
            **given(api_key=api_key, api_base=base_url, api_version=api_version),
            **(extra or {}),
        }
        self._most = max_tokens
        self._form = Form(structured)
        self._turnstile = Turnstile(concurrency)
        self._litellm = litellm()

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
            try:
                return self._litellm.completion(
                    messages=messages_of(request),
                    **self._call,
                    **{
                        **self.parameters,
                        **given(max_tokens=least_of(request.max_tokens, self._most)),
                        **self._form.arguments(request, form),
                    },
                )
            except Exception as error:  # only its form may be given up; the rest goes on
                if not self._form.give_way(request, form, error):
                    raise
