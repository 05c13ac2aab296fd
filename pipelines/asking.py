"""What can be asked of a tenant: searches and answers, now and in the past."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from qdrant_client import models

from pipelines.browsing import Browsing
from pipelines.components.llm import Llm, Message
from pipelines.components.sparse import Bm25Encoder
from pipelines.errors import InvalidRequest, Problem
from pipelines.filters.scopes import Place
from pipelines.ingestion.visibility import readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answering import Answerer, citer, whole
from pipelines.query.confidence import Confidence
from pipelines.query.extractive import Extractor
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor, build_query_engine
from pipelines.query.prompts import AnswerPrompt
from pipelines.query.requests import checked_request
from pipelines.query.retrieve import Ask
from pipelines.query.synthesis import Synthesis
from pipelines.query.verdicts import Verifier
from pipelines.spaces import OpenSpace
from pipelines.types import AbstainReason, Answer, AnswerEvent, Hit, Mode, Note, SearchResult, StoredText, Trace


class Asking(Browsing):
    """A tenant that can be read; `pipelines.engine.Engine` also writes it."""

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        super().__init__(profile, parts, place)
        self._cleaner = parts.cleaner
        self._llm = parts.llm
        self._answerer = self._build_answerer(profile, parts)

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
        llm: Mapping[str, str] | None = None,
        history: Sequence[Message] = (),
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `stream_answer`."""
        where = self._where(filters, scope, inherit)
        model, found, reason = self._found_for(question, top_k, where, as_of, llm)
        if reason is not None:
            return whole(self._answerer.abstained(question, found, reason))
        return self._answerer.answer(question, found, model, history)

    def stream_answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
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
            scope: The place in the hierarchy that is looked from.
            inherit: See `search`.
            as_of: Snapshot to read.
            llm: ``provider`` and ``model``, one or both, of those that the profile allows.
            history: What was sent to the model and what it said in earlier turns, word for word.

        Raises:
            InvalidRequest: See `search`; or the profile allows no such model.
            LlmUnavailable, LlmTimeout: While it is read: the model failed where the answer cannot fall back.
        """
        where = self._where(filters, scope, inherit)
        model, found, reason = self._found_for(question, top_k, where, as_of, llm)
        if reason is not None:
            return self._answerer.abstained(question, found, reason)
        return self._answerer.stream(question, found, model, history)

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
            lambda query, hits: self._answerer.stream(
                query, SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0), self._llm
            ),
            cites=self._llm is not None,
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

    def _found_for(
        self,
        question: str,
        top_k: int | None,
        where: models.Filter | None,
        as_of: int | None,
        llm: Mapping[str, str] | None,
    ) -> tuple[Llm | None, SearchResult, AbstainReason | None]:
        """Who answers, from what, and why not where nothing was found because of what was asked for."""
        model = self._chosen(llm or {})
        ask = self._ask("question", question, top_k, where, None)
        found = self._find(ask, as_of)
        if found.hits or where is self._bounds:
            return model, found, None
        anything = replace(ask, where=self._bounds, top_k=1)
        return model, found, "filtered_out" if self._find(anything, as_of).hits else None

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
        confidence, cite = Confidence(parts.calibration), citer(self._texts)
        synthesis = Synthesis(
            prompt, settings, vectors=vectors, terms=terms, verifier=verifier, cite=cite, confidence=confidence
        )
        return Answerer(profile, Extractor(vectors, terms), confidence, synthesis, self._texts)

    def _texts(self, hits: Sequence[Hit]) -> list[StoredText | None]:
        places = [(hit.document_id, hit.version) for hit in hits]
        texts = self._catalogue.stored_texts(set(places))
        if "headings" not in self.profile.extractors:
            texts = {place: replace(text, headings=()) for place, text in texts.items()}
        return [texts.get(place) for place in places]
