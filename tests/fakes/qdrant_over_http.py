"""Qdrant's REST interface on a loopback socket, as far as the store uses it, answered by qdrant-client's memory mode.

It stands in for a server on machines that have none: the store's server code then talks to a socket, in the wire format
that Qdrant documents, and every body is parsed by Qdrant's own models. It refuses what a
server refuses: a wrong key, bodies over 32 MB, a collection that is there already or is not, and what
`qdrant_refusals` lists. Each shard weighs words by its own chunks, and a change that nobody waits for is not completed.
What a real server does beyond that (graphs, consensus) is tested where QDRANT_URL names one.
"""

import json
import re
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, TypeAdapter
from qdrant_client import QdrantClient, models
from qdrant_client.http import models as http_models

from tests.fakes.qdrant_refusals import Refused, refuse_in_strict_mode, refuse_request

_PATH = re.compile(r"/(?:collections(?:/(?P<name>[^/?]+)(?P<rest>[^?]*))?)?")
_SELECTOR = TypeAdapter(models.PointsSelector)
_LARGEST = 32 * 1024 * 1024
_POINTS = TypeAdapter(models.PointInsertOperations)


class Served:
    """The collections of one server."""

    def __init__(self, version: str = "1.20.0", key: str | None = None) -> None:
        self.version = version
        self.key = key
        self.strict: dict[str, models.StrictModeConfig] = {}
        self.params: dict[str, dict[str, int | None]] = {}
        self.calls: list[str] = []
        self.changes: list[dict[str, list[str]]] = []
        """What the addresses of changes of points say beside, over HTTP."""
        self.memory = QdrantClient(":memory:")
        self.snapshots: dict[str, bytes] = {}
        self.graphs: dict[str, models.HnswConfigDiff] = {}
        self.indexes: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def answer(self, command: str, name: str | None, rest: str | None, body: Any) -> Any:
        """Carry out one request.

        Raises:
            Refused: A server would not.
        """
        self.calls.append(f"{command} {rest or ''}")
        made = name is not None and self.memory.collection_exists(name)
        if (command, rest, made) == ("DELETE", "", False):
            return False
        if name is not None and rest != "/exists" and made == ((command, rest) == ("PUT", "")):
            wrong = (409, f"Wrong input: Collection `{name}` already exists!") if made else (404, f"Not found: {name}")
            raise Refused(*wrong)
        if name is not None and body is not None and (rest or "").startswith(("/points", "/facet")):
            refuse_request(rest or "", self.indexes[name], body)
            refuse_in_strict_mode(self.strict.get(name), self.indexes[name], body)
        with self.lock:
            try:
                return _ROUTES[command, rest](self, name, body)  # type: ignore[arg-type]
            except ValueError as error:
                raise Refused(400, str(error)) from error

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
        schema = {
            key: models.PayloadIndexInfo(data_type=models.PayloadSchemaType(index.type.value), params=index, points=0)
            for key, index in self.indexes[name].items()
        }
        return info.model_copy(update={"config": config, "payload_schema": schema})

    def drop(self, name: str, _: Any) -> Any:
        return self.memory.delete_collection(name)

    def index(self, name: str, body: Any) -> Any:
        given = models.CreateFieldIndex.model_validate(body)
        self.indexes[name][given.field_name] = given.field_schema
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
        return [self._ranked(name, one.model_copy(update={"params": None})) for one in requests]

    def _ranked(self, name: str, request: models.QueryRequest) -> Any:
        """Ask every shard, which weighs words by its own chunks, and merge what they find."""
        shards = self.params[name].get("shard_number") or 1
        if shards == 1:
            return self.memory.query_batch_points(name, [request])[0]
        words = request.using in (self.memory.get_collection(name).config.params.sparse_vectors or {})
        points: list[models.ScoredPoint] = []
        for ids in self._shards(name, shards):
            own = models.HasIdCondition(has_id=ids)
            among = models.Filter(must=[own] if request.filter is None else [own, request.filter])
            idf = models.IdfCorpusParams(corpus=models.Filter(must=[own]))
            params = models.SearchParams(idf=idf) if words else None
            asked = request.model_copy(update={"filter": among, "params": params})
            points += self.memory.query_batch_points(name, [asked])[0].points
        return http_models.QueryResponse(points=sorted(points, key=lambda point: -point.score)[: request.limit])

    def _shards(self, name: str, count: int) -> list[list[Any]]:
        found: list[list[Any]] = [[] for _ in range(count)]
        for record in self.memory.scroll(name, limit=1_000_000, with_payload=False)[0]:
            found[zlib.crc32(str(record.id).encode()) % count].append(record.id)
        return found

    def scroll(self, name: str, body: Any) -> Any:
        given = models.ScrollRequest.model_validate(body)
        points, following = self.memory.scroll(
            name,
            scroll_filter=given.filter,
            limit=given.limit,
            offset=given.offset,
            order_by=given.order_by,
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

    def take_snapshot(self, name: str, _: Any) -> Any:
        taken = f"{name}-{len(self.snapshots)}.snapshot"
        points, _ = self.memory.scroll(name, limit=1_000_000, with_vectors=True)
        self.snapshots[taken] = json.dumps([_plain(point) for point in points]).encode()
        return models.SnapshotDescription(name=taken, size=len(self.snapshots[taken]))

    def put_back(self, name: str, content: bytes) -> None:
        """Let a collection hold what a snapshot holds, and nothing else."""
        with self.lock:
            self.memory.delete(name, models.Filter())
            self.memory.upsert(name, [models.PointStruct.model_validate(_as_point(one)) for one in json.loads(content)])

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
    ("POST", "/snapshots"): Served.take_snapshot,
}


_CHANGES = [("PUT", "/points"), ("POST", "/points/delete"), ("POST", "/points/payload"), ("PUT", "/points/vectors")]


def waited(result: Any, waits: bool) -> Any:
    """The result of a change; one that nobody waits for is only acknowledged."""
    if isinstance(result, models.UpdateResult) and not waits:
        return result.model_copy(update={"status": models.UpdateStatus.ACKNOWLEDGED})
    return result


def _as_point(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in ("id", "vector", "payload")}


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
            if rest != "/" and self.served.key not in (None, self.headers.get("api-key")):
                raise Refused(401, "Must provide an API key or an Authorization bearer token")
            if length > _LARGEST:
                raise Refused(413, "Payload too large")
            if (rest or "").startswith("/snapshots/"):
                self._pass_snapshot(found["name"], rest.removeprefix("/snapshots/"), body)
                return
            given = json.loads(body) if body else None
            result = _plain(waited(self.served.answer(self.command, found["name"], rest, given), self._waits(rest)))
            status, content = 200, {"result": result, "status": "ok", "time": 0.0}
            if rest == "/":
                content = result
        except Refused as error:
            status, content = error.status, {"status": {"error": str(error)}, "time": 0.0}
        self._send(status, json.dumps(content).encode())

    def _pass_snapshot(self, collection: str, snapshot: str, body: bytes) -> None:
        if snapshot == "upload":
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            (sent,) = message_from_bytes(head + body).get_payload()
            self.served.put_back(collection, sent.get_payload(decode=True))
            self._send(200, b'{"result": true, "status": "ok", "time": 0.0}')
        else:
            self._send(200, self.served.snapshots[snapshot])

    def _waits(self, rest: str | None) -> bool:
        asked = parse_qs(urlsplit(self.path).query)
        if (self.command, rest) in _CHANGES:
            self.served.changes.append(asked)
        return asked.get("wait") == ["true"]

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
