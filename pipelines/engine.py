"""One tenant at work: opens the parts that its profile names, and offers what can be done with them.

With its neighbours `explaining`, `asking`, `browsing`, `parts` and `spaces` this is the only place that knows all rooms
of the core.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pipelines.catalogue import Bounds, Version
from pipelines.components.data_folder import disk_usage
from pipelines.errors import DocumentNotFound, FootnoteError, InvalidRequest, Problem, Unavailable
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.sources import documents_at
from pipelines.ingestion.watch import watch
from pipelines.jobs import JobRecords, Jobs, Work
from pipelines.observing import Observe, sheltered, unobserved
from pipelines.parts import Parts, build_syncer, open_parts
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.scoped import ScopedEngine
from pipelines.types import (
    Deletion,
    DocumentInput,
    Examination,
    Figures,
    IngestResult,
    Metadata,
    Progress,
    Purge,
    Stats,
    SyncResult,
)
from pipelines.upkeep import Upkeep

__all__ = ["Engine", "ScopedEngine", "open_engine", "open_scratch"]

_log = logging.getLogger(__name__)
_MORE = 1.1
"""Making room that did not get below what may be taken is tried again when so many times as much is taken."""


def open_engine(
    profile: str | Path | LoadedProfile, data: str | Path | None = None, observe: Observe | None = None
) -> Engine:
    """Opens a tenant.

    Args:
        profile: A tenant folder, a YAML file, the name of a folder in ``configs/``, or a profile already loaded.
        data: Folder of the data; by default the environment's ``FOOTNOTE_DATA``, then ``.footnote``.
        observe: Told of what happens, to count it; see `pipelines.observing`.

    Raises:
        ProfileError: The profile cannot be used.
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
    """
    loaded = profile if isinstance(profile, LoadedProfile) else load_profile(profile)
    root = Path(data or os.environ.get("FOOTNOTE_DATA") or ".footnote")
    opened = ExitStack()
    try:
        return Engine(loaded, open_parts(loaded, root, opened, sheltered(observe or unobserved)), opened)
    except BaseException:
        opened.close()
        raise


@contextmanager
def open_scratch(profile: LoadedProfile) -> Iterator[Engine]:
    """The profile's pipeline over a temporary, empty data folder."""
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder, open_engine(profile, folder) as engine:
        yield engine


