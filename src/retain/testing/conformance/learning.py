"""The records of learning with a model: jobs, methods, derivations, and what is set aside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from retain.domain.derivation import Decision, Derivation
from retain.domain.job import Job, JobKind, JobStatus
from retain.domain.kind import Status
from retain.domain.method import Method
from retain.domain.scope import Scope
from retain.ledger.port import Ledger
from retain.testing.conformance.rows import (
    ANN,
    ANN_AT_WORK,
    BEN,
    NOW,
    SEEN,
    keep,
    names,
    record,
    say,
)
from retain.testing.conformance.suite import LedgerSuite

PROJECT = ANN.project


def job(name: str, scope: Scope = ANN, **others: Any) -> Job:
    """A job on the turn ``turn``."""
    given = {"input_ids": ("turn",), "created_at": NOW, "updated_at": NOW, "due_at": NOW, **others}
    return Job(name, scope, JobKind.LEARN, **given)


class Learning(LedgerSuite):
    """The records of learning with a model."""

    def test_a_job_comes_back_as_it_was_saved_last(self, ledger: Ledger) -> None:
        first = job("j", arguments={"prompt": "p", "metadata": {"k": [1]}})
        done = replace(first, status=JobStatus.DONE, attempts=2, outcomes=(("fact", "ADD"),))
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("fact"))
            tx.save_job(first)
            assert tx.job("j") == first
            tx.save_job(done)
        with ledger.read() as reading:
            assert reading.job("j") == done
            assert reading.job("other") is None
            assert dict(reading.job_counts(PROJECT)) == {"done": 1}
            assert dict(reading.job_counts("elsewhere")) == {}

    def test_what_is_due_is_the_oldest_that_waits_or_was_left(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
            tx.save_job(job("later", due_at=NOW + 10))
            tx.save_job(job("taken", status=JobStatus.RUNNING, lease="w", lease_until=NOW + 5))
            tx.save_job(job("failed", status=JobStatus.FAILED))
            assert tx.due_job(PROJECT, NOW) is None
            assert tx.due_job("elsewhere", NOW + 99) is None
            left = tx.due_job(PROJECT, NOW + 5)
            assert left is not None
            assert left.id == "taken"
            tx.save_job(replace(left, status=JobStatus.DONE))
            due = tx.due_job(PROJECT, NOW + 10)
            assert due is not None
            assert due.id == "later"

    def test_the_open_job_of_a_memory(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
            say(tx, "next", position=1)
            tx.save_job(job("a", status=JobStatus.DONE))
            assert tx.open_job_for("turn") is None
            tx.save_job(job("b", status=JobStatus.FAILED))
            found = tx.open_job_for("turn")
            assert found is not None
            assert found.id == "b"
            assert tx.open_job_for("next") is None
            assert tx.open_job_for("nobody") is None

    def test_jobs_and_derivations_are_those_of_the_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
            say(tx, "work", ANN_AT_WORK)
            for name, scope in (("a", ANN), ("b", ANN_AT_WORK), ("c", BEN)):
                tx.save_job(job(name, scope, input_ids=()))
                tx.add_derivation(Derivation(name, "m@1", NOW, (), scope=scope))
        with ledger.read() as reading:
            of_ann, at_work = reading.coverage(ANN), reading.coverage(ANN_AT_WORK)
            assert [one.id for one in reading.jobs(of_ann, None, 9)] == ["b", "a"]
            assert [one.id for one in reading.jobs(at_work, JobStatus.PENDING, 9)] == ["b"]
            assert reading.jobs(of_ann, JobStatus.DONE, 9) == []
            assert [one.id for one in reading.jobs(of_ann, None, 1)] == ["b"]
            assert [one.id for one in reading.derivations(of_ann, 9)] == ["b", "a"]
            assert [one.id for one in reading.derivations(at_work, 9)] == ["b"]
            assert reading.derivations(of_ann, 0) == []

    def test_a_derivation_says_what_it_saw_and_cost(self, ledger: Ledger) -> None:
        decision = Decision("s", "dispute", "r", "fact", "partial", 0.6, "contradicts", "known")
        given = Derivation(
            "d", "m@1+custom@2", NOW, ("turn",), (decision,), "model", "raw", {"t": 0},
            ANN, ("known",), {"seconds": 1.5},
        )  # fmt: skip
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("fact"), record("known"))
            tx.add_derivation(given)
        with ledger.read() as reading:
            assert reading.derivation("d") == given
            for name in ("turn", "fact", "known"):
                assert reading.derivations_naming(name) == [given]
            assert reading.derivations_naming("nobody") == []

    def test_a_method_stays_as_it_was_first_kept(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            tx.add_method(Method("facts", "1", "Do this."))
            tx.add_method(Method("facts", "1", "Do that."))
        with ledger.read() as reading:
            assert reading.method("facts@1") == Method("facts", "1", "Do this.")
            assert reading.method("facts@2") is None

    def test_what_is_set_aside_is_found_by_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            keep(
                tx,
                record("held"),
                record("candidate", status=Status.CANDIDATE),
                record("gone", status=Status.WITHDRAWN),
                record("disputed", ANN_AT_WORK, status=Status.DISPUTED),
                record("other", BEN, status=Status.CANDIDATE),
            )
        with ledger.read() as reading:
            of_ann = reading.coverage(ANN)
            assert names(reading.unsettled(of_ann, 9)) == ["disputed", "candidate"]
            assert names(reading.unsettled(of_ann, 1)) == ["disputed"]
            assert names(reading.unsettled(reading.coverage(ANN_AT_WORK), 9)) == ["disputed"]

    def test_recent_turns_are_those_of_the_exact_scope(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            for position in range(4):
                say(tx, f"t{position}", position=position)
            say(tx, "hidden", position=4, status=Status.WITHDRAWN)
            say(tx, "work", ANN_AT_WORK)
            keep(tx, record("fact"))
        with ledger.read() as reading:
            assert names(reading.recent_turns(ANN, SEEN, 3)) == ["t1", "t2", "t3"]
            assert names(reading.recent_turns(ANN_AT_WORK, SEEN, 3)) == ["work"]
            assert reading.recent_turns(BEN, SEEN, 3) == []
            assert reading.recent_turns(ANN, SEEN, 0) == []

    def test_erasing_a_memory_takes_along_what_names_it(self, ledger: Ledger) -> None:
        with ledger.write() as tx:
            say(tx, "turn")
            keep(tx, record("shown"), record("other"))
            tx.save_job(job("j"))
            tx.add_derivation(Derivation("d", "m@1", NOW, (), scope=ANN, context_ids=("shown",)))
            tx.add_derivation(Derivation("e", "m@1", NOW, ("other",), scope=ANN))
        with ledger.write() as tx:
            removed = tx.erase(["shown", "turn"])
            assert (removed["job"], removed["derivation"]) == (1, 1)
            assert tx.job("j") is None
            assert tx.derivation("d") is None
            assert tx.derivation("e") is not None
        with ledger.write() as tx:
            removed = tx.erase_scope(tx.coverage(ANN))
            assert removed["derivation"] == 1
            assert tx.derivation("e") is None
