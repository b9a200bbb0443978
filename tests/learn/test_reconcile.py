"""What becomes of a candidate beside what is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from retain.domain.candidate import Candidate
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.scope import Scope
from retain.learn.reconcile import Outcome, opposite_attributes, reconcile


def known(text: str, attribute: str, value: str | None, at: int, **more: Any) -> MemoryRecord:
    return MemoryRecord(
        id=text, scope=Scope(user_id="u"), kind=Kind.FACT, text=text, created_at=at, updated_at=at,
        recorded_at=at, subject="user", attribute=attribute, value=value, **more,
    )  # fmt: skip


def told(text: str, attribute: str, value: str | None, **more: Any) -> Candidate:
    return Candidate(text, (), subject="user", attribute=attribute, value=value, **more)


OSLO = known("User lives in Oslo.", "home", "Oslo", 10, single=True)


def test_the_first_value_is_added() -> None:
    assert reconcile(told("X.", "home", "Oslo", single=True), [], [], 5).outcome is Outcome.ADD


def test_the_same_statement_written_otherwise_is_evidence() -> None:
    decision = reconcile(told("user lives in  OSLO", "home", "oslo", single=True), [], [OSLO], 20)
    assert (decision.outcome, decision.of) == (Outcome.EVIDENCE, OSLO)


def test_the_same_value_of_the_slot_is_evidence() -> None:
    decision = reconcile(told("User moved to Oslo.", "home", "Oslo", single=True), [], [OSLO], 20)
    assert (decision.outcome, decision.of) == (Outcome.EVIDENCE, OSLO)


def test_another_spelling_is_not_guessed_to_be_the_same() -> None:
    nyc = known("User lives in NYC.", "home", "NYC", 1)
    decision = reconcile(told("Y.", "home", "New York City"), [], [nyc], 2)
    assert decision.outcome is Outcome.ADD


def test_a_newer_value_supersedes() -> None:
    decision = reconcile(told("Y.", "home", "Lisbon", single=True), [], [OSLO], 20)
    assert (decision.outcome, list(decision.old)) == (Outcome.SUPERSEDE, [OSLO])
    assert decision.ended_at == 20


def test_an_equally_old_value_that_comes_later_supersedes() -> None:
    decision = reconcile(told("Y.", "home", "Lisbon", single=True), [], [OSLO], 10)
    assert decision.outcome is Outcome.SUPERSEDE


def test_an_older_value_that_arrives_late_was_true_until_the_newer() -> None:
    decision = reconcile(told("Y.", "home", "Lisbon", single=True), [], [OSLO], 3)
    assert (decision.outcome, decision.of) == (Outcome.BACKFILL, OSLO)
    assert decision.valid_until == 10


def test_many_values_stand_side_by_side() -> None:
    tea = known("User likes tea.", "likes", "tea", 1)
    assert reconcile(told("Z.", "likes", "cake"), [], [tea], 2).outcome is Outcome.ADD


def test_a_value_taken_back_ends_only_its_own() -> None:
    ends = told("User does not live in Oslo any more.", "home", "Oslo", ends=True)
    assert list(reconcile(ends, [], [OSLO], 20).old) == [OSLO]
    other = told("User does not live in Bergen any more.", "home", "Bergen", ends=True)
    decision = reconcile(other, [], [OSLO], 20)
    assert (decision.outcome, list(decision.old)) == (Outcome.ADD, [])


def test_taking_back_without_a_value_ends_the_slot() -> None:
    job = known("User works at Acme.", "employer", "Acme", 1, single=True)
    decision = reconcile(told("User left their job.", "employer", None, ends=True), [], [job], 2)
    assert (decision.outcome, list(decision.old)) == (Outcome.END, [job])


def test_the_opposite_ends_what_was_liked() -> None:
    likes = known("User likes tea.", "likes", "tea", 1)
    decision = reconcile(told("User hates tea.", "dislikes", "Tea"), [], [likes], 2)
    assert (decision.outcome, list(decision.old)) == (Outcome.SUPERSEDE, [likes])
    late = reconcile(told("User hates tea.", "dislikes", "tea"), [], [likes], 0)
    assert (late.outcome, late.of) == (Outcome.BACKFILL, likes)
    assert opposite_attributes("likes") == ("dislikes",)
    assert opposite_attributes("home") == ()


def test_what_was_taken_back_can_be_said_again() -> None:
    ended = known("User no longer likes tea.", "likes", "tea", 1, metadata={"ends": True})
    decision = reconcile(told("User likes tea.", "likes", "tea"), [], [ended], 2)
    assert (decision.outcome, list(decision.old)) == (Outcome.SUPERSEDE, [ended])


def test_a_past_event_is_no_rival_of_the_next() -> None:
    flight = known("F.", "event:flight", "1970-01-01", 0, single=True)
    day = 86_400_000_000
    later = told("G.", "event:flight", "1970-02-01", single=True)
    assert reconcile(later, [], [flight], 5 * day).outcome is Outcome.ADD
    assert reconcile(later, [], [flight], 0).outcome is Outcome.SUPERSEDE


def test_the_same_words_of_another_subject_are_another_fact() -> None:
    decision = reconcile(
        Candidate(OSLO.text, (), subject="ana", attribute="home", value="Oslo"), [OSLO], [], 20
    )
    assert decision.outcome is Outcome.ADD


def test_an_empty_statement_is_ignored() -> None:
    assert reconcile(Candidate(" ", ()), [], [], 0).outcome is Outcome.IGNORE


def test_a_change_of_long_ago_does_not_replace_what_was_said_since() -> None:
    years = 3 * 366 * 86_400 * 1_000_000
    moved = replace(told("User moved to Ulm in 2009.", "home", "Ulm", single=True), valid_from=1)
    oslo = replace(OSLO, created_at=years, valid_from=years)
    decision = reconcile(moved, [], [oslo], years + 10)
    assert decision.outcome is Outcome.BACKFILL
    assert decision.valid_until == years
