"""The verbs that add, change and remove memories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from retain.domain.receipt import Receipt
from retain.facade.types import UNSET, Day, Facade, Instant, Messages, Progress, Unset

if TYPE_CHECKING:
    pass


class Writing(Facade):
    """The verbs that add, change and remove memories."""

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
