"""Write-behind queue: buffers records and writes them from a background thread."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from typing import Any

import sqlalchemy as sa

from pipelines.catalogue.database import Database
from pipelines.errors import Unavailable

_SECONDS = 2.0
_log = logging.getLogger(__name__)


class WriteBehind(Database, ABC):
    """One tenant's part of a database that is written every few seconds.

    What a process that is killed had not written is lost. Who reads calls `flush` first, which also waits for what is
    being written. Subclasses say what waits, and use ``_lock`` where they change it.

    Args:
        engine: The database.
        tenant: Whose part it is.
        what: What is written, for the name of the thread and the log.
    """

    def __init__(self, engine: sa.Engine, tenant: str, what: str) -> None:
        super().__init__(engine, tenant)
        self._what = what
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._stop = threading.Event()
        self._writer: threading.Thread | None = None

    def flush(self) -> None:
        """Write down what waits."""
        with self._writing:
            with self._lock:
                waiting = self._take()
            if not waiting:
                return
            try:
                self._write(waiting)
            except BaseException:
                with self._lock:
                    self._put_back(waiting)
                raise

    def close(self) -> None:
        """Write down what is left, and end."""
        self._stop.set()
        if self._writer is not None:
            self._writer.join()
        self._try_to_flush()

    @abstractmethod
    def _take(self) -> Any:
        """Return what waits, of which nothing is left waiting."""

    @abstractmethod
    def _write(self, waiting: Any) -> None:
        """Write it, or raises StoreUnavailable and nothing is written."""

    @abstractmethod
    def _put_back(self, waiting: Any) -> None:
        """Let it wait again, beside what came since."""

    def _write_later(self) -> None:
        if self._writer is None:
            with self._lock:
                if self._writer is None and not self._stop.is_set():
                    name = f"footnote-{self._what}-{self._tenant}"
                    self._writer = threading.Thread(target=self._go_on, name=name, daemon=True)
                    self._writer.start()

    def _go_on(self) -> None:
        while not self._stop.wait(_SECONDS):
            self._try_to_flush()

    def _try_to_flush(self) -> None:
        try:
            self.flush()
        except Unavailable as error:
            _log.warning("%s: %s could not be stored: %s", self._tenant, self._what, error.message)
