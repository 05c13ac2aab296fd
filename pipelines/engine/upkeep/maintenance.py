"""What keeps a tenant's catalogue and index in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from pipelines.catalogue import Bounds, Version
from pipelines.catalogue.answers import AnswerLog
from pipelines.catalogue.integrity import require_whole
from pipelines.engine.parts.view import TenantView
from pipelines.engine.parts.writing import Writing
from pipelines.errors import DocumentNotFound, FootnoteError
from pipelines.ingestion.pipeline import Report
from pipelines.types import Examination, IngestResult, Progress, Purge

_log = logging.getLogger(__name__)


class Maintenance:
    """Purges, re-embeds, checks and optimises the whole tenant.

    Args:
        view: The whole tenant.
        writing: What writes it.
        answers: The log of answers, which forgets old ones.
    """

    def __init__(self, view: TenantView, writing: Writing, answers: AnswerLog) -> None:
        self._view = view
        self._writing = writing
        self._answers = answers

    def purge(self, report: Report | None = None) -> Purge:
        """Remove the versions that the profile's retention no longer keeps, and answers that are forgotten."""
        purged = self.trim()
        if purged.chunks_removed:
            self._writing.scrubber.scrub_all()
        if report is not None:
            report(Progress(0, 0, purged.chunks_removed))
        return purged

    def trim(self) -> Purge:
        """Do the same, but leave the bytes of what was removed in the files until a scrub."""
        retention = self._view.profile.retention
        self._answers.expire()
        trimmed = self._view.catalogue.trim(Bounds(retention.versions, retention.days))
        return Purge(trimmed.versions, self._writing.cleaner.finish(), trimmed.horizon)

    def reembed(self, report: Report | None = None) -> list[IngestResult]:
        """Reprocess documents that no longer match the profile; return what became of each.

        Another embedding model is a new store of vectors, built beside the old one. Another way of cutting makes new
        versions of the documents. Readers go on.
        """
        report_progress = report or (lambda _: None)
        self._view.indexes.build_generation(self._writing.cleaner.finish, report_progress)
        stale = self._view.catalogue.stale_ids()
        report_progress(Progress(0, len(stale), 0))
        results = self._writing.ingestor.recut(self._readable(stale), len(stale), report_progress)
        self.optimize_if_needed()
        return results

    def doctor(self, repair: bool = False) -> Examination:
        """Compare the catalogue with the vector store.

        Args:
            repair: Repair what is wrong: the catalogue is right, and chunks are made again from stored texts.
        """
        examination = self._writing.doctor.examine(repair)
        self.optimize_if_needed()
        return examination

    def rebuild(self, report: Report | None = None) -> Examination:
        """Repair the index, reprocess stale documents, and optimise.

        Raises:
            StoreUnavailable: The catalogue's file is damaged; nothing is done.
        """
        require_whole(self._view.catalogue.engine)
        examination = self.doctor(repair=True)
        self.complete()
        self.reembed(report)
        self.optimize()
        return examination

    def complete(self, report: Callable[[int], None] = lambda _: None) -> int:
        """Make the vectors of chunks that were stored without; return how many."""
        return self._writing.completer(report)

    def optimize(self) -> None:
        """Merge the index's segments, and build a graph where a scan would be slow."""
        self._view.indexes.current.store.optimize()

    def optimize_if_needed(self) -> None:
        """Optimise an index that has changed much; log a failure."""
        try:
            self._view.indexes.current.space.optimize_if_needed()
        except FootnoteError:  # the documents are in, and can be found; only slower
            _log.exception("the index of tenant %s could not be optimised", self._view.profile.tenant)

    def give_back(self) -> None:
        """Give the room of what is gone back to the disk."""
        self._writing.cleaner.finish()
        self._writing.scrubber.scrub_all()
        self._view.catalogue.vacuum()

    def _readable(self, document_ids: Iterable[str]) -> Iterator[Version]:
        for document_id in document_ids:
            with suppress(DocumentNotFound):  # deleted since
                yield self._view.catalogue.version(document_id)
