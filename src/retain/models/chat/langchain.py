"""A chat model of LangChain, used as it is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from retain.errors import ConfigError
from retain.models.base import ChatAnswer, ChatRequest
from retain.models.chat.answer import chat_failure, check_limits, messages_of

DEFAULT_WINDOW: Final = 16_384


class LangchainChat:
    """Delegates to the ``invoke`` of the caller's object, which is held to data by words alone.

    Args:
        model: the object.
        name: identifies its model; by default its class and what it calls its model.
        context_tokens: tokens that prompt and answer may have together.

    Raises:
        ConfigError: the object has no ``invoke``, or ``context_tokens`` is no number of tokens.
    """

    def __init__(
        self, model: Any, *, name: str | None = None, context_tokens: int = DEFAULT_WINDOW
    ) -> None:
        if not callable(getattr(model, "invoke", None)):
            raise ConfigError(
                "llm provider 'langchain' needs a chat model object as its option 'model'; "
                f"{model!r} has no method 'invoke'",
                field="llm.model",
            )
        check_limits(context_tokens)
        called = getattr(model, "model_name", None) or getattr(model, "model", None)
        label = ":".join(str(part) for part in (type(model).__name__, called) if part)
        self.name = f"langchain:{name or label}"
        self.window = context_tokens
        self.parameters: Mapping[str, Any] = {}
        self._model = model

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Answer.

        Raises:
            ModelUnavailable: the object raised.
        """
        with chat_failure(self.name):
            started = time.monotonic()
            answer = self._model.invoke(
                [(one["role"], one["content"]) for one in messages_of(request)]
            )
            usage = getattr(answer, "usage_metadata", None) or {}
            return ChatAnswer(
                text=_text(getattr(answer, "content", answer)),
                input_tokens=usage.get("input_tokens"),
                output_tokens=usage.get("output_tokens"),
                seconds=time.monotonic() - started,
            )


def _text(content: Any) -> str:
    """The text of an answer, which may come in parts."""
    if isinstance(content, list):
        parts = (one.get("text") if isinstance(one, dict) else one for one in content)
        return "".join(str(part) for part in parts if part is not None)
    return "" if content is None else str(content)
