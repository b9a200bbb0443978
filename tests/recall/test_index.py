"""An index kept current equals one built anew."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retain.errors import LedgerCorrupt
from retain.ledger.port import PartitionState, ScanRow
from retain.ledger.visibility import Visibility
from retain.recall.cache import IndexCache
from retain.recall.index import ScopeIndex
from tests.recall.rows import ALL, NOW, ask, notes, outcome, row, talk

TEXTS = [
    "I moved to Oslo in spring",
    "My dog Rex hates the vacuum cleaner",
    "Did you see the match last night?",
    "The budget meeting was moved to Tuesday",
    "我昨天去了北京",
    "Rex is a beagle",
]
QUERIES = ["Where did I move?", "What dog is Rex?", "北京", "meeting on Tuesday"]

changes = st.lists(
    st.tuples(
        st.integers(1, 12),  # key
        st.sampled_from([*TEXTS, None]),  # new text, or a change of state only
        st.sampled_from([1, 1, 1, 3, 4]),  # status
        st.integers(1, 2),  # session
    ),
    min_size=1,
    max_size=30,
)


@given(changes, st.lists(st.integers(1, 5), min_size=1, max_size=6))
@settings(deadline=None, max_examples=40)
def test_advanced_step_by_step_equals_built_at_once(
    steps: list[tuple[int, str | None, int, int]], sizes: list[int]
) -> None:
    index = ScopeIndex(256)
    texts: dict[int, str] = {}
    state: dict[int, ScanRow] = {}
    batch: list[ScanRow] = []
    for number, (key, text, status, session) in enumerate(steps):
        if key not in texts and text is None:
            continue
        if text is not None:
            texts[key] = text
        batch.append(row(key, text, session=session, position=key, status=status))
        state[key] = row(key, texts[key], session=session, position=key, status=status)
        if len(batch) >= sizes[number % len(sizes)]:
            index, batch = index.advanced(_latest(batch)), []
    index = index.advanced(_latest(batch))
    rebuilt = ScopeIndex.of([state[key] for key in sorted(state)], 256)
    for query in QUERIES:
        assert outcome(ask(index, query)) == outcome(ask(rebuilt, query))  # to the last bit


def _latest(batch: list[ScanRow]) -> list[ScanRow]:
    """As a ledger gives them: each key once, in its last state, with its last new features."""
    last: dict[int, ScanRow] = {}
    for one in batch:
        known = last.get(one.key)
        if known is not None and one.features is None:
            last[one.key] = one._replace(features=known.features)
        else:
            last[one.key] = one
    return [last[key] for key in sorted(last)]


def test_an_index_in_use_stays_as_it_was() -> None:
    before = notes("I live in Oslo", "I like tea")
    answer = outcome(ask(before, "Where do I live?"))
    after = before.advanced([row(1, "I live in Bergen"), row(3, "She lives in Rome")])
    assert outcome(ask(before, "Where do I live?")) == answer
    assert len(before) == 2
    assert len(after) == 3


def test_a_changed_text_is_found_by_its_new_words_only() -> None:
    index = notes("I live in Oslo", "I like tea").advanced([row(1, "I live in Bergen")])
    assert ask(index, "Bergen").ids[0] == "id-00001"
    assert ask(index, "Oslo").scores.max(initial=0) < 0.1


def test_a_new_row_without_features_is_refused() -> None:
    with pytest.raises(LedgerCorrupt, match="id-00007 is missing"):
        notes("a").advanced([row(7, None)])


def test_keys_narrow_what_is_visible() -> None:
    index = notes("tea one", "tea two", "tea three")
    assert index.visible(ALL, keys=[2, 99]).tolist() == [False, True, False]
    assert index.visible(ALL, scopes=frozenset({2})).tolist() == [False] * 3


class Scans:
    """A read of one partition that counts how often it is scanned."""

    def __init__(self, rows: list[ScanRow], epoch: int = 1, revision: int = 1) -> None:
        self.rows, self.state = rows, PartitionState(epoch, revision)
        self.asked: list[tuple[int, int]] = []

    def partition_state(self, _partition: int) -> PartitionState:
        return self.state

    def scan(self, _partition: int, after: int, features_after: int) -> list[ScanRow]:
        self.asked.append((after, features_after))
        return self.rows


def test_the_cache_builds_once_and_then_takes_in_changes() -> None:
    cache = IndexCache(256, 10_000_000)
    first = Scans([row(1, "I like tea")])
    index = cache.get(first, 1)  # type: ignore[arg-type]
    assert cache.get(first, 1) is index  # type: ignore[arg-type]
    assert first.asked == [(0, 0)]
    later = Scans([row(2, "I like cake")], revision=2)
    assert len(cache.get(later, 1)) == 2  # type: ignore[arg-type]
    assert later.asked == [(1, 1)]


def test_the_cache_drops_the_dead_when_most_are() -> None:
    cache = IndexCache(256, 10_000_000)
    first = Scans([row(key, "I like tea") for key in range(1, 201)])
    cache.get(first, 1)  # type: ignore[arg-type]
    for revision in range(2, 5):
        changed = Scans([row(key, "I like cake") for key in range(1, 201)], revision=revision)
        index = cache.get(changed, 1)  # type: ignore[arg-type]
        assert index.slots <= 512
        assert len(index) == 200


def test_the_cache_starts_anew_with_a_new_epoch() -> None:
    cache = IndexCache(256, 10_000_000)
    cache.get(Scans([row(1, "I like tea")]), 1)  # type: ignore[arg-type]
    erased = cache.get(Scans([row(2, "I like cake")], epoch=2, revision=2), 1)  # type: ignore[arg-type]
    assert ask(erased, "tea").ids == ["id-00002"]


def test_a_reader_of_an_older_state_gets_its_own_index() -> None:
    cache = IndexCache(256, 10_000_000)
    newer = Scans([row(1, "tea"), row(2, "cake")], revision=5)
    held = cache.get(newer, 1)  # type: ignore[arg-type]
    assert len(cache.get(Scans([row(1, "tea")], revision=4), 1)) == 1  # type: ignore[arg-type]
    assert cache.get(newer, 1) is held  # type: ignore[arg-type]


def test_the_cache_keeps_within_its_bound() -> None:
    cache = IndexCache(256, 1)
    scans = Scans([row(1, "tea")])
    cache.get(scans, 1)  # type: ignore[arg-type]
    cache.get(Scans([row(1, "tea")]), 2)  # type: ignore[arg-type]
    cache.get(scans, 1)  # type: ignore[arg-type]
    assert len(scans.asked) == 2


def test_visibility_hides_what_expired_or_was_replaced() -> None:
    index = ScopeIndex.of([row(1, "old", status=3), row(2, "new")._replace(expires=NOW)], 256)
    assert not index.visible(ALL).any()
    assert index.visible(Visibility(now=NOW, show_expired=True, include_superseded=True)).all()
    assert len(talk("a", "b")) == 2


def test_a_cache_of_no_size_keeps_nothing() -> None:
    cache = IndexCache(256, 0)
    scans = Scans([row(1, "tea")])
    assert cache.get(scans, 1) is not cache.get(scans, 1)  # type: ignore[arg-type]
    assert scans.asked == [(0, 0), (0, 0)]


def test_a_forgotten_partition_is_built_anew() -> None:
    cache = IndexCache(256, 10_000_000)
    first, second = Scans([row(1, "tea")]), Scans([row(1, "tea")])
    cache.get(first, 1)  # type: ignore[arg-type]
    cache.get(second, 2)  # type: ignore[arg-type]
    cache.forget([1, 3])
    cache.get(first, 1)  # type: ignore[arg-type]
    cache.get(second, 2)  # type: ignore[arg-type]
    assert (len(first.asked), len(second.asked)) == (2, 1)
