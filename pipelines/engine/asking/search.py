"""A tenant's search, now and in the past."""

from __future__ import annotations

import time
from dataclasses import replace

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore

from pipelines.components.hit_nodes import nodes_to_hits
from pipelines.components.search_query import SearchQuery
from pipelines.engine.asking.synthesizers import Synthesizers
from pipelines.engine.asking.turns import Turns
from pipelines.engine.parts.indexes import OpenIndex
from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.view import TenantView
from pipelines.events import Observe, Searched
from pipelines.filters.combining import all_of
from pipelines.ingestion.visibility import chunks_of
from pipelines.query.conversation.followup import Rarity
from pipelines.query.finder import Finder
from pipelines.query.kinds import checked_kinds
from pipelines.query.query_engine import AnswerText, FootnoteQueryEngine
from pipelines.query.requests import checked_request, checked_vector
from pipelines.query.retriever import FootnoteRetriever, Run, Step
from pipelines.query.synthesizer import FootnoteSynthesizer
from pipelines.types import Caller, Note, Query, SearchResult


class Search:
    """Finds chunks.

    Args:
        view: What can be seen.
        turns: Understands follow-ups.
        usage: Counts searches.
        observe: Receives an event for each search.
        synthesizers: Builds the synthesizer of the query path.

    Attributes:
        path: The LlamaIndex query engine that every search and every answer runs through.
    """

    def __init__(
        self,
        view: TenantView,
        turns: Turns,
        usage: UsageStatistics,
        observe: Observe,
        synthesizers: Synthesizers,
    ) -> None:
        self._view = view
        self._turns = turns
        self._usage = usage
        self._observe = observe
        self.path = self.query_engine(Query(""), synthesizers.build(streaming=True))

    def search(self, query: Query) -> SearchResult:
        """Return the chunks that answer a query best.

        Raises:
            InvalidRequest: The query is not what the profile allows, or its ``as_of`` is out of reach.
            InvalidFilter: Its ``filters`` name what the profile does not declare.
            InvalidScope: Its ``scope`` names no place of the hierarchy, or could mean several.
        """
        return self._search(query, self.path.retrieve)[1]

    def prepare(self, query: Query, name: str) -> SearchQuery:
        """Return what a query asks of the index; ``name`` is what the caller calls its text.

        Raises:
            InvalidRequest, InvalidFilter, InvalidScope: See `search`.
        """
        view, index = self._view, self._view.indexes.current
        checked_kinds(query)
        where = view.where(query.filters, query.scope, query.inherit)
        if query.documents is not None:
            where = all_of(where, chunks_of(list(query.documents)))
        text = query.text if query.vector is None else query.text or "-"
        prepared = checked_request(name, text, query.top_k, query.mode or index.mode, view.profile)
        if query.vector is not None:
            vector = checked_vector(query.text, query.vector, index.dimensions)
            prepared = replace(prepared, query_str=query.text, vector=vector)
        return replace(prepared, where=where, diversity=query.diversity)

    def understood(self, query: Query) -> tuple[str, str | None]:
        """Return what to look for, and the same where it is another question than the one asked: see `Turns.follow`."""
        return self._turns.follow(query.conversation_id, query.text, self.rarity(query.as_of), query.caller)

    def find(self, query: SearchQuery, as_of: int | None) -> SearchResult:
        """Return what the query path retrieves at a snapshot; the search is not counted."""
        return self._at_snapshot(query, as_of, self.path.retrieve)[1]

    def count(self, query: str, found: SearchResult, caller: Caller) -> None:
        """Record a search of ``caller``; ``query`` is empty for a follow-up, which nobody would ask by itself."""
        best = max((hit.score for hit in found.hits), default=0.0)
        self._usage.record_search(query, found.hits, best, found.took_ms, caller)
        failed = sum(run.failure is not None for run in found.trace.stages)
        self._observe(Searched(found.took_ms / 1000, found.trace.seconds, len(found.hits), best, failed))

    def rarity(self, as_of: int | None) -> Rarity:
        """Return a function that says how rare a word is among the chunks that can be seen."""
        view = self._view

        def rarity(word: str) -> float:
            where = view.readable(view.snapshot(as_of), view.bounds)
            return view.indexes.current.finder.rarity(word, where, scoped=view.bounds is not None)

        return rarity

    def retriever(self, query: Query) -> BaseRetriever:
        """Return the legs and their fusion as a LlamaIndex retriever; ``query`` gives the fields beside the text."""
        return FootnoteRetriever(self._finder, self._run_with(query))

    def postprocessors(self) -> list[BaseNodePostprocessor]:
        """Return the profile's reranker stages, and the cut to its ``top_k``, as LlamaIndex's postprocessors."""
        return [*self._finder().postprocessors()]

    def query_engine(
        self, query: Query, synthesizer: FootnoteSynthesizer, answer: AnswerText | None = None
    ) -> FootnoteQueryEngine:
        """Return the whole path as a LlamaIndex query engine; ``query`` gives the fields beside the text."""
        return FootnoteQueryEngine(self._finder, synthesizer, self._run_with(query), answer)

    def _finder(self) -> Finder:
        return self._view.indexes.current.finder

    def _run_with(self, query: Query) -> Run:
        return lambda bundle, step: self._search(replace(query, text=bundle.query_str), step)[0]

    def _search(self, query: Query, step: Step) -> tuple[list[NodeWithScore], SearchResult]:
        """Return what ``step`` retrieves for a query, as nodes and as hits; the search is counted."""
        prepared = self.prepare(query, "query")
        looked_for, rewritten = self.understood(query)
        prepared = replace(prepared, query_str=looked_for)
        nodes, found = self._at_snapshot(prepared, query.as_of, step)
        hits = tuple(hit for hit in found.hits if hit.score >= query.min_score)
        found = replace(found, hits=hits, rewritten_question=rewritten)
        self.count("" if rewritten else query.text, found, query.caller)
        return [node for node in nodes if node.get_score() >= query.min_score], found

    def _at_snapshot(
        self, query: SearchQuery, as_of: int | None, step: Step
    ) -> tuple[list[NodeWithScore], SearchResult]:
        """Return what ``step`` retrieves at a snapshot; it runs again if a purge took the snapshot away."""
        started, view = time.perf_counter(), self._view
        while True:
            snapshot = view.snapshot(as_of)
            asked = replace(query, where=view.readable(snapshot, query.where))
            asked.trace.missing = self._missing(view.indexes.current)
            nodes = step(asked)
            view.snapshot(as_of)  # a purge may have begun since
            if snapshot >= view.catalogue.horizon:
                took_ms = (time.perf_counter() - started) * 1000
                return nodes, SearchResult(tuple(nodes_to_hits(nodes)), snapshot, took_ms, asked.trace)

    def _missing(self, index: OpenIndex) -> list[Note]:
        """Return the leg that the profile asks for and that an index whose model is lost does not have."""
        if index.mode == self._view.profile.retrieval.mode:
            return []
        return [Note("dense", "the model that the documents were embedded with cannot be loaded")]
