"""A tenant's search as a LlamaIndex retriever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.hit_nodes import hits_to_nodes
from pipelines.components.search_query import SearchQuery
from pipelines.query.finder import Finder

Step = Callable[[SearchQuery], list[NodeWithScore]]
Run = Callable[[QueryBundle, Step], list[NodeWithScore]]
"""Completes a plain question with a tenant's snapshot, filters and scope, and runs a step of the search with it."""


class FootnoteRetriever(BaseRetriever):
    """Returns the candidates of a question: those that the profile's postprocessors read, at least ``top_k``.

    Args:
        finder: Returns the finder of the index in use.
        run: Runs plain questions.
    """

    def __init__(self, finder: Callable[[], Finder], run: Run) -> None:
        super().__init__(callback_manager=CallbackManager())
        self._finder = finder
        self._run = run

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if isinstance(query_bundle, SearchQuery):
            return self._finder().candidates(query_bundle)
        return self._run(query_bundle, self._top_k)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)

    def _top_k(self, query: SearchQuery) -> list[NodeWithScore]:
        """Return the candidates, and as many from below them as ``top_k`` takes."""
        nodes = self._finder().candidates(query)
        missing = query.top_k - len(nodes)
        if query.remainder is None or missing <= 0:
            return nodes
        return [*nodes, *hits_to_nodes(query.remainder.first(missing))]
