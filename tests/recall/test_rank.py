"""The ranking: what it finds, what it must not be touched by, and how its scores read."""

from __future__ import annotations

import numpy as np
import pytest

from retain.domain.instant import DAY
from retain.errors import ConfigError
from retain.recall.index import ScopeIndex
from retain.recall.profiles import profile_named
from tests.recall.rows import ALL, NOW, ask, notes, outcome, row, talk

TALK = (
    "Hi Anna, how was your week?",
    "Busy! I finally adopted a kitten.",
    "Congratulations! What is its name?",
    "Her name is Luna.",
    "Lovely. Did you finish the tax report?",
    "Yes, I sent it on Tuesday.",
)

THINGS = ("heater", "lamp", "door", "oven", "fence", "radio", "kettle", "bike", "tap", "clock")


def test_the_answer_to_a_question_comes_first() -> None:
    assert ask(talk(*TALK), "What is the name of the kitten?").ids[0] in ("id-00004", "id-00003")
    assert ask(talk(*TALK), "When was the tax report sent?").ids[0] in ("id-00005", "id-00006")


def test_meaning_alone_finds() -> None:
    index = notes("The puppy chewed the sofa", "The invoice is due on Monday")
    ranked = ask(index, "dog")
    assert ranked.ids[0] == "id-00001"
    assert ranked.scores[0] > ranked.scores[1]
    assert ranked.scores[0] >= 0.1


def test_words_alone_find() -> None:
    index = notes("zxqv-17 is the code", "The invoice is due on Monday")
    ranked = ask(index, "zxqv")
    assert ranked.ids[0] == "id-00001"
    assert ranked.scores[0] > 0.3


@pytest.mark.parametrize("profile", ["default", "plain"])
def test_unrelated_memories_of_a_tiny_store_stay_below_the_threshold(profile: str) -> None:
    index = notes("I live in Oslo with Anna", "Rex is allergic to chicken", "We fly in June")
    assert (ask(index, "quantum chromodynamics lecture", profile).scores < 0.1).all()
    found = ask(index, "What is Rex allergic to?", profile)
    assert found.ids[0] == "id-00002"
    assert found.scores[0] > 0.5
    assert (found.scores[1:] < 0.1).all()


def test_two_memories_that_both_answer_both_score_high() -> None:
    index = notes("I like green tea", "I like black tea", "The car is red")
    assert ask(index, "What tea do I like?").scores[:2].min() > 0.3


def test_a_single_memory_is_judged_by_evidence() -> None:
    index = notes("I live in Oslo")
    assert ask(index, "Where do I live?").scores[0] > 0.3
    assert ask(index, "nginx proxy setup").scores[0] < 0.1


def test_scores_fall_within_0_and_1() -> None:
    for query in ("kitten name", "Anna?", "the", "tax report Tuesday kitten Luna", "???"):
        scores = ask(talk(*TALK), query).scores
        assert (np.diff(scores) <= 0).all()
        assert ((scores >= 0) & (scores <= 1)).all()


def test_equal_memories_are_ordered_by_id() -> None:
    index = notes(*["the same words"] * 5)
    assert ask(index, "same words").ids == [f"id-0000{n}" for n in range(1, 6)]


@pytest.mark.parametrize("profile", ["default", "plain", "rem"])
@pytest.mark.parametrize(("status", "scope"), [(4, 1), (1, 2)])
def test_what_is_not_visible_changes_nothing(profile: str, status: int, scope: int) -> None:
    turns = [row(2 * n, text, session=1, position=2 * n) for n, text in enumerate(TALK, 1)]
    strangers = [
        row(
            2 * n + 1,
            f"kitten name secret {n}",
            session=1,
            position=2 * n + 1,
            status=status,
            scope=scope,
        )
        for n in range(1, 7)
    ]
    mixed = ScopeIndex.of(sorted([*turns, *strangers]), 256)
    mask = mixed.visible(ALL, frozenset({1}))
    alone = ScopeIndex.of(turns, 256)
    for query in ("What is the kitten's name?", "secret", "tax report"):
        found, expected = ask([(mixed, mask)], query, profile), ask(alone, query, profile)
        assert found.ids == expected.ids
        assert found.scores == pytest.approx(expected.scores, abs=1e-5)


