"""Files that are wrong, full, foreign, or not to be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest

from retain.errors import (
    Conflict,
    InvalidInput,
    LedgerCorrupt,
    LedgerFull,
    LedgerReadOnly,
    LedgerTooNew,
    LedgerUnavailable,
)
from retain.ledger.sqlite import SqliteLedger, open_sqlite
from retain.ledger.sqlite.migrations import VERSION
from retain.testing.conformance.rows import ANN, everything, keep, record, say


def filled(path: Path, memories: int = 3) -> Path:
    ledger = open_sqlite(str(path))
    with ledger.write() as tx:
        keep(tx, *(record(f"m{n}", text=f"memory {n} " * 20) for n in range(memories)))
    ledger.close()
    return path


def held(ledger: SqliteLedger) -> int:
    with ledger.read() as tx:
        return tx.total()


def test_missing_folders_are_made(tmp_path: Path) -> None:
    assert filled(tmp_path / "a" / "b" / "ledger.db").exists()


def test_a_closed_ledger_opens_again_with_everything(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger with space%20?.db")
    ledger = open_sqlite(str(path))
    with ledger.read() as tx:
        assert everything(tx, ANN) == ["m2", "m1", "m0"]
    ledger.close()
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="is a directory"):
        open_sqlite(str(tmp_path))


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerUnavailable, match="file"):
        open_sqlite(str(tmp_path / "file" / "ledger.db"))


@pytest.mark.parametrize("content", [b"just some text", b"x" * 10_000, b"SQLite format 3\0short"])
def test_a_file_of_another_kind_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(LedgerCorrupt, match="no Retain ledger"):
        open_sqlite(str(path))
    assert path.read_bytes() == content


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("application_id", [0, 1234])
def test_a_foreign_database_is_refused_unchanged(
    tmp_path: Path, application_id: int, journal: str
) -> None:
    path = tmp_path / "other.db"
    foreign = sqlite3.connect(path)
    foreign.execute(f"PRAGMA application_id = {application_id}")
    foreign.execute(f"PRAGMA journal_mode = {journal}")
    foreign.execute("CREATE TABLE users (name TEXT)")
    foreign.commit()
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(LedgerCorrupt, match="another program"):
        open_sqlite(str(path))
    assert path.read_bytes() == before


def test_a_damaged_header_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    damaged = bytearray(path.read_bytes())
    damaged[:16] = bytes(16)
    path.write_bytes(damaged)
    with pytest.raises(LedgerCorrupt):
        open_sqlite(str(path))
    assert path.read_bytes() == bytes(damaged)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db", 200)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 // 4096 * 4096])
    with pytest.raises(LedgerCorrupt):
        open_sqlite(str(path))


def test_a_damaged_page_is_found(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db", 400)
    damaged = bytearray(path.read_bytes())
    middle = len(damaged) // 2 // 4096 * 4096
    damaged[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(damaged)
    ledger = open_sqlite(str(path))
    report = ledger.check(repair=False)
    ledger.close()
    assert any("damaged" in problem for problem in report.problems)


def test_a_newer_schema_is_refused_and_both_versions_are_named(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    newer = sqlite3.connect(path)
    newer.execute(f"PRAGMA user_version = {VERSION + 7}")
    newer.close()
    with pytest.raises(LedgerTooNew, match=rf"{VERSION + 7}.*{VERSION}.*upgrade"):
        open_sqlite(str(path))


def test_read_only_reads_and_refuses_writes(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    ledger = open_sqlite(str(path), read_only=True)
    assert held(ledger) == 3
    with pytest.raises(LedgerReadOnly), ledger.write():
        pass
    ledger.close()


def test_read_only_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="does not exist"):
        open_sqlite(str(tmp_path / "ledger.db"), read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_keeps_nothing_of_the_write(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    ledger = open_sqlite(str(path), max_bytes=path.stat().st_size + 40_000)
    with pytest.raises(LedgerFull), ledger.write() as tx:
        for n in range(2000):
            keep(tx, record(f"big{n}", text="x" * 500))
    assert held(ledger) == 3
    assert list(ledger.check(repair=False).problems) == []
    with ledger.write() as tx:
        keep(tx, record("small"))
    assert held(ledger) == 4
    ledger.close()


def test_a_writer_that_waits_too_long_says_who_is_in_the_way(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    first = open_sqlite(str(path))
    second = open_sqlite(str(path), busy_timeout=0.05)
    with first.write() as tx:
        keep(tx, record("held"))
        with pytest.raises(LedgerUnavailable, match="locked"), second.write():
            pass
        assert held(second) == 3  # reading goes on meanwhile
    first.close()
    second.close()


def test_a_write_within_a_write_is_refused_at_once(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with ledger.write() as tx:
        keep(tx, record("outer"))
        with pytest.raises(Conflict), ledger.write():
            pass
    assert held(ledger) == 1
    ledger.close()


def test_a_backup_is_a_ledger_of_its_own(tmp_path: Path) -> None:
    ledger = open_sqlite(str(filled(tmp_path / "ledger.db")))
    ledger.backup(tmp_path / "deep" / "copy.db")
    with ledger.write() as tx:
        keep(tx, record("later"))
    copy = open_sqlite(str(tmp_path / "deep" / "copy.db"))
    assert held(copy) == 3
    assert list(copy.check(repair=False).problems) == []
    copy.close()
    ledger.close()


def test_a_ledger_in_memory_can_be_backed_up(tmp_path: Path) -> None:
    ledger = open_sqlite(":memory:")
    with ledger.write() as tx:
        say(tx, "turn")
    ledger.backup(tmp_path / "copy.db")
    ledger.close()
    copy = open_sqlite(str(tmp_path / "copy.db"))
    assert held(copy) == 1
    copy.close()


def test_check_repairs_what_can_be_derived(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    db = sqlite3.connect(path)
    db.execute("DELETE FROM features WHERE key IN (SELECT min(key) FROM memory)")
    db.execute(
        "INSERT INTO features SELECT key + 99, revision, length, cues, speaker, terms, counts,"
        " vectors, pieces FROM features LIMIT 1"
    )
    db.execute("INSERT INTO link VALUES (1, 'follows', 2, 0, NULL)")
    db.execute("INSERT INTO entity VALUES (1, 'e', 1, 'rex', 'Rex', 'thing')")
    db.execute("UPDATE partition SET next_seq = 1, revision = 0")
    db.execute("UPDATE ledger SET next_order = 1")
    db.commit()
    db.close()
    ledger = open_sqlite(str(path))
    assert len(ledger.check(repair=False).problems) == 7
    report = ledger.check(repair=True)
    assert len(report.repaired) == 5  # the edge had lost both its ends
    assert [problem for problem in report.problems if "reindex" in problem] == list(report.problems)
    again = ledger.check(repair=False)
    assert again.problems == report.problems
    with ledger.write() as tx:
        keep(tx, record("new"))
    assert held(ledger) == 4
    ledger.close()


def test_values_that_the_file_cannot_hold_are_refused(tmp_path: Path) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    for one in (record("a", text="lone \ud800"), record("a", created_at=2**70)):
        with pytest.raises(ValueError, match="cannot store"), ledger.write() as tx:
            keep(tx, one)
    assert held(ledger) == 0
    ledger.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and rights that can be given up")
@pytest.mark.parametrize(("folder", "read_only"), [(0o555, False), (0o555, True), (0o777, False)])
def test_a_file_without_the_right_to_write(folder: int, read_only: bool) -> None:
    place = Path(tempfile.mkdtemp())  # one that another user may enter
    path = filled(place / "ledger.db")
    path.chmod(0o444)
    place.chmod(folder)
    before = path.read_bytes()
    child = os.fork()
    if child == 0:
        os._exit(_try_to_write(path, read_only))
    held_there = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    after = path.read_bytes()
    place.chmod(0o755)
    shutil.rmtree(place)
    assert after == before
    # What can be read is read, unless the folder has no room for the log of a ledger to write.
    assert held_there == (0 if folder == 0o555 and not read_only else 3)


def _try_to_write(path: Path, read_only: bool) -> int:
    """As a user without rights: how many memories can be read, 99 if writing worked."""
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    readable = 0
    try:
        ledger = open_sqlite(str(path), busy_timeout=0.1, read_only=read_only)
        readable = held(ledger)
        with ledger.write() as tx:
            keep(tx, record("new"))
    except LedgerReadOnly:
        return readable
    except BaseException:  # noqa: BLE001 - the exit code tells the parent
        return 98
    return 99


@pytest.mark.parametrize("others", [{"text": "\ud800"}, {"created_at": 2**70}])
def test_a_value_that_cannot_be_stored_is_refused_as_input(
    tmp_path: Path, others: dict[str, Any]
) -> None:
    ledger = open_sqlite(str(tmp_path / "ledger.db"))
    with pytest.raises(InvalidInput, match="cannot store this value"), ledger.write() as tx:
        keep(tx, record("a", **others))
    with ledger.read() as reading:
        assert everything(reading, ANN) == []
    ledger.close()


def test_an_older_schema_is_not_read_without_the_right_to_bring_it_up(tmp_path: Path) -> None:
    path = filled(tmp_path / "ledger.db")
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 1")
    db.close()
    with pytest.raises(LedgerReadOnly, match="older version"):
        open_sqlite(str(path), read_only=True)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device")
def test_a_device_is_no_ledger() -> None:
    with pytest.raises(LedgerUnavailable, match="device"):
        open_sqlite("/dev/null")


def test_a_limit_of_the_size_of_files_is_a_full_disk(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = filled(tmp_path / "ledger.db")
    ledger = open_sqlite(str(path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
    try:
        with pytest.raises(LedgerFull, match="ulimit"), ledger.write() as tx:
            keep(tx, *(record(f"big{n}", text="x" * 4000) for n in range(400)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert held(ledger) == 3
    assert list(ledger.check(repair=False).problems) == []
    ledger.close()
