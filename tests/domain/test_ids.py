"""Ids rise, and are UUIDs of version 7."""

from __future__ import annotations

import threading
import uuid

from retain.domain.ids import new_id


def test_an_id_is_a_uuid_of_version_7() -> None:
    parsed = uuid.UUID(new_id())
    assert parsed.version == 7
    assert parsed.variant == uuid.RFC_4122


def test_ids_rise_also_within_a_millisecond() -> None:
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_threads_never_make_the_same_id_and_each_sees_its_own_rise() -> None:
    made: list[list[str]] = [[] for _ in range(4)]

    def make(into: list[str]) -> None:
        into.extend(new_id() for _ in range(2000))

    threads = [threading.Thread(target=make, args=(into,)) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(ids == sorted(ids) for ids in made)
    assert len({one for ids in made for one in ids}) == 8000
