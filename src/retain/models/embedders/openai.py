"""Any endpoint that answers as OpenAI's embeddings do: OpenAI, Ollama, vLLM, LM Studio, ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import finalize

from retain.errors import ConfigError, ModelAnswerInvalid
from retain.models.extras import require

EXTRA: Final = "openai"
KNOWN_DIMENSIONS: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


class OpenAIEmbedder:
    """Embeddings over HTTP, in batches, with time limits and retries.

    A request that fails for a passing reason (408, 409, 429, 5xx, connection) is tried again,
    after the time that a ``Retry-After`` header states.

    Args:
        model: the model's name at that endpoint.
        api_key: the key; ``OPENAI_API_KEY`` if None.
        base_url: the endpoint, ending in ``/v1``; OpenAI's own if None.
        dimensions: components a vector has; found by asking if unknown.
        request_dimensions: also ask the endpoint for that many; False for one that refuses
            to be asked, and only checks them.
        batch_size: texts a request.
        timeout: seconds a request may take.
        max_retries: how often a request is tried again.
        headers: sent with every request.

    Raises:
        MissingExtra: the package is not installed.
        ConfigError: there is no key, and the endpoint is OpenAI's.
    """

    # OpenAI reads 8,191 tokens; a character is rarely more than one.
    window = 8000

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        dimensions: int | None = None,
        request_dimensions: bool = True,
        batch_size: int = 128,
        timeout: float = 30.0,
        max_retries: int = 3,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.name = f"openai:{model}"
        self.dimension = dimensions or KNOWN_DIMENSIONS.get(model)
        self._model = model
        self._asked = {"dimensions": dimensions} if dimensions and request_dimensions else {}
        self._batch_size = batch_size
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
                "the openai embedder needs a key: set the option 'api_key', or OPENAI_API_KEY "
                "(for an endpoint of your own that checks none, any text will do)",
                field="embedder.api_key",
            ) from error
        # Whoever forgets it leaves no open connections behind.
        finalize(self, self._client.close)

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """Vectors of stored texts, a row each."""
        rows: list[Any] = []
        for start in range(0, len(texts), self._batch_size):
            rows.extend(self._request(list(texts[start : start + self._batch_size])))
        return rows

    def embed_query(self, text: str) -> Any:
        """The vector of a query."""
        return self._request([text])[0]

    def _request(self, texts: list[str]) -> list[Any]:
        # Plain numbers: some endpoints ignore or refuse the base64 form.
        answer = self._client.embeddings.create(
            model=self._model, input=texts, encoding_format="float", **self._asked
        )
        return rows_in_order(answer, len(texts), self.name)


def rows_in_order(answer: Any, count: int, name: str) -> list[Any]:
    """The vectors of an answer of OpenAI's shape, in the order of the texts sent.

    Raises:
        ModelAnswerInvalid: it is of another shape, or not one vector for each text.
    """
    data = getattr(answer, "data", None)
    if not isinstance(data, list):
        raise _invalid(name, "has no list 'data'", answer)
    rows: dict[int, Any] = {}
    for place, entry in enumerate(data):
        get = entry.get if isinstance(entry, Mapping) else vars(entry).get
        vector = get("embedding")
        index = get("index")
        if vector is None:
            raise _invalid(name, f"holds no 'embedding' in entry {place}", answer)
        rows[index if isinstance(index, int) else place] = vector
    if sorted(rows) != list(range(count)) or len(data) != count:
        raise _invalid(name, f"holds {len(data)} vectors for {count} texts", answer)
    return [rows[place] for place in range(count)]


def _invalid(name: str, what: str, answer: Any) -> ModelAnswerInvalid:
    raw = repr(answer)[:500]
    return ModelAnswerInvalid(
        f"model {name!r}: the answer {what}: {raw[:200]}", model=name, raw=raw
    )
