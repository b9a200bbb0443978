"""Chat models for tests: scripted, or failing on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from retain.errors import ModelUnavailable
from retain.models.base import ChatAnswer, ChatRequest

Scripted = str | list[Any] | dict[str, Any] | ChatAnswer | Exception


class ScriptedChat:
    """Gives prepared answers, one after the other, and keeps what it was asked.

    Args:
        answers: each a text, data (sent as JSON), a ``ChatAnswer``, an exception (raised), or a
            function of the request that gives one of these. The last one is given again and again
            if ``repeat`` is set.
        repeat: answer with the last one when the script has ended, instead of failing.
        window: tokens that it claims to read.

    Attributes:
        requests: what it was asked, in order.
    """

    def __init__(
        self,
        answers: Iterable[Scripted | Callable[[ChatRequest], Scripted]] = (),
        *,
        repeat: bool = False,
        window: int = 32_768,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.window = window
        self.parameters: Mapping[str, Any] = {"temperature": 0}
        self.requests: list[ChatRequest] = []
        self._answers = list(answers)
        self._repeat = repeat
        self._lock = threading.Lock()

    def then(self, *answers: Scripted | Callable[[ChatRequest], Scripted]) -> None:
        """Add answers to the script."""
        self._answers.extend(answers)

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """The next answer.

        Raises:
            AssertionError: the script has ended.
        """
        with self._lock:
            self.requests.append(request)
            if not self._answers:
                raise AssertionError(f"the script has no answer to request {len(self.requests)}")
            last = self._repeat and len(self._answers) == 1
            answer = self._answers[0] if last else self._answers.pop(0)
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, ChatAnswer):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return ChatAnswer(text, input_tokens=1, output_tokens=1, seconds=0.001)


class FailingChat:
    """Never answers."""

    name = "failing"
    window = 32_768
    parameters: Mapping[str, Any] = {}

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Raises ``ModelUnavailable``."""
        raise ModelUnavailable(
            f"the model cannot be reached with {len(request.messages)} messages", model=self.name
        )
