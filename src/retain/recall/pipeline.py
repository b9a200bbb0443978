"""The read path as its recipe: query, visible rows, one ranking, filter, rerank, context."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from retain.domain.ids import new_id
from retain.domain.memory import MemoryRecord
from retain.domain.plain import plain_flag, shown
from retain.domain.recall import Recall
from retain.domain.scope import Scope
from retain.domain.use import Recalled
from retain.errors import InvalidInput, InvalidQuery, TooLarge
from retain.ledger.filters import Tree, matches
from retain.ledger.paging import pages_of
from retain.ledger.port import Coverage, Ledger, ReadTx
from retain.ledger.visibility import Visibility
from retain.models.base import Embedder, Reranker, TokenCounter
from retain.notices import RetainWarning
from retain.read.ask import Ask
from retain.read.reader import items_of
from retain.recall.cache import IndexCache
from retain.recall.context import pack_context
from retain.recall.disputed import mark_disputed
from retain.recall.hop import with_insights
from retain.recall.outdated import mark_outdated, newer_first
from retain.recall.profiles import PROFILES, Profile, profile_named
from retain.recall.query import Query, read_query
from retain.recall.rank import Ranked, rank
from retain.recall.rerank import rerank_pool

MAX_QUERY = 100_000  # characters
MAX_BUDGET = 10_000_000  # tokens
FIRST_LOOK = 200  # rows ranked, or known to be all, before a filter is asked about every row
LOOK = 20  # rows that are looked at for what replaces what, at least
RERANK_POOL = 50  # rows that a reranker sees, at least

Item = dict[str, Any]


class Recaller:
    """Answers queries over one ledger."""

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        reranker: Reranker | None,
        counter: TokenCounter,
        *,
        profile: str,
        cache_megabytes: int,
        rerank_timeout: float,
        used: Callable[[Recalled], None],
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._reranker = reranker
        self._counter = counter
        self._profile = profile_named(profile)
        self._cache = IndexCache(embedder.dimension, cache_megabytes * 1024 * 1024)
        self._rerank_timeout = rerank_timeout
        self._used = used

    def search(
        self,
        query: object,
        ask: Ask,
        *,
        threshold: object,
        rerank: bool,
        explain: bool,
        profile: str | None,
    ) -> dict[str, Any]:
        """Items that answer a query, best first."""
        found = self._found(
            query,
            ask,
            threshold=threshold,
            rerank=rerank,
            explain=explain,
            profile=profile,
            marked=False,
        )
        return {"results": found}

    def _found(
        self,
        query: object,
        ask: Ask,
        *,
        threshold: object,
        rerank: bool,
        explain: bool,
        profile: str | None,
        marked: bool,
    ) -> list[Item]:
        """What is found, of one state; ``marked``: with what no longer holds or is disputed."""
        text = _query_text(query)
        least = _threshold(threshold)
        weighing = self._profile if profile is None else _profile(profile)
        plain_flag(explain, "explain")
        reranker = self._reranker if plain_flag(rerank, "rerank") else None
        if rerank and reranker is None:
            warnings.warn(
                "rerank=True without a configured reranker changes nothing: set "
                "Settings(reranker=...)",
                RetainWarning,
                stacklevel=4,
            )
        if ask.top_k == 0:
            return []
        # More than is asked for, so that a newer value can be told from an older one.
        wanted = max(ask.top_k, LOOK) if reranker is None else max(3 * ask.top_k, RERANK_POOL)
        asked_at = ask.visibility.now if ask.visibility.as_of is None else ask.visibility.as_of
        with self._ledger.read() as tx:
            found = self._ranked_items(
                tx, read_query(text, asked_at), replace(ask, top_k=wanted), least, weighing, explain
            )
            if reranker is None:
                found = newer_first(tx, found, ask.visibility)[: ask.top_k]
            if marked:
                if reranker is None:
                    found = with_insights(tx, found, ask)[: ask.top_k]
                mark_outdated(tx, found, ask.visibility)
                mark_disputed(tx, found, ask.visibility)
        if reranker is not None:
            found = self._reranked(reranker, text, found)
        return found[: ask.top_k]

    def recall(
        self,
        query: object,
        ask: Ask,
        *,
        budget_tokens: object,
        threshold: object,
        rerank: bool,
        explain: bool,
        profile: str | None,
    ) -> Recall:
        """Search, and pack the best into a context within the budget."""
        budget = _budget(budget_tokens)
        found = self._found(
            query,
            ask,
            threshold=threshold,
            rerank=rerank,
            explain=explain,
            profile=profile,
            marked=True,
        )
        context, citations, tokens = pack_context(found, budget, self._counter)
        recalled = Recalled(
            new_id(), [citation.memory_id for citation in citations], ask.visibility.now
        )
        self._used(recalled)
        return Recall(
            id=recalled.id,
            query=_query_text(query),
            memories=found,
            context=context,
            citations=citations,
            tokens=tokens,
            budget_tokens=budget,
        )

    def nearest(
        self, tx: ReadTx, scope: Scope, text: str, visibility: Visibility, limit: int
    ) -> list[MemoryRecord]:
        """The visible memories of a scope that are nearest to a text, whatever their score."""
        ask = Ask(scope, None, visibility, limit)
        query = read_query(text[-MAX_QUERY:], visibility.now)
        ranked, _ = self._rank(tx, query, ask, tx.coverage(scope), PROFILES["plain"], limit, None)
        return tx.memories([int(key) for key in ranked.keys])

    def forget(self, partitions: Iterable[int]) -> None:
        """Drop what is cached of these partitions, as after an erasure."""
        self._cache.forget(partitions)

    def _ranked_items(
        self, tx: ReadTx, query: Query, ask: Ask, least: float, profile: Profile, explain: bool
    ) -> list[Item]:
        coverage = tx.coverage(ask.scope)
        if ask.tree is None:
            ranked, _ = self._rank(tx, query, ask, coverage, profile, ask.top_k, None)
            return self._take(tx, ranked, ask, least, explain)
        look = max(4 * ask.top_k, FIRST_LOOK)
        candidates = tx.candidates(coverage, ask.visibility, ask.tree, look)
        if len(candidates) < look:
            meeting = _meeting(tx, [tx.memories(candidates)], ask.tree)
        else:
            ranked, visible = self._rank(tx, query, ask, coverage, profile, look, None)
            found = self._take(tx, ranked, ask, least, explain)
            if len(found) >= ask.top_k or len(ranked) >= visible:
                return found
            # Too few of the best meet the conditions: rank all that do.
            pages = pages_of(tx, coverage, ask.visibility, tree=ask.tree)
            meeting = _meeting(tx, pages, ask.tree)
        ranked, _ = self._rank(tx, query, ask, coverage, profile, ask.top_k, list(meeting))
        return self._take(tx, ranked, ask, least, explain)

    def _rank(
        self,
        tx: ReadTx,
        query: Query,
        ask: Ask,
        coverage: Coverage,
        profile: Profile,
        limit: int,
        keys: Sequence[int] | None,
    ) -> tuple[Ranked, int]:
        """The best rows, and how many were visible in all."""
        parts = []
        for partition, scopes in coverage.parts.items():
            index = self._cache.get(tx, partition)
            parts.append((index, index.visible(ask.visibility, scopes, keys)))
        visible = sum(int(mask.sum()) for _, mask in parts)
        moment = ask.visibility.now if ask.visibility.as_of is None else ask.visibility.as_of
        return rank(query, parts, self._embedder, profile, moment, limit), visible

    def _take(
        self, tx: ReadTx, ranked: Ranked, ask: Ask, least: float, explain: bool
    ) -> list[Item]:
        """The items of ranked rows that meet the conditions, with their scores."""
        scores = [float(score) for score in ranked.scores]
        above = [number for number, score in enumerate(scores) if score >= least]
        found: list[Item] = []
        # Where there are conditions, the best often meet them: no need to look at all.
        step = ask.top_k if ask.tree is None else 2 * ask.top_k
        for start in range(0, len(above), step):
            numbers = above[start : start + step]
            records = tx.memories([int(ranked.keys[number]) for number in numbers])
            for number, item in zip(numbers, items_of(tx, records), strict=True):
                if not matches(ask.tree, item):
                    continue
                item["score"] = scores[number]
                if explain:
                    item["score_details"] = _details(ranked, number, scores[number], least)
                found.append(item)
                if len(found) == ask.top_k:
                    return found
        return found

    def _reranked(self, reranker: Reranker, query: str, found: list[Item]) -> list[Item]:
        texts = [str(item["memory"]) for item in found]
        answer = rerank_pool(reranker, query, texts, self._rerank_timeout)
        if answer.scores is None:
            warnings.warn(
                f"reranker {reranker.name!r} did not answer within {self._rerank_timeout} s: the "
                "results keep their own order",
                RetainWarning,
                stacklevel=5,
            )
            return found
        scored = [
            {**item, "rerank_score": score}
            for item, score in zip(found, answer.scores, strict=True)
        ]
        return sorted(scored, key=lambda item: (-item["rerank_score"], -item["score"], item["id"]))


def _meeting(tx: ReadTx, pages: Iterable[list[MemoryRecord]], tree: Tree) -> Iterator[int]:
    """Keys of those memories that meet the conditions."""
    for page in pages:
        for record, item in zip(page, items_of(tx, page), strict=True):
            if matches(tree, item):
                yield record.key


def _details(ranked: Ranked, number: int, score: float, least: float) -> dict[str, float]:
    """The signals of one row; the names that Mem0's users know beside them."""
    signals = ranked.explain(number)
    return {
        **signals,
        "semantic_score": signals.get("cosine", signals.get("similarity", 0.0)),
        "bm25_score": signals.get("bm25", signals.get("window", 0.0)),
        "final_score": score,
        "threshold": least,
    }


