"""Two projects in one file never see each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from retain import Memory, Settings
from retain.errors import NotFound


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Memory, Memory]]:
    """Two projects with the same user, on one file."""
    path = tmp_path / "ledger.db"
    with (
        Memory(Settings(path=path, project="red")) as red,
        Memory(Settings(path=path, project="blue")) as blue,
    ):
        red.add("I live in Oslo with my sister Nora Lindqvist.", user_id="u")
        blue.add("I live in Turin.", user_id="u")
        yield red, blue


def first(memory: Memory) -> str:
    return str(memory.get_all(user_id="u", kinds=["message"])["results"][0]["id"])


def test_no_read_crosses(pair: tuple[Memory, Memory]) -> None:
    red, blue = pair
    for own, other in ((red, "Turin"), (blue, "Oslo")):
        shown = [item["memory"] for item in own.get_all(user_id="u")["results"]]
        shown += [
            item["memory"] for item in own.search(other, user_id="u", threshold=None)["results"]
        ]
        shown.append(own.recall(other, user_id="u").context)
        shown += [entity["name"] for entity in own.entities(user_id="u")]
        assert shown
        assert all(other not in text for text in shown)


def test_an_id_of_the_other_project_is_unknown(pair: tuple[Memory, Memory]) -> None:
    red, blue = pair
    secret, own = first(red), first(blue)
    assert blue.get(secret) is None
    assert blue.history(secret) == []
    changes: list[Callable[[], Any]] = [
        lambda: blue.why(secret),
        lambda: blue.update(secret, "mine now"),
        lambda: blue.delete(secret),
        lambda: blue.restore(secret),
        lambda: blue.supersede(secret, own),
        lambda: blue.supersede(own, secret),
        lambda: blue.erase(secret),
    ]
    for change in changes:
        with pytest.raises(NotFound):
            change()
    assert red.get(secret) is not None
    assert [row["event"] for row in red.history(secret)] == ["ADD"]


def test_figures_count_one_project(pair: tuple[Memory, Memory]) -> None:
    red, blue = pair
    for memory in (red, blue):
        held = memory.get_all(user_id="u", top_k=100)["results"]
        assert sum(memory.stats()["kinds"].values()) == len(held)
        assert memory.stats()["kinds"]["message"] == 1


def test_an_export_holds_one_project(pair: tuple[Memory, Memory], tmp_path: Path) -> None:
    red, _ = pair
    red.export(tmp_path / "red.jsonl")
    text = (tmp_path / "red.jsonl").read_text(encoding="utf-8")
    assert "Oslo" in text
    assert "Turin" not in text


@pytest.mark.parametrize("remove", ["delete_all", "erase", "reset"])
def test_removing_everything_leaves_the_other_project(
    pair: tuple[Memory, Memory], remove: str
) -> None:
    red, blue = pair
    if remove == "reset":
        red.reset()
    else:
        getattr(red, remove)(user_id="u")
    assert red.get_all(user_id="u")["results"] == []
    assert "Turin" in blue.get_all(user_id="u", kinds=["message"])["results"][0]["memory"]


def test_an_idempotency_key_of_one_project_is_free_in_the_other(
    pair: tuple[Memory, Memory],
) -> None:
    red, blue = pair
    mine = red.add("tea", user_id="u", infer=False, idempotency_key="k")
    theirs = blue.add("coffee", user_id="u", infer=False, idempotency_key="k")
    assert mine["results"][0]["id"] != theirs["results"][0]["id"]
    assert theirs["results"][0]["event"] == "ADD"
