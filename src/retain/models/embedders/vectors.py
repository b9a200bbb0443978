"""What a model answered, as unit vectors, or an error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retain.errors import ModelAnswerInvalid


def unit_rows(answer: Any, *, count: int, dimension: int | None, name: str) -> NDArray[np.float32]:
    """The rows of an answer, each brought to length 1; a row of zeros stays.

    Args:
        answer: rows of numbers, as an array or nested sequences.
        count: how many rows were asked for.
        dimension: components of a row; None accepts any, if all rows agree.
        name: the model, for the message.

    Returns:
        Shape ``(count, dimension)``.

    Raises:
        ModelAnswerInvalid: another count or dimension, or a value that is no finite number.
    """
    try:
        rows = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelAnswerInvalid(
            f"model {name!r} did not answer rows of numbers of one length: {error}",
            model=name,
            raw=_excerpt(answer),
        ) from error
    if rows.size == 0 and count == 0:
        return np.zeros((0, dimension or 0), np.float32)
    if rows.ndim != 2 or rows.shape[0] != count:
        raise ModelAnswerInvalid(
            f"model {name!r} answered an array of shape {rows.shape} to {count} texts",
            model=name,
            raw=_excerpt(answer),
        )
    if rows.shape[1] == 0 or dimension not in (None, rows.shape[1]):
        raise ModelAnswerInvalid(
            f"model {name!r} answered vectors of {rows.shape[1]} components, expected {dimension}; "
            "the embedder's dimension does not fit its model",
            model=name,
            raw=_excerpt(answer),
        )
    if not np.isfinite(rows).all():
        raise ModelAnswerInvalid(
            f"model {name!r} answered a vector with NaN or infinite components",
            model=name,
            raw=_excerpt(answer),
        )
    # Scaled by the largest component first: the square of a huge one would overflow.
    peaks = np.abs(rows).max(axis=1, keepdims=True)
    rows = np.divide(rows, peaks, out=np.zeros_like(rows), where=peaks > 0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return np.ascontiguousarray(unit, dtype=np.float32)


def _excerpt(answer: Any) -> str:
    return repr(answer)[:500]
