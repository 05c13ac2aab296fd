"""Synchronisation: brings a tenant in line with its knowledge folder."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipelines.catalogue import Catalogue
from pipelines.catalogue.files import FileRecord, FileRecords, FolderDocument, Stamp
from pipelines.errors import KnowledgeFolderEmpty, KnowledgeFolderUnreadable
from pipelines.ingestion.comparison import Difference, KnownFiles, compare
from pipelines.ingestion.deletion import Deleter
from pipelines.ingestion.folder import Scan, scan
from pipelines.ingestion.identity import Identities
from pipelines.ingestion.pipeline import Ingestor, Report
from pipelines.ingestion.quiet import DEFAULT_TIMING, QuietFile, QuietFiles, Timing
from pipelines.ingestion.rereading import Rereading
from pipelines.ingestion.selection import EVERYTHING, Selection
from pipelines.ingestion.sync_run import Run
from pipelines.types import FileProgress, Metadata, SyncResult

_BATCH_FILES = 256
_BATCH_BYTES = 32 * 2**20
"""Most bytes that are read before they are ingested, unless a single file is larger."""


@dataclass(frozen=True, slots=True)
class Share:
    """What of a tenant's files one folder is for, where documents come from several.

    Attributes:
        owns: Whether a file at a path is the folder's.
        describe: Returns metadata of a file's document, to which the file adds its own.
        keeps: Whether the document of a file that is not there stays.
        turn: Held by a synchronisation, so that those of a tenant's folders wait for each other.
    """

    owns: Callable[[str], bool] = lambda _: True
    describe: Callable[[str], Metadata] = lambda _: {}
    keeps: Callable[[str], bool] = lambda _: False
    turn: threading.Lock = field(default_factory=threading.Lock)


class Syncer:
    """Brings a tenant in line with a folder; calls from several threads wait for each other.

    The folder is the truth about the documents that came from it, whose ids are the paths of their files, or what
    `Identities` makes of them. Where such a
    document was deleted, or given a new version, by other means, that stands until its file changes. Documents that
    came another way are left alone, unless a file of their name or identity appears, which then owns them.

    It can be killed anywhere: what a commit did is recorded after it, and until then its files count as changed.

    Args:
        folder: The folder; see `scan` for what of it counts.
        catalogue: The tenant's catalogue.
        files: What is recorded of the folder's files.
        ingestor: Writes the documents.
        deleter: Takes them out.
        identities: Names the documents of new files.
        rules: Whatever decides which files are taken. Those that were refused are tried again when it is another.
        rereading: Called before each synchronisation; see `Rereading`.
        most_bytes: Larger files are not read.
        timing: How long is waited for files that are being written.
        selection: Which files of the folder are taken.
        share: Which of the tenant's files come from this folder.
    """

    def __init__(
        self,
        folder: Path,
        catalogue: Catalogue,
        files: FileRecords,
        ingestor: Ingestor,
        deleter: Deleter,
        *,
        identities: Identities,
        rules: str,
        rereading: Rereading,
        most_bytes: int,
        timing: Timing = DEFAULT_TIMING,
        selection: Selection = EVERYTHING,
        share: Share | None = None,
    ) -> None:
        self._folder = folder
        self._share = share or Share()
        self._selection = selection
        self._catalogue = catalogue
        self._files = files
        self._ingestor = ingestor
        self._deleter = deleter
        self._identities = identities
        self._refused = hashlib.sha256(rules.encode()).hexdigest()
        self._rereading = rereading
        self._most_bytes = most_bytes
        self._timing = timing

    def __call__(self, report: Report | None = None, *, allow_empty: bool = False, reread: bool = False) -> SyncResult:
        """Ingest new and changed files, and delete the documents of removed ones.

        A file is renamed where a new one has the content of one that is gone: readers see the one document or the
        other, never both or neither. What is being written is left as it was, and named as ``busy``.

        Args:
            report: Receives every group of files that is done, and every document that was removed.
            allow_empty: Take all documents out if the folder holds no file any more.
            reread: Read files again also where an earlier release did not note which readers it had.

        Raises:
            KnowledgeFolderUnreadable: The folder is not there, or cannot be read.
            KnowledgeFolderEmpty: It holds no file, although documents came from it.
        """
        with self._share.turn:
            former = self._rereading(unnoted=reread)
            records = self._files.all()
            known = self._known(records)
            seen, gone = self._seen(known.documents, allow_empty)
            present = (one for one in records.values() if one.path in seen.files or not self._share.owns(one.path))
            self._identities.hold({one.document: one.path for one in present})
            difference = compare(known, seen, gone, self._refused, self._catalogue.snapshot)
            parts = (self._catalogue, self._ingestor, self._deleter, self._files)
            run = Run(
                *parts,
                known=known,
                difference=difference,
                refused=self._refused,
                report=report,
                describe=self._share.describe,
            )
            return replace(self._apply(run, known, seen, difference), reread=_reread(former, difference))

    def _known(self, records: Mapping[str, FileRecord]) -> KnownFiles:
        found: tuple[Mapping[str, Any], ...] = (records, self._files.documents(), self._files.overruled())
        return KnownFiles(*({path: one for path, one in part.items() if self._share.owns(path)} for part in found))

    def _apply(self, run: Run, known: KnownFiles, seen: Scan, difference: Difference) -> SyncResult:
        busy = self._take(run, difference.changed)
        reported = {result.source for result in run.results}  # a name that cannot be kept is recorded as another
        gone = [path for path in difference.gone if path not in run.kept]
        left = [path for path in gone if path not in reported.union(rename.before for rename in run.renamed)]
        run.expect(len(busy) + len(left))
        run.report(*(FileProgress(path, "busy", "it is still being written") for path in busy))
        missing = {path for path in seen.missing(known.records) if not self._share.keeps(path)}
        documentless = missing.difference(known.documents)
        self._files.remove(sorted(documentless.union(gone)))  # first: a record tells of other deletions
        run.remove(left)  # not before: which files were renamed is known once all are read
        if again := run.take_back():
            busy = tuple(sorted((*busy, *self._take(run, again))))
        results = sorted(run.results, key=lambda result: result.document_id)
        return SyncResult(tuple(results), tuple(run.removed), tuple(run.renamed), busy)

    def _take(self, run: Run, files: Mapping[str, Stamp]) -> tuple[str, ...]:
        """Bring files in as they become quiet; return those that did not."""
        reading = QuietFiles(self._folder, files, self._most_bytes, self._timing)
        for batch in _batches(reading):
            run.take(batch)
        return reading.busy

    def _seen(self, documents: Mapping[str, FolderDocument], allow_empty: bool) -> tuple[Scan, set[str]]:
        """Return the folder as it is, and the documents whose files are gone.

        What seems gone is looked for again: a program that saves by renaming takes a file away for a moment.
        """
        seen, gone = self._scan(documents, allow_empty)
        if gone:
            time.sleep(self._timing.quiet)
            seen, still_gone = self._scan(documents, allow_empty)
            gone &= still_gone
        return seen, gone

    def _scan(self, documents: Mapping[str, FolderDocument], allow_empty: bool) -> tuple[Scan, set[str]]:
        try:
            seen = scan(self._folder, self._selection)
            seen = replace(seen, files={path: stamp for path, stamp in seen.files.items() if self._share.owns(path)})
        except OSError as error:
            raise KnowledgeFolderUnreadable(self._folder.name, error.strerror or type(error).__name__) from error
        gone = {path for path in seen.missing(documents) if not self._share.keeps(path)}
        if gone and not seen.files and not allow_empty:
            raise KnowledgeFolderEmpty(self._folder.name, len(documents))
        return seen, gone


def _reread(former: frozenset[str], difference: Difference) -> tuple[str, ...]:
    return tuple(sorted(former.intersection(difference.changed)))


def _batches(files: Iterable[QuietFile]) -> Iterator[list[QuietFile]]:
    batch: list[QuietFile] = []
    held = 0
    for file in files:
        batch.append(file)
        held += len(file.content) if isinstance(file.content, bytes) else 0
        if len(batch) >= _BATCH_FILES or held >= _BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
