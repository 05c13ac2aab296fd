"""qdrant-client's points, queries and configurations as Qdrant Edge's, and Edge's answers as qdrant-client's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import qdrant_edge as edge
from pydantic import BaseModel
from qdrant_client import models

from pipelines.components.store.edge.filters import edge_filter, point_id
from pipelines.errors import InvalidRequest, Problem

Vectors = Mapping[str, models.VectorParams]
Sparse = Mapping[str, models.SparseVectorParams]

_DEFAULT_HNSW = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}
_DEFAULT_OPTIMIZERS = {
    "default_segment_number": 2,
    "flush_interval_sec": 0,
    "deleted_threshold": 0.1,  # optimising gives back the room of what was deleted, which Edge else keeps: a fifth of
    "vacuum_min_vector_number": 100,  # a segment, and all of one with less than a thousand points
}
_UUID_NAMES: dict[int, str] = {}
_MOST_UUID_NAMES = 50_000


def refused(path: str, message: str) -> InvalidRequest:
    """The error for what Edge cannot do, or must not be asked."""
    return InvalidRequest(Problem(path, message))


@contextmanager
def convertible(path: str) -> Iterator[None]:
    """Says in the core's words what Edge finds wrong with a value from Python."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise refused(path, str(error).splitlines()[0]) from error


def id_text(given: int | str | UUID) -> int | str:
    """A point's id as qdrant-client gives it; spelling a UUID costs more than finding the point, so it is kept."""
    if not isinstance(given, UUID):
        return given
    name = _UUID_NAMES.get(given.int)
    if name is None:
        if len(_UUID_NAMES) >= _MOST_UUID_NAMES:
            _UUID_NAMES.clear()
        name = _UUID_NAMES[given.int] = str(given)
    return name


# ---------------------------------------------------------------------------------------------------------------------
# Points


def edge_point(given: models.PointStruct, vectors: Vectors, sparse: Sparse) -> edge.Point:
    """A point, checked against the collection.

    The check comes first because Edge writes an operation to its log before it applies it: half of a batch with one bad
    vector would be stored, another half after the log is replayed.
    """
    if isinstance(given.vector, Mapping):
        vector: Any = {name: _vector(name, value, vectors, sparse) for name, value in given.vector.items()}
    else:
        vector = _vector("", given.vector, vectors, sparse)
    with convertible("payload"):
        return edge.Point(point_id(given.id), vector, given.payload)


def _vector(name: str, given: Any, vectors: Vectors, sparse: Sparse) -> Any:
    if isinstance(given, models.SparseVector):
        if name not in sparse:
            raise refused(f"vector -> {name}", "the collection has no such sparse vector")
        return _finite(name, edge.SparseVector(given.indices, given.values), given.values)
    if name not in vectors or not isinstance(given, list):
        raise refused(f"vector -> {name}", "the collection has no such dense vector")
    several = bool(given) and isinstance(given[0], list)
    if several != (vectors[name].multivector_config is not None):
        raise refused(f"vector -> {name}", "must be a list of vectors for a multivector, and else one vector")
    if several:
        return [_vector_of(name, one, vectors) for one in given]
    return _vector_of(name, given, vectors)


def _vector_of(name: str, given: list[float], vectors: Vectors) -> Any:
    if len(given) != vectors[name].size:
        raise refused(f"vector -> {name}", f"has {len(given)} dimensions, the collection {vectors[name].size}")
    return _finite(name, given, given)


def _finite(name: str, vector: Any, values: Sequence[float]) -> Any:
    if not math.isfinite(sum(values)):
        raise refused(f"vector -> {name}", "holds a number that is not finite")
    return vector


# ---------------------------------------------------------------------------------------------------------------------
# Queries


