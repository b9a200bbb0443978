"""What the providers of chats share: reading answers, naming failures, holding to JSON."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from retain.errors import ConfigError, ModelAnswerInvalid, ModelUnavailable, RetainError
from retain.models.base import ChatAnswer, ChatRequest
from retain.models.choice import unfit

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
        self._lock = threading.Lock()

    @property
    def present(self) -> str:
        """The form to ask for."""
        return FORMS[self._at]

    def arguments(self, request: ChatRequest, form: str) -> Mapping[str, Any]:
        """What is added to a request to ask for a form."""
        if request.schema is None or form == "none":
            return {}
        if form == "json":
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

    def give_way(self, request: ChatRequest, form: str, error: Exception) -> bool:
        """Whether to ask again with less: the endpoint refused a request for its form alone."""
        refused = getattr(error, "status_code", None) in (400, 404, 415, 422, 501)
        if self._fixed or request.schema is None or not refused or form == FORMS[-1]:
            return False
        said = str(error).casefold()
        if not any(word in said for word in ("response_format", "json", "schema", "format")):
            return False
        with self._lock:
            # Other threads may have met the same refusal.
            self._at = max(self._at, FORMS.index(form) + 1)
        return True


class Options:
    """How an endpoint is told how to answer: what it takes under which name.

    Models that reason take no ``max_tokens`` but ``max_completion_tokens``, and no temperature: an
    option that an endpoint refuses by name is renamed or left out from then on.
    """

    _RENAMED: Final = {"max_tokens": "max_completion_tokens"}

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = dict(given)
        self._names = {name: name for name in (*given, *self._RENAMED)}
        self._lock = threading.Lock()

    def arguments(self, **more: Any) -> dict[str, Any]:
        """The options, and those of one request, as this endpoint takes them."""
        wanted = {**self.given, **more}
        return {self._names[name]: value for name, value in wanted.items() if name in self._names}

    def give_way(self, asked: Mapping[str, Any], error: Exception) -> bool:
        """Whether to ask again: the endpoint refused an option of the request by its name."""
        if getattr(error, "status_code", None) not in (400, 422):
            return False
        said = str(error).casefold()
        if not any(word in said for word in ("unsupported", "not support", "unrecognized")):
            return False
        with self._lock:
            for name, sent in list(self._names.items()):
                # Told with what to use instead: of both names, it is the one sent that is meant.
                if sent in asked and re.search(rf"\b{sent}\b", said):
                    other = self._RENAMED.get(sent)
                    if other is None:
                        del self._names[name]
                        self.given.pop(name, None)
                    else:
                        self._names[name] = other
                    return True
        return False


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


def messages_of(request: ChatRequest) -> list[dict[str, str]]:
    """The messages of a request as OpenAI writes them; lone surrogates, which no endpoint takes,
    as ``?``."""
    return [
        {"role": one.role, "content": one.content.encode("utf-8", "replace").decode("utf-8")}
        for one in request.messages
    ]


def check_limits(context_tokens: object, timeout: object = 1.0, max_retries: object = 0) -> None:
    """Check the options that every provider has.

    Raises:
        ConfigError: one cannot be used; it is named with its value.
    """
    if (
        isinstance(context_tokens, bool)
        or not isinstance(context_tokens, int)
        or context_tokens < 1
    ):
        raise unfit("llm.context_tokens", context_tokens, "a whole number of tokens, 1 or more")
    usable = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not (usable and math.isfinite(timeout) and timeout > 0):  # type: ignore[arg-type,operator]
        raise unfit("llm.timeout", timeout, "a number of seconds above 0")
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
        raise unfit("llm.max_retries", max_retries, "a whole number, 0 or more")


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
