"""One tenant at work: opens the parts that its profile names, and offers what can be done with them.

This is the only file that knows all rooms of the core.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever

from pipelines.catalogue import Bounds, Version
from pipelines.components.data_folder import disk_usage
from pipelines.components.embedding import export_model, models_folder
from pipelines.components.payload_filters import metadata_matcher
from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import DocumentNotFound, FootnoteError, InvalidRequest, Problem, ProfileError
from pipelines.filters.language import compile_filters
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.sources import documents_at
from pipelines.ingestion.visibility import chunks_of, of_version, readable_at
from pipelines.parts import Parts, open_parts
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.planned import not_carried_out
from pipelines.profile.schema import Profile
from pipelines.query.answer import abstention, confidence, extractive_answer
from pipelines.query.extractive import Extract, Extractor
from pipelines.query.llama import FootnoteRetriever, build_query_engine
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask, to_hit
from pipelines.types import (
    Answer,
    Deletion,
    Document,
    DocumentInput,
    DocumentPage,
    DocumentState,
    Hit,
    IngestResult,
    Metadata,
    Mode,
    Progress,
    Purge,
    SearchResult,
    Stats,
    SyncResult,
    VersionInfo,
)

__all__ = ["Engine", "export_models", "open_engine", "open_scratch"]

_log = logging.getLogger(__name__)


def open_engine(profile: str | Path | LoadedProfile, data: str | Path | None = None) -> Engine:
    """Opens a tenant.

    Args:
        profile: A tenant folder, a YAML file, the name of a folder in ``configs/``, or a profile already loaded.
        data: Folder of the data; by default the environment's ``FOOTNOTE_DATA``, then ``.footnote``.

    Raises:
        ProfileError: The profile cannot be used.
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
    """
    loaded = profile if isinstance(profile, LoadedProfile) else load_profile(profile)
    problems = not_carried_out(loaded.profile)
    if problems:
        raise ProfileError(loaded.profile.tenant, problems)
    root = Path(data or os.environ.get("FOOTNOTE_DATA") or ".footnote")
    opened = ExitStack()
    try:
        return Engine(loaded, open_parts(loaded.profile, root, opened), opened)
    except BaseException:
        opened.close()
        raise


@contextmanager
def open_scratch(profile: LoadedProfile) -> Iterator[Engine]:
    """The profile's pipeline over a temporary, empty data folder."""
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder, open_engine(profile, folder) as engine:
        yield engine


def export_models(quantize: str = "none") -> Path:
    """Exports the bundled embedding model to ONNX, unless that was done; gives its folder.

    Raises:
        MissingPackage: The weights, or what writes ONNX, are not installed.
    """
    return export_model(models_folder(), quantize)