class Engine(Upkeep):
    """A tenant that is open. Every method may be called from several threads; close it when done.

    Made by `open_engine`.
    """

    def __init__(self, loaded: LoadedProfile, parts: Parts, opened: ExitStack) -> None:
        super().__init__(parts.profile, parts)
        self._loaded = loaded
        self._opened = opened
        self._folder = parts.folder
        self._ingestor = parts.writing.ingestor
        self._files = parts.records.files
        self._doctor = parts.writing.doctor
        self._syncer = build_syncer(loaded, parts)
        self._jobs = JobRecords(parts.catalogue.engine, self.tenant)
        self._making_room = threading.Lock()
        self._gone = True  # whether there may be something whose room was not given back
        self._in_vain = 0  # bytes beyond which it may help to make room, where it did not before

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the data folder and the connections back."""
        self._opened.close()

    def within(self, scope: Mapping[str, Any]) -> ScopedEngine:
        """The tenant as it is for those who are held to a place in its hierarchy.

        Raises:
            InvalidScope: ``scope`` names no place, or could mean several.
        """
        return ScopedEngine(self.profile, self._parts, self._jobs, self.ingest, scope)

    @property
    def knowledge_folder(self) -> Path | None:
        """The tenant's folder of documents, if the profile names one."""
        return self._loaded.knowledge_folder

    def ingest(
        self, documents: Iterable[DocumentInput], progress: Report | None = None, at_once: int = 1
    ) -> list[IngestResult]:
        """Brings documents in, and says what became of each; one that cannot be read fails alone.

        ``at_once`` of them are read and cut at the same time.
        """
        began = time.perf_counter()
        results = self._ingestor.ingest(documents, progress, at_once)
        new = [result for result in results if result.state == "ready"]
        took_ms = (time.perf_counter() - began) * 1000
        self._usage.ingested(None, len(new), sum(result.chunks_created for result in new), took_ms)
        if new:
            self._gone = True
            self._make_room({result.document_id for result in new})
        self._optimize_if_needed()
        return results

    def ingest_path(
        self, path: str | Path, metadata: Metadata | None = None, progress: Report | None = None
    ) -> list[IngestResult]:
        """Brings in a file, or every file of a folder; documents are known by their relative paths.

        Raises:
            InvalidRequest: There is nothing at ``path``.
        """
        return self.ingest(documents_at(Path(path), metadata or {}), progress)

    def sync(self, report: Report | None = None, *, allow_empty: bool = False) -> SyncResult:
        """Brings the tenant in line with its knowledge folder: new, changed, renamed and removed files.

        Documents that came another way are left alone; see `pipelines.ingestion.sync`.

        Args:
            report: Told how far it is.
            allow_empty: Take all documents out if the folder holds no file any more.

        Raises:
            InvalidRequest: The profile names no folder.
            KnowledgeFolderUnreadable: It is not there, or cannot be read.
            KnowledgeFolderEmpty: It holds no file, although documents came from it.
        """
        if self._syncer is None:
            raise InvalidRequest(Problem("knowledge -> path", "the profile names no knowledge folder"))
        synced = self._syncer(report, allow_empty=allow_empty)
        self._optimize_if_needed()
        return synced

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Synchronises whenever the knowledge folder changes, until the block ends, if the profile says `watch`."""
        if self.profile.knowledge.sync != "watch" or self.knowledge_folder is None:
            yield
            return
        stop = threading.Event()
        watcher = threading.Thread(
            target=watch, args=(self.knowledge_folder, self.sync, stop), name=f"footnote-watch-{self.tenant}"
        )
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()

    @property
    def jobs(self) -> Jobs:
        """The tenant's durable jobs: submit, look, list, cancel."""
        return Jobs(self._jobs)

    @property
    def work(self) -> Work:
        """What carrying out the tenant's jobs takes; see `pipelines.jobs.crew.carrying_out`."""
        return Work(
            settings=self.profile.jobs,
            records=self._jobs,
            ingest=self.ingest,
            sync=self.sync,
            reembed=self.reembed,
            purge=self.purge,
            optimize=self.optimize,
            rebuild=self.rebuild,
            compact=self.compact,
        )

    def delete(self, document_id: str, purge: bool = False) -> Deletion:
        """Takes a document out, and says what went; its history can be read with ``as_of`` until that is purged.

        Args:
            document_id: The document.
            purge: Take its history out too, for good.

        Raises:
            DocumentNotFound: There is none of this id; with ``purge``, nor any history of one.
        """
        receipt = self._ingestor.delete(document_id, purge)
        if purge:
            self._files.remove([document_id])
            self._usage.forget(document_id)
        self._gone = True
        return receipt

    def purge(self, report: Report | None = None) -> Purge:
        """Takes away the versions that the profile's retention no longer keeps, and answers that are forgotten."""
        bounds = self.profile.retention
        self._remembered.expire()
        trimmed = self._catalogue.trim(Bounds(bounds.versions, bounds.days))
        chunks = self._cleaner.finish()
        if report is not None:
            report(Progress(0, 0, chunks))
        return Purge(trimmed.versions, chunks, trimmed.horizon)

    def reembed(self, report: Report | None = None) -> list[IngestResult]:
        """Makes stale documents anew as the profile says by now, while readers go on; gives what became of each.

        Another embedding model is a new store of vectors, built beside the old one. Another way of cutting makes new
        versions of the documents.
        """
        tell = report or (lambda _: None)
        self._spaces.embed_anew(self._cleaner.finish, tell)
        stale = self._catalogue.stale_ids()
        tell(Progress(0, len(stale), 0))
        results = self._ingestor.recut(self._readable(stale), len(stale), tell)
        self._optimize_if_needed()
        return results

    def doctor(self, repair: bool = False) -> Examination:
        """Holds the catalogue against the vector store, while the tenant is at work.

        Args:
            repair: Put right what is wrong; the catalogue is believed, and chunks are made again from stored texts.
        """
        examination = self._doctor.examine(repair)
        self._optimize_if_needed()
        return examination

    def rebuild(self, report: Report | None = None) -> Examination:
        """Brings the index in line with the catalogue: makes anew what is missing, wrong or stale, and optimises."""
        examination = self.doctor(repair=True)
        self.reembed(report)
        self.optimize()
        return examination

    def compact(self, report: Report | None = None) -> Purge:
        """Purges what retention no longer keeps, and gives the room of what is gone back to the disk.

        Where that does not get below `most_bytes`, documents that were not used for longest go.
        """
        purged = self.purge(report)
        with self._making_room:
            self._give_back()
            self._let_go(())
        return purged

    def reclaim(self) -> None:
        """Gives the room of what was deleted, or is no longer kept, back to the disk, unless that was done."""
        with self._making_room:
            if self._gone:
                self.purge()
                self._give_back()

    def optimize(self) -> None:
        """Puts the index in its best shape: merged segments, and a graph where a scan would be slow."""
        self._spaces.current.store.optimize()

    def stats(self) -> Stats:
        """How much the tenant holds."""
        totals = self._catalogue.totals()
        return Stats(
            tenant=self.tenant,
            documents=totals.documents,
            failed=totals.failed,
            chunks=totals.chunks,
            versions=totals.versions,
            snapshot=self._catalogue.snapshot,
            bytes=disk_usage(self._folder),
            embedding=self._spaces.embedder.fingerprint,
            stale=totals.stale,
            horizon=self._catalogue.horizon,
            feedback=self._feedback_totals(),
        )

    def figures(self) -> Figures:
        """How the tenant stands at the moment; unlike `stats`, nothing is measured for it."""
        totals = self._catalogue.totals()
        return Figures(
            documents={"current": totals.documents - totals.stale, "stale": totals.stale, "failed": totals.failed},
            chunks=totals.chunks,
            versions=totals.versions,
            snapshot=self._catalogue.snapshot,
            jobs=self._jobs.counts(),
            llm_calls=None if self._llm is None else self._llm.calls,
        )

    def _make_room(self, new: Collection[str]) -> None:
        most = self.most_bytes
        if most is None:
            return
        with self._making_room:
            if self.resources().documents <= max(most, self._in_vain):
                return
            try:
                self.purge()
                self._give_back()
                self._let_go(new)
            except Unavailable:  # the documents are in; they only take more than they may
                _log.exception("no room could be made for tenant %s", self.tenant)

    def _give_back(self) -> None:
        self._gone = False
        self._cleaner.finish()
        self.optimize()
        self._catalogue.vacuum()

    def _let_go(self, new: Collection[str]) -> None:
        while gone := self.beyond_room(new):
            for document_id in gone:
                with suppress(DocumentNotFound):
                    self.delete(document_id, purge=True)
                    _log.info("%s: %r was not used for longest, and made room", self.tenant, document_id)
            self._give_back()
        used, most = self.resources().documents, self.most_bytes
        self._in_vain = round(used * _MORE) if most is not None and used > most else 0

    def _readable(self, document_ids: Iterable[str]) -> Iterator[Version]:
        for document_id in document_ids:
            with suppress(DocumentNotFound):  # deleted meanwhile
                yield self._catalogue.version(document_id)

    def _optimize_if_needed(self) -> None:
        try:
            self._spaces.current.space.optimize_if_needed()
        except FootnoteError:  # the documents are in, and can be found; only slower
            _log.exception("the index of tenant %s could not be optimised", self.tenant)
