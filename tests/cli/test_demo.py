"""The demo: right answers pass, a wrong one fails it."""

from __future__ import annotations

import pytest

from retain.cli import demo
from retain.cli.demo_data import QUESTIONS, Question
from retain.cli.failures import FOUND_PROBLEMS
from tests.cli.conftest import Shell


def test_every_answer_of_the_demo_is_right(retain: Shell) -> None:
    told = retain.ok("demo", "--json").json
    assert len(told["checks"]) >= 15
    assert all(check["passed"] for check in told["checks"])
    assert not retain.path.exists(), "the demo works on a ledger of its own"


def test_a_wrong_answer_fails_the_demo(retain: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Question("Where do I live?", "Atlantis")
    monkeypatch.setattr(demo, "QUESTIONS", (*QUESTIONS, wrong))
    ran = retain("demo")
    assert ran.code == FOUND_PROBLEMS
    assert "WRONG Atlantis" in ran.out
