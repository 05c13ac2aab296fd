"""What can be asked of a tenant: searches, answers, and what is known of its documents, now and in the past."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever

from pipelines.catalogue import Version
from pipelines.components.payload_filters import metadata_matcher
from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import DocumentNotFound, InvalidRequest, Problem
from pipelines.filters.language import compile_filters
from pipelines.ingestion.visibility import chunks_of, of_version, readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answer import abstention, confidence, extractive_answer
from pipelines.query.extractive import Extract, Extractor
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor, build_query_engine
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask, to_hit
from pipelines.spaces import OpenSpace
from pipelines.types import (
    Answer,
    Document,
    DocumentPage,
    DocumentState,
    Hit,
    Mode,
    Note,
    SearchResult,
    Trace,
    VersionInfo,
)


class Asking:
    """A tenant that can be read; `pipelines.engine.Engine` also writes it."""

    def __init__(self, profile: Profile, parts: Parts) -> None:
        self._profile = profile
        self._catalogue = parts.catalogue
        self._spaces = parts.spaces
        self._cleaner = parts.cleaner
        self._extractor = Extractor(parts.spaces.embedder.vectors, Bm25Encoder(profile.sparse).terms)

    @property
    def profile(self) -> Profile:
        """The tenant's profile."""
        return self._profile

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

    def postprocessors(self) -> list[BaseNodePostprocessor]:
        """The profile's reranker stages as LlamaIndex's, for retrievers of one's own; `retriever` has run them."""
        return [StagePostprocessor(stage) for stage in self._spaces.current.finder.stages]

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
        hits = self._chunks_of(found)
        if len(hits) < found.chunks:  # it was replaced and purged while it was read
            hits = self._chunks_of(self._version(document_id, version, as_of))
        return tuple(sorted(hits, key=lambda hit: hit.span.start))

    def _chunks_of(self, version: Version) -> list[Hit]:
        where = chunks_of([version.document_id], of_version(version.version))
        return [to_hit(payload, chunk_id, 0.0, {}) for chunk_id, payload in self._spaces.current.store.scan(where)]

    def _ask(
        self, name: str, query: str, top_k: int | None, filters: Mapping[str, Any] | None, mode: Mode | None
    ) -> Ask:
        checked = checked_request(name, query, top_k, mode or self._spaces.current.mode, self.profile)
        return replace(checked, where=compile_filters(filters, self.profile.metadata.fields))

    def _find(self, ask: Ask, as_of: int | None) -> SearchResult:
        started = time.perf_counter()
        while True:
            snapshot = self._snapshot(as_of)
            space = self._spaces.current
            where = readable_at(snapshot, ask.where, self._cleaner.hidden_at(snapshot))
            trace = Trace(missing=self._missing(space))
            hits = space.finder.find(replace(ask, where=where), trace)
            self._snapshot(as_of)  # a purge may have begun meanwhile
            if snapshot >= self._catalogue.horizon:
                return SearchResult(tuple(hits), snapshot, (time.perf_counter() - started) * 1000, trace)

    def _missing(self, space: OpenSpace) -> list[Note]:
        """The leg that the profile asks for and the store in use, whose model is lost, cannot have."""
        if space.mode == self.profile.retrieval.mode:
            return []
        return [Note("dense", "the model that the documents were embedded with cannot be loaded")]

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
