"""The files of the default embedder are the ones this version was built for, or are refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retain.models.embedders.static import StaticEmbedder
from retain.models.wordllama import tokenizer

SCRIPT = """
from retain.errors import ConfigError
from retain.models.tokens import build_counter
from retain.models.embedders.static import StaticEmbedder
for use in (StaticEmbedder, lambda: build_counter().count("text")):
    try:
        use()
    except ConfigError as error:
        print(error)
    else:
        print("accepted")
"""


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "cannot be read"),
        (
            {
                "weights/l2_supercat_256.safetensors": b"other",
                "tokenizers/l2_supercat_tokenizer_config.json": b"{}",
            },
            "another release",
        ),
    ],
)
def test_files_that_are_not_the_stated_ones_are_refused(
    tmp_path: Path, files: dict[str, bytes], said: str
) -> None:
    package = tmp_path / "wordllama"
    package.mkdir()
    (package / "__init__.py").touch()
    for name, content in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_bytes(content)
    source = Path(__file__).parents[2] / "src"
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{source}"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = answer.stdout.splitlines()
    assert len(lines) == 2
    assert all(said in line and "install" in line for line in lines)


@given(st.lists(st.text(max_size=12), max_size=12), st.sampled_from([" ", "  ", "\n", " \t"]))
@example(["The", "cats", "can't"], " ")
@example(["我", "喜欢", "Zürich", "👩‍👩‍👧", "\u0301a", "▁b"], " ")
@settings(deadline=None)
def test_the_pieces_of_a_text_are_those_of_its_words(words: list[str], blank: str) -> None:
    text = blank.join(words).encode("utf-8", "replace").decode("utf-8")
    whole = tokenizer().encode(text, add_special_tokens=False).ids
    assert StaticEmbedder().pieces([text])[0].tolist() == whole
