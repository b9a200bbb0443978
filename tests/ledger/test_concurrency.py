"""Many threads and several processes on one file: no error, nothing lost, no state in between."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import retain
from retain.domain.scope import Scope
from retain.errors import LedgerUnavailable
from retain.ledger.sqlite import SqliteLedger, open_sqlite
from retain.testing.conformance.rows import ANN, everything, keep, record, say

PAIRS = """
import sys
from retain.ledger.sqlite import open_sqlite
from retain.domain.scope import Scope
from retain.testing.conformance.rows import keep, record

path, name, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
ledger = open_sqlite(path)
for n in range(times):
    with ledger.write() as tx:
        keep(tx, record(f"{name}-{n}-a"), record(f"{name}-{n}-b", Scope(user_id=name)))
    with ledger.read() as tx:
        assert tx.memory(f"{name}-{n}-a") is not None
        assert tx.total() % 2 == 0
ledger.close()
"""


def in_threads(count: int, work: object) -> list[BaseException]:
    failures: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)  # type: ignore[operator]
        except BaseException as error:  # noqa: BLE001 - the test judges what came out
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


@pytest.mark.parametrize("where", ["ledger.db", ":memory:"])
def test_threads_write_and_read_without_loss(tmp_path: Path, where: str) -> None:
    ledger = open_sqlite(where if where == ":memory:" else str(tmp_path / where))
    threads, writes = 8, 200

    def work(number: int) -> None:
        mine = Scope(user_id=f"u{number % 3}", run_id=f"r{number}")
        for n in range(writes):
            with ledger.write() as tx:
                say(tx, f"{number}-{n}", mine, n)
            if n % 10 == 0:
                with ledger.read() as reading:
                    turns = reading.coverage(mine)
                    assert len(everything(reading, mine)) == n + 1
                    for partition in turns.parts:
                        state = reading.partition_state(partition)
                        rows = list(reading.scan(partition, 0, 0))
                        assert all(row.features is not None for row in rows)
                        assert state == reading.partition_state(partition)

    assert in_threads(threads, work) == []
    with ledger.read() as reading:
        assert reading.total() == threads * writes
        for number in range(threads):
            scope = Scope(user_id=f"u{number % 3}", run_id=f"r{number}")
            assert len(everything(reading, scope)) == writes
    assert list(ledger.check(repair=False).problems) == []
    ledger.close()


def test_processes_write_one_file_without_loss(tmp_path: Path) -> None:
    path, times = str(tmp_path / "new" / "ledger.db"), 40
    source = str(Path(retain.__file__).parents[1])
    children = [
        subprocess.Popen(
            [sys.executable, "-c", PAIRS, path, f"p{n}", str(times)],
            env={**os.environ, "PYTHONPATH": source},
            stderr=subprocess.PIPE,
        )
        for n in range(4)
    ]
    errors = [child.communicate()[1] for child in children]
    assert [child.returncode for child in children] == [0] * 4, errors
    ledger = open_sqlite(path)
    with ledger.read() as tx:
        assert tx.total() == 4 * 2 * times
        assert len(everything(tx, ANN)) == 4 * times
    assert list(ledger.check(repair=False).problems) == []
    ledger.close()


def test_a_reader_keeps_its_state_while_others_write(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        keep(tx, record("a"), record("b"))
    with ledger.read() as before:
        rows = before.scan(next(iter(before.coverage(ANN).parts)), 0, 0)
        assert next(rows).id == "a"
        with ledger.write() as tx:
            keep(tx, record("c"))
            tx.erase(["b"])
        assert [row.id for row in rows] == ["b"]
        assert before.total() == 2
        with ledger.read() as after:
            assert everything(after, ANN) == ["c", "a"]
    ledger.close()


def test_a_scan_left_half_way_holds_nothing_back(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"), busy_timeout=0.2)
    with ledger.write() as tx:
        keep(tx, *(record(f"m{n}") for n in range(900)))
    with ledger.read() as reading:
        rows = reading.scan(next(iter(reading.coverage(ANN).parts)), 0, 0)
        next(rows)
    assert ledger.seal_erasure()
    assert list(rows) == []
    ledger.close()


def test_a_thread_waits_no_longer_than_the_time_limit(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"), busy_timeout=0.05)

    def second(number: int) -> None:
        with ledger.write():
            pass

    with ledger.write():
        (failure,) = in_threads(1, second)
    assert isinstance(failure, LedgerUnavailable)
    ledger.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_gets_connections_of_its_own(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        keep(tx, record("parent"))
    child = os.fork()
    if child == 0:
        os._exit(_add_in_child(ledger))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with ledger.write() as tx:
        keep(tx, record("after"))
    with ledger.read() as reading:
        assert everything(reading, ANN) == ["after", "child", "parent"]
    assert list(ledger.check(repair=False).problems) == []
    ledger.close()


def _add_in_child(ledger: SqliteLedger) -> int:
    try:
        with ledger.write() as tx:
            keep(tx, record("child"))
    except BaseException:  # noqa: BLE001 - the exit code tells the parent
        return 1
    ledger.close()
    return 0
