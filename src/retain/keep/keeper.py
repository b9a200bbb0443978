"""Care of the ledger itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from retain.analysis.features import describe
from retain.domain.plain import file_path, plain_flag
from retain.ledger.port import CheckReport, EmbedderIdentity, Ledger
from retain.models.base import Embedder

BATCH = 512


class Keeper:
    """Statistics, integrity, reindex and backup of one ledger."""

    def __init__(self, ledger: Ledger, embedder: Embedder) -> None:
        self._ledger = ledger
        self._embedder = embedder

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
        """Describe every memory anew with the configured embedder."""
        identity = EmbedderIdentity(self._embedder.name, self._embedder.dimension)
        done = 0
        with self._ledger.write() as tx:
            total = tx.total()
            for partition in self._ledger.partitions():
                keys = tx.keys(partition)
                for start in range(0, len(keys), BATCH):
                    records = tx.memories(keys[start : start + BATCH])
                    features = describe(
                        [record.text for record in records],
                        [record.actor for record in records],
                        self._embedder,
                    )
                    tx.replace_features(
                        partition,
                        [(record.key, new) for record, new in zip(records, features, strict=True)],
                    )
                    done += len(records)
                    if progress is not None:
                        progress(done, total)
            tx.set_embedder(identity)
        return done

    def backup(self, target: str | Path) -> Path:
        """Write a consistent copy to a new file."""
        path = file_path(target, "target")
        self._ledger.backup(path)
        return path
