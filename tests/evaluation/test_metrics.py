"""The measures, against their definitions and against each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain.evaluation.metrics import (
    all_at,
    any_at,
    first_appearances,
    measure,
    ndcg_at,
    recall_at,
    reciprocal_rank,
)

IDS = st.sampled_from([f"t{number}" for number in range(12)])
RANKINGS = st.lists(IDS, unique=True, max_size=12)
GOLDS = st.frozensets(IDS, min_size=1, max_size=6)
CUTS = st.integers(1, 15)


def test_recall_is_the_share_of_all_evidence() -> None:
    assert recall_at(["a", "x", "b"], {"a", "b", "c", "d"}, 2) == 0.25
    assert recall_at(["a", "x", "b"], {"a", "b", "c", "d"}, 3) == 0.5


def test_recall_is_strict_when_the_evidence_exceeds_k() -> None:
    assert recall_at(["a"], {"a", "b"}, 1) == 0.5
    assert all_at(["a"], {"a", "b"}, 1) == 0


def test_reciprocal_rank_counts_the_first_evidence_only() -> None:
    assert reciprocal_rank(["x", "a", "b"], {"a", "b"}) == 0.5
    assert reciprocal_rank(["x"], {"a"}) == 0


def test_ndcg_by_hand() -> None:
    gained = 1 / math.log2(3) + 1 / math.log2(4)
    best = 1 / math.log2(2) + 1 / math.log2(3)
    assert ndcg_at(["x", "a", "b"], {"a", "b"}, 3) == pytest.approx(gained / best)


def test_evidence_that_ranks_below_k_gains_nothing() -> None:
    assert ndcg_at(["x", "a"], {"a"}, 1) == 0
    assert any_at(["x", "a"], {"a"}, 1) == 0


@given(RANKINGS, GOLDS, CUTS)
def test_measures_are_shares_and_ordered(ranked: list[str], gold: frozenset[str], k: int) -> None:
    recall, some, every = (
        recall_at(ranked, gold, k),
        any_at(ranked, gold, k),
        all_at(ranked, gold, k),
    )
    assert 0 <= every <= recall <= some <= 1
    assert 0 <= ndcg_at(ranked, gold, k) <= 1 + 1e-12
    assert 0 <= reciprocal_rank(ranked, gold) <= 1


@given(RANKINGS, GOLDS, CUTS)
def test_a_deeper_cut_never_lowers_recall(ranked: list[str], gold: frozenset[str], k: int) -> None:
    assert recall_at(ranked, gold, k) <= recall_at(ranked, gold, k + 1)


@given(GOLDS, CUTS)
def test_evidence_first_is_perfect(gold: frozenset[str], k: int) -> None:
    ranked = [*sorted(gold), "u1", "u2"]
    assert ndcg_at(ranked, gold, k) == pytest.approx(1)
    assert reciprocal_rank(ranked, gold) == 1
    assert all_at(ranked, gold, max(k, len(gold))) == 1


@given(RANKINGS, GOLDS, CUTS)
def test_what_is_no_evidence_may_change_places(
    ranked: list[str], gold: frozenset[str], k: int
) -> None:
    other = [one if one in gold else f"other-{place}" for place, one in enumerate(ranked)]
    for name in (f"R@{k}", f"hit@{k}", f"all@{k}", f"nDCG@{k}", "MRR"):
        assert measure(name)(ranked, gold) == measure(name)(other, gold)


@given(RANKINGS, GOLDS)
def test_moving_evidence_up_never_hurts(ranked: list[str], gold: frozenset[str]) -> None:
    for place in range(1, len(ranked)):
        if ranked[place] in gold and ranked[place - 1] not in gold:
            better = [*ranked]
            better[place - 1], better[place] = better[place], better[place - 1]
            for name in ("R@3", "any@3", "all@3", "nDCG@3", "MRR"):
                assert measure(name)(better, gold) >= measure(name)(ranked, gold)


@pytest.mark.parametrize("name", ["R", "R@0", "R@-1", "hits@5", "mrr", "R@5 ", ""])
def test_an_unknown_measure_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="unknown measure"):
        measure(name)


def test_no_evidence_is_refused_rather_than_scored() -> None:
    for name in ("R@5", "MRR", "nDCG@5"):
        with pytest.raises(ValueError, match="without gold evidence"):
            measure(name)(["a"], frozenset())


@given(st.lists(IDS))
def test_first_appearances_are_distinct_and_in_order(ids: list[str]) -> None:
    firsts = first_appearances(ids)
    assert len(set(firsts)) == len(firsts)
    assert set(firsts) == set(ids)
    assert [ids.index(one) for one in firsts] == sorted(ids.index(one) for one in firsts)
