"""What can be asked of a tenant: searches and answers, now and in the past."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from qdrant_client import models

from pipelines.browsing import Browsing
from pipelines.catalogue import Version
from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import DocumentNotFound
from pipelines.filters.scopes import Place
from pipelines.ingestion.visibility import readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answer import abstention, confidence, extractive_answer
from pipelines.query.extractive import Extract, Extractor
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor, build_query_engine
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask
from pipelines.spaces import OpenSpace
from pipelines.types import Answer, Mode, Note, SearchResult, Trace


class Asking(Browsing):
    """A tenant that can be read; `pipelines.engine.Engine` also writes it."""

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        super().__init__(profile, parts, place)
        self._cleaner = parts.cleaner
        self._extractor = Extractor(parts.spaces.embedder.vectors, Bm25Encoder(profile.sparse).terms)

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        mode: Mode | None = None,
        min_score: float = 0.0,
        as_of: int | None = None,
    ) -> SearchResult:
        """The chunks that answer ``query`` best, as they were at the snapshot ``as_of`` or as they are now.

        Args:
            query: What is looked for.
            top_k: Most hits.
            filters: What the metadata must be; see `pipelines.filters.language`.
            scope: The place in the hierarchy that is looked from; see `pipelines.filters.scopes`.
            inherit: From ``scope`` also what it inherits, not the documents of that one place alone.
            mode: The legs.
            min_score: Hits below it are left out.
            as_of: A point in the tenant's history.

        Raises:
            InvalidRequest: The query, ``top_k`` or ``mode`` is not what the profile allows, or ``as_of`` out of reach.
            InvalidFilter: ``filters`` names what the profile does not declare.
            InvalidScope: ``scope`` names no place of the hierarchy, or could mean several.
        """
        found = self._find(self._ask("query", query, top_k, self._where(filters, scope, inherit), mode), as_of)
        return replace(found, hits=tuple(hit for hit in found.hits if hit.score >= min_score))

    def answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `search` for the arguments and errors."""
        ask = self._ask("question", question, top_k, self._where(filters, scope, inherit), None)
        found = self._find(ask, as_of)
        if not found.hits and ask.where is not self._bounds:
            anything = replace(ask, where=self._bounds, top_k=1)
            if self._find(anything, as_of).hits:
                return abstention(question, found, "filtered_out", self._degraded)
        return self._answer_from(question, found)

    def retriever(
        self,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
    ) -> BaseRetriever:
        """This tenant's search as a LlamaIndex retriever; see `search` for the arguments."""
        return FootnoteRetriever(
            lambda query: (
                self.search(query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, as_of=as_of).hits
            )
        )

    def query_engine(
        self,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
    ) -> RetrieverQueryEngine:
        """This tenant's answers as a LlamaIndex query engine; see `pipelines.query.llama`, and `search`."""
        return build_query_engine(
            lambda query: (
                self.search(query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, as_of=as_of).hits
            ),
            lambda query, hits: self._answer_from(
                query, SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0)
            ),
        )

    def postprocessors(self) -> list[BaseNodePostprocessor]:
        """The profile's reranker stages as LlamaIndex's, for retrievers of one's own; `retriever` has run them."""
        return [StagePostprocessor(stage) for stage in self._spaces.current.finder.stages]

    def _ask(self, name: str, query: str, top_k: int | None, where: models.Filter | None, mode: Mode | None) -> Ask:
        checked = checked_request(name, query, top_k, mode or self._spaces.current.mode, self.profile)
        return replace(checked, where=where)

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
            return self._version(document_id, version, None)
        except DocumentNotFound:
            return None  # deleted since the search; the chunk itself still tells the quote and its place
