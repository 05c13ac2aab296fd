"""The end of a search: as many hits as were asked for."""

from __future__ import annotations

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.hit_nodes import hits_to_nodes, nodes_to_hits
from pipelines.components.rerankers.base import append_below
from pipelines.components.search_query import SearchQuery


class TopK(BaseNodePostprocessor):
    """Keeps the first nodes. A search that lacks some gets them from below the candidates that the stages read.

    Attributes:
        top_k: How many nodes to keep, unless the query is a `SearchQuery`, which says so itself.
    """

    top_k: int

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serializes it."""
        return cls.__name__

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if not isinstance(query_bundle, SearchQuery):
            return nodes[: self.top_k]
        missing, remainder = query_bundle.top_k - len(nodes), query_bundle.remainder
        if missing > 0 and remainder is not None and (below := remainder.first(missing)):
            return hits_to_nodes(append_below(nodes_to_hits(nodes), remainder.floor, below))
        return nodes[: query_bundle.top_k]
