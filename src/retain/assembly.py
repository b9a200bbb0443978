"""The composition root: settings -> ledger, models, pipelines. Nothing else reads settings."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retain.clock import Clock, system_clock
from retain.curate.curator import Curator
from retain.domain.instant import MICROS
from retain.domain.kind import Kind
from retain.domain.scope import Scope
from retain.errors import EmbedderMismatch
from retain.keep.keeper import Keeper
from retain.learn.derive import Deriver
from retain.learn.extract.model.extractor import Extractor
from retain.learn.jobs import Jobs
from retain.learn.pipeline import Learner
from retain.learn.summarise import Summariser
from retain.learn.with_model import ModelLearner
from retain.ledger.port import EmbedderIdentity, Ledger
from retain.ledger.sqlite import open_sqlite
from retain.ledger.visibility import Visibility
from retain.models.base import ChatModel, Embedder
from retain.models.chat import build_chat
from retain.models.embedders import build_embedder
from retain.models.rerankers import build_reranker
from retain.models.tokens import build_counter
from retain.notices import INSTRUCTIONS_NOT_USED, RetainWarning
from retain.read.ask import Ask, read_ask, scope_of
from retain.read.reader import Reader
from retain.recall.pipeline import Recaller
from retain.settings import Settings, settings_from
from retain.transfer.porter import Porter


@dataclass(frozen=True, slots=True)
class Parts:
    """What a ``Memory`` is made of."""

    settings: Settings
    ledger: Ledger
    clock: Clock
    learner: Learner
    recaller: Recaller
    reader: Reader
    curator: Curator
    keeper: Keeper
    porter: Porter

    def scope(self, user_id: object, agent_id: object, run_id: object) -> Scope:
        """The scope of these identities, checked; it may be empty."""
        return scope_of(self.settings.project, user_id, agent_id, run_id)

    def ask(
        self,
        *,
        filters: Mapping[str, Any] | None,
        user_id: object,
        agent_id: object,
        run_id: object,
        top_k: object,
        limit: object,
        show_expired: bool,
        include_superseded: bool,
        kinds: Iterable[str] | None,
        as_of: object,
        reference_date: object = None,
    ) -> Ask:
        """What a caller asks for, checked."""
        return read_ask(
            self.settings.project,
            self.clock(),
            filters=filters,
            identities={"user_id": user_id, "agent_id": agent_id, "run_id": run_id},
            top_k=top_k,
            limit=limit,
            show_expired=show_expired,
            include_superseded=include_superseded,
            kinds=kinds,
            as_of=as_of,
            reference_date=reference_date,
        )


def assemble(
    config: str | Path | Settings | Mapping[str, Any] | None,
    *,
    clock: Clock = system_clock,
    change_embedder: bool = False,
) -> Parts:
    """Open the ledger and put the parts together.

    Args:
        config: as ``Memory`` takes it.
        clock: what writes and reads are dated by.
        change_embedder: accept a ledger of another embedder, to reindex it.

    Raises:
        ConfigError: a setting that has no meaning here, or a missing extra.
        LedgerError: the ledger cannot be opened.
    """
    settings = settings_from(config)
    if settings.custom_instructions is not None and settings.llm is None:
        warnings.warn(INSTRUCTIONS_NOT_USED, RetainWarning, stacklevel=3)
    embedder = build_embedder(settings.embedder)
    reranker = None if settings.reranker is None else build_reranker(settings.reranker)
    chat = None if settings.llm is None else build_chat(settings.llm)
    ledger = open_sqlite(
        settings.resolved_path(), busy_timeout=settings.busy_timeout, project=settings.project
    )
    try:
        if not change_embedder:
            _check_embedder(ledger, embedder, settings.resolved_path())
        recaller = Recaller(
            ledger,
            embedder,
            reranker,
            build_counter(),
            profile=settings.profile,
            cache_megabytes=settings.cache_megabytes,
            rerank_timeout=settings.rerank_timeout,
            used=ledger.note_use,
        )
        gap = round(settings.session_gap * MICROS)
        scholar = (
            None
            if chat is None
            else _model_learner(settings, ledger, embedder, chat, recaller, clock, gap)
        )
        learner = Learner(ledger, embedder, clock, gap, scholar)
        return Parts(
            settings=settings,
            ledger=ledger,
            clock=clock,
            learner=learner,
            recaller=recaller,
            reader=Reader(ledger, settings.project, clock),
            curator=Curator(ledger, embedder, settings.project, clock, recaller.forget),
            keeper=Keeper(ledger, embedder),
            porter=Porter(
                ledger,
                embedder,
                settings.project,
                clock,
                lambda items, progress: learner.add_many(
                    items,
                    scope_of=lambda *ids: scope_of(settings.project, *ids),
                    progress=progress,
                ),
            ),
        )
    except BaseException:  # whatever went wrong, the file must not stay open
        ledger.close()
        raise


def _model_learner(
    settings: Settings,
    ledger: Ledger,
    embedder: Embedder,
    chat: ChatModel,
    recaller: Recaller,
    clock: Clock,
    session_gap: int,
) -> ModelLearner:
    """The write path with a chat model."""
    counter = build_counter()
    jobs = Jobs(ledger, settings.project, clock)
    kinds = frozenset({Kind.FACT, Kind.PROCEDURE, Kind.INSIGHT})
    deriver = Deriver(
        ledger,
        embedder,
        Extractor(chat, counter, settings.custom_instructions, settings.extraction_tokens),
        jobs,
        lambda tx, scope, text, limit: recaller.nearest(
            tx, scope, text, Visibility(now=clock(), kinds=kinds), limit
        ),
        clock,
    )
    summariser = Summariser(
        ledger, embedder, chat, counter, jobs, clock, strict=settings.gate == "strict"
    )
    return ModelLearner(ledger, embedder, jobs, deriver, summariser, clock, session_gap)


_STARTING = threading.Lock()


def _check_embedder(ledger: Ledger, embedder: Embedder, path: str) -> None:
    """Refuse a ledger whose vectors are of another embedder; name the embedder of a new one."""
    wanted = EmbedderIdentity(embedder.name, embedder.dimension)
    with _STARTING:
        stored = ledger.embedder()
        if stored is None:
            with ledger.write() as tx:
                if tx.total() == 0:
                    tx.set_embedder(wanted)
            stored = ledger.embedder()
    if stored != wanted:
        held = "none" if stored is None else f"{stored.name!r} ({stored.dimension} dimensions)"
        raise EmbedderMismatch(
            f"the ledger {path!r} was written with the embedder {held}, the settings name "
            f"{wanted.name!r} ({wanted.dimension} dimensions): use that one again, or rebuild the "
            "vectors with `retain reindex` (Memory.change_embedder in Python)"
        )
