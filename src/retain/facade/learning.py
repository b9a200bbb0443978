"""The verbs about what was learned, how, and what waits for a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retain.facade.types import Facade
from retain.settings import ModelSettings

if TYPE_CHECKING:
    from retain.models.base import ChatModel


class Learning(Facade):
    """The verbs about what was learned, how, and what waits for a decision."""

    def candidates(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        top_k: int = 100,
    ) -> list[dict[str, Any]]:
        """Statements that were set aside, newest first: no other read shows them.

        Returns:
            Items with ``status`` (``candidate``: its sources do not bear it out; ``disputed``: it
            may not hold beside another memory, and no rule decides), ``reason`` and ``score``.

        Raises:
            InvalidInput: no identity was named.
        """
        return self._parts.records.candidates(self._parts.scope(user_id, agent_id, run_id), top_k)

    def accept(self, memory_id: str, reason: str | None = None) -> dict[str, Any]:
        """Hold a statement that was set aside; what it contradicts is superseded.

        Returns:
            ``{"message", "id"}``: the id is another one where the same is held already.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is not set aside.
        """
        return self._parts.reviewer.accept(memory_id, reason)

    def reject(self, memory_id: str, reason: str | None = None) -> dict[str, Any]:
        """Withdraw a statement that was set aside; it stays on record.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is not set aside.
        """
        return self._parts.reviewer.reject(memory_id, reason)

    def record_outcome(
        self, recall_id: str, outcome: str, note: str | None = None
    ) -> dict[str, Any]:
        """Say what came of acting on a recall: the memories that its context held count it.

        A success raises what they weigh in later searches, a failure lowers it, by a quarter at
        most: a score is multiplied by ``1 + 0.25 * (helped - hurt) / (helped + hurt + 4)``, where
        4 stands for uses of no effect (additive smoothing), so that one outcome moves little.
        ``partial`` and ``unknown`` are kept and change nothing.

        Args:
            recall_id: the ``id`` of a ``Recall``, of any process; the latest 10,000 are known.
            outcome: ``success``, ``failure``, ``partial`` or ``unknown``. Said again for the same
                recall, it replaces what was said before.
            note: why, in your words; ``why`` of each of the memories shows it.

        Returns:
            ``{"message", "memories"}``: the ids of the memories that were used.

        Raises:
            InvalidInput: no such outcome.
            NotFound: there is no such recall.
        """
        return self._parts.feedback.record(recall_id, outcome, note)

    def derivations(
        self,
        memory_id: str | None = None,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        top_k: int = 20,
    ) -> list[dict[str, Any]]:
        """How statements came about, newest first: of a scope, or those that name a memory.

        Returns:
            Each with ``id``, ``method``, ``model``, ``parameters``, ``input_ids``, ``context_ids``,
            ``raw`` (the model's answer), ``usage`` and ``decisions``: every candidate with its
            verdict and the reason.

        Raises:
            InvalidInput: neither a memory nor an identity was named.
            NotFound: there is no such memory.
        """
        scope = self._parts.scope(user_id, agent_id, run_id)
        return self._parts.records.derivations(scope, memory_id, top_k)

    def derivation(self, derivation_id: str) -> dict[str, Any]:
        """One derivation, with the texts of the ``methods`` that it followed.

        Raises:
            NotFound: there is none.
        """
        return self._parts.records.derivation(derivation_id)

    def replay(
        self,
        derivation_id: str,
        *,
        method: str | None = None,
        model: ModelSettings | ChatModel | str | None = None,
    ) -> dict[str, Any]:
        """Run a derivation of a model again on its inputs, without writing, and compare.

        Args:
            method: another shipped method, as ``name@version``; the present one if None.
            model: another chat model; the configured one if None.

        Returns:
            ``candidates`` (each ``statement`` with ``held``, ``reason``, ``score``), and what
            differs: ``only_before``, ``only_now``, ``changed``.

        Raises:
            NotFound: there is no such derivation.
            Conflict: it was made without a model, or its inputs are gone.
            ConfigError: no chat model is configured, or given.
            ModelError: the model did not deliver.
        """
        return self._parts.replay(derivation_id, method, model)

    def jobs(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        status: str | None = None,
        top_k: int = 100,
    ) -> list[dict[str, Any]]:
        """The learning of a scope, newest first: one job a call of ``add`` with a chat model.

        Args:
            status: only ``pending``, ``running``, ``done`` or ``failed`` ones.

        Returns:
            Each with ``id``, ``status``, ``attempts``, ``error``, ``input_ids``, ``results``.

        Raises:
            InvalidInput: no identity was named, or an unknown status.
        """
        scope = self._parts.scope(user_id, agent_id, run_id)
        return self._parts.records.jobs(scope, status, top_k)

    def job(self, job_id: str) -> dict[str, Any]:
        """How one job stands.

        Raises:
            NotFound: there is none.
        """
        return self._parts.records.job(job_id)

    def retry(self, job_id: str) -> dict[str, Any]:
        """Do a job that failed or waits, now; what it learned, as ``add`` returns it.

        Raises:
            NotFound: there is no such job.
            Conflict: another worker is at it.
            ConfigError: no chat model is configured.
            ModelError: the model failed again.
        """
        return self._parts.learner.retry(job_id)

    def work(self, *, limit: int | None = None) -> dict[str, int]:
        """Do the jobs that are due, in this thread: those of ``add(wait=False)``, also of other
        processes, and those that a crash left.

        Args:
            limit: how many at most.

        Returns:
            ``{"done", "failed"}``

        Raises:
            ConfigError: no chat model is configured.
        """
        return self._parts.learner.work(limit)
