"""A second child for the later pages of a long file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace

from pipelines.errors import FootnoteError
from pipelines.reading.workers.jobs import Job, SharedPages
from pipelines.reading.workers.process import ReaderProcess


class Helper:
    """Reads the later pages of one file in a place of the pool that nobody else wants; never waits for one."""

    def __init__(
        self,
        content: bytes,
        job: Job,
        slots: threading.Semaphore,
        work: Callable[[Callable[[ReaderProcess], SharedPages | None]], SharedPages | None],
    ) -> None:
        self._content = content
        self._job = replace(job, ocr=None)
        self._slots = slots
        self._work = work
        self._lock = threading.Lock()
        self._reading: ReaderProcess | None = None
        self._dropped = False
        self._pages: Future[SharedPages | None] | None = None

    def begin(self, first: int) -> bool:
        """Have the pages from ``first`` on read. Return False if no place is free, or if they were asked for before."""
        if self._pages is not None or not self._slots.acquire(blocking=False):
            return False
        self._pages = Future()
        threading.Thread(target=self._read, args=(first, self._pages), name="reader-helper", daemon=True).start()
        return True

    def pages(self) -> SharedPages | None:
        """Wait for the pages; None: they could not be read."""
        return None if self._pages is None else self._pages.result()

    def drop(self) -> None:
        """Give up what is still being read: its file has been read, or has failed."""
        with self._lock:
            self._dropped = True
            if self._reading is not None:
                self._reading.stop()

    def _read(self, first: int, pages: Future[SharedPages | None]) -> None:
        found = None
        try:
            with suppress(FootnoteError, ValueError):
                found = self._work(lambda process: self._read_by(process, first))
        finally:
            self._slots.release()
            pages.set_result(found)

    def _read_by(self, process: ReaderProcess, first: int) -> SharedPages | None:
        with self._lock:
            if self._dropped:
                return None
            self._reading = process
        try:
            return process.read_pages(self._content, replace(self._job, pages_from=first))
        finally:  # before the process is another file's
            with self._lock:
                self._reading = None
