"""Time expressions, resolved against Wednesday 5 June 2024."""

from __future__ import annotations

import pytest

from retain.domain.instant import parse_instant
from retain.learn.dates import find_dates

AT = parse_instant("2024-06-05T18:30:00", "at")


@pytest.mark.parametrize(
    ("text", "past", "iso", "unit"),
    [
        ("today", False, "2024-06-05", "day"),
        ("tomorrow", False, "2024-06-06", "day"),
        ("the day after tomorrow", False, "2024-06-07", "day"),
        ("yesterday", True, "2024-06-04", "day"),
        ("last night", True, "2024-06-04", "day"),
        ("next Friday", False, "2024-06-14", "day"),
        ("this Friday", False, "2024-06-07", "day"),
        ("on Friday", False, "2024-06-07", "day"),
        ("on Friday", True, "2024-05-31", "day"),
        ("on Wednesday", False, "2024-06-12", "day"),
        ("on Wednesday", True, "2024-05-29", "day"),
        ("last Friday", True, "2024-05-31", "day"),
        ("in 3 days", False, "2024-06-08", "day"),
        ("two days ago", True, "2024-06-03", "day"),
        ("a week ago", True, "2024-05-27", "week"),
        ("last week", True, "2024-05-27", "week"),
        ("last weekend", True, "2024-06-01", "weekend"),
        ("next month", False, "2024-07", "month"),
        ("six months ago", True, "2023-12", "month"),
        ("last year", True, "2023", "year"),
        ("12 June", False, "2024-06-12", "day"),
        ("12 May", False, "2025-05-12", "day"),
        ("12 May", True, "2024-05-12", "day"),
        ("June 12th, 2023", True, "2023-06-12", "day"),
        ("the 3rd of July 2025", False, "2025-07-03", "day"),
        ("2024-02-29", True, "2024-02-29", "day"),
        ("03.07.2024", False, "2024-07-03", "day"),
        ("in May 2023", True, "2023-05", "month"),
        ("in 2019", True, "2019", "year"),
        ("2024年6月12日", False, "2024-06-12", "day"),
        ("6월 12일", False, "2024-06-12", "day"),
        ("gestern", True, "2024-06-04", "day"),
        ("demain", False, "2024-06-06", "day"),
        ("завтра", False, "2024-06-06", "day"),
        ("明天", False, "2024-06-06", "day"),
    ],
)
def test_a_time_expression_names_its_period(text: str, past: bool, iso: str, unit: str) -> None:
    [when] = find_dates(f"... {text} ...", AT, past=past)
    assert (when.iso, when.unit) == (iso, unit)
    assert f"... {text} ..."[when.start : when.end].strip() == text


@pytest.mark.parametrize("text", ["31 June", "2023-02-30", "may be", "hello", "in 5", "99.99.2024"])
def test_what_is_no_day_is_left_out(text: str) -> None:
    assert find_dates(text, AT) == []