def edge_query(given: models.QueryRequest) -> edge.QueryRequest:
    """A query of one leg, or of prefetched legs that are fused.

    Raises:
        InvalidRequest: A kind of query that is not carried out here, such as recommendation.
    """
    for unknown in ("shard_key", "lookup_from"):
        if getattr(given, unknown) is not None:
            raise refused(unknown, "Qdrant Edge has no shards and no other collections to look up")
    return edge.QueryRequest(
        limit=10 if given.limit is None else given.limit,
        offset=given.offset,
        query=_query(given.query, given.using),
        prefetches=[_prefetch(stage) for stage in _listed(given.prefetch)],
        with_vector=given.with_vector,
        with_payload=payload_selection(given.with_payload),
        filter=edge_filter(given.filter),
        score_threshold=given.score_threshold,
        params=_search_params(given.params),
    )


def edge_nearest(
    using: str, vector: Any, params: models.SearchParams | None, chosen: edge.Filter | None, limit: int
) -> edge.QueryRequest:
    """The question for the points nearest to a vector, by their vectors of a name; ids and scores are the answer."""
    return edge.QueryRequest(
        limit=limit,
        query=_query(vector, using),
        filter=chosen,
        params=_search_params(params),
        with_vector=False,
        with_payload=False,
    )


def _prefetch(given: models.Prefetch) -> edge.Prefetch:
    return edge.Prefetch(
        limit=10 if given.limit is None else given.limit,
        query=_query(given.query, given.using),
        prefetches=[_prefetch(stage) for stage in _listed(given.prefetch)],
        params=_search_params(given.params),
        filter=edge_filter(given.filter),
        score_threshold=given.score_threshold,
    )


def _query(given: Any, using: str | None) -> Any:
    if isinstance(given, models.NearestQuery) and given.mmr is None:
        given = given.nearest
    if isinstance(given, models.SparseVector):
        return edge.Query.Nearest(edge.SparseVector(given.indices, given.values), using=using)
    if isinstance(given, list):
        return edge.Query.Nearest(given, using=using)
    if isinstance(given, models.FusionQuery):
        return edge.Fusion.Rrf(k=2) if given.fusion == models.Fusion.RRF else edge.Fusion.Dbsf()
    if isinstance(given, models.RrfQuery):
        return edge.Fusion.Rrf(k=2 if given.rrf.k is None else given.rrf.k, weights=given.rrf.weights)
    raise refused("query", f"{type(given).__name__} is not carried out; ask with a vector, or fuse prefetched legs")


def _search_params(given: models.SearchParams | None) -> edge.SearchParams | None:
    if given is None:
        return None
    if isinstance(given.idf, models.IdfCorpusParams):
        raise refused("params", "idf is not carried out here")
    return edge.SearchParams(
        hnsw_ef=given.hnsw_ef,
        exact=bool(given.exact),
        indexed_only=bool(given.indexed_only),
        quantization=_quantization_search(given.quantization),
        acorn=_acorn(given.acorn),
    )


def _acorn(given: models.AcornSearchParams | None) -> edge.AcornSearchParams | None:
    if given is None:
        return None
    return edge.AcornSearchParams(enable=bool(given.enable), max_selectivity=given.max_selectivity)


def _quantization_search(given: models.QuantizationSearchParams | None) -> edge.QuantizationSearchParams | None:
    if given is None:
        return None
    return edge.QuantizationSearchParams(
        ignore=bool(given.ignore), rescore=given.rescore, oversampling=given.oversampling
    )


def payload_selection(given: Any) -> Any:
    """Which keys of the payload an answer carries."""
    if isinstance(given, models.PayloadSelectorInclude):
        return list(given.include)
    if isinstance(given, models.PayloadSelectorExclude):
        return edge.PayloadSelector.Exclude(list(given.exclude))
    return given


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return given if isinstance(given, list) else [given]


# ---------------------------------------------------------------------------------------------------------------------
# Configurations


def complete_config(
    vectors: models.VectorParams | Vectors | None,
    sparse: Sparse | None,
    hnsw: models.HnswConfigDiff | None,
    optimizers: models.OptimizersConfigDiff | None,
    quantization: models.QuantizationConfig | None,
) -> models.CollectionConfig:
    """The configuration of a new collection, where what was not given has Qdrant's defaults."""
    return models.CollectionConfig(
        params=models.CollectionParams(
            vectors=dict(vectors) if isinstance(vectors, Mapping) else vectors,
            sparse_vectors=dict(sparse) if sparse else None,
        ),
        hnsw_config=models.HnswConfig(**(_DEFAULT_HNSW | _given(hnsw))),
        optimizer_config=models.OptimizersConfig(**(_DEFAULT_OPTIMIZERS | _given(optimizers))),
        quantization_config=quantization,
    )


