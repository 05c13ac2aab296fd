"""A tenant's answers as a LlamaIndex query engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.callbacks import CallbackManager
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.search_query import SearchQuery
from pipelines.query.answer_events import Events
from pipelines.query.finder import Finder
from pipelines.query.instrumentation import has_listeners
from pipelines.query.retriever import FootnoteRetriever, Run
from pipelines.query.synthesizer import FootnoteSynthesizer, respond

AnswerText = Callable[[str], Events]
"""The answer to a question, as it is written."""


class FootnoteQueryEngine(RetrieverQueryEngine):
    """Retrieves, postprocesses and synthesizes: the path that every search and every answer of a tenant takes.

    `Engine.search` calls `retrieve` with a `SearchQuery`, `Engine.answer` also `synthesize` with an `AnswerQuery`.
    `query` does for a plain question what `Engine.answer` does.

    Args:
        finder: Returns the finder of the index in use.
        synthesizer: Makes answers of nodes.
        run: Runs plain questions; see `pipelines.query.retriever`.
        answer: Answers plain questions; None: they are answered from their nodes alone.
    """

    def __init__(
        self,
        finder: Callable[[], Finder],
        synthesizer: FootnoteSynthesizer,
        run: Run,
        answer: AnswerText | None = None,
    ) -> None:
        super().__init__(
            FootnoteRetriever(finder, run),
            synthesizer,
            node_postprocessors=[*finder().postprocessors()],
            callback_manager=CallbackManager(),
        )
        self._finder = finder
        self._run = run
        self._answer = answer
        self._streaming = synthesizer.streaming

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """Return the best nodes for a question, after the postprocessors."""
        if not isinstance(query_bundle, SearchQuery):
            return self._run(query_bundle, super().retrieve)
        if self._has_listeners():
            return super().retrieve(query_bundle)
        return self._apply_node_postprocessors(self._finder().candidates(query_bundle), query_bundle)

    async def aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """See `retrieve`."""
        return await asyncio.to_thread(self.retrieve, query_bundle)

    def _apply_node_postprocessors(self, nodes: list[NodeWithScore], query_bundle: QueryBundle) -> list[NodeWithScore]:
        """Return the nodes after the stages that the query asks for, of the index in use."""
        assert isinstance(query_bundle, SearchQuery)
        began, heard = time.perf_counter(), self._has_listeners()
        postprocessors = self._finder().postprocessors(query_bundle)
        for postprocessor in postprocessors:
            run = postprocessor.postprocess_nodes if heard else postprocessor.run
            nodes = run(nodes, query_bundle)
        if postprocessors:
            query_bundle.trace.seconds["rerank"] = time.perf_counter() - began
        return nodes

    def _has_listeners(self) -> bool:
        """Return whether somebody listens to LlamaIndex's spans, events or callbacks; without, they are left out."""
        managers = (self.callback_manager, self.retriever.callback_manager)
        return has_listeners() or any(manager.handlers for manager in managers)

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        if self._answer is None:
            return super()._query(query_bundle)
        return respond(self._answer(query_bundle.query_str), streaming=self._streaming)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return await asyncio.to_thread(self._query, query_bundle)
