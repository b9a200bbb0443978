"""One job of summarising an agent's work as a procedure, with a model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.clock import Clock
from retain.domain.derivation import REJECTED, Decision, Derivation
from retain.domain.evidence import Evidence
from retain.domain.ids import new_id
from retain.domain.job import Job
from retain.domain.kind import Action, Kind, Status
from retain.domain.memory import MemoryRecord
from retain.domain.message import Message
from retain.domain.method import Method
from retain.errors import ModelAnswerInvalid, ModelError, TooLarge
from retain.learn.derive import message_of
from retain.learn.extract.methods import PROCEDURE, custom, shipped
from retain.learn.extract.model.prompt import procedure_prompt
from retain.learn.fidelity import Fidelity, fidelity
from retain.learn.jobs import Jobs
from retain.ledger.port import Ledger, NewMemory
from retain.ledger.standing import event_of
from retain.models.base import ChatAnswer, ChatModel, ChatRequest, Embedder, TokenCounter


class Summariser:
    """Writes procedures.

    Args:
        strict: keep a summary that loses or alters a result as a candidate, instead of reporting
            it alone.
    """

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        find_mentions: EntityFinder,
        model: ChatModel,
        counter: TokenCounter,
        jobs: Jobs,
        clock: Clock,
        *,
        strict: bool,
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions
        self._model = model
        self._counter = counter
        self._jobs = jobs
        self._clock = clock
        self._strict = strict

    def work(self, job: Job) -> None:
        """Do a job that was claimed.

        Raises:
            ModelError: the model did not deliver, or its summary is empty.
            TooLarge: the messages do not fit the model.
        """
        with self._ledger.read() as tx:
            found = (tx.memory(one) for one in job.input_ids)
            turns = [
                turn for turn in found if turn is not None and turn.status is not Status.WITHDRAWN
            ]
            messages = [message_of(tx, turn) for turn in turns]
        own = job.arguments.get("prompt")
        method = custom(own) if own else shipped(PROCEDURE)
        answer = self._ask(method, messages)
        checked = fidelity([message.content for message in messages], answer.text)
        self._keep(job, turns, method, answer, checked)

    def _ask(self, method: Method, messages: Sequence[Message]) -> ChatAnswer:
        prompt = procedure_prompt(method.text, messages)
        size = sum(self._counter.count(one.content) for one in prompt)
        if size > self._model.window - self._model.window // 4:
            raise TooLarge(
                f"the messages have {size} tokens, and the model {self._model.name!r} reads "
                f"{self._model.window}, its answer included: add them in smaller parts, or use a "
                "model that reads more"
            )
        started = time.monotonic()
        try:
            answer = self._model.complete(ChatRequest(prompt))
        except ModelError as error:
            raise type(error)(f"LLM extraction failed: {error.message}", **error.details) from error
        if not answer.text.strip():
            raise ModelAnswerInvalid(
                f"LLM extraction failed: model {self._model.name!r} gave an empty summary",
                model=self._model.name,
                raw=answer.text,
            )
        return replace(answer, seconds=answer.seconds or time.monotonic() - started)

    def _keep(
        self,
        job: Job,
        turns: Sequence[MemoryRecord],
        method: Method,
        answer: ChatAnswer,
        checked: Fidelity,
    ) -> None:
        text = answer.text.strip()
        features = describe([text], [None], self._embedder)[0]
        now = self._clock()
        refused = self._strict and not checked.is_whole
        derivation_id = new_id()
        said_at = max((turn.created_at for turn in turns), default=now)
        record = MemoryRecord(
            id=new_id(),
            scope=job.scope,
            kind=Kind.PROCEDURE,
            text=text,
            created_at=said_at,
            updated_at=said_at,
            recorded_at=now,
            status=Status.CANDIDATE if refused else Status.ACCEPTED,
            metadata={**job.arguments.get("metadata", {}), "memory_type": "procedural_memory"},
            expires_at=job.arguments.get("expires_at"),
            derivation_id=derivation_id,
        )
        with self._ledger.write() as tx:
            self._jobs.hold(tx, job)
            stored = tx.add_memories([NewMemory(record, features, self._find_mentions(text))])[0]
            tx.add_events([event_of(stored, Action.ADD, now, None, stored.text)])
            tx.add_evidence(
                [
                    Evidence(
                        memory_id=stored.id,
                        source_id=turn.id,
                        quote=turn.text,
                        start=0,
                        end=len(turn.text),
                        check="summary",
                        score=_share_kept(checked),
                        recorded_at=now,
                    )
                    for turn in turns
                ]
            )
            tx.add_method(method)
            verdict = REJECTED if refused else "add"
            tx.add_derivation(
                Derivation(
                    id=derivation_id,
                    method=method.id,
                    at=now,
                    input_ids=[turn.id for turn in turns],
                    decisions=[Decision(text, verdict, checked.told(), stored.id)],
                    model=self._model.name,
                    raw=answer.text,
                    parameters=self._model.parameters,
                    scope=job.scope,
                    usage={
                        "input_tokens": answer.input_tokens,
                        "output_tokens": answer.output_tokens,
                        "seconds": round(answer.seconds, 3),
                        "fidelity": checked.as_dict(),
                    },
                )
            )
            event = Action.CANDIDATE if refused else Action.ADD
            self._jobs.finish(tx, job, [(stored.id, event.value)])


def _share_kept(checked: Fidelity) -> float:
    lost = len(checked.missing) + len(checked.altered)
    return 1.0 if not checked.results else round(1 - lost / checked.results, 3)
