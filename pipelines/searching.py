"""What can be searched of a tenant, now and in the past."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import BaseRetriever
from qdrant_client import models

from pipelines.browsing import Browsing
from pipelines.components.sparse import Bm25Encoder
from pipelines.conversing import Conversing
from pipelines.filters.combining import all_of
from pipelines.filters.scopes import Place
from pipelines.ingestion.visibility import chunks_of, readable_at
from pipelines.observing import Searched
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.conversation.followup import Rarity
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor
from pipelines.query.requests import checked_diversity, checked_request, checked_vector
from pipelines.query.retrieve import Ask
from pipelines.spaces import OpenSpace
from pipelines.types import Mode, Note, SearchResult, Trace


class Searching(Browsing):
    """A tenant whose documents are searched; `pipelines.asking.Asking` also answers from them."""

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        super().__init__(profile, parts, place)
        self._cleaner = parts.writing.cleaner
        self._usage = parts.records.usage
        self._observe = parts.observe
        self._user = None if place is None else json.dumps(dict(place.named), sort_keys=True)
        self._terms = Bm25Encoder(profile.sparse).terms
        records = parts.records.conversations.within(self._user or "")
        self._conversing = Conversing(profile, records, parts.variants, self._terms)

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
        vector: Sequence[float] | None = None,
        documents: Collection[str] | None = None,
        diversity: float | None = None,
        conversation_id: str | None = None,
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
            vector: The question as the embedding model gives it: looked for by the dense leg alone, whatever ``query``
                says, which may then be empty.
            documents: Ids of the documents to look among.
            diversity: How much hits should differ from each other, 0..1, instead of what the profile says; scores
                then mix both, see `pipelines.components.rerankers.mmr`.
            conversation_id: A conversation that ``query`` goes on from; a search is no turn of it.

        Raises:
            InvalidRequest: The query, ``top_k`` or ``mode`` is not what the profile allows, or ``as_of`` out of reach.
            InvalidFilter: ``filters`` names what the profile does not declare.
            InvalidScope: ``scope`` names no place of the hierarchy, or could mean several.
        """
        where = self._where(filters, scope, inherit)
        if documents is not None:
            where = all_of(where, chunks_of(list(documents)))
        ask = self._ask("query", query if vector is None else query or "-", top_k, where, mode)
        if vector is not None:
            ask = replace(ask, query=query, vector=checked_vector(query, vector, self._spaces.current.dimensions))
        looked_for = self._conversing.follow(conversation_id, query, self._rarity(as_of))
        ask = replace(ask, query=looked_for or query, diversity=checked_diversity(diversity))
        found = self._find(ask, as_of)
        hits = tuple(hit for hit in found.hits if hit.score >= min_score)
        found = replace(found, hits=hits, rewritten_question=looked_for)
        self._count(ask.query, found)
        return found

    def _count(self, query: str, found: SearchResult) -> None:
        best = max((hit.score for hit in found.hits), default=0.0)
        self._usage.searched(self._user, query, (hit.document_id for hit in found.hits), best, found.took_ms)
        failed = sum(run.failure is not None for run in found.trace.stages)
        self._observe(Searched(found.took_ms / 1000, found.trace.seconds, len(found.hits), best, failed))

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

    def _rarity(self, as_of: int | None) -> Rarity:
        """How rare a word is among what is seen from here."""

        def rarity(word: str) -> float:
            snapshot = self._snapshot(as_of)
            where = readable_at(snapshot, self._bounds, self._cleaner.hidden_at(snapshot))
            return self._spaces.current.finder.rarity(word, where)

        return rarity
