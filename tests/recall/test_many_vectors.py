"""Among very many vectors cosines are estimated first; the answers stay those of exact ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from retain import Memory
from retain.recall import vectors
from tests.recall.rows import ask, notes

SUBJECTS = (
    "Anna Ben Clara David Emma Felix Greta Hugo Iris Jonas my-sister my-boss the-neighbour".split()
)
DEEDS = (
    "baked painted sold repaired lost bought found borrowed forgot designed cleaned photographed "
    "described planted cooked ordered returned admired broke measured"
).split()
THINGS = (
    "bread fence guitar laptop bicycle curtain recipe garden kettle sofa novel passport ticket "
    "mountain violin lamp tent boat piano kitten sweater camera bridge market island museum"
).split()
PLACES = (
    "Oslo Lisbon Kyoto the-office the-beach the-station the-library the-kitchen school church "
    "hospital Berlin Cairo Toronto the-forest the-harbour"
).split()
QUERIES = [
    f"{ask} {who} {deed} near {place}?"
    for ask, who, deed, place in (
        ("What has", "Clara", "repaired", "the harbour"),
        ("Which instrument did", "Hugo", "sell", "Berlin"),
        ("Who was the pet that", "Emma", "found", "school"),
        ("What meal has", "Jonas", "cooked", "the seaside"),
        ("Which vehicle had", "Iris", "purchased", "Cairo"),
        ("What furniture did", "Felix", "break", "the office"),
        ("Which document has", "Greta", "misplaced", "the airport"),
        ("What building had", "David", "drawn", "Japan"),
    )
]


def _turns(count: int) -> list[str]:
    pick = random.Random(7).choice
    turns = (
        f"{pick(SUBJECTS)} {pick(DEEDS)} a {pick(THINGS)} near {pick(PLACES)}, "
        f"then {pick(DEEDS)} the {pick(THINGS)}."
        for _ in range(count)
    )
    return [turn.replace("-", " ") for turn in turns]


@pytest.mark.slow
def test_answers_among_many_are_those_of_exact_cosines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = _turns(vectors.MOST_FLOATS + 2_000)
    sessions = [turns[start : start + 20] for start in range(0, len(turns), 20)]
    with Memory(tmp_path / "many.db") as memory:
        memory.add_many(
            {
                "user_id": "u",
                "run_id": f"s{number}",
                "infer": False,
                "messages": [{"role": "user", "content": text} for text in session],
            }
            for number, session in enumerate(sessions)
        )
        estimated = _answers(memory)
    monkeypatch.setattr(vectors, "MOST_FLOATS", 10**9)
    with Memory(tmp_path / "many.db") as memory:
        exact = _answers(memory)
    shared = sum(len(set(found) & set(best)) for found, best in zip(estimated, exact, strict=True))
    assert shared >= 0.97 * sum(len(best) for best in exact)


def _answers(memory: Memory) -> list[list[str]]:
    return [
        [item["id"] for item in memory.search(query, user_id="u", top_k=10, threshold=0)["results"]]
        for query in QUERIES
    ]


def test_a_ranked_cosine_is_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = _turns(300)
    exact = ask(notes(*texts), QUERIES[0])
    monkeypatch.setattr(vectors, "MOST_FLOATS", 10)
    found = ask(notes(*texts), QUERIES[0])
    assert found.ids == exact.ids
    assert found.details["cosine"].tolist() == exact.details["cosine"].tolist()
