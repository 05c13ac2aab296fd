"""Qdrant Edge behind qdrant-client's interface: a vector database in this process, on one folder.

`EdgeClient` has the methods of `qdrant_client.QdrantClient` that LlamaIndex's `QdrantVectorStore` and the core call,
with the same names, arguments and types, so that code written for a server runs on it. What Edge cannot do is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, cast

import qdrant_edge as edge
from qdrant_client import models
from qdrant_client.http.models import QueryResponse  # the one of `models` belongs to fastembed

from pipelines.components.store.edge.collection import Change, cuts
from pipelines.components.store.edge.configs import (
    changed_config,
    collection_info,
    complete_config,
    edge_index,
    sparse_params,
    vector_params,
)
from pipelines.components.store.edge.convert import (
    convertible,
    edge_nearest,
    edge_point,
    edge_query,
    edge_vectors,
    id_scores,
    id_text,
    payload_selection,
    record,
    refuse_unsupported,
    scored_point,
)
from pipelines.components.store.edge.filters import Where, edge_filter, edge_selection, point_id
from pipelines.components.store.edge.folder import EdgeFolder

PointId = int | str
Nearest = tuple[str, Any, models.SearchParams | None]
"""A question for the nearest points: a vector's name, the vector asked with, and how it is looked for."""
_BATCH = 256  # points of one call of Edge, which holds Python's global lock: some ten milliseconds
_DONE = models.UpdateResult(operation_id=None, status=models.UpdateStatus.COMPLETED)
_ONE_OF_EACH = ("shard_number", "replication_factor", "write_consistency_factor")


