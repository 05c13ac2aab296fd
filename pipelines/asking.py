"""What can be asked of a tenant: searches, answers, and what is known of its documents, now and in the past."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever

from pipelines.catalogue import Version
from pipelines.components.llm import Llm, Message
from pipelines.components.payload_filters import metadata_matcher
from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import DocumentNotFound, InvalidRequest, Problem
from pipelines.filters.language import compile_filters
from pipelines.ingestion.visibility import chunks_of, of_version, readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answering import Answerer, citer, whole
from pipelines.query.extractive import Extractor
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor, build_query_engine
from pipelines.query.prompts import AnswerPrompt
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask, to_hit
from pipelines.query.synthesis import Synthesis
from pipelines.query.verdicts import Verifier
from pipelines.spaces import OpenSpace
from pipelines.types import (
    AbstainReason,
    Answer,
    AnswerEvent,
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
        self._llm = parts.llm
        self._answerer = self._build_answerer(profile, parts)

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
        llm: Mapping[str, str] | None = None,
        history: Sequence[Message] = (),
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `stream_answer`."""
        model, found, reason = self._found_for(question, top_k, filters, as_of, llm)
        if reason is not None:
            return whole(self._answerer.abstained(question, found, reason))
        return self._answerer.answer(question, found, model, history)

    def stream_answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        as_of: int | None = None,
        llm: Mapping[str, str] | None = None,
        history: Sequence[Message] = (),
    ) -> Generator[AnswerEvent, None, None]:
        """An answer to ``question`` as it is written: its sources, its text and footnotes, at last the whole.

        The search is done when this returns. Whoever does not read to the end closes the generator, which stops
        the language model.

        Args:
            question: What to answer.
            top_k: Sources to answer from.
            filters: Metadata to look among.
            as_of: Snapshot to read.
            llm: ``provider`` and ``model``, one or both, of those that the profile allows.
            history: What was sent to the model and what it said in earlier turns, word for word.

        Raises:
            InvalidRequest: See `search`; or the profile allows no such model.
            LlmUnavailable, LlmTimeout: While it is read: the model failed where the answer cannot fall back.
        """
        model, found, reason = self._found_for(question, top_k, filters, as_of, llm)
        if reason is not None:
            return self._answerer.abstained(question, found, reason)
        return self._answerer.stream(question, found, model, history)

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
            lambda query, hits: self._answerer.stream(
                query, SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0), self._llm
            ),
            cites=self._llm is not None,
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

    def _found_for(
        self,
        question: str,
        top_k: int | None,
        filters: Mapping[str, Any] | None,
        as_of: int | None,
        llm: Mapping[str, str] | None,
    ) -> tuple[Llm | None, SearchResult, AbstainReason | None]:
        """Who answers, from what, and why not where nothing was found because of the filters."""
        model = self._chosen(llm or {})
        ask = self._ask("question", question, top_k, filters, None)
        found = self._find(ask, as_of)
        if not found.hits and ask.where is not None and self._find(replace(ask, where=None, top_k=1), as_of).hits:
            return model, found, "filtered_out"
        return model, found, None

    def _chosen(self, wish: Mapping[str, str]) -> Llm | None:
        if self._llm is not None:
            return self._llm.choose(wish.get("provider"), wish.get("model"))
        if wish:
            raise InvalidRequest(Problem("llm", "the profile names no language model; leave it out"))
        return None

    def _build_answerer(self, profile: Profile, parts: Parts) -> Answerer:
        vectors, terms = parts.spaces.embedder.vectors, Bm25Encoder(profile.sparse).terms
        settings = profile.answer
        prompt = AnswerPrompt(parts.prompt, profile.title, as_json=settings.format == "json")
        verifier = Verifier(parts.entails) if settings.verify else None
        synthesis = Synthesis(
            prompt, settings, vectors=vectors, terms=terms, verifier=verifier, cite=citer(self._versions)
        )
        return Answerer(profile, Extractor(vectors, terms), synthesis, self._versions)

    def _versions(self, hits: Sequence[Hit]) -> list[Version | None]:
        return [self._version_or_none(hit.document_id, hit.version) for hit in hits]

    def _version_or_none(self, document_id: str, version: int) -> Version | None:
        try:
            return self._catalogue.version(document_id, version)
        except DocumentNotFound:
            return None  # deleted since the search; the chunk itself still tells the quote and its place
