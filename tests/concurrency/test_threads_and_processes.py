"""Many writers and readers at once: no error, nothing lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from retain import Memory

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
