"""A thread that does what is due, started when there is something to do."""

from __future__ import annotations

import os
import threading
from typing import Final

from retain.domain.locks import FreshLock
from retain.errors import Closed, LedgerError
from retain.learn.with_model import ModelLearner

_PAUSE: Final = 1.0  # seconds between looks, while something waits to be tried again
_PATIENCE: Final = 5.0  # seconds that closing waits for a model


class Background:
    """Does a model learner's jobs, one after the other.

    Any instance, in any process, does the jobs that others left: what is due is in the ledger.
    """

    def __init__(self, learner: ModelLearner) -> None:
        self._learner = learner
        self._lock = FreshLock()
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._thread: threading.Thread | None = None
        self._wanted = threading.Event()
        self._stopped = threading.Event()

    def wake(self) -> None:
        """There is something to do."""
        with self._lock.held:
            if self._process != os.getpid():  # a forked child has no thread, but maybe held events
                self._begin()
            self._wanted.set()
            if self._stopped.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._run, name="retain-learning", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Take on nothing new, and wait a little for what is being done.

        A job whose model takes longer stays taken until its lease ends, and is done again then.
        """
        with self._lock.held:
            if self._process != os.getpid():
                self._begin()
            self._stopped.set()
            self._wanted.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_PATIENCE)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wanted.clear()
            try:
                self._do_all()
                waiting = self._learner.has_open_jobs()
            except Closed:
                return
            except LedgerError:  # another process holds it for long: what is due stays due
                waiting = True
            self._wanted.wait(_PAUSE if waiting else None)

    def _do_all(self) -> None:
        while not self._stopped.is_set():
            if not any(self._learner.work(1).values()):
                return
