"""One job of learning with a model: read, extract, ground, then settle in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.analysis.recalled import echoes, without_recalled
from retain.clock import Clock
from retain.domain.candidate import Opinion, Relation
from retain.domain.derivation import MALFORMED, REJECTED, Decision, Derivation
from retain.domain.ids import new_id
from retain.domain.job import Job
from retain.domain.kind import Status
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.scope import Scope
from retain.errors import ModelError
from retain.learn.extract.model.extractor import Call, Extractor
from retain.learn.ground import Checker, Gate, ground_all
from retain.learn.jobs import Jobs
from retain.learn.prepare import Described, Finding
from retain.learn.settle import Outcomes, Setting, settle
from retain.ledger.port import Ledger, ReadTx, WriteTx
from retain.ledger.visibility import Visibility
from retain.models.base import Embedder

EARLIER: Final = 10  # turns before the new ones that are shown
KNOWN: Final = 10  # memories that are shown to compare with

Nearest = Callable[[ReadTx, Scope, str, int], list[MemoryRecord]]


@dataclass(frozen=True, slots=True)
class Sources:
    """What a job reads: the turns, as memories (None: no longer held) and as messages, what came
    before, and what is known."""

    turns: Sequence[MemoryRecord | None]
    messages: Sequence[Message]
    earlier: Sequence[MemoryRecord]
    known: Sequence[MemoryRecord]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One call of the model, with its candidates grounded and described."""

    call: Call
    findings: Sequence[Finding]


class Deriver:
    """Learns from turns that are kept already."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        extractor: Extractor,
        jobs: Jobs,
        nearest: Nearest,
        clock: Clock,
        gate: Gate,
        checker: Checker | None = None,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._extractor = extractor
        self._jobs = jobs
        self._nearest = nearest
        self._clock = clock
        self._gate = gate
        self._checker = checker

    def work(self, job: Job) -> None:
        """Do a job that was claimed.

        Raises:
            ModelError: the model did not deliver; nothing was written but the job's state.
        """
        sources = self.sources(job.scope, job.input_ids)
        weighed = self.weigh(sources, job.arguments, job.scope) if sources.messages else []
        with self._ledger.write() as tx:
            self._jobs.hold(tx, job)
            outcomes = Outcomes()
            turns = [_if_held(tx, turn) for turn in sources.turns]
            for one in weighed:
                self._keep(tx, job, replace(sources, turns=turns), one, outcomes)
            self._jobs.finish(tx, job, [(record.id, event) for record, event in outcomes.rows])

    def sources(self, scope: Scope, input_ids: Sequence[str]) -> Sources:
        """The turns of a job that are still held, with what came before and what is known."""
        now = self._clock()
        with self._ledger.read() as tx:
            found = (tx.memory(one) for one in input_ids)
            visible = Visibility(now=now)
            turns = [one for one in found if one is not None and visible.shows(one)]
            messages = [message_of(tx, turn) for turn in turns]
            taken = frozenset(input_ids)
            recent = tx.recent_turns(scope, visible, EARLIER + len(taken))
            earlier = [
                one for one in recent if one.id not in taken and turns and one.key < turns[0].key
            ]
            text = "\n".join(message.content for message in messages)
            known = self._nearest(tx, holder(scope), text, KNOWN) if text.strip() else []
        return Sources(turns, messages, earlier[-EARLIER:], known)

    def weigh(
        self,
        sources: Sources,
        arguments: Mapping[str, Any],
        scope: Scope,
        *,
        extractor: Extractor | None = None,
    ) -> list[Weighed]:
        """Ask the model (of another extractor, if one is given), and ground what it answers.

        Raises:
            ModelError: a call failed, or its answer cannot be used.
        """
        try:
            calls = (extractor or self._extractor).extract(
                sources.messages,
                sources.earlier,
                sources.known,
                prompt=arguments.get("prompt"),
                of_agent=scope.agent_id is not None and scope.user_id is None,
            )
        except ModelError as error:
            raise type(error)(f"LLM extraction failed: {error.message}", **error.details) from error
        return [Weighed(call, self._findings(call, sources)) for call in calls]

    def _findings(self, call: Call, sources: Sources) -> list[Finding]:
        candidates = [suggestion.candidate for suggestion in call.suggestions]
        opinions = [suggestion.opinion for suggestion in call.suggestions]
        features = describe(
            [one.statement for one in candidates], [one.actor for one in candidates], self._embedder
        )
        verdicts = ground_all(
            candidates,
            sources.messages,
            memories=[_built_on(opinion) for opinion in opinions],
            gate=self._gate,
            checker=self._checker,
        )
        return [
            Finding(
                candidate,
                verdict,
                Described(candidate.statement, described, self._find_mentions(candidate.statement)),
                opinion,
            )
            for candidate, verdict, described, opinion in zip(
                candidates, verdicts, features, opinions, strict=True
            )
        ]

    def _keep(
        self, tx: WriteTx, job: Job, sources: Sources, weighed: Weighed, outcomes: Outcomes
    ) -> None:
        now = self._clock()
        call = weighed.call
        setting = Setting(
            scope=job.scope,
            derivation_id=new_id(),
            now=now,
            metadata=job.arguments.get("metadata", {}),
            expires_at=job.arguments.get("expires_at"),
        )
        decisions = [
            _unfounded(finding, sources)
            or _echo(finding, sources)
            or settle(tx, setting, finding, sources.turns, outcomes)
            for finding in weighed.findings
        ]
        decisions += [Decision(fault.shown, MALFORMED, fault.reason) for fault in call.faults]
        for method in call.methods:
            tx.add_method(method)
        model = self._extractor.model
        tx.add_derivation(
            Derivation(
                id=setting.derivation_id,
                method="+".join(method.id for method in call.methods),
                at=now,
                input_ids=[turn.id for n in call.turns if (turn := sources.turns[n]) is not None],
                decisions=decisions,
                model=model.name,
                raw=call.raw,
                parameters=model.parameters,
                scope=job.scope,
                context_ids=[one.id for one in (*sources.known, *sources.earlier)],
                usage=call.usage,
            )
        )


def holder(scope: Scope) -> Scope:
    """Whose facts a scope's are: those of its sessions together, where somebody is named."""
    if scope.user_id is None and scope.agent_id is None:
        return scope
    return replace(scope, run_id=None)


