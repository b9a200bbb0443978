"""The verbs about an agent's experiences, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from retain.facade.types import Facade, Instant


class Experience(Facade):
    """The verbs about an agent's experiences, and what they come to."""

    def write_episode(
        self,
        content: str,
        *,
        agent_id: str | int,
        user_id: str | int | None = None,
        run_id: str | int | None = None,
        outcome: str = "unknown",
        metadata: Mapping[str, Any] | None = None,
        timestamp: Instant | None = None,
        idempotency_key: str | None = None,
        intent: str | None = None,
        domain: str | None = None,
        emotion: str | None = None,
        importance: float | None = None,
        entities: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Keep the account of one experience of an agent, as given, after the one before it.

        What you do not state is told by rules, or by the configured chat model; where that fails
        the episode is kept all the same, and ``parsed_by`` says so.

        Args:
            content: the account, 1 character to 1,000,000 bytes of UTF-8.
            agent_id: whose experience it was.
            user_id, run_id: with whom, and in which session.
            outcome: ``success``, ``failure``, ``partial``, or ``unknown``: then it is what the
                account plainly says.
            metadata: kept with it, for filters.
            timestamp: when it was; now if left out.
            idempotency_key: a retry under the same key in the same scope writes nothing.
            intent: what was wanted, at most 100 characters.
            domain: ``coding``, ``writing``, ``research``, ``planning``, ``analysis``,
                ``communication`` or ``general``.
            emotion: ``productive``, ``frustrated``, ``confused``, ``satisfied``, ``urgent`` or
                ``neutral``.
            importance: 0..1.
            entities: the named things, at most 10.

        Returns:
            The episode, as ``get_episode``, with ``status`` ``"stored"``.

        Raises:
            InvalidInput: an argument is unusable; it is named with its value.
            Conflict: the idempotency key was used for another content.
            ModelError: the embedder failed; nothing was written.
            LedgerError: the store failed; nothing was written.
        """
        stored = self._parts.episode_writer.write(
            content,
            scope=self._parts.scope(user_id, agent_id, run_id),
            outcome=outcome,
            metadata=metadata,
            timestamp=timestamp,
            idempotency_key=idempotency_key,
            described={
                "intent": intent,
                "domain": domain,
                "emotion": emotion,
                "importance": importance,
                "entities": entities,
            },
        )
        self._parts.consolidation.note()
        shown = self._parts.episode_reader.get(stored.id)
        return {"id": stored.id, **(shown or {}), "status": "stored"}

    def get_episode(self, episode_id: str) -> dict[str, Any] | None:
        """One episode of this project, or None.

        Returns:
            ``id``, its identities, ``content``, ``intent``, ``entities``, ``domain``, ``emotion``,
            ``outcome``, ``importance``, ``parsed_by``, ``uses``, ``last_used_at``,
            ``consolidated``, ``consolidated_into`` (ids of insights), ``metadata``,
            ``created_at``, ``updated_at``, ``previous_id`` and ``next_id``: the nearest episodes
            of the same agent and user that are held.

        Raises:
            InvalidInput: the id is no text.
        """
        return self._parts.episode_reader.get(episode_id)

    def episodes(
        self,
        *,
        agent_id: str | int | None = None,
        user_id: str | int | None = None,
        run_id: str | int | None = None,
        limit: int = 20,
        offset: int = 0,
        domain: str | None = None,
        outcome: str | None = None,
        consolidated: bool | None = None,
        search: str | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
    ) -> dict[str, Any]:
        """The episodes of a scope that meet all conditions, latest first.

        Args:
            limit, offset: which part of the list.
            domain, outcome: only of these.
            consolidated: only those that a consolidation has, or has not, taken in.
            search: only those that hold this text, whatever its case.
            since, until: only those that happened from, and before, these moments.

        Returns:
            ``{"episodes": [...], "total", "limit", "offset"}``; ``total`` counts all that meet
            the conditions.

        Raises:
            InvalidInput: no identity was named, or an argument is unusable.
        """
        return self._parts.episode_reader.list(
            self._parts.scope(user_id, agent_id, run_id),
            limit=limit,
            offset=offset,
            outcome=outcome,
            domain=domain,
            consolidated=consolidated,
            search=search,
            since=since,
            until=until,
        )

    def consolidate(
        self,
        *,
        agent_id: str | int | None = None,
        user_id: str | int | None = None,
        run_id: str | int | None = None,
        least_support: int = 3,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Draw insights from the episodes that were not taken in before.

        What recurs in several episodes of the same agent and user becomes an insight, in the words
        of one of them, with each of them as evidence. Insights that are known gain evidence; those
        that later episodes all speak otherwise of are superseded. One-off events stay episodes.
        Each insight is kept in a transaction of its own, and running it again changes nothing.

        Args:
            agent_id, user_id, run_id: whose episodes; the project's if none is named.
            least_support: in how many episodes something must recur, 2 or more.
            dry_run: change nothing, and say what would change.

        Returns:
            ``episodes``: how many were taken in; ``insights``: each with ``change`` (``add``,
            ``reinforce``, ``supersede``, ``contradict``), ``id``, ``insight``, ``insight_type``,
            ``confidence``, ``supports``, ``episodes`` (ids), ``reason``, and ``of``: the insight
            that it replaces or contradicts.

        Raises:
            InvalidInput: an argument is unusable.
            ModelError: the embedder or the chat model failed. The insights before it are kept, no
                episode counts as taken in, and the next run goes on.
            LedgerError: the store failed; what was kept before is whole.
        """
        return self._parts.consolidate(
            self._parts.scope(user_id, agent_id, run_id), least_support, dry_run
        )

    def insights(
        self,
        *,
        agent_id: str | int | None = None,
        user_id: str | int | None = None,
        insight_type: str | None = None,
        domain: str | None = None,
        least_confidence: float = 0.0,
        include_superseded: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> dict[str, Any]:
        """The insights of a scope, the best supported first.

        Args:
            insight_type: ``preference``, ``rule``, ``pattern``, ``skill``, ``fact``, ``warning``.
            domain: only of this domain.
            least_confidence: 0..1.
            include_superseded: also those that were replaced.
            limit, offset: which part of the list.

        Returns:
            ``{"insights": [item, ...], "total", "limit", "offset"}``; items as ``search`` returns
            them, with ``insight_type``, ``confidence``, ``supports``, ``contradictions``,
            ``domain``, ``level`` and ``sources``.

        Raises:
            InvalidInput: no identity was named, or an argument is unusable.
        """
        return self._parts.episode_reader.insights(
            self._parts.scope(user_id, agent_id, None),
            insight_type=insight_type,
            domain=domain,
            least_confidence=least_confidence,
            include_superseded=include_superseded,
            limit=limit,
            offset=offset,
        )
