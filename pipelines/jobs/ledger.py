"""Records the outcome of a job's files as it is reported."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from pipelines.catalogue.job_attempts import Attempt, JobAttempts
from pipelines.catalogue.job_files import PendingFile, storable
from pipelines.types import FileProgress, IngestResult, Progress

_SECONDS = 0.5
"""How long a report may wait to be written, and a cancellation to be noticed."""
_FILES = 256
_DONE = frozenset({"ready", "renamed", "removed"})


class Cancelled(Exception):
    """The job was cancelled; its work ends here."""


class Stopped(Exception):
    """This process stops, or another one took the job; the work ends here, the job continues."""


class Ledger:
    """Records what an attempt reports, many files at a time, and ends its work when it must stop.

    Args:
        attempts: The tenant's attempts.
        attempt: The attempt that reports.
        stopping: Whether this process must leave the job.

    Attributes:
        advanced: How many files were recorded that brought the job forward.
    """

    def __init__(self, attempts: JobAttempts, attempt: Attempt, stopping: Callable[[], bool]) -> None:
        self._attempts = attempts
        self._attempt = attempt
        self._stopping = stopping
        self._waiting: list[tuple[int, FileProgress]] = []
        self._total: int | None = None
        self._written = 0.0
        self._news = 0
        self.advanced = 0

    def put(
        self, files: Iterable[tuple[int, FileProgress]], total: int | None = None, *, news: int | None = None
    ) -> None:
        """Record the outcome of files, by their numbers; ``news`` of them, by default all, bring the job forward.

        Raises:
            Cancelled: The job was cancelled.
            Stopped: This process must leave the job.
        """
        outcomes = list(files)
        self._waiting += outcomes
        self._news += len(outcomes) if news is None else news
        self._total = total if total is not None else self._total
        if self._stopping():
            self.flush()
            raise Stopped
        if len(self._waiting) >= _FILES or time.monotonic() - self._written >= _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what was recorded to the catalogue.

        Raises:
            Cancelled: The job was cancelled.
            Stopped: Another attempt took the job over.
        """
        standing = self._attempts.record(self._attempt, self._waiting, self._total)
        self.advanced += self._news
        self._news = 0
        self._waiting, self._total, self._written = [], None, time.monotonic()
        if standing == "cancelled":
            raise Cancelled
        if standing == "overtaken":
            raise Stopped


class BatchReport:
    """Records the reports on a batch of offered documents."""

    def __init__(self, ledger: Ledger, batch: Sequence[PendingFile]) -> None:
        self._ledger = ledger
        self._open: dict[str, deque[PendingFile]] = {}
        for file in batch:
            self._open.setdefault(file.path, deque()).append(file)

    def __call__(self, progress: Progress) -> None:
        """Record the files of a report that are known by their paths; `settle` records the others."""
        outcomes = []
        for file in progress.latest:
            same = self._open.get(storable(file.path))
            if same:
                outcomes.append((same.popleft().number, file))
        self._ledger.put(outcomes)

    def settle(self, batch: Sequence[PendingFile], results: Sequence[IngestResult]) -> None:
        """Record the results of a batch, and write them to the catalogue."""
        left = {file.number for same in self._open.values() for file in same}
        pairs = zip(batch, results, strict=True)
        self._ledger.put((file.number, _outcome(file, result)) for file, result in pairs if file.number in left)
        self._ledger.flush()


class FolderReport:
    """Records reports on files that were not known before, each under the next number.

    A file that another attempt ingested keeps that state, although it is unchanged now.
    """

    def __init__(self, ledger: Ledger, known: Sequence[FileProgress]) -> None:
        self._ledger = ledger
        self._known = {file.path: (number, file) for number, file in enumerate(known)}
        self._next = len(known)  # several files may have one path: that of what was purged

    def __call__(self, progress: Progress) -> None:
        """Record the files of a report."""
        news = sum(map(self._is_news, progress.latest))
        self._ledger.put([self._numbered(file) for file in progress.latest], progress.documents_total, news=news)

    def _is_news(self, file: FileProgress) -> bool:
        """Return whether something was done to a file: each attempt finds those again that fail or are unchanged."""
        _, before = self._known.get(storable(file.path), (0, None))
        return before is None or (file.state in _DONE and file.state != before.state)

    def _numbered(self, file: FileProgress) -> tuple[int, FileProgress]:
        path = storable(file.path)
        number, before = self._known.get(path, (self._next, file))
        self._next = max(self._next, number + 1)
        kept = before if file.state == "unchanged" and before.state != "failed" else file
        self._known[path] = (number, kept)
        return number, kept


def _outcome(file: PendingFile, result: IngestResult) -> FileProgress:
    path = result.source or result.document_id or file.path
    return FileProgress(path, result.state, result.reason, result.chunks_created, result.bytes)
