"""What only a Qdrant server has: a connection, its version, shards and replicas, and the ways it fails."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc
import httpx
from google.protobuf.message import DecodeError
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from pipelines.components.http_servers import trusted_certificates
from pipelines.errors import InvalidRequest, PartTimeout, Problem, StoreUnavailable
from pipelines.profile.sections.storage import ServerStore

PART = "the vector store"
_LEAST_VERSION = (1, 20)
# Qdrant ends a connection that is idle for five seconds; a request on it in that moment would fail.
_LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=4.0)
_NUMBER_BYTES = 22
_REQUEST_BYTES = 24 * 1024 * 1024  # a server takes 32 MB in a request
_INDEXED_AT_ONCE = 100_000
"""Chunks of which an index is made while the caller waits: that of more is built while the server answers."""
# A name of several addresses: calls are spread over them, and one that is back is used again after two seconds at most.
# A connection on which nothing came for four seconds is asked for a sign of life, and given up two seconds later.
_GRPC = {
    "grpc.enable_http_proxy": 0,  # calls over HTTP pass by proxies of the environment too
    "grpc.lb_policy_name": "round_robin",
    "grpc.max_reconnect_backoff_ms": 2000,
    "grpc.enable_retries": 0,  # `Nodes` knows which calls may be repeated
    "grpc.keepalive_time_ms": 4000,
    "grpc.keepalive_timeout_ms": 2000,
    "grpc.http2.max_pings_without_data": 0,
}
_LOOKS = 20
_LOOK_SECONDS = 0.1
CHANGE: dict[str, Any] = {"wait": True, "ordering": models.WriteOrdering.MEDIUM}
"""How a change is sent: it is answered once it is done, and every copy gets the changes of a shard in one order."""


def server_client(section: ServerStore, timeout_s: float | None = None, url: str | None = None) -> QdrantClient:
    """Return a client of one of the profile's nodes, by default the first; with ``grpc_port`` its calls go over gRPC.

    It waits for whole seconds.
    """
    return QdrantClient(
        url=url or section.urls[0],
        api_key=section.api_key.get_secret_value() or None,
        timeout=math.ceil(section.timeout_s if timeout_s is None else timeout_s),
        check_compatibility=False,
        prefer_grpc=section.grpc_port is not None,
        grpc_port=section.grpc_port or 6334,
        grpc_options=dict(_GRPC),
        # A name of several nodes: another one may listen.
        transport=httpx.HTTPTransport(retries=2, limits=_LIMITS, verify=trusted_certificates()),
    )


def check_version(client: QdrantClient) -> str:
    """Return the server's version.

    Raises:
        StoreUnavailable: It is too old to know the indexes and filters that are used.
    """
    version: str = client.info().version
    numbers = version.split("-", maxsplit=1)[0].split(".")[:2]
    if all(number.isdigit() for number in numbers) and tuple(map(int, numbers)) < _LEAST_VERSION:
        least = ".".join(map(str, _LEAST_VERSION))
        raise StoreUnavailable(PART, f"Qdrant {version} is too old; version {least} or later is needed")
    return version


def create(section: ServerStore, client: QdrantClient, name: str, **options: Any) -> None:
    """Make a collection with the profile's shards and replicas, unless another process was first.

    Strict mode follows when its indexes are there: the nodes of a cluster learn of them one after the other.
    """
    consistent = section.write_consistency or (section.replicas + 1) // 2
    try:
        client.create_collection(
            name,
            shard_number=section.shards,
            replication_factor=section.replicas,
            write_consistency_factor=min(consistent, section.replicas),
            strict_mode_config=_strict_mode(enabled=False),
            **options,
        )
    except (UnexpectedResponse, ResponseHandlingException, grpc.RpcError):
        if not client.collection_exists(name):  # a cluster with a dead node makes it, and answers too late
            raise


def described(client: QdrantClient, name: str) -> models.CollectionInfo:
    """Describe a collection that was just found or made: another node of a cluster may learn of it a moment later."""
    for _ in range(_LOOKS):
        try:
            return client.get_collection(name)
        except (UnexpectedResponse, grpc.RpcError) as error:
            if not _is_missing(error):
                raise
        time.sleep(_LOOK_SECONDS)
    return client.get_collection(name)


def _is_missing(error: UnexpectedResponse | grpc.RpcError) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code == httpx.codes.NOT_FOUND
    return bool(error.code() == grpc.StatusCode.NOT_FOUND)


def index(client: QdrantClient, name: str, field: str, schema: Any, chunks: int) -> None:
    """Make a payload index; filters are right without it, and slower."""
    client.create_payload_index(name, field_name=field, field_schema=schema, wait=chunks <= _INDEXED_AT_ONCE)


def batches(points: Sequence[models.PointStruct], most: int) -> Iterator[list[models.PointStruct]]:
    """Yield points in requests of at most ``most``, and of no more bytes than a server takes."""
    batch: list[models.PointStruct] = []
    weight = 0
    for point in points:
        own = _bytes(point)
        if batch and (len(batch) == most or weight + own > _REQUEST_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(point)
        weight += own
    if batch:
        yield batch


def _bytes(point: models.PointStruct) -> int:
    """Return about how long a point is as JSON, rather too much."""
    vectors = point.vector.values() if isinstance(point.vector, dict) else [point.vector]
    return _NUMBER_BYTES * sum(map(_numbers, vectors)) + len(str(point.payload).encode("utf-8", "replace")) + 256


def _numbers(vector: Any) -> int:
    if isinstance(vector, models.SparseVector):
        return 2 * len(vector.indices)
    return sum(map(len, vector)) if len(vector) and hasattr(vector[0], "__len__") else len(vector)


def changed_params(section: ServerStore, info: models.CollectionInfo) -> dict[str, Any]:
    """Return what `update_collection` needs so that a collection follows the profile; its shards and replicas stay."""
    found = info.config.strict_mode_config
    strict = found is not None and bool(found.enabled)
    return {} if strict == section.strict_mode else {"strict_mode_config": _strict_mode(enabled=section.strict_mode)}


def _strict_mode(*, enabled: bool) -> models.StrictModeConfig:
    return models.StrictModeConfig(
        enabled=enabled, unindexed_filtering_retrieve=False, unindexed_filtering_update=False
    )


def checked(result: models.UpdateResult) -> None:
    """Check that a change is applied: a commit may count on it.

    Raises:
        StoreUnavailable: The server has taken the change, and did not carry it out in its time.
    """
    if result.status != models.UpdateStatus.COMPLETED:
        raise StoreUnavailable(PART, f"a change is {result.status.value}, not completed")


@contextmanager
def explained(timeout_s: float) -> Iterator[None]:
    """Turn failures of qdrant-client into Footnote's.

    Raises:
        StoreUnavailable: The server cannot be reached, or failed.
        PartTimeout: It did not answer within ``timeout_s``.
        InvalidRequest: It found a request wrong, or gRPC cannot carry it.
    """
    try:
        yield
    except DecodeError as error:  # of documents from before metadata ended at a level, or of others' nodes
        problem = "metadata nests too deep for gRPC; leave out `grpc_port` to write it over HTTP"
        raise InvalidRequest(Problem("store", problem)) from error
    except ResponseHandlingException as error:
        if isinstance(error.source, httpx.TimeoutException):
            raise PartTimeout(PART, math.ceil(timeout_s)) from error  # the client counts so
        raise StoreUnavailable(PART, str(error.source)) from error
    except ResourceExhaustedResponse as error:
        detail = f"it limits the rate of calls; again in {error.retry_after_s} s: {error}"
        raise StoreUnavailable(PART, detail) from error
    except UnexpectedResponse as error:
        detail = error.content.decode("utf-8", "replace")[:500]
        if error.status_code == httpx.codes.REQUEST_TIMEOUT:
            raise PartTimeout(PART, math.ceil(timeout_s)) from error
        if error.status_code in (400, 422):
            raise InvalidRequest(Problem("store", detail)) from error
        raise StoreUnavailable(PART, f"status {error.status_code}, {detail}") from error
    except grpc.RpcError as error:
        raise _of_grpc(error, timeout_s) from error


def _of_grpc(error: grpc.RpcError, timeout_s: float) -> Exception:
    code, detail = error.code(), (error.details() or "")[:500]
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return PartTimeout(PART, math.ceil(timeout_s))
    if code == grpc.StatusCode.INVALID_ARGUMENT:
        return InvalidRequest(Problem("store", detail))
    return StoreUnavailable(PART, f"{code.name.lower()}, {detail}")