def _profile(name: object) -> Profile:
    found = PROFILES.get(name) if isinstance(name, str) else None
    if found is None:
        raise InvalidInput(
            f"Invalid profile: {shown(name)}. Use one of: {', '.join(sorted(PROFILES))}"
        )
    return found


def _query_text(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidQuery(f"Invalid query: must be a non-empty string, got {shown(query)}")
    if not query.strip():
        raise InvalidQuery("Invalid query: cannot be empty or whitespace-only.")
    if len(query) > MAX_QUERY:
        raise TooLarge(f"Invalid query: {len(query)} characters, the limit is {MAX_QUERY}")
    return query


def _threshold(threshold: object) -> float:
    if threshold is None:
        return 0.0
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise InvalidInput(f"threshold must be a valid number, got {shown(threshold)}")
    if not 0 <= threshold <= 1:  # nor is it a number that is none
        raise InvalidInput(
            f"Invalid threshold: {shown(threshold)}. Must be between 0 and 1 (inclusive)."
        )
    return float(threshold)


def _budget(budget: object) -> int:
    if isinstance(budget, bool) or not isinstance(budget, int):
        raise InvalidInput(f"budget_tokens must be an integer, got {shown(budget)}")
    if not 0 <= budget <= MAX_BUDGET:
        raise InvalidInput(f"budget_tokens must be between 0 and {MAX_BUDGET}, got {shown(budget)}")
    return budget
