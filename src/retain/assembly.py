"""The composition root: settings -> ledger, models, pipelines. Nothing else reads settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from retain.analysis import entities, instructions, words
from retain.analysis.entities import EntityFinder, entity_finder
from retain.clock import Clock, system_clock
from retain.consolidate import cues
from retain.consolidate.background import BackgroundConsolidation
from retain.curate.candidates import Reviewer
from retain.curate.curator import Curator
from retain.curate.feedback import Feedback
from retain.curate.forget import Forgetter
from retain.domain.instant import MICROS
from retain.domain.kind import Kind
from retain.domain.memory import MemoryRecord
from retain.domain.plain import plain_count, plain_flag
from retain.domain.scope import Scope
from retain.errors import ConfigError, InvalidInput
from retain.keep.keeper import Keeper
from retain.learn.derive import Deriver
from retain.learn.episode.writer import EpisodeWriter
from retain.learn.extract.model.extractor import Extractor
from retain.learn.ground import Gate
from retain.learn.jobs import Jobs
from retain.learn.pipeline import Learner
from retain.learn.replay import Replayer
from retain.learn.summarise import Summariser
from retain.learn.with_model import ModelLearner
from retain.ledger.port import EmbedderIdentity, Ledger, ReadTx
from retain.ledger.sqlite import open_sqlite
from retain.ledger.visibility import Visibility
from retain.models import tokens
from retain.models.base import ChatModel, Embedder
from retain.models.chat import build_chat
from retain.models.choice import model_from
from retain.models.embedders import build_embedder, static
from retain.models.rerankers import build_reranker
from retain.models.tokens import build_counter
from retain.notices import INSTRUCTIONS_NOT_USED, RetainWarning
from retain.read.ask import Ask, read_ask, scope_of
from retain.read.episodes import EpisodeReader
from retain.read.grapher import Grapher
from retain.read.reader import Reader
from retain.read.records import Records
from retain.recall.pipeline import Recaller
from retain.settings import Settings, settings_from
from retain.transfer.porter import Porter

if TYPE_CHECKING:
    from retain.consolidate.pipeline import Consolidator


@dataclass(frozen=True, slots=True)
class Parts:
    """What a ``Memory`` is made of."""

    settings: Settings
    ledger: Ledger
    clock: Clock
    learner: Learner
    recaller: Recaller
    reader: Reader
    episode_writer: EpisodeWriter
    episode_reader: EpisodeReader
    consolidator_of: Callable[[], Consolidator]
    consolidation: BackgroundConsolidation
    grapher: Grapher
    curator: Curator
    keeper: Keeper
    forgetter: Forgetter
    porter: Porter
    records: Records
    reviewer: Reviewer
    feedback: Feedback
    replayer_of: Callable[[ChatModel], Replayer]

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

    def waiting_episodes(self) -> int:
        """How many episodes of the project no consolidation has looked at."""
        return _waiting_episodes(self.ledger, self.settings.project)

    def consolidate(self, scope: Scope, least_support: object, dry_run: object) -> dict[str, Any]:
        """Draw insights from new episodes of a scope."""
        least = plain_count(least_support, "least_support")
        if least < 2:
            raise InvalidInput(f"least_support must be 2 or more, got {least}: one is no pattern")
        return self.consolidator_of().consolidate(
            scope, least=least, dry_run=plain_flag(dry_run, "dry_run")
        )

    def replay(self, derivation_id: str, method: str | None, model: object) -> dict[str, Any]:
        """Run a derivation again, with the configured chat model or another."""
        chosen = self.settings.llm if model is None else model_from("llm", model)
        if chosen is None:
            raise ConfigError("replay needs a chat model: set Settings(llm=...)", field="llm")
        with self.ledger.read() as tx:
            derivation = self.records.find(tx, derivation_id)
        return self.replayer_of(build_chat(chosen)).replay(derivation, method)


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
    find_mentions = entity_finder(settings.entities)
    reranker = None if settings.reranker is None else build_reranker(settings.reranker)
    chat = None if settings.llm is None else build_chat(settings.llm)
    ledger = open_sqlite(
        settings.resolved_path(), busy_timeout=settings.busy_timeout, project=settings.project
    )
    try:
        if not change_embedder:
            ledger.use_embedder(EmbedderIdentity(embedder.name, embedder.dimension))
        recaller = Recaller(
            ledger,
            embedder,
            reranker,
            build_counter(),
            profile=settings.profile,
            cache_megabytes=settings.cache_megabytes,
            rerank_timeout=settings.rerank_timeout,
            used=ledger.note_recall,
        )
        gap = round(settings.session_gap * MICROS)
        learning = _Learning(settings, ledger, embedder, find_mentions, recaller, clock)
        scholar = None if chat is None else learning.learner(chat, gap)
        learner = Learner(ledger, embedder, find_mentions, clock, gap, scholar)
        curator = Curator(
            ledger, embedder, find_mentions, settings.project, clock, _forgetting(recaller)
        )

        def consolidator() -> Consolidator:
            return _consolidator(settings, ledger, embedder, find_mentions, clock, chat)

        consolidation = BackgroundConsolidation(
            lambda: _waiting_episodes(ledger, settings.project),
            lambda: consolidator().consolidate(
                Scope(settings.project), least=LEAST_SUPPORT, dry_run=False
            ),
            settings.consolidate_after,
        )
        return Parts(
            settings=settings,
            ledger=ledger,
            clock=clock,
            learner=learner,
            recaller=recaller,
            reader=Reader(ledger, settings.project, clock),
            episode_writer=EpisodeWriter(
                ledger, embedder, find_mentions, clock, build_counter(), chat
            ),
            episode_reader=EpisodeReader(ledger, settings.project, clock),
            consolidator_of=consolidator,
            consolidation=consolidation,
            grapher=Grapher(ledger, settings.project),
            curator=curator,
            keeper=Keeper(ledger, embedder, find_mentions),
            forgetter=Forgetter(
                ledger, settings.project, clock, _forgetting(recaller), curator.described
            ),
            porter=Porter(
                ledger,
                embedder,
                find_mentions,
                settings.project,
                clock,
                lambda items, progress: learner.add_many(
                    items,
                    scope_of=lambda *ids: scope_of(settings.project, *ids),
                    progress=progress,
                ),
            ),
            records=Records(ledger, settings.project),
            reviewer=Reviewer(ledger, settings.project, clock),
            feedback=Feedback(ledger, settings.project, clock),
            replayer_of=learning.replayer,
        )
    except BaseException:  # whatever went wrong, the file must not stay open
        ledger.close()
        raise


def _waiting_episodes(ledger: Ledger, project: str) -> int:
    with ledger.read() as tx:
        return tx.waiting_episodes(project)


def _consolidator(
    settings: Settings,
    ledger: Ledger,
    embedder: Embedder,
    find_mentions: EntityFinder,
    clock: Clock,
    chat: ChatModel | None,
) -> Consolidator:
    # They load numpy, and the word pieces: only where they are used.
    from retain.consolidate.pipeline import Consolidator
    from retain.consolidate.with_model import ModelGeneraliser

    generaliser = None
    if chat is not None:
        generaliser = ModelGeneraliser(chat, build_counter(), Gate(settings.gate))
    return Consolidator(ledger, embedder, find_mentions, clock, generaliser)


def _forgetting(recaller: Recaller) -> Callable[[Iterable[int]], None]:
    """What forgets erased memories: their partitions' indexes, and all words seen by the process.

    Which of the words stood in an erased text is not known; the others are soon seen again.
    """

    def forget(partitions: Iterable[int]) -> None:
        recaller.forget(partitions)
        for words_of in (words, entities, instructions, static, tokens, cues):
            words_of.forget_words()

    return forget


@dataclass(frozen=True, slots=True)
class _Learning:
    """How the parts that learn with a chat model are put together."""

    settings: Settings
    ledger: Ledger
    embedder: Embedder
    find_mentions: EntityFinder
    recaller: Recaller
    clock: Clock

    def learner(self, chat: ChatModel, session_gap: int) -> ModelLearner:
        """The write path with a chat model."""
        jobs = Jobs(self.ledger, self.settings.project, self.clock)
        summariser = Summariser(
            self.ledger, self.embedder, self.find_mentions, chat, build_counter(), jobs, self.clock,
            strict=self.settings.gate == "strict",
        )  # fmt: skip
        return ModelLearner(
            self.ledger, self.embedder, self.find_mentions, jobs, self._deriver(chat, jobs),
            summariser, self.clock, session_gap,
        )  # fmt: skip

    def replayer(self, chat: ChatModel) -> Replayer:
        """What runs derivations again."""
        jobs = Jobs(self.ledger, self.settings.project, self.clock)
        return Replayer(self.ledger, self._deriver(chat, jobs), self._extractor(chat))

    def _deriver(self, chat: ChatModel, jobs: Jobs) -> Deriver:
        return Deriver(
            self.ledger, self.embedder, self.find_mentions, self._extractor(chat), jobs,
            self._nearest, self.clock, Gate(self.settings.gate),
        )  # fmt: skip

    def _extractor(self, chat: ChatModel) -> Extractor:
        return Extractor(
            chat, build_counter(), self.settings.custom_instructions,
            self.settings.extraction_tokens,
        )  # fmt: skip

    def _nearest(self, tx: ReadTx, scope: Scope, text: str, limit: int) -> list[MemoryRecord]:
        visible = Visibility(now=self.clock(), kinds=_COMPARED)
        return self.recaller.nearest(tx, scope, text, visible, limit)


LEAST_SUPPORT: Final = 3  # episodes, in the background
_COMPARED: Final = frozenset({Kind.FACT, Kind.PROCEDURE, Kind.INSIGHT})
