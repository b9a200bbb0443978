"""A thread that consolidates when enough episodes wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Final

from retain.domain.locks import FreshLock
from retain.errors import Closed, RetainError

PATIENCE: Final = 5.0  # seconds that closing waits for a run


class BackgroundConsolidation:
    """Runs consolidation beside the writers, one run at a time.

    What waits is in the ledger, so a run that fails, or is cut off, leaves it to the next one.

    Args:
        waiting: how many episodes wait.
        run: consolidates the project.
        after: how many must wait; None never begins by itself.
    """

    def __init__(
        self, waiting: Callable[[], int], run: Callable[[], Any], after: int | None
    ) -> None:
        self._waiting = waiting
        self._run = run
        self._after = after
        self._lock = FreshLock()
        self._process = os.getpid()
        self._thread: threading.Thread | None = None
        self.last_error: str | None = None

    def note(self) -> None:
        """An episode was written."""
        if self._after is None or self._waiting() < self._after:
            return
        with self._lock.held:
            in_this_process = self._process == os.getpid()
            if in_this_process and self._thread is not None and self._thread.is_alive():
                return
            self._process = os.getpid()
            self._thread = threading.Thread(
                target=self._once, name="retain-consolidation", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Wait a little for a run that is under way."""
        with self._lock.held:
            thread = self._thread if self._process == os.getpid() else None
        if thread is not None and thread is not threading.current_thread():
            thread.join(PATIENCE)

    def _once(self) -> None:
        try:
            self._run()
            self.last_error = None
        except Closed:
            return
        except RetainError as error:  # told by stats; the episodes still wait
            self.last_error = f"{type(error).__name__}: {error}"
