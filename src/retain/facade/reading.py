"""The verbs that find memories and say what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from retain.domain.graph import Graph
from retain.domain.plain import plain_flag
from retain.domain.recall import Recall
from retain.domain.receipt import Receipt
from retain.facade.types import Facade, Instant


class Reading(Facade):
    """The verbs that find memories and say what is known of them."""

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
        entities, the derivation that made it, and its ``use``: how often contexts held it, when
        last, and what came of that (``record_outcome``).

        Raises:
            NotFound: there is no such memory.
        """
        return self._parts.reader.why(memory_id)

    def graph(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        kinds: Iterable[str] | None = None,
        entities: bool = True,
        show_expired: bool = False,
        include_superseded: bool = False,
        as_of: Instant | None = None,
        top_k: int = 1000,
    ) -> Graph:
        """The visible memories of a scope as a graph: what rests on what, and what replaced it.

        Edges: ``derived_from`` and ``contradicted_by`` from a memory to a source of it;
        ``supersedes``, ``contradicts``, ``extends``, ``related`` between memories; ``mentions``
        from a memory to a named thing.

        Args:
            kinds: only memories of these kinds.
            entities: also the named things.
            show_expired, include_superseded, as_of: as in ``get_all``.
            top_k: how many memories at most, newest first.

        Returns:
            A ``Graph`` of ``nodes`` and ``edges``; ``to_json``, ``to_graphml`` and ``to_mermaid``
            write it for other programs.

        Raises:
            InvalidInput: no identity was named, or an argument is unusable.
        """
        ask = self._parts.ask(
            filters=None,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            top_k=top_k,
            limit=None,
            show_expired=show_expired,
            include_superseded=include_superseded,
            kinds=kinds,
            as_of=as_of,
        )
        return self._parts.grapher.graph(ask, entities=plain_flag(entities, "entities"))

    def trace(self, memory_id: str) -> dict[str, Any]:
        """A memory with all that it rests on, level by level, down to what was said.

        Returns:
            ``id``, ``kind``, ``memory``, ``created_at``, ``status`` and ``rests_on``: the same of
            each source, with the ``quote`` and its ``stance``.

        Raises:
            NotFound: there is no such memory.
        """
        return self._parts.grapher.trace(memory_id)

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
