"""One way for a model to fail, whatever library it runs on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from retain.errors import ModelUnavailable, RetainError


@contextmanager
def named_failure(name: str) -> Iterator[None]:
    """Turn any exception of a model's library into ``ModelUnavailable``, keeping its cause.

    Raises:
        ModelUnavailable: naming the model and what its library said.
    """
    try:
        yield
    except RetainError:
        raise
    except Exception as error:  # every library has exceptions of its own
        raise ModelUnavailable(
            f"model {name!r} did not answer: {type(error).__name__}: {error}", model=name
        ) from error