class Engine:
    """A tenant that is open. Every method may be called from several threads; close it when done.

    Made by `open_engine`.
    """

    def __init__(self, loaded: LoadedProfile, parts: Parts, opened: ExitStack) -> None:
        self._loaded = loaded
        self._opened = opened
        self._folder = parts.folder
        self._catalogue = parts.catalogue
        self._spaces = parts.spaces
        self._cleaner = parts.cleaner
        self._ingestor = parts.ingestor
        self._extractor = Extractor(parts.spaces.embedder.vectors, Bm25Encoder(self.profile.sparse).terms)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the data folder and the connections back."""
        self._opened.close()

    @property
    def profile(self) -> Profile:
        """The tenant's profile."""
        return self._loaded.profile

    @property
    def tenant(self) -> str:
        """The tenant's name."""
        return self.profile.tenant

    @property
    def knowledge_folder(self) -> Path | None:
        """The tenant's folder of documents, if the profile names one."""
        return self._loaded.knowledge_folder

    def ingest(self, documents: Iterable[DocumentInput], progress: Report | None = None) -> list[IngestResult]:
        """Brings documents in, and says what became of each; one that cannot be read fails alone."""
        results = self._ingestor.ingest(documents, progress)
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

    def sync(self, progress: Report | None = None) -> SyncResult:
        """Brings the tenant in line with its knowledge folder: new, changed and removed files.

        Documents that came another way are left alone.

        Raises:
            InvalidRequest: The profile names no folder, or there is none at that place.
        """
        if self.knowledge_folder is None:
            raise InvalidRequest(Problem("knowledge -> path", "the profile names no knowledge folder"))
        results = self.ingest(documents_at(self.knowledge_folder, {}, "knowledge"), progress)
        gone = self._catalogue.ids_from("knowledge") - {result.document_id for result in results}
        return SyncResult(tuple(results), tuple(self.delete(document_id) for document_id in sorted(gone)))

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        mode: Mode | None = None,
        min_score: float = 0.0,
        as_of: int | None = None,
    ) -> SearchResult:
        """The chunks that answer ``query`` best, as they were at the snapshot ``as_of`` or as they are now.

        Raises:
            InvalidRequest: The query, ``top_k`` or ``mode`` is not what the profile allows, or ``as_of`` out of reach.
            InvalidFilter: ``filters`` names what the profile does not declare.
        """
        found = self._find(self._ask("query", query, top_k, filters, mode), as_of)
        return replace(found, hits=tuple(hit for hit in found.hits if hit.score >= min_score))

    def answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        as_of: int | None = None,
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `search` for the errors."""
        ask = self._ask("question", question, top_k, filters, None)
        found = self._find(ask, as_of)
        if not found.hits and ask.where is not None and self._find(replace(ask, where=None, top_k=1), as_of).hits:
            return abstention(question, found, "filtered_out", self._degraded)
        return self._answer_from(question, found)

    def retriever(
        self, *, top_k: int | None = None, filters: Mapping[str, Any] | None = None, as_of: int | None = None
    ) -> BaseRetriever:
        """This tenant's search as a LlamaIndex retriever."""
        return FootnoteRetriever(lambda query: self.search(query, top_k=top_k, filters=filters, as_of=as_of).hits)

    def query_engine(
        self, *, top_k: int | None = None, filters: Mapping[str, Any] | None = None, as_of: int | None = None
    ) -> RetrieverQueryEngine:
        """This tenant's answers as a LlamaIndex query engine; see `pipelines.query.llama`."""
        return build_query_engine(
            lambda query: self.search(query, top_k=top_k, filters=filters, as_of=as_of).hits,
            lambda query, hits: self._answer_from(
                query, SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0)
            ),
        )

    def documents(
        self,
        limit: int = 50,
        cursor: str | None = None,
        *,
        filters: Mapping[str, Any] | None = None,
        state: DocumentState | None = None,
    ) -> DocumentPage:
        """Some of the documents, in the order of their ids; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000.
            InvalidFilter: ``filters`` names what the profile does not declare.
        """
        if not 1 <= limit <= 1000:
            raise InvalidRequest(Problem("limit", f"{limit} is not between 1 and 1000"))
        where = compile_filters(filters, self.profile.metadata.fields)
        return self._catalogue.documents(limit, cursor, state, None if where is None else metadata_matcher(where))

    def document(self, document_id: str) -> Document:
        """One document.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        return self._catalogue.document(document_id)

    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        """A document's versions, the newest first; those of a deleted one too, until they are purged.

        Raises:
            DocumentNotFound: There are none.
        """
        return self._catalogue.versions(document_id)

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """The stored text of a version: the one of that number, the one readable at ``as_of``, or the readable one.

        Raises:
            DocumentNotFound: There is no such document or version.
            InvalidRequest: Both were given, or nobody can read ``as_of``.
        """
        return self._version(document_id, version, as_of).text

    def chunks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Hit, ...]:
        """The chunks of a version, in the order of its text, without scores; see `content` for which and for errors."""
        found = self._version(document_id, version, as_of)
        where = chunks_of([document_id], of_version(found.version))
        hits = [to_hit(payload, chunk_id, 0.0, {}) for chunk_id, payload in self._spaces.current.store.scan(where)]
        return tuple(sorted(hits, key=lambda hit: hit.span.start))

    def delete(self, document_id: str, purge: bool = False) -> Deletion:
        """Takes a document out, and says what went; its history can be read with ``as_of`` until that is purged.

        Args:
            document_id: The document.
            purge: Take its history out too, for good.

        Raises:
            DocumentNotFound: There is none of this id; with ``purge``, nor any history of one.
        """
        return self._ingestor.delete(document_id, purge)

    def purge(self, report: Report | None = None) -> Purge:
        """Takes away the versions that the profile's retention no longer keeps."""
        bounds = self.profile.retention
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
        results = self._ingestor.recut(self._readable(stale), len(stale), tell)
        self._optimize_if_needed()
        return results

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
        )

    def check_ready(self) -> None:
        """Asks every part for a sign of life.

        Raises:
            Unavailable: A part gives none; the message says which.
        """
        self._catalogue.check()
        self._spaces.current.store.count(readable_at(0))
        self._spaces.embedder.vectors(["ready"])

    def _ask(
        self, name: str, query: str, top_k: int | None, filters: Mapping[str, Any] | None, mode: Mode | None
    ) -> Ask:
        checked = checked_request(name, query, top_k, mode or self._spaces.current.mode, self.profile)
        return replace(checked, where=compile_filters(filters, self.profile.metadata.fields))

    def _find(self, ask: Ask, as_of: int | None) -> SearchResult:
        started = time.perf_counter()
        snapshot = self._snapshot(as_of)
        space = self._spaces.current
        where = readable_at(snapshot, ask.where, self._cleaner.hidden_at(snapshot))
        hits = space.finder.find(replace(ask, where=where))
        self._snapshot(as_of)  # a purge may have begun meanwhile
        return SearchResult(tuple(hits), snapshot, (time.perf_counter() - started) * 1000)

    def _snapshot(self, as_of: int | None) -> int:
        if as_of is None:
            return self._catalogue.snapshot
        self._catalogue.check_as_of(as_of)
        return as_of

    def _version(self, document_id: str, version: int | None, as_of: int | None) -> Version:
        if version is not None and as_of is not None:
            raise InvalidRequest(Problem("version", "and as_of cannot both be given: each of them names a version"))
        if as_of is not None:
            self._catalogue.check_as_of(as_of)
        return self._catalogue.version(document_id, version, as_of)

    def _readable(self, document_ids: Iterable[str]) -> Iterator[Version]:
        for document_id in document_ids:
            with suppress(DocumentNotFound):  # deleted meanwhile
                yield self._catalogue.version(document_id)

    def _optimize_if_needed(self) -> None:
        try:
            self._spaces.current.space.optimize_if_needed()
        except FootnoteError:  # the documents are in, and can be found; only slower
            _log.exception("the index of tenant %s could not be optimised", self.tenant)

    @property
    def _degraded(self) -> bool:
        return self.profile.llm is not None

    def _answer_from(self, question: str, found: SearchResult) -> Answer:
        settings = self.profile.answer
        extracts = self._extractor.extract(question, found.hits, settings.sentences)
        if not found.hits:
            return abstention(question, found, "no_hits", self._degraded)
        if not extracts or confidence(found.hits) < settings.abstain_below:
            return abstention(question, found, "low_confidence", self._degraded)
        return extractive_answer(question, found, extracts, self._versions, self._degraded)

    def _versions(self, extracts: Sequence[Extract]) -> list[Version | None]:
        return [self._version_or_none(extract.hit.document_id, extract.hit.version) for extract in extracts]

    def _version_or_none(self, document_id: str, version: int) -> Version | None:
        try:
            return self._catalogue.version(document_id, version)
        except DocumentNotFound:
            return None  # deleted since the search; the chunk itself still tells the quote and its place
