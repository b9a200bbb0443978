"""AsyncMemory: the verbs of ``Memory``, awaited. It has no logic of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from retain.clock import Clock, system_clock
from retain.facade.types import Progress
from retain.memory import Memory
from retain.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


async def _in_thread(call: Callable[[], T]) -> T:
    import asyncio  # half of the time that `import retain` takes: only where it is used

    return await asyncio.to_thread(call)


def _awaited(
    verb: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]:
    """The same verb, run in a worker thread, with the same signature and docstring."""

    @functools.wraps(verb)
    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await _in_thread(functools.partial(verb, self._memory, *args, **kwargs))

    return call


class AsyncMemory:
    """Long-term memory for asynchronous programs: see ``Memory`` for every verb.

    A call runs in a worker thread; a cancelled one still finishes there, wholly or not at all.
    """

    def __init__(
        self,
        config: str | Path | Settings | Mapping[str, Any] | None = None,
        *,
        clock: Clock = system_clock,
    ) -> None:
        self._memory = Memory(config, clock=clock)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Open an instance from a dict: Mem0's keys, or the names of ``Settings``."""
        return cls(dict(config))

    @classmethod
    async def change_embedder(
        cls,
        config: str | Path | Settings | Mapping[str, Any] | None = None,
        *,
        progress: Progress | None = None,
    ) -> int:
        """Rebuild a ledger's vectors with the embedder that ``config`` names; how many.

        The way out of ``EmbedderMismatch``: it opens the ledger, reindexes it and closes it.
        """
        return await _in_thread(
            functools.partial(Memory.change_embedder, config, progress=progress)
        )

    add = _awaited(Memory.add)
    add_many = _awaited(Memory.add_many)
    update = _awaited(Memory.update)
    delete = _awaited(Memory.delete)
    delete_all = _awaited(Memory.delete_all)
    restore = _awaited(Memory.restore)
    supersede = _awaited(Memory.supersede)
    erase = _awaited(Memory.erase)
    reset = _awaited(Memory.reset)
    get = _awaited(Memory.get)
    get_all = _awaited(Memory.get_all)
    search = _awaited(Memory.search)
    recall = _awaited(Memory.recall)
    history = _awaited(Memory.history)
    why = _awaited(Memory.why)
    write_episode = _awaited(Memory.write_episode)
    get_episode = _awaited(Memory.get_episode)
    episodes = _awaited(Memory.episodes)
    consolidate = _awaited(Memory.consolidate)
    insights = _awaited(Memory.insights)
    graph = _awaited(Memory.graph)
    trace = _awaited(Memory.trace)
    entities = _awaited(Memory.entities)
    record_outcome = _awaited(Memory.record_outcome)
    candidates = _awaited(Memory.candidates)
    accept = _awaited(Memory.accept)
    reject = _awaited(Memory.reject)
    derivations = _awaited(Memory.derivations)
    derivation = _awaited(Memory.derivation)
    replay = _awaited(Memory.replay)
    jobs = _awaited(Memory.jobs)
    job = _awaited(Memory.job)
    retry = _awaited(Memory.retry)
    work = _awaited(Memory.work)
    receipts = _awaited(Memory.receipts)
    stats = _awaited(Memory.stats)
    check = _awaited(Memory.check)
    reindex = _awaited(Memory.reindex)
    backup = _awaited(Memory.backup)
    forget = _awaited(Memory.forget)
    archived = _awaited(Memory.archived)
    export = _awaited(Memory.export)
    import_file = _awaited(Memory.import_file)

    def close(self) -> None:
        """Give back the ledger; later calls raise ``Closed``. Closing twice is harmless."""
        self._memory.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await _in_thread(self._memory.close)