def changed_config(
    config: models.CollectionConfig,
    hnsw: models.HnswConfigDiff | None,
    vectors: Mapping[str, models.VectorParamsDiff],
) -> models.CollectionConfig:
    """The configuration with other parameters of the graph, or of how some of the vectors are kept."""
    graph = models.HnswConfig(**(_given(config.hnsw_config) | _given(hnsw)))
    kept = vector_params(config)
    if unknown := sorted(set(vectors) - set(kept)):
        raise refused(f"vectors_config -> {unknown[0]}", "the collection has no such dense vector")
    kept |= {name: _changed_vector(kept[name], change) for name, change in vectors.items()}
    params = config.params.model_copy(update={"vectors": kept.get("", kept)})
    return config.model_copy(update={"hnsw_config": graph, "params": params})


def _changed_vector(params: models.VectorParams, change: models.VectorParamsDiff) -> models.VectorParams:
    update = {name: getattr(change, name) for name in change.model_fields_set}
    if update.get("quantization_config") == models.Disabled.DISABLED:
        update["quantization_config"] = None
    return params.model_copy(update=update)


def _given(model: BaseModel | None) -> dict[str, Any]:
    return model.model_dump(exclude_none=True) if model is not None else {}


def edge_config(config: models.CollectionConfig) -> edge.EdgeConfig:
    """What a shard is created with; `config` is complete, without defaults to be filled in."""
    optimizers = config.optimizer_config
    return edge.EdgeConfig(
        vectors={name: _vector_params(params) for name, params in vector_params(config).items()},
        sparse_vectors={name: _sparse_params(params) for name, params in sparse_params(config).items()},
        hnsw_config=_hnsw(config.hnsw_config),
        quantization_config=_quantization(config.quantization_config),
        optimizers=edge.EdgeOptimizersConfig(
            deleted_threshold=optimizers.deleted_threshold,
            vacuum_min_vector_number=optimizers.vacuum_min_vector_number,
            default_segment_number=optimizers.default_segment_number,
            indexing_threshold=optimizers.indexing_threshold,
        ),
        # Measured: a second thread gains nothing below 10,000 points, and costs most when the processor is busy.
        max_search_threads=1,
    )


def vector_params(config: models.CollectionConfig) -> dict[str, models.VectorParams]:
    """The dense vectors by name; one without a name is named by the empty string."""
    vectors = config.params.vectors or {}
    return {"": vectors} if isinstance(vectors, models.VectorParams) else dict(vectors)


def sparse_params(config: models.CollectionConfig) -> dict[str, models.SparseVectorParams]:
    """The sparse vectors by name."""
    return dict(config.params.sparse_vectors or {})


def _vector_params(given: models.VectorParams) -> edge.EdgeVectorParams:
    if given.memory is not None:
        raise refused("vectors_config -> memory", "is not carried out per vector; use on_disk")
    several, kind, graph = given.multivector_config, given.datatype, given.hnsw_config
    return edge.EdgeVectorParams(
        given.size,
        getattr(edge.Distance, given.distance.value),
        on_disk=given.on_disk,
        quantization_config=_quantization(given.quantization_config),
        multivector_config=edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim) if several else None,
        datatype=getattr(edge.VectorStorageDatatype, kind.value.capitalize()) if kind else None,
        hnsw_config=_hnsw(models.HnswConfig(**(_DEFAULT_HNSW | _given(graph)))) if graph else None,
    )


def _sparse_params(given: models.SparseVectorParams) -> edge.EdgeSparseVectorParams:
    index = given.index or models.SparseIndexParams()
    if index.datatype is not None or index.memory is not None:
        raise refused("sparse_vectors_config -> index", "datatype and memory are not carried out")
    return edge.EdgeSparseVectorParams(
        full_scan_threshold=index.full_scan_threshold,
        on_disk=index.on_disk,
        modifier=edge.Modifier.Idf if given.modifier == models.Modifier.IDF else None,
    )


