"""Reads files in child processes that are kept for the next file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from pipelines.errors import ReaderStopped, ReaderUnavailable
from pipelines.reading import parse
from pipelines.reading.page_text import Kind, PageReader, PageText, UnreadPage
from pipelines.reading.pictures import PictureBounds
from pipelines.reading.workers.helper import Helper
from pipelines.reading.workers.jobs import PICTURE_SECONDS, Job, ReadingLimits
from pipelines.reading.workers.light import light_source
from pipelines.reading.workers.process import ReaderNotStarted, ReaderProcess
from pipelines.types import ParsedDocument

_TRIES = 3
_Outcome = TypeVar("_Outcome")


class ReaderPool:
    """Reads files within limits; every method may be called from several threads. Close it when done.

    Small files of plain formats are read in this process, where they take milliseconds (see `light`); all others in a
    child. No child is started before the first such file.
    """

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._slots = threading.Semaphore(limits.processes)
        self._lock = threading.Lock()
        self._idle: list[ReaderProcess] = []
        self._busy: set[ReaderProcess] = set()
        self._closed = False

    def read(
        self,
        content: bytes | str,
        *,
        name: str | None = None,
        media_type: str | None = None,
        ocr: PageReader | None = None,
        pictures: PictureBounds | None = None,
    ) -> ParsedDocument:
        """Turn a file into a document; see `pipelines.reading.read`.

        Raises:
            UnreadableDocument: It cannot be read, or not within the limits.
            ReaderUnavailable: No child process can be started.
            ReaderStopped: The pool was closed.
        """
        light = light_source(content, name, media_type, ocr)
        if light is not None:
            return parse(light)
        seconds = self._limits.seconds_for(len(content)) + (PICTURE_SECONDS if pictures else 0)
        by = ocr.name if ocr else None
        job = Job(name, media_type, isinstance(content, str), by, seconds, self._limits, pictures)
        waiting = _Waiting(ocr, self._slots) if ocr else None
        with self._slots, self._helper(content, job) as helper:
            return self._work(lambda process: process.read(content, job, waiting, helper))

    def close(self) -> None:
        """End the children; what they read fails with `ReaderStopped`."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.stop()
        for process in idle:
            process.end()

    @contextmanager
    def _helper(self, content: bytes | str, job: Job) -> Iterator[Helper | None]:
        if isinstance(content, str):
            yield None
            return
        helper = Helper(content, job, self._slots, self._work)
        try:
            yield helper
        finally:
            helper.drop()

    def _work(self, task: Callable[[ReaderProcess], _Outcome]) -> _Outcome:
        reason = ""
        for _ in range(_TRIES):
            try:
                with self._process() as process:
                    return task(process)
            except ReaderNotStarted as error:  # it idled for too long, or cannot start
                reason = str(error)
        raise ReaderUnavailable(f"a process that reads files ends as soon as it starts: {reason}")

    @contextmanager
    def _process(self) -> Iterator[ReaderProcess]:
        process = self._take()
        try:
            yield process
        except ReaderNotStarted:
            raise ReaderNotStarted(self._drop(process)) from None
        finally:
            self._give_back(process)

    def _take(self) -> ReaderProcess:
        with self._lock:
            if self._closed:
                raise ReaderStopped
            try:
                process = self._idle.pop() if self._idle else ReaderProcess()
            except OSError as error:
                raise ReaderUnavailable(f"no process can be started ({error.strerror})") from error
            self._busy.add(process)
            return process

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            if process not in self._busy:
                return
            if process.usable and not self._closed:
                self._busy.discard(process)
                self._idle.append(process)
                return
        self._drop(process)

    def _drop(self, process: ReaderProcess) -> str:
        with self._lock:
            self._busy.discard(process)
        return process.end()


class _Waiting:
    """Text recognition during which another file may be read."""

    def __init__(self, ocr: PageReader, slots: threading.Semaphore) -> None:
        self._ocr = ocr
        self._slots = slots
        self.name = ocr.name

    def pages_in(self, image: bytes) -> int | UnreadPage:
        """See `PageReader`."""
        with self._released():
            return self._ocr.pages_in(image)

    def read(self, content: bytes, kind: Kind, pages: Sequence[int]) -> dict[int, PageText | UnreadPage]:
        """See `PageReader`."""
        with self._released():
            return self._ocr.read(content, kind, pages)

    @contextmanager
    def _released(self) -> Iterator[None]:
        self._slots.release()
        try:
            yield
        finally:
            self._slots.acquire()