def test_facts_between_turns_do_not_part_them() -> None:
    turns = [row(2 * n, text, session=1, position=n) for n, text in enumerate(TALK, 1)]
    facts = [row(2 * n + 1, "Oslo rain", session=1, position=n, kind=1) for n in range(1, 7)]
    index = ScopeIndex.of(sorted([*turns, *facts]), 256)
    view = index.view(index.visible(ALL))
    assert view.talking == len(TALK)
    assert view.starts.tolist() == [0]


def test_partitions_are_ranked_together() -> None:
    one, two = notes("I like tea"), ScopeIndex.of([row(9, "The kitten is called Luna")], 256)
    parts = [(one, one.visible(ALL)), (two, two.visible(ALL))]
    assert ask(parts, "kitten Luna").ids == ["id-00009", "id-00001"]


def test_the_named_speaker_is_preferred() -> None:
    rows = [
        row(1, "I love pottery", session=1, position=0, speaker="Mel"),
        row(2, "I love pottery", session=1, position=1, speaker="Caro"),
    ]
    assert ask(ScopeIndex.of(rows, 256), "What does Caro love?").ids[0] == "id-00002"


def test_a_time_in_the_question_prefers_what_was_said_then() -> None:
    rows = [row(n, "We went hiking together", said=NOW - n * 30 * DAY) for n in range(1, 6)]
    when = "2023-09-15"  # two months before NOW
    assert ask(ScopeIndex.of(rows, 256), f"hiking on {when}").ids[0] == "id-00002"


def test_a_large_pool_and_a_small_one_agree_on_the_best() -> None:
    texts = [f"note number {n} about {word}" for n in range(300) for word in ("tea", "rain")]
    index = notes(*texts, "The kitten is called Luna")
    small = ask(index, "What is the kitten called?", limit=1)
    large = ask(index, "What is the kitten called?", limit=601)
    assert small.ids[0] == large.ids[0] == "id-00601"
    assert len(large) == 601


def test_the_rem_profile_is_its_formula() -> None:
    index = ScopeIndex.of(
        [
            row(1, "I like tea", said=NOW, uses=0),
            row(2, "I like tea", said=NOW - 10 * DAY, uses=4),
            row(3, "I like tea", said=NOW - 90 * DAY, uses=100),
        ],
        256,
    )
    ranked = ask(index, "I like tea", "rem")
    found = dict(outcome(ranked))
    similarity = ranked.details["similarity"][0]
    assert similarity == pytest.approx(1.0, abs=0.01)
    assert found["id-00001"] == pytest.approx(0.6 * similarity + 0.25, abs=1e-5)
    assert found["id-00002"] == pytest.approx(0.6 * similarity + 0.125 + 0.03, abs=1e-5)
    assert found["id-00003"] == pytest.approx(0.6 * similarity + 0.025 + 0.045, abs=1e-5)


def test_the_plain_profile_orders_by_words_and_meaning() -> None:
    ranked = ask(talk(*TALK), "kitten name", "plain")
    assert set(profile_named("plain").weights) == {"window", "cosine"}
    assert ranked.ids[0] in ("id-00002", "id-00003", "id-00004")


def test_an_unknown_profile_is_named() -> None:
    with pytest.raises(ConfigError, match=r"'fancy'.*default, plain, rem"):
        profile_named("fancy")


def test_nothing_visible_gives_nothing() -> None:
    assert ask(ScopeIndex(256), "tea").ids == []
    index = notes("tea")
    assert ask([(index, np.zeros(1, np.bool_))], "tea").ids == []


def test_every_signal_is_explained() -> None:
    explained = ask(talk(*TALK), "kitten").explain(0)
    assert {"window", "bm25", "cosine", "late", "speaker", "interval"} <= set(explained)


def test_two_turns_that_stand_together_do_not_outrank_notes_for_that() -> None:
    alone = [row(key, f"Note {key}: the {what} is broken") for key, what in enumerate(THINGS, 3)]
    together = [row(key, "We baked bread", session=1, position=key) for key in (1, 2)]
    apart = [row(key, "We baked bread") for key in (1, 2)]
    for query in ("Is the heater broken?", "My lamp is broken again"):
        found = outcome(ask(ScopeIndex.of([*together, *alone], 256), query))
        expected = outcome(ask(ScopeIndex.of([*apart, *alone], 256), query))
        assert [one for one, _ in found] == [one for one, _ in expected]
