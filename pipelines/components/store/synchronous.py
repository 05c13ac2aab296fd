"""How LlamaIndex's store of Qdrant is set up, and the asynchronous half of its interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery, VectorStoreQueryResult
from llama_index.vector_stores.qdrant import QdrantVectorStore

from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_nodes import convex_fusion
from pipelines.components.store.collection import DENSE, SPARSE, StoreCollection


class SynchronousStore(QdrantVectorStore):
    """A store whose asynchronous methods call the synchronous ones, as in LlamaIndex's own stores."""

    def __init__(self, chunks: StoreCollection, encoder: Bm25Encoder) -> None:
        super().__init__(
            collection_name=chunks.name,
            client=chunks.client,
            enable_hybrid=True,
            dense_vector_name=DENSE,
            sparse_vector_name=SPARSE,
            sparse_doc_fn=encoder.documents,
            sparse_query_fn=encoder.queries,
            hybrid_fusion_fn=convex_fusion,
            index_doc_id=False,
        )

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """See `query`."""
        return self.query(query, **kwargs)

    async def async_add(self, nodes: Sequence[BaseNode], shard_identifier: Any | None = None, **_: Any) -> list[str]:
        """See `add`."""
        return self.add(list(nodes), shard_identifier)

    async def aget_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        limit: int | None = None,
        shard_identifier: Any | None = None,
    ) -> list[BaseNode]:
        """See `get_nodes`."""
        return self.get_nodes(node_ids, filters, limit, shard_identifier)

    async def adelete(self, ref_doc_id: str, shard_identifier: Any | None = None, **_: Any) -> None:
        """See `delete`."""
        self.delete(ref_doc_id, shard_identifier)

    async def adelete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        shard_identifier: Any | None = None,
        **_: Any,
    ) -> None:
        """See `delete_nodes`."""
        self.delete_nodes(node_ids, filters, shard_identifier)

    async def aclear(self) -> None:
        """See `clear`."""
        self.clear()
