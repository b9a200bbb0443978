"""Readers: what is taken from a data-set file, and how a wrong file is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from retain.errors import InvalidInput
from retain.evaluation.datasets import read_dataset
from tests.evaluation import samples


@pytest.mark.parametrize("name", ["pairs.json", "pairs.json.gz"])
def test_locomo_sessions_come_in_order_with_speakers_and_time(tmp_path: Path, name: str) -> None:
    data = read_dataset("locomo", samples.write_json(tmp_path / name, samples.locomo()))
    (sample,) = data.samples
    assert [session.id for session in sample.sessions] == ["D1", "D2", "D10"]
    assert sample.sessions[0].at == datetime(2024, 3, 3, 9, 5, tzinfo=UTC)
    assert sample.sessions[2].at == datetime(2024, 4, 2, 0, 5, tzinfo=UTC)
    first = sample.sessions[0].turns[0]
    assert (first.id, first.speaker, first.role) == ("D1:1", "Nora", "user")
    assert sample.session_of_turn()["D10:1"] == "D10"


def test_locomo_captions_are_part_of_the_text(tmp_path: Path) -> None:
    data = read_dataset("locomo", samples.write_json(tmp_path / "l.json", samples.locomo()))
    picture = data.samples[0].sessions[0].turns[2]
    assert picture.text == "Look at this! [shares image: a photo of a green parrot on a shelf]"


def test_locomo_evidence_is_cleaned_and_the_rest_left_out_by_reason(tmp_path: Path) -> None:
    data = read_dataset("locomo", samples.write_json(tmp_path / "l.json", samples.locomo()))
    golds = [sorted(question.gold["turn"]) for question in data.samples[0].questions]
    assert golds == [["D1:1"], ["D1:3"], ["D10:1", "D2:1"], ["D1:2"], ["D2:1"]]
    assert [question.category for question in data.samples[0].questions] == [
        "single-hop", "single-hop", "multi-hop", "open-domain", "temporal",
    ]  # fmt: skip
    assert data.skipped == {"no resolvable evidence": 2, "adversarial": 1}
    assert data.question_count() == 5


def test_longmemeval_sessions_are_put_in_order_of_time(tmp_path: Path) -> None:
    data = read_dataset(
        "longmemeval", samples.write_json(tmp_path / "m.json", samples.longmemeval())
    )
    assert [session.id for session in data.samples[0].sessions] == ["s-boat", "s-soup", "s-name"]


def test_longmemeval_asks_no_earlier_than_its_last_session(tmp_path: Path) -> None:
    data = read_dataset(
        "longmemeval", samples.write_json(tmp_path / "m.json", samples.longmemeval())
    )
    boat, soup = (sample.questions[0] for sample in data.samples)
    assert boat.asked_at == datetime(2024, 5, 9, 21, 15, tzinfo=UTC)
    assert soup.asked_at == datetime(2024, 5, 9, 10, 0, tzinfo=UTC)


def test_longmemeval_evidence_by_session_and_turn_without_abstention(tmp_path: Path) -> None:
    data = read_dataset(
        "longmemeval", samples.write_json(tmp_path / "m.json", samples.longmemeval())
    )
    assert data.skipped == {"abstention": 1}
    assert set(data.measures) == {"session", "turn"}
    assert data.samples[0].questions[0].gold == {
        "session": {"s-boat", "s-name"},
        "turn": {"s-boat#0", "s-name#0"},
    }


def test_longmemeval_turns_marked_by_the_official_file_are_evidence(tmp_path: Path) -> None:
    raw = samples.longmemeval()[1]
    del raw["evidence_turns"]
    raw["haystack_sessions"][0][0]["has_answer"] = True
    data = read_dataset("longmemeval", samples.write_json(tmp_path / "m.json", [raw]))
    assert data.samples[0].questions[0].gold["turn"] == {"s-soup#0"}


def test_longmemeval_without_evidence_turns_is_judged_by_session_only(tmp_path: Path) -> None:
    raw = samples.longmemeval()[1]
    del raw["evidence_turns"]
    data = read_dataset("longmemeval", samples.write_json(tmp_path / "m.json", [raw]))
    assert set(data.measures) == {"session"}


def test_a_session_twice_in_one_haystack_stays_two(tmp_path: Path) -> None:
    raw = samples.longmemeval()[1]
    for key in ("haystack_dates", "haystack_session_ids", "haystack_sessions"):
        raw[key].append(raw[key][0])
    data = read_dataset("longmemeval", samples.write_json(tmp_path / "m.json", [raw]))
    ids = [session.id for session in data.samples[0].sessions]
    assert len(ids) == len(set(ids)) == 3
    assert len(data.samples[0].session_of_turn()) == 6


def test_realmem_knows_only_sessions_before_the_query(tmp_path: Path) -> None:
    path = samples.write_json(tmp_path / "Test_dialogues_1k.json", samples.realmem())
    data = read_dataset("realmem", path)
    (question,) = data.samples[0].questions
    assert data.samples[0].id == "Test"
    assert question.known == 2
    assert question.gold == {"session": {"u-kiln"}}
    assert data.skipped == {"no evidence in earlier sessions": 1}


def test_realmem_is_asked_when_all_that_is_known_has_been_said(tmp_path: Path) -> None:
    path = samples.write_json(tmp_path / "Test_dialogues_1k.json", samples.realmem())
    (question,) = read_dataset("realmem", path).samples[0].questions
    assert question.asked_at == datetime(2025, 2, 3, tzinfo=UTC)


def test_realmem_reads_a_folder_one_persona_a_file(tmp_path: Path) -> None:
    for name in ("Bee_dialogues_1k.json.gz", "Ant_dialogues_1k.json"):
        samples.write_json(tmp_path / name, samples.realmem())
    (tmp_path / "LICENSE").write_text("none", encoding="utf-8")
    data = read_dataset("realmem", tmp_path)
    assert [sample.id for sample in data.samples] == ["Ant", "Bee"]


def test_fewer_samples_on_request(tmp_path: Path) -> None:
    data = read_dataset(
        "longmemeval", samples.write_json(tmp_path / "m.json", samples.longmemeval())
    )
    assert len(data.limited(1).samples) == 1
    assert data.limited(None) is data


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "realmem"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere\.json"):
        read_dataset(name, tmp_path / "nowhere.json")


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "realmem"])
@pytest.mark.parametrize("raw", [b"", b"{", b"\x1f\x8bnot gzip", b"\xff\xfe\x00"])
def test_what_is_no_json_is_said(tmp_path: Path, name: str, raw: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(raw)
    with pytest.raises(InvalidInput, match="neither JSON nor gzipped JSON"):
        read_dataset(name, path)


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "realmem"])
@pytest.mark.parametrize("value", [{"a": 1}, [1], [{}], "text", None])
def test_the_json_of_something_else_is_refused(tmp_path: Path, name: str, value: Any) -> None:
    path = samples.write_json(tmp_path / "other.json", value)
    with pytest.raises(InvalidInput, match=r"other\.json' is not a \w+ file"):
        read_dataset(name, path)


def test_one_data_set_is_not_taken_for_another(tmp_path: Path) -> None:
    path = samples.write_json(tmp_path / "l.json", samples.locomo())
    with pytest.raises(InvalidInput, match="lacks 'question_id'"):
        read_dataset("longmemeval", path)


def test_an_unreadable_date_is_placed(tmp_path: Path) -> None:
    raw = samples.locomo()
    raw[0]["conversation"]["session_2_date_time"] = "one fine day"
    path = samples.write_json(tmp_path / "l.json", raw)
    with pytest.raises(InvalidInput, match="session_2_date_time has the unreadable date 'one fine"):
        read_dataset("locomo", path)


def test_haystacks_of_unequal_length_are_refused(tmp_path: Path) -> None:
    raw = samples.longmemeval()
    raw[0]["haystack_dates"].pop()
    with pytest.raises(InvalidInput, match="it has 3, 2 and 3"):
        read_dataset("longmemeval", samples.write_json(tmp_path / "m.json", raw))


def test_a_folder_without_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file in"):
        read_dataset("realmem", tmp_path)
    with pytest.raises(InvalidInput, match="cannot read"):
        read_dataset("locomo", tmp_path)


def test_an_unknown_data_set_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="known are locomo, longmemeval, realmem"):
        read_dataset("squad", tmp_path)
