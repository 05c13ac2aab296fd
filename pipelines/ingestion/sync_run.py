"""Carries out one synchronisation: brings files in, takes documents out, and reports on both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

from pipelines.catalogue import Catalogue
from pipelines.catalogue.database import is_storable
from pipelines.catalogue.files import FileRecord, FileRecords, Stamp
from pipelines.errors import DocumentNotFound, QuotaSpent
from pipelines.ingestion.comparison import Difference, KnownFiles, MissingFiles, left_alone
from pipelines.ingestion.deletion import Deleter
from pipelines.ingestion.pipeline import Ingestor, Report
from pipelines.ingestion.quiet import QuietFile
from pipelines.types import Deletion, DocumentInput, FileProgress, IngestResult, Metadata, Progress, Rename


class Run:
    """The progress of one synchronisation."""

    def __init__(
        self,
        catalogue: Catalogue,
        ingestor: Ingestor,
        deleter: Deleter,
        files: FileRecords,
        *,
        known: KnownFiles,
        difference: Difference,
        refused: str,
        report: Report | None,
        describe: Callable[[str], Metadata],
    ) -> None:
        self._describe = describe
        self._catalogue = catalogue
        self._ingestor = ingestor
        self._deleter = deleter
        self._files = files
        self._known = known
        self._refused = refused
        self._report = report
        self._vanished = MissingFiles(known, difference.gone)
        self._total = len(difference.changed) + len(difference.same) + len(difference.gone)
        self._done = self._chunks = 0
        self.results = list(difference.same)
        self.renamed: list[Rename] = []
        self.kept: set[str] = set()
        self._former: dict[str, str] = {}
        self.removed: list[Deletion] = []
        self._refused_places: dict[str, Stamp] = {}
        self.report(*map(_progress_of, self.results))

    def take(self, batch: list[QuietFile]) -> None:
        """Bring files in, and records that; leave those alone whose documents stand against them."""
        standing = [file for file in batch if self._known.stands(file.path, file.sha256)]
        if standing:
            self._leave(standing)
        paths = {file.path for file in standing}
        changed = [file for file in batch if file.path not in paths]
        if changed:
            self._bring_in(changed)

    def _leave(self, standing: list[QuietFile]) -> None:
        records = [self._known.records[file.path] for file in standing]
        self._files.put(
            replace(record, stamp=file.stamp, settled=file.settled)
            for record, file in zip(records, standing, strict=True)
        )
        snapshot = self._catalogue.snapshot
        results = [left_alone(record, self._known.overruled[record.path], snapshot) for record in records]
        self.report(*map(_progress_of, results))
        self.results += results

    def _bring_in(self, batch: list[QuietFile]) -> None:
        offers = [self._offer(file) for file in batch]
        self._files.unsettle([file.path for file in batch if file.path in self._known.records])
        results = self._ingestor.ingest(offers, self._within({offer.source for offer in offers if offer.replaces}))
        self._files.put(
            self._record(file, result) for file, result in zip(batch, results, strict=True) if is_storable(file.path)
        )
        for file, result in zip(batch, results, strict=True):
            self._note_rename(file.path, result)
            self._drop_failed(file.path, result)
            if self._ingestor.lacks_a_place(result):
                self._refused_places[file.path] = file.stamp
        self.results += results

    def _note_rename(self, path: str, result: IngestResult) -> None:
        """Note what became of a renamed file; its document stays where another attempt may bring in the new one."""
        former = self._former.get(path)
        if former is None:
            return
        if result.state == "ready":
            self.renamed.append(Rename(former, path))
        elif result.state == "failed" and (result.passing or result.code == QuotaSpent.code):
            self.kept.add(former)

    def _drop_failed(self, path: str, result: IngestResult) -> None:
        """Delete the failed document of a file that has become another document, now that it can be read."""
        known = self._known.documents.get(path)
        if known is None or known.version or result.state == "failed" or known.document_id == result.document_id:
            return
        self._deleter.delete(known.document_id)

    def remove(self, paths: Iterable[str]) -> None:
        """Delete the documents of these files, if they are the folder's still and no other file has them."""
        from_folder = self._catalogue.ids_from("knowledge").difference(result.document_id for result in self.results)
        for path in paths:
            document_id = self._known.documents[path].document_id
            if document_id not in from_folder:
                continue
            try:
                self.removed.append(self._deleter.delete(document_id, origin="knowledge"))
            except DocumentNotFound:  # somebody else was quicker, or gave a document of this id
                continue
            self.report(FileProgress(path, "removed"))

    def take_back(self) -> dict[str, Stamp]:
        """Return files that a full quota of documents refused, one for each document removed since, to take again."""
        again = dict(islice(self._refused_places.items(), len(self.removed)))
        self.results = [result for result in self.results if result.source not in again]
        self._done -= len(again)
        return again

    def expect(self, more: int) -> None:
        """Correct how much there is to do: files may have vanished since they were counted."""
        self._total = self._done + more

    def report(self, *latest: FileProgress) -> None:
        """Report what was done; a renamed file also did away with the document that it takes the place of."""
        self._done += sum(2 if file.state == "renamed" else 1 for file in latest)
        self._chunks += sum(file.chunks for file in latest)
        if self._report is not None and latest:
            self._report(Progress(self._done, self._total, self._chunks, latest))

    def _offer(self, file: QuietFile) -> DocumentInput:
        return DocumentInput(
            content=file.content,
            source=file.path,
            metadata=self._describe(file.path),
            origin="knowledge",
            accepted=file.accepted,
            document_id=self._document_id(file.path),
            replaces=self._replaced(file),
        )

    def _document_id(self, path: str) -> str | None:
        """Return the document that a file became; None where it has none, or has never been read."""
        known, record = self._known.documents.get(path), self._known.records.get(path)
        if known is not None:
            return known.document_id if known.version else None
        return record.document if record is not None else None

    def _replaced(self, file: QuietFile) -> str | None:
        """Return the document whose file was renamed to this one; a path that has a document already is no new name."""
        known = self._known.documents.get(file.path)
        if file.sha256 not in self._vanished or (known is not None and known.version):
            return None
        if self._catalogue.current(file.path) is not None:
            return None
        former = self._vanished.claim(file.path, file.sha256)
        self._former[file.path] = former
        return self._known.documents[former].document_id

    def _record(self, file: QuietFile, result: IngestResult) -> FileRecord:
        sha256 = self._refused if result.state == "failed" else file.sha256
        settled = file.settled and not result.passing
        return FileRecord(file.path, file.stamp, sha256, settled, result.document_id)

    def _within(self, renamed: set[str | None]) -> Report:
        """Tell of a batch as a part of the whole."""

        def report_batch(progress: Progress) -> None:
            self.report(
                *(
                    replace(file, state="renamed") if file.state == "ready" and file.path in renamed else file
                    for file in progress.latest
                )
            )

        return report_batch


def _progress_of(result: IngestResult) -> FileProgress:
    return FileProgress(result.source or result.document_id, result.state, result.reason)
