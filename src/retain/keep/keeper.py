"""Care of the ledger itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from retain.analysis.entities import EntityFinder
from retain.analysis.features import describe
from retain.domain.plain import file_path, plain_flag
from retain.errors import Conflict
from retain.ledger.port import CheckReport, EmbedderIdentity, Ledger, NewMemory
from retain.models.base import Embedder

BATCH = 512
MOST_ROUNDS = 100  # after each, only what came in meanwhile is left


class Keeper:
    """Statistics, integrity, reindex and backup of one ledger."""

    def __init__(self, ledger: Ledger, embedder: Embedder, find_mentions: EntityFinder) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._find_mentions = find_mentions

    def stats(self) -> dict[str, Any]:
        """Counts, sizes and the embedder of the stored vectors."""
        identity = self._ledger.embedder()
        stored = (
            None if identity is None else {"name": identity.name, "dimension": identity.dimension}
        )
        return {**self._ledger.stats(), "embedder": stored}

    def check(self, repair: bool) -> CheckReport:
        """Check integrity, and rebuild derived data if asked."""
        if not plain_flag(repair, "repair"):
            return self._ledger.check(repair=False)
        report = self._ledger.check(repair=True)
        if report.needs_reindex:
            rebuilt = self.reindex(None)
            after = self._ledger.check(repair=True)
            return CheckReport(
                after.problems,
                [*report.repaired, *after.repaired, f"{rebuilt} memories reindexed"],
                after.counts,
            )
        return report

    def reindex(self, progress: Callable[[int, int | None], None] | None) -> int:
        """Make all that is derived from the texts anew, with the configured embedder.

        The lock for writing is held to store a batch, never to embed one. What was made waits
        beside the data in use until it is whole, so that a search sees one or the other, and a
        rebuild that was stopped goes on where it was.
        """
        identity = EmbedderIdentity(self._embedder.name, self._embedder.dimension)
        with self._ledger.write() as tx:
            done = tx.begin_rebuild(identity)
        for _ in range(MOST_ROUNDS):
            done = self._catch_up(identity, done, progress)
            with self._ledger.write() as tx:
                finished = tx.finish_rebuild(identity)
            if finished is not None:
                return finished
        raise Conflict(
            f"others kept adding memories with the embedder in use, so that those of "
            f"{identity.name!r} never were complete: stop them, then reindex again; it goes on "
            "where it is"
        )

    def _catch_up(
        self,
        identity: EmbedderIdentity,
        done: int,
        progress: Callable[[int, int | None], None] | None,
    ) -> int:
        """Rebuild the memories that are there and were not reached yet; how many are in all.

        As many batches as there are now, so that it ends however fast others add.
        """
        with self._ledger.read() as tx:
            total = tx.total()
        after = 0
        for _ in range(total // BATCH + 1):
            with self._ledger.read() as tx:
                records = tx.unrebuilt(after, BATCH)
            if not records:
                break
            features = describe(
                [record.text for record in records],
                [record.actor for record in records],
                self._embedder,
            )
            made = [
                NewMemory(record, new, self._find_mentions(record.text))
                for record, new in zip(records, features, strict=True)
            ]
            with self._ledger.write() as tx:
                tx.rebuild(identity, made)
            after = records[-1].key
            done += len(records)
            if progress is not None:
                progress(min(done, total), total)
        return done

    def backup(self, target: str | Path) -> Path:
        """Write a consistent copy to a new file."""
        path = file_path(target, "target")
        self._ledger.backup(path)
        return path
