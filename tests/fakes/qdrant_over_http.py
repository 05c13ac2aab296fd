"""Qdrant's REST interface on a loopback socket, as far as the store uses it, answered by qdrant-client's memory mode.

It stands in for a server on machines that have none: the store's server code then talks to a socket, in the wire format
that Qdrant documents, and every body is parsed by Qdrant's own models. It refuses what a
server refuses: bodies over 32 MB, a collection that is there already or is not, and in strict mode filters without an
index. What a real server does beyond that (graphs, shards) is tested where QDRANT_URL names one.
"""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import BaseModel, TypeAdapter
from qdrant_client import QdrantClient, models

_PATH = re.compile(r"/(?:collections(?:/(?P<name>[^/?]+)(?P<rest>[^?]*))?)?")
_SELECTOR = TypeAdapter(models.PointsSelector)
_LARGEST = 32 * 1024 * 1024
_POINTS = TypeAdapter(models.PointInsertOperations)


class Refused(Exception):
    """A server answers this status, and says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Served:
    """The collections of one server."""

    def __init__(self, version: str = "1.20.0") -> None:
        self.version = version
        self.strict: dict[str, models.StrictModeConfig] = {}
        self.params: dict[str, dict[str, int | None]] = {}
        self.calls: list[str] = []
        self.memory = QdrantClient(":memory:")
        self.graphs: dict[str, models.HnswConfigDiff] = {}
        self.indexes: dict[str, dict[str, models.PayloadIndexInfo]] = {}
        self.lock = threading.Lock()

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        """Carry out one request.

        Raises:
            Refused: A server would not.
        """
        self.calls.append(f"{command} {rest or ''}")
        made = name is not None and self.memory.collection_exists(name)
        if name is not None and rest != "/exists" and made == ((command, rest) == ("PUT", "")):
            wrong = (409, f"Wrong input: Collection `{name}` already exists!") if made else (404, f"Not found: {name}")
            raise Refused(*wrong)
        self._look_for_indexes(name, rest, body)
        with self.lock:
            try:
                return _ROUTES[command, rest](self, name, body)  # type: ignore[arg-type]
            except ValueError as error:
                raise Refused(400, str(error)) from error

    def _look_for_indexes(self, name: str | None, rest: str | None, body: Any) -> None:
        strict = self.strict.get(name or "")
        if strict is None or not strict.enabled or not (rest or "").startswith(("/points", "/facet")):
            return
        indexed = self.indexes[name or ""]
        unindexed = sorted(set(_filtered_keys(body)) - indexed.keys())
        if unindexed:
            raise Refused(400, f"Bad request: Index required but not found for {unindexed}")

    def about(self, _: str, __: Any) -> Any:
        return {"title": "qdrant - vector search engine", "version": self.version}

    def names(self, _: str, __: Any) -> Any:
        return self.memory.get_collections()

    def exists(self, name: str, _: Any) -> Any:
        return {"exists": self.memory.collection_exists(name)}

    def create(self, name: str, body: Any) -> Any:
        given = models.CreateCollection.model_validate(body)
        self.graphs[name], self.indexes[name] = given.hnsw_config or models.HnswConfigDiff(), {}
        self.strict[name] = given.strict_mode_config or models.StrictModeConfig()
        self.params[name] = given.model_dump(
            include={"shard_number", "replication_factor", "write_consistency_factor"}, exclude_none=True
        )
        return self.memory.create_collection(
            name, vectors_config=given.vectors, sparse_vectors_config=given.sparse_vectors
        )

    def update(self, name: str, body: Any) -> Any:
        given = models.UpdateCollection.model_validate(body)
        if given.hnsw_config is not None:
            changed = given.hnsw_config.model_dump(exclude_none=True)
            self.graphs[name] = self.graphs[name].model_copy(update=changed)
        self.strict[name] = given.strict_mode_config or self.strict[name]
        vectors = self.memory._client.collections[name].config.vectors
        for vector, change in (given.vectors or {}).items():
            off = change.quantization_config == models.Disabled.DISABLED
            kept = {"on_disk": change.on_disk, "quantization_config": None if off else change.quantization_config}
            vectors[vector] = vectors[vector].model_copy(update=kept)
        return True

    def describe(self, name: str, _: Any) -> Any:
        info = self.memory.get_collection(name)
        graph = info.config.hnsw_config.model_copy(update=self.graphs[name].model_dump(exclude_none=True))
        params = info.config.params.model_copy(update=self.params[name])
        strict = models.StrictModeConfigOutput.model_validate(self.strict[name].model_dump())
        config = info.config.model_copy(update={"hnsw_config": graph, "params": params, "strict_mode_config": strict})
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
    ("GET", "/"): Served.about,
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


def _filtered_keys(body: Any) -> Iterator[str]:
    """Keys of the payload that the filters of a request name."""
    if isinstance(body, list):
        for one in body:
            yield from _filtered_keys(one)
    elif isinstance(body, dict):
        if "key" in body and body.keys() & {"match", "range", "is_empty", "is_null", "values_count"}:
            yield body["key"]
        for name in ("is_empty", "is_null"):
            if isinstance(body.get(name), dict):
                yield body[name]["key"]
        for name in ("filter", "should", "must", "must_not", "min_should", "conditions", "searches"):
            yield from _filtered_keys(body.get(name))


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
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        found = _PATH.fullmatch(self.path.partition("?")[0])
        assert found is not None, self.path
        rest = "/" if found[0] == "/" else found["rest"]
        try:
            if length > _LARGEST:
                raise Refused(413, "Payload too large")
            result = _plain(self.served.answer(self.command, found["name"], rest, json.loads(body) if body else None))
            status, content = 200, {"result": result, "status": "ok", "time": 0.0}
            if rest == "/":
                content = result
        except Refused as error:
            status, content = error.status, {"status": {"error": str(error)}, "time": 0.0}
        self._send(status, json.dumps(content).encode())

    def _send(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - the names that http.server looks for

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    """A server whose connections end with it, as those of a process do."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self._open: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.append(connection)
        return connection, address

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that hang up: some are killed."""

    def server_close(self) -> None:
        super().server_close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler] | None = None, served: Served | None = None) -> Iterator[str]:
    """Serves on a free port of this machine until left; gives the address. Whoever holds its lock makes it slow."""
    handler = handler or type("Handler", (_Handler,), {"served": served or Served()})
    server = _Server(handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
