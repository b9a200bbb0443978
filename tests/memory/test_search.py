"""Searching: what is found, in which shape, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from retain import Memory
from retain.errors import Closed, InvalidFilter, InvalidInput, InvalidQuery, InvalidScope

LANGUAGES = {
    "zh": ("我的女儿在北京大学学习物理。", "北京大学"),
    "ja": ("私は毎朝コーヒーを二杯飲みます。", "コーヒー"),
    "ar": ("أختي تعمل طبيبة في القاهرة.", "القاهرة"),
    "hi": ("मेरा भाई दिल्ली में पढ़ाता है।", "दिल्ली"),
    "de": ("Meine Großmutter züchtet Schäferhunde.", "Schäferhunde"),
    "ko": ("나는 부산에서 태어났습니다.", "부산에서"),
    "th": ("ฉันชอบกินข้าวผัด", "ข้าวผัด"),
    "ru": ("Моя бабушка печёт вкусные пироги.", "пироги"),
    "el": ("Ο αδερφός μου μένει στην Αθήνα.", "Αθήνα"),
    "tr": ("Kız kardeşim İstanbul'da çalışıyor.", "İstanbul'da"),
}


@pytest.fixture
def filled(memory: Memory) -> Memory:
    for text in (
        "The violin lesson is on Tuesday at five.",
        "Groceries: oat milk, rye bread, apricots.",
        "The spare key is under the blue flowerpot.",
        "Tax papers are due at the end of April.",
    ):
        memory.add(text, user_id="u", infer=False)
    memory.add("The violin belongs to someone else.", user_id="v", infer=False)
    return memory


def found(memory: Memory, query: str, user: str = "u", **asked: Any) -> list[str]:
    results = memory.search(query, filters={"user_id": user}, **asked)["results"]
    return [item["memory"] for item in results]


def test_the_answer_comes_first_with_a_score(filled: Memory) -> None:
    results = filled.search("when is the violin lesson?", filters={"user_id": "u"})["results"]
    assert results[0]["memory"] == "The violin lesson is on Tuesday at five."
    scores = [item["score"] for item in results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(item["user_id"] == "u" for item in results)


def test_meaning_is_found_without_a_shared_word(filled: Memory) -> None:
    assert found(filled, "food shopping list")[0].startswith("Groceries")


def test_explain_shows_what_the_score_is_made_of(filled: Memory) -> None:
    item = filled.search("violin lesson", filters={"user_id": "u"}, explain=True)["results"][0]
    details = item["score_details"]
    assert details["final_score"] == pytest.approx(item["score"])
    assert {"semantic_score", "bm25_score"} <= details.keys()
    plain = filled.search("violin lesson", filters={"user_id": "u"})["results"][0]
    assert "score_details" not in plain


def test_top_k_and_threshold_bound_the_answer(filled: Memory) -> None:
    assert len(found(filled, "the", top_k=2, threshold=None)) == 2
    assert found(filled, "violin", top_k=0) == []
    assert len(found(filled, "violin lesson", threshold=0.0, top_k=10)) == 4
    assert found(filled, "violin lesson", threshold=1.0) in (
        [],
        ["The violin lesson is on Tuesday at five."],
    )
    assert len(found(filled, "violin lesson", limit=1, threshold=0.0)) == 1


@pytest.mark.parametrize("profile", ["default", "plain", "rem"])
def test_every_profile_finds_the_plain_answer(filled: Memory, profile: str) -> None:
    assert found(filled, "violin lesson Tuesday", profile=profile)[0].startswith("The violin")


def test_identities_may_be_top_level_as_in_older_versions(filled: Memory) -> None:
    results = filled.search("violin", user_id="v", limit=3)["results"]
    assert [item["user_id"] for item in results] == ["v"]
    assert len(filled.get_all(user_id="v")["results"]) == 1


def test_a_new_instance_answers_the_same(filled: Memory, open_memory: Any) -> None:
    query = "where is the key?"
    again = open_memory()
    assert again.search(query, filters={"user_id": "u"}) == filled.search(
        query, filters={"user_id": "u"}
    )


@pytest.mark.parametrize(("text", "words"), LANGUAGES.values(), ids=LANGUAGES.keys())
def test_a_text_in_any_language_is_kept_and_found_by_its_own_words(
    memory: Memory, text: str, words: str
) -> None:
    for other, _ in LANGUAGES.values():
        memory.add(other, user_id="u", infer=False)
    results = memory.search(words, filters={"user_id": "u"})["results"]
    assert results[0]["memory"] == text


@pytest.mark.parametrize("query", ["", "  ", 5, None, b"x", ["x"]])
def test_an_empty_query_is_refused(filled: Memory, query: Any) -> None:
    with pytest.raises(InvalidQuery, match="Invalid query:"):
        filled.search(query, filters={"user_id": "u"})
    with pytest.raises(InvalidQuery, match="Invalid query:"):
        filled.recall(query, user_id="u")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"threshold": 2}, "Invalid threshold: 2"),
        ({"threshold": -0.1}, "Invalid threshold"),
        ({"threshold": "x"}, "threshold must be a valid number"),
        ({"threshold": True}, "threshold must be a valid number"),
        ({"threshold": float("nan")}, "Invalid threshold"),
        ({"top_k": -1}, "Invalid top_k: -1"),
        ({"top_k": True}, "top_k must be a valid integer"),
        ({"top_k": 1.5}, "top_k must be a valid integer"),
        ({"top_k": 10**9}, "Invalid top_k"),
        ({"limit": "x"}, "top_k must be a valid integer"),
        ({"as_of": "soon"}, "as_of must be"),
        ({"reference_date": "soon"}, "reference_date must be"),
        ({"as_of": "2024-01-01", "reference_date": "2025-01-01"}, "differ"),
        ({"kinds": ["thought"]}, "Invalid kinds"),
        ({"profile": "best"}, "profile"),
        ({"show_expired": "yes"}, "show_expired"),
    ],
)
def test_an_argument_out_of_range_is_named(
    filled: Memory, asked: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        filled.search("violin", filters={"user_id": "u"}, **asked)


def test_a_scope_is_needed(filled: Memory) -> None:
    for read in (
        lambda: filled.search("q"),
        lambda: filled.search("q", filters={}),
        lambda: filled.search("q", filters={"AND": [{"user_id": "u"}]}),
        filled.get_all,
        lambda: filled.recall("q"),
    ):
        with pytest.raises(InvalidScope, match="filters must contain at least one of: user_id"):
            read()


@pytest.mark.parametrize(
    "filters",
    [
        {"user_id": "*"},
        {"user_id": ["u", "v"]},
        {"user_id": {"in": ["u", "v"]}},
        {"user_id": None, "agent_id": " "},
        "user_id=u",
        ["u"],
    ],
)
def test_a_filter_cannot_ask_for_many_owners(filled: Memory, filters: Any) -> None:
    with pytest.raises((InvalidFilter, InvalidScope)):
        filled.search("violin", filters=filters)
    with pytest.raises((InvalidFilter, InvalidScope)):
        filled.get_all(filters=filters)


@pytest.mark.parametrize(
    "widening",
    [
        {"AND": [{"user_id": "v"}]},
        {"OR": [{"user_id": "v"}, {"user_id": "u"}]},
        {"OR": [{"user_id": "*"}]},
        {"NOT": [{"user_id": "u"}]},
        {"NOT": [{"AND": [{"user_id": "u"}]}]},
    ],
)
def test_no_filter_reaches_another_user(filled: Memory, widening: dict[str, Any]) -> None:
    for item in [
        *filled.search("violin", filters={"user_id": "u", **widening}, threshold=None)["results"],
        *filled.get_all(filters={"user_id": "u", **widening})["results"],
    ]:
        assert item["user_id"] == "u"


def test_limits_count_visible_rows_only(memory: Memory, clock: Any) -> None:
    for number in range(60):
        memory.add(f"parking note {number}", user_id="u", infer=False, expiration_date="2026-03-01")
    for number in range(5):
        memory.add(f"parking rule {number}", user_id="u", infer=False)
    clock.move(days=2)
    assert len(found(memory, "parking note", top_k=5, threshold=None)) == 5
    assert len(memory.get_all(filters={"user_id": "u"}, top_k=5)["results"]) == 5


def test_limits_count_what_is_visible_and_meets_the_filter(memory: Memory, clock: Any) -> None:
    items: list[dict[str, Any]] = [
        {
            "messages": f"parking note {number}",
            "user_id": "u",
            "infer": False,
            "metadata": {"part": number % 40, "odd": number % 2 == 1},
            "expiration_date": "2026-03-01" if number % 3 == 0 else None,
        }
        for number in range(900)
    ]
    memory.add_many(items)
    clock.move(days=2)
    visible = [number for number in range(900) if number % 3]
    cases: list[tuple[dict[str, Any], list[int]]] = [
        # Few, and the ledger leaves the others out; many; then nothing to leave out by.
        ({"part": 7}, [number for number in visible if number % 40 == 7]),
        ({"odd": True}, [number for number in visible if number % 2]),
        ({"part": {"ne": 7}}, [number for number in visible if number % 40 != 7]),
        ({"NOT": [{"part": {"gte": 1}}]}, [number for number in visible if number % 40 == 0]),
        ({"part": "7"}, []),
    ]
    for conditions, held in cases:
        asked = {"user_id": "u", **conditions}
        for top_k in (1, 10, 1000):
            expected = min(top_k, len(held))
            listed = memory.get_all(filters=asked, top_k=top_k)["results"]
            ranked = memory.search("parking", filters=asked, top_k=top_k, threshold=None)["results"]
            assert (len(listed), len(ranked)) == (expected, expected)
            assert len({item["id"] for item in ranked}) == expected
            numbers = [int(item["memory"].split()[-1]) for item in listed]
            assert numbers == held[::-1][:top_k]


def test_a_closed_instance_refuses_before_it_does_anything(
    memory: Memory, open_memory: Any
) -> None:
    memory.close()
    memory.close()
    calls: list[Callable[[], Any]] = [
        lambda: memory.add("x", user_id="u"),
        lambda: memory.search("x", filters={"user_id": "u"}),
        lambda: memory.get_all(filters={"user_id": "u"}),
        memory.stats,
    ]
    for call in calls:
        with pytest.raises(Closed):
            call()
    assert open_memory().get_all(filters={"user_id": "u"})["results"] == []


def test_the_newer_value_comes_before_the_turn_that_states_the_older(memory: Memory) -> None:
    memory.add("I live in Lisbon with my husband Paulo.", user_id="u", timestamp="2025-01-10")
    memory.add("Guess what, I moved to Porto last weekend.", user_id="u", timestamp="2025-06-03")
    first, second = memory.search("Where do I live?", user_id="u")["results"][:2]
    assert first["kind"] == "fact" and first["value"] == "Porto"
    assert "Lisbon" in second["memory"] and first["score"] == second["score"]
    (alone,) = memory.search("Where do I live?", user_id="u", top_k=1)["results"]
    assert alone["id"] == first["id"]
    told = memory.search("Where do I live?", user_id="u", explain=True)["results"][0]
    assert told["score_details"]["final_score"] == told["score"]
    then = memory.search("Where do I live?", user_id="u", as_of="2025-03-01")["results"]
    assert not any("Porto" in item["memory"] for item in then)


def test_a_question_about_something_else_in_the_turn_lifts_nothing(memory: Memory) -> None:
    memory.add("I live in Lisbon with my husband Paulo.", user_id="u", timestamp="2025-01-10")
    memory.add("I moved to Porto last weekend.", user_id="u", timestamp="2025-06-03")
    results = memory.search("Who is my husband?", user_id="u")["results"]
    assert "Paulo" in results[0]["memory"]
    porto = [item["score"] for item in results if item["memory"].startswith("User lives in Porto")]
    assert all(score < results[0]["score"] for score in porto)
