"""Many writers and readers at once: no error, nothing lost."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from retain import Memory, Settings
from retain.testing.embedders import HashEmbedder

WRITER = """
import sys
from retain import Memory, Settings
from retain.testing.embedders import HashEmbedder
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Memory(Settings(path=path, embedder=HashEmbedder(dimension=64))) as memory:
    for number in range(count):
        memory.add(f"{name} wrote {number}", user_id="shared", infer=False)
        if number % 10 == 0:
            memory.search("wrote", filters={"user_id": "shared"}, top_k=3)
"""


def test_eight_threads_write_and_search_without_loss(memory: Memory) -> None:
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(200):
                memory.add(f"thread {name} note {number}", user_id=f"u{name % 3}", infer=False)
                if number % 20 == 0:
                    found = memory.search(
                        f"thread {name} note {number}", filters={"user_id": f"u{name % 3}"}
                    )
                    assert any(
                        item["memory"] == f"thread {name} note {number}"
                        for item in found["results"]
                    ), "a thread does not read its own write"
        except BaseException as error:  # noqa: BLE001 - reported by the test, in its own thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    kept = [
        item["memory"]
        for user in ("u0", "u1", "u2")
        for item in memory.get_all(filters={"user_id": user}, top_k=5000)["results"]
    ]
    assert len(kept) == len(set(kept)) == 1600
    assert memory.check().problems == []


def test_four_processes_share_one_file(tmp_path: Path, open_memory: Callable[[], Memory]) -> None:
    path = tmp_path / "shared.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), f"p{name}", "60"],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in range(4)
    ]
    for writer in writers:
        _, complaint = writer.communicate(timeout=120)
        assert writer.returncode == 0, complaint
    from retain import Settings
    from retain.testing.embedders import HashEmbedder

    with Memory(Settings(path=path, embedder=HashEmbedder(dimension=64))) as memory:
        kept = memory.get_all(filters={"user_id": "shared"}, top_k=1000)["results"]
        assert len({item["memory"] for item in kept}) == 240
        assert memory.check().problems == []


needs_fork = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="needs fork"
)
# The parent's threads (of numpy, of other tests) make newer Pythons warn of any fork.
forks = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def in_a_fork(act: Callable[[], object]) -> object:
    """What a forked child answers, or the text of its error."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def run() -> None:
        try:
            theirs.send(act())
        except Exception as error:  # noqa: BLE001 - the parent looks at it
            theirs.send(f"{type(error).__name__}: {error}")

    child = context.Process(target=run)
    child.start()
    assert ours.poll(60), "the child never answered"
    answer: object = ours.recv()
    child.join()
    assert child.exitcode == 0
    return answer


@needs_fork
@forks
def test_a_memory_that_was_opened_before_a_fork_works_on_both_sides(tmp_path: Path) -> None:
    with Memory(
        Settings(path=tmp_path / "ledger.db", embedder=HashEmbedder(dimension=16))
    ) as memory:
        memory.add("written before", user_id="u", infer=False)
        memory.search("written", user_id="u")
        memory.recall(
            "written before", user_id="u"
        )  # a use that waits, and is the parent's to keep

        def child() -> list[str]:
            memory.add("written by the child", user_id="u", infer=False)
            found = memory.search("written", user_id="u")["results"]
            memory.close()
            return sorted(item["memory"] for item in found)

        assert in_a_fork(child) == ["written before", "written by the child"]
        memory.add("written after", user_id="u", infer=False)
        found = memory.search("written", user_id="u", profile="rem", explain=True)["results"]
        uses = {item["memory"]: item["score_details"]["use"] for item in found}
        assert uses == {
            "written before": pytest.approx(0.05),
            "written by the child": 0,
            "written after": 0,
        }
        assert memory.check().problems == []


@needs_fork
@forks
def test_a_memory_without_a_file_says_that_a_fork_cannot_have_it() -> None:
    with Memory(Settings(path=":memory:", embedder=HashEmbedder(dimension=16))) as memory:
        memory.add("written before", user_id="u", infer=False)
        answer = in_a_fork(lambda: memory.add("written by the child", user_id="u", infer=False))
        assert "LedgerUnavailable" in str(answer)
        assert "open a new one in the child" in str(answer)
        assert len(memory.get_all(user_id="u")["results"]) == 1


@needs_fork
@forks
@pytest.mark.parametrize("opens_its_own", [False, True])
def test_a_child_goes_on_writing_after_its_parent_has_closed(
    tmp_path: Path, opens_its_own: bool
) -> None:
    settings = Settings(path=tmp_path / "ledger.db", embedder=HashEmbedder(dimension=16))
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    memory = Memory(settings)
    memory.add("written before", user_id="u", infer=False)
    memory.search("written", user_id="u")

    def run() -> None:
        mine = Memory(settings) if opens_its_own else memory
        mine.add("written at once", user_id="u", infer=False)
        theirs.send("ready")
        theirs.recv()
        for number in range(20):
            mine.add(f"written later {number}", user_id="u", infer=False)
        theirs.send(len(mine.search("written", user_id="u", top_k=99)["results"]))
        os._exit(0)  # without closing, as a killed worker

    child = context.Process(target=run)
    child.start()
    assert ours.poll(60)
    ours.recv()
    memory.close()
    ours.send("closed")
    assert ours.poll(60), "the child failed"
    assert ours.recv() == 22
    child.join()
    with Memory(settings) as after:
        assert len(after.get_all(user_id="u", top_k=99)["results"]) == 22
        assert after.check().problems == []


@needs_fork
@forks
def test_children_forked_while_threads_work_do_not_hang(tmp_path: Path) -> None:
    stopped = threading.Event()
    failures: list[BaseException] = []
    with Memory(
        Settings(path=tmp_path / "ledger.db", embedder=HashEmbedder(dimension=16))
    ) as memory:
        memory.add("a whale", user_id="u", infer=False)

        def work() -> None:
            try:
                while not stopped.is_set():
                    memory.search("whale", user_id="u")
                    memory.add("a whale", user_id="u", infer=False)
            except BaseException as error:  # noqa: BLE001 - reported by the test
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()

        def child() -> bool:
            memory.add("a calf", user_id="v", infer=False)
            return bool(memory.search("whale", user_id="u")["results"])

        try:
            answers = [in_a_fork(child) for _ in range(12)]
        finally:
            stopped.set()
            for thread in threads:
                thread.join()
        assert answers == [True] * 12
        assert failures == []
        assert len(memory.get_all(user_id="v", top_k=99)["results"]) == 12
        assert memory.check().problems == []


@needs_fork
@forks
def test_a_child_forked_inside_a_transaction_is_refused_the_file(tmp_path: Path) -> None:
    settings = Settings(path=tmp_path / "ledger.db", embedder=HashEmbedder(dimension=16))

    def again() -> object:
        return memory.add("lost", user_id="u", infer=False)

    with Memory(settings) as memory:
        memory.add("written before", user_id="u", infer=False)
        with memory._parts.ledger.read():
            answers = [str(in_a_fork(act)) for act in (again, lambda: Memory(settings))]
        for answer in answers:
            assert answer.startswith("LedgerUnavailable")
            assert "was forked" in answer
        # Once the block has ended, a fork is as any other.
        in_a_fork(lambda: memory.add("written by a child", user_id="u", infer=False) and None)
        assert len(memory.get_all(user_id="u")["results"]) == 2
