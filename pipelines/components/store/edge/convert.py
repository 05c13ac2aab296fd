"""qdrant-client's points and queries as Qdrant Edge's, and Edge's answers as qdrant-client's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import qdrant_edge as edge
from qdrant_client import models

from pipelines.components.store.edge.filters import edge_filter, point_id
from pipelines.errors import InvalidRequest, Problem

Vectors = Mapping[str, models.VectorParams]
Sparse = Mapping[str, models.SparseVectorParams]
_UUID_NAMES: dict[int, str] = {}
_MOST_UUID_NAMES = 50_000
# Arguments of qdrant-client's methods that mean nothing where there are no shards, replicas and connections.
_MEANINGLESS = frozenset({"wait", "timeout", "ordering", "consistency", "parallel", "max_retries", "method"})


def refused(path: str, message: str) -> InvalidRequest:
    """Return the error for what Edge cannot do, or must not be asked."""
    return InvalidRequest(Problem(path, message))


def refuse_unsupported(arguments: Mapping[str, Any]) -> None:
    """Refuse the given arguments that Edge cannot follow."""
    for name, value in arguments.items():
        if value is not None and name not in _MEANINGLESS:
            raise refused(name, "is not something that Qdrant Edge can do")


@contextmanager
def convertible(path: str) -> Iterator[None]:
    """Say in the core's words what Edge finds wrong with a value from Python."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise refused(path, str(error).splitlines()[0]) from error


def id_text(given: int | str | UUID) -> int | str:
    """Return a point's id as qdrant-client gives it; spelling a UUID costs more than finding the point, so it is
    kept.
    """
    if not isinstance(given, UUID):
        return given
    name = _UUID_NAMES.get(given.int)
    if name is None:
        if len(_UUID_NAMES) >= _MOST_UUID_NAMES:
            _UUID_NAMES.clear()
        name = _UUID_NAMES[given.int] = str(given)
    return name


def id_scores(points: Sequence[edge.ScoredPoint]) -> list[tuple[int | str, float]]:
    """Return ids, as `id_text` gives them, and scores; a search has hundreds, so few of them are a call."""
    known, found = _UUID_NAMES.get, []
    for point in points:
        given = point.id
        name = known(given.int) if isinstance(given, UUID) else None
        found.append((id_text(given) if name is None else name, point.score))
    return found


def edge_point(given: models.PointStruct, vectors: Vectors, sparse: Sparse) -> edge.Point:
    """Return a point, checked against the collection.

    The check comes first because Edge writes an operation to its log before it applies it: half of a batch with one bad
    vector would be stored, another half after the log is replayed.
    """
    if isinstance(given.vector, Mapping):
        vector: Any = {name: _vector(name, value, vectors, sparse) for name, value in given.vector.items()}
    else:
        vector = _vector("", given.vector, vectors, sparse)
    with convertible("payload"):
        return edge.Point(point_id(given.id), vector, given.payload)


def edge_vectors(given: models.PointVectors, vectors: Vectors, sparse: Sparse) -> edge.PointVectors:
    """Vectors of a point, checked against the collection."""
    point = edge_point(models.PointStruct(id=given.id, vector=given.vector), vectors, sparse)
    return edge.PointVectors(point.id, point.vector)


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


def edge_query(given: models.QueryRequest) -> edge.QueryRequest:
    """Return a query of one leg, or of prefetched legs that are fused.

    Raises:
        InvalidRequest: A kind of query that is not supported, such as recommendation.
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
    """Return the question for the points nearest to a vector, by their vectors of a name; ids and scores are the
    answer.
    """
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
    raise refused("query", f"{type(given).__name__} is not supported; ask with a vector, or fuse prefetched legs")


def _search_params(given: models.SearchParams | None) -> edge.SearchParams | None:
    if given is None:
        return None
    if isinstance(given.idf, models.IdfCorpusParams):
        raise refused("params", "idf is not supported here")
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
    """Return which keys of the payload an answer carries."""
    if isinstance(given, models.PayloadSelectorInclude):
        return list(given.include)
    if isinstance(given, models.PayloadSelectorExclude):
        return edge.PayloadSelector.Exclude(list(given.exclude))
    return given


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return given if isinstance(given, list) else [given]


def scored_point(given: edge.ScoredPoint) -> models.ScoredPoint:
    """Return a hit with what was asked of it."""
    return models.ScoredPoint(
        id=id_text(given.id),
        version=given.version,
        score=given.score,
        payload=given.payload,
        vector=_given_vector(given.vector),
        order_value=given.order_value,
    )


def record(given: edge.Record) -> models.Record:
    """Return a stored point with what was asked of it."""
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
