"""The stand-in for a Qdrant server over gRPC: the same collections, with requests and answers in protocol buffers.

qdrant-client's own conversions translate both, so that what they cannot carry shows here as it would on a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from qdrant_client import grpc as q
from qdrant_client import models
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc, grpc_to_payload

from tests.fakes.qdrant_over_http import Served, waited
from tests.fakes.qdrant_refusals import Refused

_STATUS = {
    400: grpc.StatusCode.INVALID_ARGUMENT,
    404: grpc.StatusCode.NOT_FOUND,
    409: grpc.StatusCode.ALREADY_EXISTS,
    422: grpc.StatusCode.INVALID_ARGUMENT,
}

_OPTIONS = [
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
    ("grpc.http2.max_ping_strikes", 0),  # Qdrant lets its clients ask for signs of life as often as they like
]


class Status(Exception):
    """A server answers this status of gRPC."""

    def __init__(self, code: grpc.StatusCode) -> None:
        super().__init__(code.name)
        self.code = code


def _answering(handler: Callable[[Served, Any], Any]) -> Callable[[Any, Any, grpc.ServicerContext], Any]:
    def answer(self: Any, request: Any, context: grpc.ServicerContext) -> Any:
        if self.served.key not in (None, dict(context.invocation_metadata()).get("api-key")):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "Must provide an API key or an Authorization bearer token")
        try:
            return handler(self.served, request)
        except Status as error:
            context.abort(error.code, str(error))
        except Refused as error:
            context.abort(_STATUS.get(error.status, grpc.StatusCode.INTERNAL), str(error))

    return answer


def _plain(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _where(request: Any) -> Any:
    return _plain(GrpcToRest.convert_filter(request.filter)) if request.HasField("filter") else None


def _selected(selector: Any) -> dict[str, Any]:
    if selector.WhichOneof("points_selector_one_of") == "filter":
        return {"filter": _plain(GrpcToRest.convert_filter(selector.filter))}
    return {"points": [GrpcToRest.convert_point_id(one) for one in selector.points.ids]}


def _with(request: Any) -> dict[str, Any]:
    return {
        "with_payload": GrpcToRest.convert_with_payload_selector(request.with_payload),
        "with_vector": GrpcToRest.convert_with_vectors_selector(request.with_vectors),
    }


def _record(found: models.Record) -> Any:
    return RestToGrpc.convert_record(found.model_copy(update={"payload": found.payload or {}}))


def _changed(result: models.UpdateResult, request: Any) -> Any:
    return q.PointsOperationResponse(result=RestToGrpc.convert_update_result(waited(result, request.wait)))


def _create(served: Served, request: Any) -> Any:
    body: dict[str, Any] = {
        "vectors": {
            name: _plain(GrpcToRest.convert_vector_params(one))
            for name, one in request.vectors_config.params_map.map.items()
        },
        "sparse_vectors": {
            name: _plain(GrpcToRest.convert_sparse_vector_params(one))
            for name, one in request.sparse_vectors_config.map.items()
        },
        "hnsw_config": _plain(GrpcToRest.convert_hnsw_config_diff(request.hnsw_config)),
        "strict_mode_config": _plain(GrpcToRest.convert_strict_mode_config(request.strict_mode_config)),
    }
    for name in ("shard_number", "replication_factor", "write_consistency_factor"):
        if request.HasField(name):
            body[name] = getattr(request, name)
    return q.CollectionOperationResponse(result=served.answer("PUT", request.collection_name, "", body))


def _update(served: Served, request: Any) -> Any:
    body: dict[str, Any] = {}
    if request.HasField("hnsw_config"):
        body["hnsw_config"] = _plain(GrpcToRest.convert_hnsw_config_diff(request.hnsw_config))
    if request.HasField("strict_mode_config"):
        body["strict_mode_config"] = _plain(GrpcToRest.convert_strict_mode_config(request.strict_mode_config))
    if request.HasField("vectors_config"):
        changed = GrpcToRest.convert_vectors_config_diff(request.vectors_config)
        body["vectors"] = {name: _plain(one) for name, one in changed.items()}
    return q.CollectionOperationResponse(result=served.answer("PATCH", request.collection_name, "", body))


def _describe(served: Served, request: Any) -> Any:
    info = served.answer("GET", request.collection_name, "", None)
    return q.GetCollectionInfoResponse(result=RestToGrpc.convert_collection_info(info))


def _list(served: Served, _: Any) -> Any:
    found = served.answer("GET", None, None, None).collections
    return q.ListCollectionsResponse(collections=[q.CollectionDescription(name=one.name) for one in found])


def _exists(served: Served, request: Any) -> Any:
    answer = served.answer("GET", request.collection_name, "/exists", None)
    return q.CollectionExistsResponse(result=q.CollectionExists(exists=answer["exists"]))


def _index(served: Served, request: Any) -> Any:
    params = request.field_index_params
    schema = _plain(GrpcToRest.convert_payload_schema_params(params))
    body = {"field_name": request.field_name, "field_schema": schema}
    return _changed(served.answer("PUT", request.collection_name, "/index", body), request)


def _upsert(served: Served, request: Any) -> Any:
    points = [_plain(GrpcToRest.convert_point_struct(one)) for one in request.points]
    for point, one in zip(points, request.points, strict=True):
        point["payload"] = grpc_to_payload(one.payload)
    return _changed(served.answer("PUT", request.collection_name, "/points", {"points": points}), request)


def _update_vectors(served: Served, request: Any) -> Any:
    points = [_plain(GrpcToRest.convert_point_vectors(one)) for one in request.points]
    return _changed(served.answer("PUT", request.collection_name, "/points/vectors", {"points": points}), request)


def _set_payload(served: Served, request: Any) -> Any:
    body = {"payload": grpc_to_payload(request.payload), **_selected(request.points_selector)}
    return _changed(served.answer("POST", request.collection_name, "/points/payload", body), request)


def _delete(served: Served, request: Any) -> Any:
    deleted = served.answer("POST", request.collection_name, "/points/delete", _selected(request.points))
    return _changed(deleted, request)


def _retrieve(served: Served, request: Any) -> Any:
    body = {"ids": [GrpcToRest.convert_point_id(one) for one in request.ids], **_with(request)}
    found = served.answer("POST", request.collection_name, "/points", body)
    return q.GetResponse(result=[_record(one) for one in found])


def _scroll(served: Served, request: Any) -> Any:
    body = {"limit": request.limit, "filter": _where(request), **_with(request)}
    if request.HasField("offset"):
        body["offset"] = GrpcToRest.convert_point_id(request.offset)
    found = served.answer("POST", request.collection_name, "/points/scroll", body)
    following = found["next_page_offset"]
    return q.ScrollResponse(
        result=[_record(one) for one in found["points"]],
        next_page_offset=None if following is None else RestToGrpc.convert_extended_point_id(following),
    )


def _count(served: Served, request: Any) -> Any:
    found = served.answer("POST", request.collection_name, "/points/count", {"filter": _where(request), "exact": True})
    return q.CountResponse(result=q.CountResult(count=found.count))


def _facet(served: Served, request: Any) -> Any:
    body = {"key": request.key, "limit": request.limit, "exact": True, "filter": _where(request)}
    found = served.answer("POST", request.collection_name, "/facet", body)
    return q.FacetResponse(hits=[RestToGrpc.convert_facet_value_hit(one) for one in found.hits])


def _query(served: Served, request: Any) -> Any:
    searches = [_plain(GrpcToRest.convert_query_points(one)) for one in request.query_points]
    answers = served.answer("POST", request.collection_name, "/points/query/batch", {"searches": searches})
    return q.QueryBatchResponse(
        result=[
            q.BatchResult(result=[RestToGrpc.convert_scored_point(one) for one in answer.points]) for answer in answers
        ]
    )


def _about(served: Served, _: Any) -> Any:
    return q.HealthCheckReply(title="qdrant", version=served.answer("GET", None, "/", None)["version"])


class _Collections(q.CollectionsServicer):
    def __init__(self, served: Served) -> None:
        self.served = served

    Create, Update, Get = _answering(_create), _answering(_update), _answering(_describe)
    List, CollectionExists = _answering(_list), _answering(_exists)
    Delete = _answering(
        lambda served, request: q.CollectionOperationResponse(
            result=served.answer("DELETE", request.collection_name, "", None)
        )
    )


class _Points(q.PointsServicer):
    def __init__(self, served: Served) -> None:
        self.served = served

    Upsert, UpdateVectors, SetPayload = _answering(_upsert), _answering(_update_vectors), _answering(_set_payload)
    Delete, Get, Scroll, Count = _answering(_delete), _answering(_retrieve), _answering(_scroll), _answering(_count)
    Facet, QueryBatch, CreateFieldIndex = _answering(_facet), _answering(_query), _answering(_index)


class _Root(q.QdrantServicer):
    def __init__(self, served: Served) -> None:
        self.served = served

    HealthCheck = _answering(_about)


@contextmanager
def serving_grpc(served: Served, port: int = 0, host: str = "127.0.0.1") -> Iterator[int]:
    """Serve on a free port of this machine, or on this one, until left; gives the port."""
    server = grpc.server(ThreadPoolExecutor(8), options=_OPTIONS)
    q.add_QdrantServicer_to_server(_Root(served), server)
    q.add_CollectionsServicer_to_server(_Collections(served), server)
    q.add_PointsServicer_to_server(_Points(served), server)
    chosen = server.add_insecure_port(f"{host}:{port}")
    server.start()
    try:
        yield chosen
    finally:
        server.stop(0).wait()
