"""The end of a search: as many hits as were asked for."""

from __future__ import annotations

from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.hit_nodes import hits_to_nodes, nodes_to_hits
from pipelines.components.rerankers.base import Postprocessor, append_below
from pipelines.components.search_query import SearchQuery


class TopK(Postprocessor):
    """Keeps the first nodes. A search that lacks some gets them from below the candidates that the stages read.

    Attributes:
        top_k: How many nodes to keep, unless the query is a `SearchQuery`, which says so itself.
    """

    top_k: int

    def run(self, nodes: list[NodeWithScore], query: QueryBundle) -> list[NodeWithScore]:
        """See `Postprocessor`."""
        if not isinstance(query, SearchQuery):
            return nodes[: self.top_k]
        missing, remainder = query.top_k - len(nodes), query.remainder
        if missing <= 0 or remainder is None:
            return nodes[: query.top_k]
        hits = append_below(nodes_to_hits(nodes), remainder.floor, remainder.first(missing))
        return [*nodes, *hits_to_nodes(hits[len(nodes) :])]
