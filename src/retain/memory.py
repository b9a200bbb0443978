"""Memory: the synchronous facade, one short method a verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from retain.clock import Clock, system_clock
from retain.domain.recall import Recall
from retain.domain.receipt import Receipt
from retain.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from retain.assembly import Parts
    from retain.ledger.port import CheckReport
    from retain.models.base import ChatModel

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
Instant = datetime | date | str | int | float
Day = date | datetime | str
Progress = Callable[[int, int | None], None]


class Unset:
    """The type of ``UNSET``: an argument that was not given, where None has a meaning."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


class Memory:
    """Long-term memory of agents on one ledger; usable from many threads.

    Args:
        config: None for the default ledger, a path (``":memory:"`` keeps nothing on disk), a
            ``Settings``, or a dict shaped like Mem0's configuration.
        clock: what writes and reads are dated by, in microseconds since 1970, UTC; tests pass
            their own (``retain.testing.clock``).

    Raises:
        ConfigError: a setting that has no meaning here, or a missing extra.
        LedgerError: the ledger cannot be opened.
    """

    def __init__(
        self,
        config: str | Path | Settings | Mapping[str, Any] | None = None,
        *,
        clock: Clock = system_clock,
    ) -> None:
        from retain.assembly import assemble

        self._parts: Parts = assemble(config, clock=clock)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Open an instance from a dict: Mem0's keys, or the names of ``Settings``."""
        return cls(dict(config))

    # -- writing -----------------------------------------------------------------------------

    def add(
        self,
        messages: Messages,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: Instant | None = None,
        expiration_date: Day | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        idempotency_key: str | None = None,
        wait: bool = True,
    ) -> dict[str, Any]:
        """Keep messages verbatim, and learn what they state.

        Args:
            messages: a text (one user message, a note of its own), a message, or a list of them.
                A message is a dict with ``role`` and ``content`` (a text, or parts of which the
                texts are joined), and optionally ``name``, ``timestamp``, ``metadata``, ``id``.
            user_id, agent_id, run_id: whose memory it is; at least one. Integers become text.
            metadata: kept with every memory of this call, for filters; never sets identity.
            timestamp: when it was said, for backfilling; now if left out.
            expiration_date: last day (UTC) on which these memories are visible.
            infer: also derive facts; ``False`` keeps the turns only.
            memory_type: ``"procedural_memory"`` keeps the messages as one procedure of an agent.
            prompt: instructions for the chat model, before the configured ones; for a procedure it
                replaces the method. Without a chat model it changes nothing.
            idempotency_key: a retry under the same key in the same scope writes nothing and
                returns the first answer; learning that had failed is done again.
            wait: with a chat model, ``False`` returns as soon as the messages are kept, with
                ``job_id``; they are learned from in the background.

        Returns:
            ``{"results": [{"id", "memory", "event", "kind", ...}]}``: what was added, the turns
            first (with ``role`` and ``actor_id``), then the facts; a superseded fact appears
            with event ``SUPERSEDE``.

        Raises:
            InvalidInput: an argument is unusable.
            Conflict: a message id, or an idempotency key, was used for another content.
            ModelError: the embedder failed, or the chat model.
            LedgerError: the store failed.

            After any of them nothing of this call was written, except when the chat model failed:
            then the messages are kept (``details["kept"]``), and ``retry(details["job_id"])`` or
            the same call under the same idempotency key learns from them.
        """
        return self._parts.learner.add(
            messages,
            scope=self._parts.scope(user_id, agent_id, run_id),
            metadata=metadata,
            timestamp=timestamp,
            expiration_date=expiration_date,
            infer=infer,
            memory_type=memory_type,
            prompt=prompt,
            idempotency_key=idempotency_key,
            wait=wait,
        )

    def add_many(
        self, items: Iterable[Mapping[str, Any]], *, progress: Progress | None = None
    ) -> list[dict[str, Any]]:
        """Add many at once, far faster than one by one.

        Args:
            items: each holds ``messages`` and any other argument of ``add``.
            progress: called with (items kept, items in all) after each batch.

        Returns:
            The answers of ``add``, in the order of the items.

        Raises:
            InvalidInput: an item is unusable; it is named by its index, and nothing was written.
            Incomplete: the store, the embedder or a conflict stopped it part-way;
                ``details["kept"]`` items are in the ledger.
        """
        return self._parts.learner.add_many(items, scope_of=self._parts.scope, progress=progress)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Day | Unset | None = UNSET,
        data: str | None = None,
    ) -> dict[str, Any]:
        """Change a memory: its text, metadata (merged) or expiry (None clears it).

        ``data`` is the older name of ``text``. The source message stays as it was received.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: nothing to change, or an unusable value.
        """
        return self._parts.curator.update(
            memory_id,
            text=text if text is not None else data,
            metadata=metadata,
            expiration_date=None if isinstance(expiration_date, Unset) else expiration_date,
            keep_expiration=isinstance(expiration_date, Unset),
        )

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Withdraw a memory: no read shows it again, its history stays. See also ``erase``.

        Facts that rest on it alone are withdrawn with it; what it had replaced stands again.

        Raises:
            NotFound: there is no such memory.
        """
        return self._parts.curator.delete(memory_id)

    def delete_all(
        self,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
    ) -> dict[str, Any]:
        """Withdraw every memory of a scope, in one transaction: their history stays.

        What they had replaced elsewhere stands again.

        Raises:
            InvalidInput: no identity was named; ``reset`` removes everything of the project.
        """
        return self._parts.curator.delete_all(self._parts.scope(user_id, agent_id, run_id))

    def restore(self, memory_id: str, reason: str | None = None) -> dict[str, Any]:
        """Take back a supersession or a deletion: the memory is held again.

        After a ``supersede``, it is the inverse: what had replaced the memory stays as it is, and
        an end of its own counts again. After a ``delete``, what the memory had replaced is
        replaced again.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is held already, or was never more than a candidate.
        """
        return self._parts.curator.restore(memory_id, reason)

    def supersede(self, memory_id: str, by: str, reason: str | None = None) -> dict[str, Any]:
        """Record that one memory replaces another of the same owner. ``restore`` takes it back.

        Raises:
            NotFound: one of them does not exist.
            Conflict: they belong to different owners, or one is not held.
        """
        return self._parts.curator.supersede(memory_id, by, reason)

    def erase(
        self,
        memory_id: str | None = None,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Remove a memory, or everything of a scope, for good: from every table and the file.

        What was derived from it alone goes too; what it had replaced stands again. Backups made
        earlier are not reached.

        Returns:
            A ``Receipt`` without the text: counts by table, and digests.

        Raises:
            InvalidInput: neither a memory nor a scope was named, or both.
            NotFound: there is no such memory.
        """
        scope = self._parts.scope(user_id, agent_id, run_id)
        return self._parts.curator.erase(memory_id, scope, reason)

    def reset(self) -> None:
        """Remove everything of this project for good, its receipts too.

        Other projects of the file stay.
        """
        self._parts.curator.reset()

    # -- reading -----------------------------------------------------------------------------

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One visible memory of this project, or None.

        Raises:
            InvalidInput: the id is no text.
        """
        return self._parts.reader.get(memory_id)

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        include_superseded: bool = False,
        kinds: Iterable[str] | None = None,
        as_of: Instant | None = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]:
        """The visible memories of a scope, newest first.

        Args:
            filters: identities (``user_id``, ``agent_id``, ``run_id``) and conditions.
            top_k: how many at most; ``limit`` is its older name.
            show_expired: also those past their expiry.
            include_superseded: also those that a newer value replaced.
            kinds: only these kinds (``message``, ``fact``, ``procedure``, ...).
            as_of: what held at that moment.

        Returns:
            ``{"results": [item, ...]}``

        Raises:
            InvalidInput: an argument is unusable; it is named with its value.
            LedgerError: the store failed; nothing found is never told by an empty answer then.
        """
        return self._parts.reader.get_all(
            self._parts.ask(
                filters=filters,
                user_id=user_id,
                agent_id=agent_id,
                run_id=run_id,
                top_k=top_k,
                limit=limit,
                show_expired=show_expired,
                include_superseded=include_superseded,
                kinds=kinds,
                as_of=as_of,
                reference_date=None,
            )
        )

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = 0.1,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Instant | None = None,
        show_expired: bool = False,
        include_superseded: bool = False,
        kinds: Iterable[str] | None = None,
        as_of: Instant | None = None,
        profile: str | None = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]:
        """The memories of a scope that answer a query, best first.

        Args:
            query: what is asked, in any language.
            top_k: how many at most; ``limit`` is its older name.
            filters: identities (``user_id``, ``agent_id``, ``run_id``) and conditions.
            threshold: least score, 0..1; None for no bound.
            rerank: let the configured reranker order an over-fetched pool.
            explain: add ``score_details`` to each item.
            as_of, reference_date: ask as of that moment: relative dates in the query count from
                it, and what held then is visible.
            show_expired, include_superseded, kinds: as in ``get_all``.
            profile: another ranking for this call: ``default``, ``plain``, ``rem``.

        Returns:
            ``{"results": [item, ...]}``, each with ``score``; with ``rerank_score`` where a
            reranker answered in time.

        Raises:
            InvalidInput: an argument is unusable; it is named with its value.
            ModelError: the embedder or the reranker failed.
            LedgerError: the store failed.
        """
        ask = self._parts.ask(
            filters=filters,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            top_k=top_k,
            limit=limit,
            show_expired=show_expired,
            include_superseded=include_superseded,
            kinds=kinds,
            as_of=as_of,
            reference_date=reference_date,
        )
        return self._parts.recaller.search(
            query, ask, threshold=threshold, rerank=rerank, explain=explain, profile=profile
        )

    def recall(
        self,
        query: str,
        *,
        budget_tokens: int = 1000,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = 0.1,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Instant | None = None,
        include_superseded: bool = False,
        show_expired: bool = False,
        kinds: Iterable[str] | None = None,
        as_of: Instant | None = None,
        profile: str | None = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        limit: int | None = None,
    ) -> Recall:
        """Search, and pack the best memories into a context for a prompt.

        What was packed counts as used, which the ``rem`` profile weighs.

        Args:
            budget_tokens: size that the context never exceeds.
            Others as in ``search``.

        Returns:
            A ``Recall``: ``memories``, ``context``, ``citations``, ``tokens``.

        Raises:
            As ``search``.
        """
        ask = self._parts.ask(
            filters=filters,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            top_k=top_k,
            limit=limit,
            show_expired=show_expired,
            include_superseded=include_superseded,
            kinds=kinds,
            as_of=as_of,
            reference_date=reference_date,
        )
        return self._parts.recaller.recall(
            query,
            ask,
            budget_tokens=budget_tokens,
            threshold=threshold,
            rerank=rerank,
            explain=explain,
            profile=profile,
        )

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first; ``[]`` if unknown."""
        return self._parts.reader.history(memory_id)

    def why(self, memory_id: str) -> dict[str, Any]:
        """Why a memory is held: the item in any status, evidence with quotes, links, history,
        entities, and the derivation that made it.

        Raises:
            NotFound: there is no such memory.
        """
        return self._parts.reader.why(memory_id)

    def entities(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        top_k: int = 100,
    ) -> list[dict[str, Any]]:
        """The named things of a scope, most mentioned first: ``{"name", "type", "mentions"}``.

        Raises:
            InvalidInput: no identity was named.
        """
        return self._parts.reader.entities(self._parts.scope(user_id, agent_id, run_id), top_k)

    def receipts(self, *, top_k: int = 20) -> list[Receipt]:
        """The receipts of erasures in this project, newest first.

        Each says when, of which scope or memories (by id), how many rows of which table, and holds
        digests of the salted texts; never a text. ``reset`` removes them.

        Args:
            top_k: how many at most.

        Raises:
            InvalidInput: ``top_k`` is no whole number from 0.
        """
        return self._parts.curator.receipts(top_k)

    # -- what was learned, and how -----------------------------------------------------------

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

    # -- the ledger --------------------------------------------------------------------------

    def stats(self) -> dict[str, Any]:
        """Figures about the ledger.

        Returns:
            ``kinds`` and ``statuses``: memories of this project, counted. ``tables`` (rows),
            ``bytes`` (on disk), ``schema_version``, ``path`` and ``embedder`` are of the whole
            file, which other projects may share.
        """
        return self._parts.keeper.stats()

    def check(self, *, repair: bool = False) -> CheckReport:
        """Check integrity; with ``repair``, rebuild derived data.

        Returns:
            A ``CheckReport``; its ``problems`` is empty when all is well.
        """
        return self._parts.keeper.check(repair)

    def reindex(self, *, progress: Progress | None = None) -> int:
        """Rebuild all that is derived from the texts: terms, vectors and the names in them.

        Others may read and write meanwhile: new terms and vectors wait aside until they are whole.
        If it stops part-way, answers are as before, and the next call goes on where it was.

        Args:
            progress: called with (memories rebuilt, memories in all) after each batch.

        Returns:
            How many memories were rebuilt, over all projects of the file.

        Raises:
            ModelError: the embedder failed.
            Conflict: another rebuild, for another embedder, began meanwhile; or others kept adding
                memories with the embedder that is to be replaced.
        """
        return self._parts.keeper.reindex(progress)

    @classmethod
    def change_embedder(
        cls,
        config: str | Path | Settings | Mapping[str, Any] | None = None,
        *,
        progress: Progress | None = None,
    ) -> int:
        """Rebuild a ledger's vectors with the embedder that ``config`` names; how many.

        The way out of ``EmbedderMismatch``: it opens the ledger, reindexes it and closes it.
        """
        from retain.assembly import assemble

        parts = assemble(config, change_embedder=True)
        try:
            return parts.keeper.reindex(progress)
        finally:
            parts.ledger.close()

    def backup(self, target: str | Path) -> Path:
        """Write a consistent copy of the ledger to a new file, while others read and write.

        Returns:
            The target.

        Raises:
            Conflict: the target exists; it is left as it is.
            LedgerError: the copy could not be written.
        """
        return self._parts.keeper.backup(target)

    def export(
        self,
        target: str | Path,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
    ) -> int:
        """Write all memories of a scope (or of the project) as JSON Lines; how many.

        Nothing is lost: messages, evidence, links, history and status are in it, and
        ``import_file`` brings them back under the same ids.

        Raises:
            InvalidInput: the target cannot be written; what stood there is left as it is.
        """
        return self._parts.porter.export(target, self._parts.scope(user_id, agent_id, run_id))

    def import_file(
        self,
        source: str | Path,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        infer: bool = True,
        progress: Progress | None = None,
    ) -> dict[str, int]:
        """Bring in an export of ours, or plain conversations (JSON or JSON Lines).

        Identities given here replace those that the file's conversations name; an export keeps its
        own. Importing the same file twice adds nothing.

        Args:
            source: the file, gzipped or not.
            user_id, agent_id, run_id: whose the conversations are.
            infer: also learn facts from conversations; what Mem0's ``get_all`` returned is kept
                as it is either way.
            progress: called with (items kept, items in all) after each batch.

        Returns:
            Counts: ``messages`` and ``memories`` added, and what was ``skipped`` as already there
            (memories of an export, or conversations and facts).

        Raises:
            InvalidInput: the file cannot be read, or holds a form that is not known; named by line.
            Incomplete: it stopped part-way; importing the file again completes it.
        """
        return self._parts.porter.import_file(
            source,
            scope=self._parts.scope(user_id, agent_id, run_id),
            infer=infer,
            progress=progress,
        )

    def close(self) -> None:
        """Give back the ledger; later calls raise ``Closed``. Closing twice is harmless."""
        self._parts.learner.close()
        self._parts.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
