"""Arguments of a wrong type, to every verb: one clear error, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from retain import Memory
from retain.errors import InvalidInput

CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "explain": (lambda m: m.search("x", user_id="u", explain="yes"), "explain must be True"),
    "rerank": (lambda m: m.search("x", user_id="u", rerank=1), "rerank must be True"),
    "recall rerank": (lambda m: m.recall("x", user_id="u", rerank=None), "rerank must be True"),
    "show_expired": (lambda m: m.get_all(user_id="u", show_expired=1), "show_expired must be"),
    "kinds": (lambda m: m.get_all(user_id="u", kinds=5), "kinds must be a list"),
    "items": (lambda m: m.add_many(5), "items must be a list"),
    "items text": (lambda m: m.add_many("abc"), "items must be a list"),
    "items dict": (lambda m: m.add_many({"messages": "x"}), "items must be a list"),
    "infer": (lambda m: m.add("x", user_id="u", infer="no"), "infer must be True"),
    "repair": (lambda m: m.check(repair="x"), "repair must be True"),
    "backup": (lambda m: m.backup(5), "target must be a file's path"),
    "export": (lambda m: m.export(None), "target must be a file's path"),
    "export empty": (lambda m: m.export(" "), "target must be a file's path"),
    "import": (lambda m: m.import_file(5, user_id="u"), "source must be a file's path"),
    "restore": (lambda m: m.restore("id", reason=5), "reason must be a text"),
    "supersede": (lambda m: m.supersede("id", "id", reason=b"x"), "reason must be a text"),
    "erase": (lambda m: m.erase("id", reason=object()), "reason must be a text"),
    "entities": (lambda m: m.entities(), "at least one of"),
    "get": (lambda m: m.get(5), "memory_id must be a text"),
    "history": (lambda m: m.history(None), "memory_id must be a text"),
    "why": (lambda m: m.why(["id"]), "memory_id must be a text"),
    "delete": (lambda m: m.delete(7), "memory_id must be a text"),
    "surrogate": (lambda m: m.delete("\ud800"), "cannot store"),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_is_refused_by_name_and_nothing_is_changed(memory: Memory, name: str) -> None:
    memory.add("the violin is in the attic", user_id="u", infer=False)
    before = memory.get_all(user_id="u"), memory.stats()["tables"]
    call, said = CALLS[name]
    with pytest.raises(InvalidInput, match=said):
        call(memory)
    assert (memory.get_all(user_id="u"), memory.stats()["tables"]) == before


def test_an_unknown_argument_is_told_as_one_of_memory(memory: Memory) -> None:
    for verb in (memory.add, memory.search, memory.candidates, memory.backup):
        with pytest.raises(TypeError, match=rf"Memory\.{verb.__name__}\(\) got an unexpected"):
            verb("x", nonsense=1)  # type: ignore[call-arg]
