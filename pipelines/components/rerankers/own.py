"""Any LlamaIndex postprocessor as a reranker stage."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import QueryBundle

from pipelines.components.hit_nodes import hits_to_nodes, node_to_hit
from pipelines.components.rerankers.base import Stage
from pipelines.types import Hit

DEPTH = 50


class OwnStage(Stage):
    """Orders candidates as a postprocessor does; one that it leaves out is dropped."""

    _postprocessor: BaseNodePostprocessor = PrivateAttr()

    def __init__(self, name: str, postprocessor: BaseNodePostprocessor, depth: int = DEPTH) -> None:
        super().__init__(name=name, depth=depth)
        self._postprocessor = postprocessor

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        ranked = self._postprocessor.postprocess_nodes(hits_to_nodes(hits), query_bundle=query)
        return [(node_to_hit(found), found.score or 0.0) for found in ranked]
