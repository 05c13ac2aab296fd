"""Reports several pieces of work as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.ingestion.pipeline import Report
from pipelines.types import FileProgress, IngestResult, Progress

_NOTHING = Progress(0, 0, 0)


class Stages:
    """Adds the progress of one piece of work to that of those before it.

    Args:
        report: Receives the progress of all; what it raises ends the work.
    """

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self._before = _NOTHING
        self._last = _NOTHING

    def next(self) -> Report:
        """Begin another piece of work, and return what receives its progress."""
        self._before, self._last = self._sum(self._last), _NOTHING
        return self._forward

    def tick(self) -> None:
        """Report that the work goes on: a job that is to stop or was cancelled ends here."""
        self._forward(replace(self._last, latest=()))

    def failed(self, results: Sequence[IngestResult]) -> None:
        """Report what failed before there was a document."""
        latest = tuple(FileProgress(one.source or one.document_id, "failed", one.reason) for one in results)
        self.next()(Progress(len(latest), len(latest), 0, latest))

    def _forward(self, progress: Progress) -> None:
        self._last = progress
        if self._report is not None:
            self._report(self._sum(progress))

    def _sum(self, progress: Progress) -> Progress:
        total = self._before.documents_total
        return Progress(
            self._before.documents_done + progress.documents_done,
            None if total is None or progress.documents_total is None else total + progress.documents_total,
            self._before.chunks + progress.chunks,
            progress.latest,
        )
