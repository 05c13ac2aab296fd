"""Qdrant's REST interface on a loopback socket, as far as the store uses it, answered by qdrant-client's memory mode.

It stands in for a server on machines that have none: the store's server code then talks to a socket, in the wire format
that Qdrant documents, and every body is parsed by Qdrant's own models. What a real server does beyond that (graphs,
shards, its limits) is tested where QDRANT_URL names one.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import BaseModel, TypeAdapter
from qdrant_client import QdrantClient, models

_PATH = re.compile(r"/collections(?:/(?P<name>[^/?]+)(?P<rest>[^?]*))?")
_SELECTOR = TypeAdapter(models.PointsSelector)
_POINTS = TypeAdapter(models.PointInsertOperations)


class Served:
    """The collections of one server."""

    def __init__(self) -> None:
        self.memory = QdrantClient(":memory:")
        self.graphs: dict[str, models.HnswConfigDiff] = {}
        self.indexes: dict[str, dict[str, models.PayloadIndexInfo]] = {}
        self.lock = threading.Lock()

    def names(self, _: str, __: Any) -> Any:
        return self.memory.get_collections()

    def exists(self, name: str, _: Any) -> Any:
        return {"exists": self.memory.collection_exists(name)}

    def create(self, name: str, body: Any) -> Any:
        given = models.CreateCollection.model_validate(body)
        self.graphs[name], self.indexes[name] = given.hnsw_config or models.HnswConfigDiff(), {}
        return self.memory.create_collection(
            name, vectors_config=given.vectors, sparse_vectors_config=given.sparse_vectors
        )

    def update(self, name: str, body: Any) -> Any:
        given = models.UpdateCollection.model_validate(body)
        if given.hnsw_config is not None:
            changed = given.hnsw_config.model_dump(exclude_none=True)
            self.graphs[name] = self.graphs[name].model_copy(update=changed)
        vectors = self.memory._client.collections[name].config.vectors
        for vector, change in (given.vectors or {}).items():
            off = change.quantization_config == models.Disabled.DISABLED
            kept = {"on_disk": change.on_disk, "quantization_config": None if off else change.quantization_config}
            vectors[vector] = vectors[vector].model_copy(update=kept)
        return True

    def describe(self, name: str, _: Any) -> Any:
        info = self.memory.get_collection(name)
        graph = info.config.hnsw_config.model_copy(update=self.graphs[name].model_dump(exclude_none=True))
        config = info.config.model_copy(update={"hnsw_config": graph})
        return info.model_copy(update={"config": config, "payload_schema": self.indexes[name]})

    def drop(self, name: str, _: Any) -> Any:
        return self.memory.delete_collection(name)

    def index(self, name: str, body: Any) -> Any:
        given = models.CreateFieldIndex.model_validate(body)
        kind = models.PayloadSchemaType(given.field_schema.type.value)
        self.indexes[name][given.field_name] = models.PayloadIndexInfo(data_type=kind, points=0)
        return self._done()

    def upsert(self, name: str, body: Any) -> Any:
        given = _POINTS.validate_python(body)
        points = given.points if isinstance(given, models.PointsList) else None
        return self.memory.upsert(name, points=points or given.batch)

    def retrieve(self, name: str, body: Any) -> Any:
        given = models.PointRequest.model_validate(body)
        return self.memory.retrieve(
            name, given.ids, with_payload=given.with_payload, with_vectors=given.with_vector or False
        )

    def query(self, name: str, body: Any) -> Any:
        requests = models.QueryRequestBatch.model_validate(body).searches
        return self.memory.query_batch_points(name, [one.model_copy(update={"params": None}) for one in requests])

    def scroll(self, name: str, body: Any) -> Any:
        given = models.ScrollRequest.model_validate(body)
        points, following = self.memory.scroll(
            name,
            scroll_filter=given.filter,
            limit=given.limit,
            offset=given.offset,
            with_payload=given.with_payload,
            with_vectors=given.with_vector or False,
        )
        return {"points": points, "next_page_offset": following}

    def count(self, name: str, body: Any) -> Any:
        return self.memory.count(name, models.CountRequest.model_validate(body).filter)

    def delete(self, name: str, body: Any) -> Any:
        return self.memory.delete(name, _SELECTOR.validate_python(body))

    def set_payload(self, name: str, body: Any) -> Any:
        given = models.SetPayload.model_validate(body)
        return self.memory.set_payload(name, given.payload, points=given.points or given.filter, key=given.key)

    def update_vectors(self, name: str, body: Any) -> Any:
        return self.memory.update_vectors(name, models.UpdateVectors.model_validate(body).points)

    def facet(self, name: str, body: Any) -> Any:
        given = models.FacetRequest.model_validate(body)
        return self.memory.facet(name, given.key, facet_filter=given.filter, limit=given.limit, exact=True)

    def _done(self) -> models.UpdateResult:
        return models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)


_ROUTES: dict[tuple[str, str | None], Callable[[Served, str, Any], Any]] = {
    ("GET", None): Served.names,
    ("GET", "/exists"): Served.exists,
    ("GET", ""): Served.describe,
    ("PUT", ""): Served.create,
    ("PATCH", ""): Served.update,
    ("DELETE", ""): Served.drop,
    ("PUT", "/index"): Served.index,
    ("PUT", "/points"): Served.upsert,
    ("POST", "/points"): Served.retrieve,
    ("POST", "/points/query/batch"): Served.query,
    ("POST", "/points/scroll"): Served.scroll,
    ("POST", "/points/count"): Served.count,
    ("POST", "/points/delete"): Served.delete,
    ("POST", "/points/payload"): Served.set_payload,
    ("PUT", "/points/vectors"): Served.update_vectors,
    ("POST", "/facet"): Served.facet,
}


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: Served

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found = _PATH.fullmatch(self.path.partition("?")[0])
        route = _ROUTES[self.command, found["rest"]]
        with self.served.lock:
            result = _plain(route(self.served, found["name"], json.loads(body) if body else None))
        content = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - the names that http.server looks for

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler] | None = None, served: Served | None = None) -> Iterator[str]:
    """Serves on a free port of this machine until left; gives the address. Whoever holds its lock makes it slow."""
    handler = handler or type("Handler", (_Handler,), {"served": served or Served()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
