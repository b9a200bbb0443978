"""What the providers of chats share: reading answers, naming failures, holding to JSON."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from retain.errors import ConfigError, ModelAnswerInvalid, ModelUnavailable, RetainError
from retain.models.base import ChatAnswer, ChatRequest

FORMS: Final = ("schema", "json", "none")  # how an endpoint can be held to data, best first
AUTO: Final = "auto"


class Form:
    """How an endpoint is held to data: by a JSON schema, to JSON, or by words alone.

    With ``auto`` the best is tried first; an endpoint that refuses it is asked for the next, and
    that is remembered.
    """

    def __init__(self, structured: str) -> None:
        if structured not in (AUTO, *FORMS):
            raise ConfigError(
                f"llm.structured must be one of {', '.join((AUTO, *FORMS))}, not {structured!r}",
                field="llm.structured",
            )
        self._fixed = structured != AUTO
        self._at = 0 if structured == AUTO else FORMS.index(structured)

    def arguments(self, request: ChatRequest) -> Mapping[str, Any]:
        """What is added to a request."""
        if request.schema is None or FORMS[self._at] == "none":
            return {}
        if FORMS[self._at] == "json":
            return {"response_format": {"type": "json_object"}}
        return {
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema_name,
                    "schema": dict(request.schema),
                    "strict": True,
                },
            }
        }

    def give_way(self, request: ChatRequest, error: Exception) -> bool:
        """Whether to ask again with less: the endpoint refused a request for its form alone."""
        refused = getattr(error, "status_code", None) in (400, 404, 415, 422, 501)
        if self._fixed or request.schema is None or not refused or self._at + 1 == len(FORMS):
            return False
        said = str(error).casefold()
        if not any(word in said for word in ("response_format", "json", "schema", "format")):
            return False
        self._at += 1
        return True


class Turnstile:
    """Lets so many requests through at a time; None for any number."""

    def __init__(self, most: int | None) -> None:
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            raise ConfigError(
                f"llm.concurrency must be a whole number, 1 or more, or None, not {most!r}",
                field="llm.concurrency",
            )
        self._free = None if most is None else threading.BoundedSemaphore(most)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Wait for a place, and hold it."""
        if self._free is None:
            yield
            return
        with self._free:
            yield


@contextmanager
def chat_failure(name: str) -> Iterator[None]:
    """Turn any exception of a provider's library into ``ModelUnavailable``, with what is known:
    ``details["reason"]`` (``rate_limit``, ``timeout``, ``auth``, ``request``, ``connection`` or
    ``error``) and ``details["retry_after"]`` in seconds.

    Raises:
        ModelUnavailable: naming the model and what its library said.
    """
    try:
        yield
    except RetainError:
        raise
    except Exception as error:  # every library has exceptions of its own
        status = getattr(error, "status_code", None)
        details: dict[str, Any] = {"model": name, "reason": _reason(status, error)}
        wait = _retry_after(error)
        if wait is not None:
            details["retry_after"] = wait
        raise ModelUnavailable(
            f"model {name!r} did not answer ({details['reason']}): {type(error).__name__}: "
            f"{str(error)[:500]}",
            **details,
        ) from error


def read_completion(answer: Any, name: str, seconds: float) -> ChatAnswer:
    """An answer of OpenAI's shape.

    Raises:
        ModelAnswerInvalid: it holds no message.
    """
    choices = getattr(answer, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    if message is None:
        raw = repr(answer)[:500]
        raise ModelAnswerInvalid(
            f"model {name!r}: the answer holds no message: {raw[:200]}", model=name, raw=raw
        )
    refusal = getattr(message, "refusal", None)
    text = getattr(message, "content", None) or refusal or ""
    usage = getattr(answer, "usage", None)
    return ChatAnswer(
        text=text if isinstance(text, str) else str(text),
        finish="refusal" if refusal else str(getattr(choices[0], "finish_reason", None) or "stop"),
        input_tokens=getattr(usage, "prompt_tokens", None),
        output_tokens=getattr(usage, "completion_tokens", None),
        seconds=seconds,
    )


def given(**options: Any) -> dict[str, Any]:
    """The options that are set."""
    return {name: value for name, value in options.items() if value is not None}


def least_of(*limits: int | None) -> int | None:
    """The least of the limits that are set."""
    return min((limit for limit in limits if limit is not None), default=None)


def _reason(status: object, error: Exception) -> str:
    kind = type(error).__name__.casefold()
    if status == 429 or "ratelimit" in kind:
        return "rate_limit"
    if "timeout" in kind or status in (408, 504):
        return "timeout"
    if status in (401, 403):
        return "auth"
    if isinstance(status, int) and 400 <= status < 500:
        return "request"
    return "connection" if "connection" in kind else "error"


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    stated = headers.get("retry-after") if headers is not None else None
    try:
        return None if stated is None else max(0.0, float(stated))
    except ValueError:  # a date: the usual wait will do
        return None