class EdgeClient:
    """The collections in a folder, which this process holds until `close`; safe to share between threads.

    Args:
        folder: Where the collections live, one sub-folder each; made when it is missing.

    Raises:
        DataFolderHeld: Another process, or another client of this one, works on the folder.
        StoreUnavailable: The folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = EdgeFolder(folder)

    def __enter__(self) -> EdgeClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def collection_exists(self, collection_name: str) -> bool:
        """Return whether there is such a collection."""
        return self._folder.has(collection_name)

    def get_collections(self) -> models.CollectionsResponse:
        """Return the names of all collections."""
        names = self._folder.names()
        return models.CollectionsResponse(collections=[models.CollectionDescription(name=name) for name in names])

    def create_collection(
        self,
        collection_name: str,
        *,
        vectors_config: models.VectorParams | Mapping[str, models.VectorParams] | None = None,
        sparse_vectors_config: Mapping[str, models.SparseVectorParams] | None = None,
        hnsw_config: models.HnswConfigDiff | None = None,
        optimizers_config: models.OptimizersConfigDiff | None = None,
        quantization_config: models.QuantizationConfig | None = None,
        **unsupported: Any,
    ) -> bool:
        """Make an empty collection.

        Raises:
            Conflict: It exists already.
            InvalidRequest: A parameter asks for what Edge cannot do, such as several shards.
        """
        refuse_unsupported(
            {name: None if value == 1 and name in _ONE_OF_EACH else value for name, value in unsupported.items()}
        )
        config = complete_config(
            vectors_config, sparse_vectors_config, hnsw_config, optimizers_config, quantization_config
        )
        self._folder.create(collection_name, config)
        return True

    def update_collection(
        self,
        collection_name: str,
        *,
        hnsw_config: models.HnswConfigDiff | None = None,
        vectors_config: Mapping[str, models.VectorParamsDiff] | None = None,
        **unsupported: Any,
    ) -> bool:
        """Change the graph's parameters, or how vectors are kept; both follow when it is next optimised."""
        refuse_unsupported(unsupported)
        collection = self._folder.collection(collection_name)
        collection.reconfigure(changed_config(collection.config, hnsw_config, vectors_config or {}))
        return True

    def get_collection(self, collection_name: str) -> models.CollectionInfo:
        """Return size, payload indexes and configuration."""
        collection = self._folder.collection(collection_name)
        return collection_info(collection.config, collection.read(lambda shard: shard.info()))

    def delete_collection(self, collection_name: str, **unsupported: Any) -> bool:
        """Remove a collection and its files; False when there is none."""
        refuse_unsupported(unsupported)
        return self._folder.delete(collection_name)

    def create_payload_index(
        self, collection_name: str, field_name: str, field_schema: Any = None, **unsupported: Any
    ) -> models.UpdateResult:
        """Make filters on a field fast; `field_schema` is a type or its parameters."""
        refuse_unsupported(unsupported)
        with convertible("field_name"):
            operation = edge.UpdateOperation.create_field_index(field_name, edge_index(field_schema))
        return self._change(collection_name, operation)

    def upsert(
        self, collection_name: str, points: Sequence[models.PointStruct], **unsupported: Any
    ) -> models.UpdateResult:
        """Store points, replacing those of the same ids; all are checked before the first is stored."""
        refuse_unsupported(unsupported)
        collection = self._folder.collection(collection_name)
        vectors, sparse = vector_params(collection.config), sparse_params(collection.config)
        converted = [edge_point(point, vectors, sparse) for point in points]
        start = 0
        for end, several in cuts(points, _BATCH):
            batch = edge.UpdateOperation.upsert_points(converted[start:end])
            collection.write(Change(batch, end - start, several))
            start = end
        return _DONE

    def upload_points(
        self, collection_name: str, points: Iterable[models.PointStruct], batch_size: int = 64, **unsupported: Any
    ) -> None:
        """Store many points, a few at a time; `batch_size` is the server's affair."""
        refuse_unsupported(unsupported)
        remaining = iter(points)
        while batch := list(islice(remaining, max(batch_size, _BATCH))):
            self.upsert(collection_name, batch)

    def update_vectors(
        self, collection_name: str, points: Sequence[models.PointVectors], **unsupported: Any
    ) -> models.UpdateResult:
        """Set vectors of points, leaving their others; points that are not there are left out."""
        refuse_unsupported(unsupported)
        collection = self._folder.collection(collection_name)
        vectors, sparse = vector_params(collection.config), sparse_params(collection.config)
        for start in range(0, len(points), _BATCH):
            collection.set_vectors([edge_vectors(one, vectors, sparse) for one in points[start : start + _BATCH]])
        return _DONE

    def delete(self, collection_name: str, points_selector: Any, **unsupported: Any) -> models.UpdateResult:
        """Remove the points of the given ids, or those that a filter matches."""
        refuse_unsupported(unsupported)
        chosen = edge_selection(points_selector)
        return self._change(collection_name, edge.UpdateOperation.delete_points_by_filter(chosen))

    def set_payload(
        self,
        collection_name: str,
        payload: dict[str, Any],
        points: Any,
        key: str | None = None,
        **unsupported: Any,
    ) -> models.UpdateResult:
        """Set keys of the payload, leaving the others, on the given ids or on what a filter matches."""
        refuse_unsupported(unsupported)
        chosen = edge_selection(points)
        with convertible("payload"):
            operation = edge.UpdateOperation.set_payload_by_filter(chosen, payload, key)
        return self._change(collection_name, operation)

    def delete_payload(
        self, collection_name: str, keys: Sequence[str], points: Any, **unsupported: Any
    ) -> models.UpdateResult:
        """Remove keys of the payload on the given ids or on what a filter matches."""
        refuse_unsupported(unsupported)
        chosen = edge_selection(points)
        with convertible("keys"):
            operation = edge.UpdateOperation.delete_payload_by_filter(chosen, list(keys))
        return self._change(collection_name, operation)

    def query_points(
        self,
        collection_name: str,
        query: Any = None,
        *,
        using: str | None = None,
        prefetch: Any = None,
        query_filter: models.Filter | None = None,
        search_params: models.SearchParams | None = None,
        limit: int = 10,
        offset: int | None = None,
        with_payload: Any = True,
        with_vectors: Any = False,
        score_threshold: float | None = None,
        **unsupported: Any,
    ) -> QueryResponse:
        """Return the nearest points to a dense or sparse vector, or the fusion of prefetched lists."""
        refuse_unsupported(unsupported)
        request = models.QueryRequest(
            query=query.tolist() if hasattr(query, "tolist") else query,
            using=using or None,
            prefetch=prefetch,
            filter=query_filter,
            params=search_params,
            limit=limit,
            offset=offset,
            with_payload=with_payload,
            with_vector=with_vectors,
            score_threshold=score_threshold,
        )
        return self.query_batch_points(collection_name, [request])[0]

    def query_batch_points(
        self, collection_name: str, requests: Sequence[models.QueryRequest], **unsupported: Any
    ) -> list[QueryResponse]:
        """Return the answers to several queries, in their order."""
        refuse_unsupported(unsupported)
        answers = self._ask(collection_name, [edge_query(request) for request in requests])
        return [QueryResponse(points=[scored_point(point) for point in points]) for points in answers]

    def ranked(
        self, collection_name: str, questions: Sequence[Nearest], where: Where, limit: int
    ) -> list[list[tuple[PointId, float]]]:
        """Return the ids and scores of the ``limit`` nearest points to each question, among those that ``where``
        matches.

        `query_batch_points` says the same in qdrant-client's models, and building those costs more than the search.
        """
        chosen = edge_filter(where)
        answers = self._ask(collection_name, [edge_nearest(*question, chosen, limit) for question in questions])
        return [id_scores(points) for points in answers]

    def scroll(
        self,
        collection_name: str,
        scroll_filter: models.Filter | None = None,
        *,
        limit: int = 10,
        offset: PointId | None = None,
        with_payload: Any = True,
        with_vectors: Any = False,
        **unsupported: Any,
    ) -> tuple[list[models.Record], PointId | None]:
        """Return points in the order of their ids from `offset` on, and the id at which the next page begins."""
        refuse_unsupported(unsupported)
        request = edge.ScrollRequest(
            offset=None if offset is None else point_id(offset),
            limit=limit,
            filter=edge_filter(scroll_filter),
            with_payload=payload_selection(with_payload),
            with_vector=with_vectors,
        )
        records, following = self._folder.collection(collection_name).read(lambda shard: shard.scroll(request))
        return [record(found) for found in records], None if following is None else id_text(following)

    def retrieve(
        self,
        collection_name: str,
        ids: Sequence[PointId],
        with_payload: Any = True,
        with_vectors: Any = False,
        **unsupported: Any,
    ) -> list[models.Record]:
        """Return the points of the given ids; those that do not exist are left out."""
        refuse_unsupported(unsupported)
        return [record(point) for point in self._retrieved(collection_name, ids, with_payload, with_vectors)]

    def payloads(self, collection_name: str, ids: Sequence[PointId]) -> dict[PointId, dict[str, Any]]:
        """Return the payloads of the points of these ids that exist; as `retrieve`, without building its models."""
        found = self._retrieved(collection_name, ids, with_payload=True, with_vectors=False)
        return {id_text(point.id): point.payload or {} for point in found}

    def vectors(self, collection_name: str, ids: Sequence[PointId], name: str) -> dict[PointId, list[float]]:
        """Return the vectors of that name of the points of these ids that have one; as `payloads`."""
        found = self._retrieved(collection_name, ids, with_payload=False, with_vectors=[name])
        named = [(id_text(point.id), cast("dict[str, list[float]]", point.vector or {})) for point in found]
        return {point: vectors[name] for point, vectors in named if name in vectors}

    def count(
        self, collection_name: str, count_filter: Where = None, exact: bool = True, **unsupported: Any
    ) -> models.CountResult:
        """Return how many points there are, or how many a filter matches."""
        refuse_unsupported(unsupported)
        request = edge.CountRequest(exact=exact, filter=edge_filter(count_filter))
        return models.CountResult(
            count=self._folder.collection(collection_name).read(lambda shard: shard.count(request))
        )

    def facet(
        self,
        collection_name: str,
        key: str,
        facet_filter: models.Filter | None = None,
        limit: int = 10,
        exact: bool = False,
        **unsupported: Any,
    ) -> models.FacetResponse:
        """Return the most frequent values of an indexed field, and how many points have each."""
        refuse_unsupported(unsupported)
        with convertible("key"):
            request = edge.FacetRequest(key, limit=limit, exact=exact, filter=edge_filter(facet_filter))
        answer = self._folder.collection(collection_name).read(lambda shard: shard.facet(request))
        return models.FacetResponse(
            hits=[models.FacetValueHit(value=hit.value, count=hit.count) for hit in answer.hits]
        )

    def info(self) -> models.VersionInfo:
        """Return what answers here."""
        return models.VersionInfo(title="Qdrant Edge", version=version("qdrant-edge-py"))

    def unoptimized(self, collection_name: str) -> int:
        """Return points written since the collection was last optimised: they are searched one by one."""
        return self._folder.collection(collection_name).unoptimized

    def optimize(self, collection_name: str) -> None:
        """Build the graph over what was written and remove what was deleted, while the collection is used."""
        self._folder.collection(collection_name).optimize()

    def scrub(self, collection_name: str) -> None:
        """Erase removed points from the collection's files, while the collection is used."""
        self._folder.collection(collection_name).scrub()

    def copy_to(self, collection_name: str, folder: Path) -> None:
        """Copy a collection's files to a sub-folder of ``folder``; changes wait until then."""
        self._folder.collection(collection_name).copy_to(folder / collection_name)

    def flush(self) -> None:
        """Bring everything to disk, so that the next start has nothing to do again."""
        self._folder.flush()

    def close(self) -> None:
        """Flush to disk and release the folder."""
        self._folder.close()

    def _retrieved(
        self, collection_name: str, ids: Sequence[PointId], with_payload: Any, with_vectors: Any
    ) -> list[edge.Record]:
        wanted, selection = [point_id(given) for given in ids], payload_selection(with_payload)
        return self._folder.collection(collection_name).read(
            lambda shard: shard.retrieve(wanted, selection, with_vectors)
        )

    def _ask(self, collection_name: str, requests: list[edge.QueryRequest]) -> list[list[edge.ScoredPoint]]:
        batch = edge.QueryBatchRequest(requests)
        return self._folder.collection(collection_name).read(lambda shard: shard.query_batch(batch))

    def _change(self, collection_name: str, operation: edge.UpdateOperation, points: int = 0) -> models.UpdateResult:
        self._folder.collection(collection_name).write(Change(operation, points))
        return _DONE
