"""Where chunks live: one store for Qdrant Edge, qdrant-client's memory mode and a Qdrant server.

`ChunkStore` is LlamaIndex's `QdrantVectorStore` with what the core asks of it beside: both legs in one call, payloads,
counts and changes by filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.types import (
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_nodes import leg_result, stored_id, to_node, to_payload, tokens_of, with_names
from pipelines.components.store.collection import DENSE, SPARSE, TOKENS, Leg, StoreCollection
from pipelines.components.store.edge.filters import Where
from pipelines.components.store.llama_queries import filter_of, legs_of, refuse_unknown
from pipelines.components.store.payload_indexes import DOCUMENT
from pipelines.components.store.synchronous import SynchronousStore
from pipelines.errors import InvalidRequest, Problem
from pipelines.events import Observe, ignore_event
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.storage import Hnsw, StoreSection

Vector = Sequence[float] | npt.NDArray[np.floating[Any]]
_HAS_VECTOR = models.HasVectorCondition(has_vector=DENSE)
_BATCH = 512
_BATCH_WITH_TOKENS = 16  # a chunk is then up to a megabyte as JSON, and a server takes 32 in a request


def build_vector_store(
    section: StoreSection,
    *,
    folder: Path,
    collection: str,
    dimensions: int,
    fields: Mapping[str, MetadataField],
    encoder: Bm25Encoder,
    tokens: bool = False,
    observe: Observe = ignore_event,
) -> ChunkStore:
    """Open the profile's store, and make the collection and its indexes where they are missing.

    Args:
        section: Which engine, and its parameters.
        folder: Where the embedded engine keeps its files.
        collection: Name of the collection.
        dimensions: Length of the dense vectors.
        fields: The declared metadata, which is indexed.
        encoder: Makes the sparse vectors.
        tokens: Whether chunks come with the vectors of their words; decided when the collection is made.
        observe: Receives an event when the engine does not answer.

    Raises:
        DataFolderHeld: Another process works on the folder (edge).
        EmbeddingChanged: The collection holds vectors of another length.
        StoreUnavailable: The server does not answer, or the folder cannot be used.
    """
    chunks = StoreCollection(section, folder, collection, dimensions, fields, tokens=tokens, observe=observe)
    return ChunkStore(chunks, fields, encoder)


class ChunkStore(SynchronousStore):
    """A tenant's chunks; made by `build_vector_store`, safe to share between threads.

    Stored of a chunk: its dense vector (cosine), its BM25 vector, perhaps the vectors of its words, and as payload its
    text and its node's metadata.
    LlamaIndex may use it like any vector store; its filters name declared fields without ``metadata.`` before them, and
    compare them as the filter language does.
    Every method raises `StoreUnavailable` or `PartTimeout` when the engine gives no answer.
    """

    _chunks: StoreCollection = PrivateAttr()
    _fields: Mapping[str, MetadataField] = PrivateAttr()
    _encoder: Bm25Encoder = PrivateAttr()

    def __init__(self, chunks: StoreCollection, fields: Mapping[str, MetadataField], encoder: Bm25Encoder) -> None:
        super().__init__(chunks, encoder)
        self._chunks, self._fields, self._encoder = chunks, fields, encoder

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes the store down."""
        return "ChunkStore"

    @property
    def encoder(self) -> Bm25Encoder:
        """What makes the sparse vectors."""
        return self._encoder

    # -----------------------------------------------------------------------------------------------------------------
    # For the core

    def compiled(self, where: models.Filter | None) -> Where:
        """Return the engine's own form of a filter, for `legs`: a search with several legs converts its filter once.

        Raises:
            InvalidFilter: The engine does not know a condition.
        """
        return self._chunks.compiled(where)

    def legs(
        self,
        dense: Vector | None,
        sparse: models.SparseVector | None,
        *,
        where: Where,
        depth: int,
        exact: bool = False,
    ) -> dict[str, Leg]:
        """Return the best ``depth`` chunks of each leg: ids and raw scores, falling; equal scores in the order of
        ids.

        A leg that is not asked, or whose question has no terms, is empty. ``exact``: every chunk is weighed.
        """
        asked: dict[str, Any] = {}
        if dense is not None:
            asked[DENSE] = dense.tolist() if isinstance(dense, np.ndarray) else list(dense)
        if sparse is not None and sparse.indices:
            asked[SPARSE] = sparse
        answers = dict(zip(asked, self._chunks.ranked(asked, where, depth, exact=exact), strict=True)) if asked else {}
        return {"dense": answers.get(DENSE, []), "sparse": answers.get(SPARSE, [])}

    @property
    def holds_tokens(self) -> bool:
        """Whether the vectors of words are stored."""
        return self._chunks.tokens

    def alike(self, tokens: npt.NDArray[np.floating[Any]], chunk_ids: Sequence[str]) -> dict[str, float]:
        """MaxSim by id: the sum, over the rows of ``tokens``, of the best product with a word of the chunk.

        Chunks without words are left out.
        """
        return self._chunks.alike(tokens, chunk_ids) if chunk_ids and len(tokens) else {}

    def fetch(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return payloads by id as it is stored, in the order given; ids that are not there are left out."""
        found = self._chunks.payloads(chunk_ids)
        stored = (chunk_id if chunk_id in found else stored_id(chunk_id) for chunk_id in chunk_ids)
        return {chunk_id: found[chunk_id] for chunk_id in stored if chunk_id in found}

    def vectors(self, chunk_ids: Sequence[str]) -> dict[str, list[float]]:
        """Return stored dense vectors by id; ids that are not there are left out."""
        return self._chunks.vectors(chunk_ids)

    def words(self, chunk_ids: Sequence[str]) -> dict[str, dict[int, float]]:
        """Return stored BM25 weights by id, each by its term; chunks that have none, or are not there, are left out."""
        among = models.Filter(must=[models.HasIdCondition(has_id=list(chunk_ids))])
        records: Iterator[Any] = self._chunks.scroll(among, vectors=[SPARSE]) if chunk_ids else iter(())
        found = {str(record.id): (record.vector or {}).get(SPARSE) for record in records}
        return {key: dict(zip(one.indices, one.values, strict=True)) for key, one in found.items() if one is not None}

    @property
    def shards(self) -> int:
        """How many shards the collection has; each weighs words by its own chunks."""
        return self._chunks.shards

    def without_vectors(self, most: int) -> dict[str, dict[str, Any]]:
        """Return payloads by id of at most ``most`` chunks that have no dense vector."""
        return self.fetch(self.first(models.Filter(must_not=[_HAS_VECTOR]), most))

    def give_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Set the dense vectors of chunks that were stored without; chunks that are gone are left out."""
        self._chunks.give_vectors(vectors)

    def scan(self, where: models.Filter | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return every chunk that ``where`` matches, with its payload, in the order of ids."""
        return ((str(record.id), record.payload or {}) for record in self._chunks.scroll(where))

    def check(self) -> None:
        """Read every chunk with its vectors.

        Raises:
            StoreUnavailable: One cannot be read.
        """
        for _ in self._chunks.scroll(None, vectors=True):
            pass

    def first(self, where: models.Filter, most: int) -> list[str]:
        """Return ids of the first ``most`` chunks that ``where`` matches, in their order."""
        return self._chunks.first(where, most)

    def count(self, where: models.Filter | None = None) -> int:
        """Return how many chunks ``where`` matches."""
        return self._chunks.count(where)

    def count_vectors(self, where: models.Filter | None = None) -> int:
        """Return how many chunks that ``where`` matches have a dense vector."""
        return self.count(models.Filter(must=[_HAS_VECTOR] if where is None else [_HAS_VECTOR, where]))

    def count_without_vectors(self) -> int:
        """Return how many chunks have no dense vector."""
        return self.count(models.Filter(must_not=[_HAS_VECTOR]))

    def remove(self, where: models.Filter) -> int:
        """Remove the chunks that ``where`` matches; return how many there were."""
        matched = self._chunks.count(where)
        if matched:
            self._chunks.remove(where)
        return matched

    def set_fields(self, values: Mapping[str, Any], where: models.Filter) -> None:
        """Set keys of the payload on the chunks that ``where`` matches."""
        self._chunks.set_fields(values, where)

    def missing_indexes(self) -> list[str]:
        """Return keys of the payload that the profile wants indexed, and that are not; `prepare` makes their
        indexes.
        """
        return self._chunks.missing_indexes()

    def prepare(self) -> None:
        """Make what is missing of the collection and its indexes."""
        self._chunks.prepare()

    def reshape(self, hnsw: Hnsw) -> None:
        """Give the graph another shape, which it has from the next `optimize` on."""
        self._chunks.reshape(hnsw)

    @property
    def unoptimized(self) -> int:
        """Chunks written since the last `optimize`, which are searched one by one; 0 where the engine sees to it."""
        return self._chunks.unoptimized

    def optimize(self) -> None:
        """Build the graph over what was written and drop what was removed; a server does so by itself."""
        self._chunks.optimize()

    def scrub(self) -> None:
        """Erase removed chunks from the files; a server does so in its own time."""
        self._chunks.scrub()

    def copy_to(self, folder: Path) -> None:
        """Copy the files of an Edge store as they are at this moment; changes wait until then."""
        self._chunks.copy_to(folder)

    def copy_points_to(self, other: ChunkStore) -> None:
        """Write every chunk as it is stored, with all its vectors, to a store of any engine."""
        records = self._chunks.scroll(None, vectors=True)
        while batch := list(islice(records, _BATCH_WITH_TOKENS if self._chunks.tokens else _BATCH)):
            other._chunks.write([_point(record) for record in batch])

    def collections(self) -> list[str]:
        """Names of all collections of a Qdrant server; none for an engine of this process alone."""
        return self._chunks.collections()

    def remove_collection(self, name: str) -> None:
        """Remove another collection of the server."""
        self._chunks.remove_collection(name)

    def close(self) -> None:
        """Flush to disk and release the folder or the connection."""
        self._chunks.close()

    # -----------------------------------------------------------------------------------------------------------------
    # For LlamaIndex

    def add(self, nodes: Sequence[BaseNode], shard_identifier: Any | None = None, **_: Any) -> list[str]:
        """Store nodes, replacing those of the same ids; return the ids. What has no embedding is found by its words."""
        refuse_unknown({"shard_identifier": shard_identifier})
        step = _BATCH_WITH_TOKENS if self._chunks.tokens else _BATCH
        for start in range(0, len(nodes), step):
            self._chunks.write(self._build_points(list(nodes[start : start + step]), self.sparse_vector_name)[0])
        return [node.node_id for node in nodes]

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Return the nodes nearest to a query by its vector, its words, or both fused.

        Raises:
            InvalidRequest: The mode is not known here, or lacks what it needs (LlamaIndex would answer another mode).
        """
        where = kwargs.pop("qdrant_filters", None) or self._build_query_filter(query)
        refuse_unknown(kwargs)
        dense, sparse = legs_of(query, self._encoder)
        depths = {"dense": query.similarity_top_k, "sparse": query.sparse_top_k or query.similarity_top_k}
        legs = self.legs(dense, sparse, where=where, depth=max(depths.values()))
        near, worded = legs["dense"][: depths["dense"]], legs["sparse"][: depths["sparse"]]
        payloads = self.fetch(list(dict.fromkeys(chunk_id for chunk_id, _ in near + worded)))
        if query.mode != VectorStoreQueryMode.HYBRID:
            return leg_result(near or worded, payloads)
        assert self._hybrid_fusion_fn is not None
        return self._hybrid_fusion_fn(
            leg_result(near, payloads),
            leg_result(worded, payloads),
            alpha=0.5 if query.alpha is None else query.alpha,
            top_k=query.hybrid_top_k or query.similarity_top_k,
        )

    def get_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        limit: int | None = None,
        shard_identifier: Any | None = None,
    ) -> list[BaseNode]:
        """Return all nodes that have one of the ids and fit the filters, up to ``limit`` if one is given."""
        refuse_unknown({"shard_identifier": shard_identifier})
        records = islice(self._chunks.scroll(self._matching(node_ids, filters), vectors=[DENSE]), limit)
        return list(self.parse_to_query_result(list(records)).nodes or [])

    def delete(self, ref_doc_id: str, shard_identifier: Any | None = None, **_: Any) -> None:
        """Remove the chunks of a document, of all its versions."""
        refuse_unknown({"shard_identifier": shard_identifier})
        self.remove(models.Filter(must=[_any_of(DOCUMENT, [ref_doc_id])]))

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        shard_identifier: Any | None = None,
        **_: Any,
    ) -> None:
        """Remove the nodes that have one of the ids and fit the filters.

        Raises:
            InvalidRequest: Neither is given, or filters without a condition; `clear` removes everything.
        """
        refuse_unknown({"shard_identifier": shard_identifier})
        where = self._matching(node_ids, filters)
        if where is None:
            raise InvalidRequest(Problem("delete_nodes", "needs ids or filters; clear() removes everything"))
        self.remove(where)

    def clear(self) -> None:
        """Remove everything; the empty collection stays."""
        self._chunks.clear()

    def parse_to_query_result(self, response: list[Any]) -> VectorStoreQueryResult:
        """Return points of qdrant-client as LlamaIndex's result."""
        return VectorStoreQueryResult(
            nodes=[to_node(str(point.id), point.payload or {}, _dense(point)) for point in response],
            similarities=[getattr(point, "score", 1.0) for point in response],
            ids=[str(point.id) for point in response],
        )

    def _build_points(self, nodes: list[BaseNode], sparse_vector_name: str) -> tuple[list[Any], list[str]]:
        points = []
        for node in nodes:
            vector: dict[str, Any] = {} if node.embedding is None else {DENSE: node.embedding}
            sparse = self._encoder.document(node.get_content(MetadataMode.EMBED))
            if sparse.indices:
                vector[sparse_vector_name] = sparse
            tokens = tokens_of(node) if self._chunks.tokens else None
            payload = with_names(to_payload(node), self._chunks.names)
            if tokens is None or not len(tokens):
                points.append(models.PointStruct(id=node.node_id, vector=vector, payload=payload))
                continue
            vector[TOKENS] = tokens.tolist()
            # Pydantic would look at each of some ten thousand numbers.
            points.append(models.PointStruct.model_construct(id=node.node_id, vector=vector, payload=payload))
        return points, [node.node_id for node in nodes]

    def _build_query_filter(self, query: VectorStoreQuery) -> models.Filter | None:
        # A retriever without ids passes an empty list of them.
        return self._matching(query.node_ids or None, query.filters, query.doc_ids or None)

    def _matching(
        self, node_ids: list[str] | None, filters: MetadataFilters | None, documents: list[str] | None = None
    ) -> models.Filter | None:
        """Return all of the conditions that are given; LlamaIndex's own store joins ids and filters by "or"."""
        must: list[Any] = []
        if node_ids is not None:
            must.append(models.HasIdCondition(has_id=list(node_ids)))
        if documents is not None:
            must.append(_any_of(DOCUMENT, documents))
        chosen = None if filters is None else filter_of(filters, self._fields, super()._build_subfilter)
        if chosen is not None:
            must.append(chosen)
        return models.Filter(must=must) if must else None


def _point(record: models.Record) -> models.PointStruct:
    # Pydantic would look at each number of the vectors.
    vector: Any = record.vector or {}
    return models.PointStruct.model_construct(id=record.id, vector=vector, payload=record.payload)


def _any_of(key: str, values: list[str]) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchAny(any=values))


def _dense(point: Any) -> list[float] | None:
    return point.vector.get(DENSE) if isinstance(point.vector, dict) else None
