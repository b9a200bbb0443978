"""Times named by a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain.analysis.times import find_times
from retain.domain.instant import iso, parse_instant

WEDNESDAY = parse_instant("2023-10-18T15:00:00+00:00", "reference")


def days(text: str) -> list[tuple[str, str]]:
    return [(iso(t.begin)[:10], iso(t.end)[:10]) for t in find_times(text, WEDNESDAY)]


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("What did we do last week?", "2023-10-09", "2023-10-16"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("yesterday", "2023-10-17", "2023-10-18"),
        ("on 7 May", "2023-05-07", "2023-05-08"),
        ("May 7th, 2022", "2022-05-07", "2022-05-08"),
        ("2023-05-07", "2023-05-07", "2023-05-08"),
        ("last Friday", "2023-10-13", "2023-10-14"),
        ("on Wednesday", "2023-10-18", "2023-10-19"),
        ("last Wednesday", "2023-10-11", "2023-10-12"),
        ("December", "2022-12-01", "2023-01-01"),
        ("in 2022", "2022-01-01", "2023-01-01"),
        ("two weeks ago", "2023-10-01", "2023-10-08"),
        ("last year", "2022-01-01", "2023-01-01"),
        ("vor drei Tagen", "2023-10-15", "2023-10-16"),
        ("letzte Woche", "2023-10-09", "2023-10-16"),
        ("am 3. Oktober", "2023-10-03", "2023-10-04"),
        ("il y a 2 mois", "2023-08-01", "2023-09-01"),
        ("7 de mayo de 2023", "2023-05-07", "2023-05-08"),
        ("на прошлой неделе", "2023-10-09", "2023-10-16"),
        ("5 августа", "2023-08-05", "2023-08-06"),
        ("2023年5月7日", "2023-05-07", "2023-05-08"),
        ("昨天去了", "2023-10-17", "2023-10-18"),
        ("两天前", "2023-10-16", "2023-10-17"),
        ("上周五", "2023-10-13", "2023-10-14"),
        ("先週の金曜日", "2023-10-13", "2023-10-14"),
        ("지난주", "2023-10-09", "2023-10-16"),
        ("3일 전", "2023-10-15", "2023-10-16"),
    ],
)
def test_a_named_time_is_its_interval(text: str, begin: str, end: str) -> None:
    assert days(text) == [(begin, end)]


@pytest.mark.parametrize(
    "text", ["I may march in", "31 June 2023", "room 2023b", "", "Where do I live?", "second hand"]
)
def test_what_names_no_time(text: str) -> None:
    assert days(text) == []


def test_a_span_says_where_it_is_named() -> None:
    text = "We met on 7 May and again yesterday."
    assert [text[t.start_char : t.end_char] for t in find_times(text, WEDNESDAY)] == [
        "7 May",
        "yesterday",
    ]


@given(st.text(max_size=80))
def test_any_text_is_read_without_error(text: str) -> None:
    for span in find_times(text, WEDNESDAY):
        assert span.begin < span.end
        assert 0 <= span.start_char < span.end_char <= len(text)