def _hnsw(given: models.HnswConfig) -> edge.HnswIndexConfig:
    return edge.HnswIndexConfig(
        given.m, given.ef_construct, given.full_scan_threshold, on_disk=given.on_disk, payload_m=given.payload_m
    )


def _quantization(given: Any) -> edge.ScalarQuantizationConfig | None:
    if given is None:
        return None
    if not isinstance(given, models.ScalarQuantization):
        raise refused("quantization_config", f"{type(given).__name__} is not carried out; use scalar quantization")
    scalar = given.scalar
    return edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=scalar.quantile, always_ram=scalar.always_ram)


def edge_index(schema: Any) -> Any:
    """The payload index that ``schema``, a type or its parameters, asks for."""
    kind = schema.value if isinstance(schema, models.PayloadSchemaType) else getattr(schema, "type", schema)
    kind = getattr(kind, "value", kind)
    if kind not in _INDEXES:
        raise refused("field_schema", f"{kind} indexes are not carried out; use one of {', '.join(_INDEXES)}")
    make, known = _INDEXES[kind]
    given = schema.model_dump(exclude_none=True, exclude={"type"}) if hasattr(schema, "model_dump") else {}
    if unknown := sorted(set(given) - known):
        raise refused(f"field_schema -> {unknown[0]}", f"is not carried out for {kind} indexes")
    return make(**given)


_INDEXES: dict[str, tuple[Any, frozenset[str]]] = {
    "keyword": (edge.KeywordIndexParams, frozenset({"prefix", "is_tenant", "on_disk", "enable_hnsw"})),
    "integer": (edge.IntegerIndexParams, frozenset({"lookup", "range", "is_principal", "on_disk", "enable_hnsw"})),
    "float": (edge.FloatIndexParams, frozenset({"is_principal", "on_disk", "enable_hnsw"})),
    "bool": (edge.BoolIndexParams, frozenset({"on_disk", "enable_hnsw"})),
    "datetime": (edge.DatetimeIndexParams, frozenset({"is_principal", "on_disk", "enable_hnsw"})),
    "uuid": (edge.UuidIndexParams, frozenset({"is_tenant", "on_disk", "enable_hnsw"})),
}


# ---------------------------------------------------------------------------------------------------------------------
# Answers


def scored_point(given: edge.ScoredPoint) -> models.ScoredPoint:
    """A hit with what was asked of it."""
    return models.ScoredPoint(
        id=id_text(given.id),
        version=given.version,
        score=given.score,
        payload=given.payload,
        vector=_given_vector(given.vector),
        order_value=given.order_value,
    )


def record(given: edge.Record) -> models.Record:
    """A stored point with what was asked of it."""
    return models.Record(
        id=id_text(given.id),
        payload=given.payload,
        vector=_given_vector(given.vector),
        order_value=given.order_value,
    )


def _given_vector(given: Any) -> Any:
    if isinstance(given, edge.SparseVector):
        return models.SparseVector(indices=given.indices, values=given.values)
    if isinstance(given, dict):
        return {name: _given_vector(vector) for name, vector in given.items()}
    return given


def collection_info(config: models.CollectionConfig, info: edge.ShardInfo) -> models.CollectionInfo:
    """The size, payload indexes and configuration of a collection."""
    schema = {
        name: models.PayloadIndexInfo(
            data_type=models.PayloadSchemaType(str(index.data_type).rpartition(".")[2].lower()), points=index.points
        )
        for name, index in info.payload_schema.items()
    }
    return models.CollectionInfo(
        status=models.CollectionStatus.GREEN,
        optimizer_status=models.OptimizersStatusOneOf.OK,
        points_count=info.points_count,
        indexed_vectors_count=info.indexed_vectors_count,
        segments_count=info.segments_count,
        config=config,
        payload_schema=schema,
    )
