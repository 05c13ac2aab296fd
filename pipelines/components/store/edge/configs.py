"""Configurations of collections, between qdrant-client's models and Edge's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import qdrant_edge as edge
from pydantic import BaseModel
from qdrant_client import models

from pipelines.components.store.edge.convert import Sparse, Vectors, refused

_DEFAULT_HNSW = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}
_DEFAULT_OPTIMIZERS = {
    "default_segment_number": 2,
    "flush_interval_sec": 0,
    "deleted_threshold": 0.1,  # optimising gives back the room of what was deleted, which Edge else keeps: a fifth of
    "vacuum_min_vector_number": 100,  # a segment, and all of one with less than a thousand points
}


def complete_config(
    vectors: models.VectorParams | Vectors | None,
    sparse: Sparse | None,
    hnsw: models.HnswConfigDiff | None,
    optimizers: models.OptimizersConfigDiff | None,
    quantization: models.QuantizationConfig | None,
) -> models.CollectionConfig:
    """Return the configuration of a new collection, where what was not given has Qdrant's defaults."""
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
    """Return the configuration with other parameters of the graph, or of how some of the vectors are kept."""
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
    """Return what a shard is created with; `config` is complete, without defaults to be filled in."""
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
    """Return the dense vectors by name; one without a name is named by the empty string."""
    vectors = config.params.vectors or {}
    return {"": vectors} if isinstance(vectors, models.VectorParams) else dict(vectors)


def sparse_params(config: models.CollectionConfig) -> dict[str, models.SparseVectorParams]:
    """Return the sparse vectors by name."""
    return dict(config.params.sparse_vectors or {})


def _vector_params(given: models.VectorParams) -> edge.EdgeVectorParams:
    if given.memory is not None:
        raise refused("vectors_config -> memory", "is not supported per vector; use on_disk")
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
        raise refused("sparse_vectors_config -> index", "datatype and memory are not supported")
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
        raise refused("quantization_config", f"{type(given).__name__} is not supported; use scalar quantization")
    scalar = given.scalar
    return edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=scalar.quantile, always_ram=scalar.always_ram)


def edge_index(schema: Any) -> Any:
    """Return the payload index that ``schema``, a type or its parameters, asks for."""
    kind = schema.value if isinstance(schema, models.PayloadSchemaType) else getattr(schema, "type", schema)
    kind = getattr(kind, "value", kind)
    if kind not in _INDEXES:
        raise refused("field_schema", f"{kind} indexes are not supported; use one of {', '.join(_INDEXES)}")
    make, known = _INDEXES[kind]
    given = schema.model_dump(exclude_none=True, exclude={"type"}) if hasattr(schema, "model_dump") else {}
    if unknown := sorted(set(given) - known):
        raise refused(f"field_schema -> {unknown[0]}", f"is not supported for {kind} indexes")
    return make(**given)


_INDEXES: dict[str, tuple[Any, frozenset[str]]] = {
    "keyword": (edge.KeywordIndexParams, frozenset({"prefix", "is_tenant", "on_disk", "enable_hnsw"})),
    "integer": (edge.IntegerIndexParams, frozenset({"lookup", "range", "is_principal", "on_disk", "enable_hnsw"})),
    "float": (edge.FloatIndexParams, frozenset({"is_principal", "on_disk", "enable_hnsw"})),
    "bool": (edge.BoolIndexParams, frozenset({"on_disk", "enable_hnsw"})),
    "datetime": (edge.DatetimeIndexParams, frozenset({"is_principal", "on_disk", "enable_hnsw"})),
    "uuid": (edge.UuidIndexParams, frozenset({"is_tenant", "on_disk", "enable_hnsw"})),
}


def collection_info(config: models.CollectionConfig, info: edge.ShardInfo) -> models.CollectionInfo:
    """Return the size, payload indexes and configuration of a collection."""
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