def message_of(tx: ReadTx, turn: MemoryRecord) -> Message:
    """A turn as its message, as it reads now, without what came out of memory."""
    held = None if turn.message_id is None else tx.message(turn.message_id)
    return Message(
        id=turn.id if held is None else held.id,
        role=turn.role or "user",
        content=without_recalled(turn.text),
        occurred_at=turn.created_at,
        actor=turn.actor,
        external_id=turn.external_id,
        metadata=turn.metadata,
    )


def _built_on(opinion: Opinion) -> list[MemoryRecord]:
    """The memory whose words a candidate may take up. What it only repeats is no support for it,
    or a model could vouch for what nobody said."""
    if opinion.of is None or opinion.relation not in (Relation.EXTENDS, Relation.UPDATES):
        return []
    return [opinion.of]


def _if_held(tx: ReadTx, turn: MemoryRecord | None) -> MemoryRecord | None:
    """A turn as it stands now; None if it was withdrawn while the model thought."""
    held = None if turn is None else tx.memory(turn.id)
    return None if held is None or held.status is Status.WITHDRAWN else held


def _unfounded(finding: Finding, sources: Sources) -> Decision | None:
    """Set aside what rests on a turn that is no longer held."""
    cited = {quote.turn for quote in finding.candidate.quotes}
    if all(sources.turns[turn] is not None for turn in cited if 0 <= turn < len(sources.turns)):
        return None
    return Decision(finding.candidate.statement, REJECTED, "its source was withdrawn meanwhile")


def _echo(finding: Finding, sources: Sources) -> Decision | None:
    """Set aside what an assistant only repeats out of memory."""
    candidate = finding.candidate
    cited = [
        (quote, turn)
        for quote in candidate.quotes
        if 0 <= quote.turn < len(sources.turns) and (turn := sources.turns[quote.turn]) is not None
    ]
    if not cited or any(turn.role != "assistant" for _, turn in cited):
        return None
    for known in (*sources.known, *sources.earlier):
        if all(
            echoes(quote.text, known.text) and known.recorded_at <= turn.recorded_at
            for quote, turn in cited
        ):
            reason = f"the assistant repeats memory {known.id}: what was recalled is not learned"
            return Decision(candidate.statement, REJECTED, reason)
    return None
