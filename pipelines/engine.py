"""One tenant at work: opens the parts that its profile names, and offers what can be done with them.

This is the only file that knows all rooms of the core.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever

from pipelines.catalogue import Catalogue, EmbeddingCache, Version
from pipelines.components.data_folder import disk_usage, held
from pipelines.components.embedding import Embedder, build_embedding, build_tokenizer, export_model, models_folder
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.splitters import build_splitter
from pipelines.components.vector_store import ChunkStore, build_vector_store
from pipelines.errors import (
    DocumentNotFound,
    EmbeddingChanged,
    FootnoteError,
    InvalidRequest,
    Problem,
    ProfileError,
)
from pipelines.filters.language import compile_filters
from pipelines.ingestion.pipeline import Ingestor, Report
from pipelines.ingestion.prepare import Preparer
from pipelines.ingestion.sources import documents_at
from pipelines.ingestion.transforms import Embed, Locate
from pipelines.ingestion.visibility import chunks_of, readable_at
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.planned import not_carried_out
from pipelines.profile.schema import Profile
from pipelines.query.answer import abstention, confidence, extractive_answer
from pipelines.query.extractive import Extract, Extractor
from pipelines.query.llama import FootnoteRetriever, build_query_engine
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask, Finder, to_hit
from pipelines.types import (
    Answer,
    Deletion,
    Document,
    DocumentInput,
    DocumentPage,
    Hit,
    IngestResult,
    Metadata,
    Mode,
    SearchResult,
    Stats,
    SyncResult,
)

__all__ = ["Engine", "export_models", "open_engine", "open_scratch"]

_log = logging.getLogger(__name__)
_SCANNED_CHUNKS = 10_000
"""Chunks written since the index was last put in order that are searched one by one: about 3 ms."""


def open_engine(profile: str | Path | LoadedProfile, data: str | Path | None = None) -> Engine:
    """Opens a tenant.

    Args:
        profile: A tenant folder, a YAML file, the name of a folder in ``configs/``, or a profile already loaded.
        data: Folder of the data; by default the environment's ``FOOTNOTE_DATA``, then ``.footnote``.

    Raises:
        ProfileError: The profile cannot be used.
        DataFolderHeld: Another process works on the tenant's data.
        EmbeddingChanged: The data was written by another embedding model.
        ModelMissing: The embedding model has not been exported yet.
    """
    loaded = profile if isinstance(profile, LoadedProfile) else load_profile(profile)
    problems = not_carried_out(loaded.profile)
    if problems:
        raise ProfileError(loaded.profile.tenant, problems)
    root = Path(data or os.environ.get("FOOTNOTE_DATA") or ".footnote")
    opened = ExitStack()
    try:
        return Engine(loaded, root, opened)
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

    def __init__(self, loaded: LoadedProfile, root: Path, opened: ExitStack) -> None:
        self._loaded = loaded
        self._opened = opened
        profile = self.profile
        if profile.store.engine == "memory":
            root = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="footnote-")))
        self._folder = root / profile.tenant
        if profile.catalogue.url is None or profile.store.engine == "edge":  # otherwise nothing of the tenant is here
            opened.enter_context(held(self._folder))
        embedder = build_embedding(profile.embedding, models_folder())
        self._catalogue = _open_catalogue(profile, self._folder)
        opened.callback(self._catalogue.close)
        self._embedder = embedder
        stored = self._catalogue.claim(embedder.fingerprint)
        if stored != embedder.fingerprint:
            raise EmbeddingChanged(profile.tenant, stored, embedder.fingerprint)
        self._store = _open_store(profile, self._folder, embedder)
        opened.callback(self._store.close)
        self._ingestor = _build_ingestor(profile, self._catalogue, self._store, embedder)
        self._ingestor.recover()
        self._finder = Finder(self._store, embedder, self._store.encoder, profile.retrieval)
        self._extractor = Extractor(embedder.vectors, self._store.encoder.terms)

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
    ) -> SearchResult:
        """The chunks that answer ``query`` best.

        Raises:
            InvalidRequest: The query, ``top_k`` or ``mode`` is not what the profile allows.
            InvalidFilter: ``filters`` names what the profile does not declare.
        """
        found = self._find(self._ask("query", query, top_k, filters, mode))
        return replace(found, hits=tuple(hit for hit in found.hits if hit.score >= min_score))

    def answer(self, question: str, *, top_k: int | None = None, filters: Mapping[str, Any] | None = None) -> Answer:
        """An answer to ``question`` with its footnotes; see `search` for the errors."""
        ask = self._ask("question", question, top_k, filters, None)
        found = self._find(ask)
        if not found.hits and ask.where is not None and self._find(replace(ask, where=None, top_k=1)).hits:
            return abstention(question, found, "filtered_out", self._degraded)
        return self._answer_from(question, found)

    def retriever(self, *, top_k: int | None = None, filters: Mapping[str, Any] | None = None) -> BaseRetriever:
        """This tenant's search as a LlamaIndex retriever."""
        return FootnoteRetriever(lambda query: self.search(query, top_k=top_k, filters=filters).hits)

    def query_engine(
        self, *, top_k: int | None = None, filters: Mapping[str, Any] | None = None
    ) -> RetrieverQueryEngine:
        """This tenant's answers as a LlamaIndex query engine; see `pipelines.query.llama`."""
        return build_query_engine(
            lambda query: self.search(query, top_k=top_k, filters=filters).hits,
            lambda query, hits: self._answer_from(query, SearchResult(tuple(hits), self._catalogue.snapshot, 0.0)),
        )

    def documents(self, limit: int = 50, cursor: str | None = None) -> DocumentPage:
        """Some of the documents, in the order of their ids; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000.
        """
        if not 1 <= limit <= 1000:
            raise InvalidRequest(Problem("limit", f"{limit} is not between 1 and 1000"))
        return self._catalogue.documents(limit, cursor)

    def document(self, document_id: str) -> Document:
        """One document.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        return self._catalogue.document(document_id)

    def content(self, document_id: str, version: int | None = None) -> str:
        """The stored text of a version, by default the readable one.

        Raises:
            DocumentNotFound: There is no such document or version.
        """
        return self._catalogue.version(document_id, version).text

    def chunks(self, document_id: str) -> tuple[Hit, ...]:
        """The chunks of a document's readable version, in the order of its text, without scores.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        self._catalogue.document(document_id)
        where = readable_at(self._catalogue.snapshot, chunks_of([document_id]))
        hits = [to_hit(payload, chunk_id, 0.0, {}) for chunk_id, payload in self._store.scan(where)]
        return tuple(sorted(hits, key=lambda hit: hit.span.start))

    def delete(self, document_id: str) -> Deletion:
        """Takes a document out, with all its versions, and says what went.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        return self._ingestor.delete(document_id)

    def optimize(self) -> None:
        """Puts the index in its best shape: merged segments, and a graph where a scan would be slow."""
        self._store.optimize()

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
            embedding=self._embedder.fingerprint,
        )

    def check_ready(self) -> None:
        """Asks every part for a sign of life.

        Raises:
            Unavailable: A part gives none; the message says which.
        """
        self._catalogue.check()
        self._store.count(readable_at(0))
        self._embedder.vectors(["ready"])

    def _ask(
        self, name: str, query: str, top_k: int | None, filters: Mapping[str, Any] | None, mode: Mode | None
    ) -> Ask:
        checked = checked_request(name, query, top_k, mode, self.profile)
        return replace(checked, where=compile_filters(filters, self.profile.metadata.fields))

    def _find(self, ask: Ask) -> SearchResult:
        started = time.perf_counter()
        snapshot = self._catalogue.snapshot
        hits = self._finder.find(replace(ask, where=readable_at(snapshot, ask.where)))
        return SearchResult(tuple(hits), snapshot, (time.perf_counter() - started) * 1000)

    def _optimize_if_needed(self) -> None:
        if self._store.unoptimized < _SCANNED_CHUNKS:
            return
        try:
            self.optimize()
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


def _open_store(profile: Profile, folder: Path, embedder: Embedder) -> ChunkStore:
    return build_vector_store(
        profile.store,
        folder=folder / "vectors",
        collection=f"footnote_{profile.tenant}" if profile.store.engine == "server" else profile.tenant,
        dimensions=embedder.dimensions,
        fields=profile.metadata.fields,
        encoder=Bm25Encoder(profile.sparse),
    )


def _open_catalogue(profile: Profile, folder: Path) -> Catalogue:
    url = profile.catalogue.url
    if url is None:
        return Catalogue.in_folder(folder, profile.tenant)
    return Catalogue.open(url.get_secret_value(), profile.tenant)


def _build_ingestor(profile: Profile, catalogue: Catalogue, store: ChunkStore, embedder: Embedder) -> Ingestor:
    tokenizer = build_tokenizer(profile.embedding, models_folder())
    place = Locate(
        with_headings="headings" in profile.extractors,
        embed_title="title" in profile.embedding.embed,
        embed_headings="headings" in profile.embedding.embed,
        context_weight=profile.sparse.title_weight,
    )
    prepare = Preparer(
        profile, catalogue, [build_splitter(profile.chunking, tokenizer.spans), place], _fingerprint(profile, embedder)
    )
    cache = EmbeddingCache(catalogue.engine, profile.tenant) if profile.embedding.cache else None
    return Ingestor(catalogue, store, prepare, Embed(embedder, cache))


def _fingerprint(profile: Profile, embedder: Embedder) -> str:
    """What decides whether a content is taken, and which chunks and vectors it becomes."""
    parts = (
        profile.chunking.model_dump_json(),
        profile.extractors,
        profile.embedding.embed,
        profile.sparse.model_dump_json(),
        profile.metadata.model_dump_json(),
        embedder.fingerprint,
    )
    return "\0".join(str(part) for part in parts)
