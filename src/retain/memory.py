"""Memory: the synchronous facade, one short method a verb."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from retain.clock import Clock, system_clock
from retain.facade.experience import Experience
from retain.facade.keeping import Keeping
from retain.facade.learning import Learning
from retain.facade.reading import Reading
from retain.facade.writing import Writing
from retain.settings import Settings

if TYPE_CHECKING:
    from retain.assembly import Parts


class Memory(Writing, Reading, Learning, Experience, Keeping):
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

    def close(self) -> None:
        """Give back the ledger; later calls raise ``Closed``. Closing twice is harmless."""
        self._parts.learner.close()
        self._parts.consolidation.stop()
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


# A wrong call is told as one of ``Memory``, not of the group that a verb is written down in.
for _group in (Writing, Reading, Learning, Experience, Keeping):
    for _name, _verb in vars(_group).items():
        if isinstance(_verb, FunctionType):
            _verb.__qualname__ = f"{Memory.__qualname__}.{_name}"
