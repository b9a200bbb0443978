"""The verbs about the ledger as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retain.domain.plain import plain_count, plain_flag
from retain.domain.policy import ForgetPolicy, policy_from
from retain.facade.types import Facade, Progress
from retain.settings import Settings

if TYPE_CHECKING:
    from retain.ledger.port import CheckReport


class Keeping(Facade):
    """The verbs about the ledger as a whole."""

    def stats(self) -> dict[str, Any]:
        """Figures about the ledger.

        Returns:
            ``kinds`` and ``statuses``: memories of this project, counted. ``tables`` (rows),
            ``bytes`` (on disk), ``schema_version``, ``path`` and ``embedder`` are of the whole
            file, which other projects may share. ``consolidation``: how many episodes of the
            project wait for one, and the ``last_error`` of this instance's background.
        """
        return {
            **self._parts.keeper.stats(),
            "consolidation": {
                "waiting": self._parts.waiting_episodes(),
                "last_error": self._parts.consolidation.last_error,
            },
        }

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

    def forget(
        self,
        policy: ForgetPolicy | Mapping[str, Any],
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Let go of memories by a policy, of a scope or of the whole project.

        Archived memories are in no read, and ``restore`` brings each back; what rests on them
        stands. With ``policy.erase`` they are removed for good, with all that rests on them alone.
        It happens in one transaction, at one moment of the clock.

        Args:
            policy: a ``ForgetPolicy``, or a dict of its attributes.
            user_id, agent_id, run_id: whose memories; the project's if none is given.
            dry_run: change nothing, and say exactly what would go.

        Returns:
            ``archived`` and ``erased``: each memory with ``id``, ``kind``, ``memory`` (unless it
            was erased), ``created_at`` and the ``reason``; ``review``: what is due to be looked
            at; ``receipt``: the id of the erasure's proof.

        Raises:
            InvalidInput: the policy cannot be used; the attribute is named with its value.
        """
        return self._parts.forgetter.forget(
            policy_from(policy),
            self._parts.scope(user_id, agent_id, run_id),
            dry_run=plain_flag(dry_run, "dry_run"),
        )

    def archived(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        run_id: str | int | None = None,
        top_k: int = 100,
    ) -> list[dict[str, Any]]:
        """What policies set aside, newest first, each with the ``reason``.

        Raises:
            InvalidInput: ``top_k`` is no whole number from 0.
        """
        return self._parts.forgetter.archived(
            self._parts.scope(user_id, agent_id, run_id), plain_count(top_k, "top_k")
        )

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
