"""What becomes of a server's failures, met over a socket."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import grpc
import pytest
from chunk_samples import DIMENSIONS, FIELDS, encoder, sample_nodes
from llama_index.core.schema import TextNode

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import InvalidRequest, PartTimeout, StoreUnavailable
from pipelines.filters.values import given_metadata, stored_metadata
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.qdrant_over_grpc import Status, serving_grpc
from tests.fakes.qdrant_over_http import Served, serving


def open_store(url: str, timeout_s: float = 60.0, **section: object) -> ChunkStore:
    return build_vector_store(
        ServerStore(engine="server", url=url, timeout_s=timeout_s, **section),
        folder=Path("/nowhere"),
        collection="c",
        dimensions=DIMENSIONS,
        fields=FIELDS,
        encoder=encoder(),
    )


class Failing(BaseHTTPRequestHandler):
    """Answers every request with one status, and remembers what it was sent."""

    status = 500
    body = b'{"status": {"error": "no room on the disk"}}'
    seen: ClassVar[list[dict[str, str]]] = []

    def do_GET(self) -> None:
        self.seen.append({name.lower(): value for name, value in self.headers.items()})
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


class Sleeping(Failing):
    """Does not answer until the test is over."""

    over = threading.Event()

    def do_GET(self) -> None:
        self.over.wait(60)


@pytest.fixture
def asleep() -> Iterator[str]:
    Sleeping.over.clear()
    with serving(Sleeping) as url:
        yield url
        Sleeping.over.set()


def test_a_missing_server_is_unavailable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]  # held, so that nobody else comes to listen there
        with pytest.raises(StoreUnavailable, match=r"the vector store is not available: .*refused"):
            open_store(f"http://127.0.0.1:{port}")


def test_a_server_that_does_not_answer_in_time_is_too_slow(asleep: str) -> None:
    with pytest.raises(PartTimeout, match="the vector store did not answer within 1 s"):
        open_store(asleep, timeout_s=0.5)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_server_that_fails_or_refuses_is_unavailable(status: int) -> None:
    handler = type("Handler", (Failing,), {"status": status})
    with serving(handler) as url, pytest.raises(StoreUnavailable, match=f"status {status}.*no room on the disk"):
        open_store(url)


@pytest.mark.parametrize("status", [400, 422])
def test_a_request_that_a_server_finds_wrong_is_invalid(status: int) -> None:
    handler = type("Handler", (Failing,), {"status": status})
    with serving(handler) as url, pytest.raises(InvalidRequest, match="no room on the disk"):
        open_store(url)


def test_the_key_is_sent_and_never_logged() -> None:
    handler = type("Handler", (Failing,), {"seen": []})
    with serving(handler) as url, pytest.raises(StoreUnavailable) as raised:
        open_store(url, api_key="s3cret")
    assert handler.seen[0]["api-key"] == "s3cret"
    assert "s3cret" not in str(raised.value)


def test_a_server_that_goes_away_is_unavailable_in_every_call() -> None:
    with serving() as url:
        store = open_store(url)
        store.add(sample_nodes(20))
        assert store.count() == 20
    with pytest.raises(StoreUnavailable):
        store.add(sample_nodes(1))
    with pytest.raises(StoreUnavailable):
        store.legs([1.0] * DIMENSIONS, None, where=None, depth=3)
    with pytest.raises(StoreUnavailable):
        list(store.scan())
    with pytest.raises(StoreUnavailable):
        store.count()
    store.close()


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, InvalidRequest),
        (grpc.StatusCode.FAILED_PRECONDITION, StoreUnavailable),  # a copy that is not ready: the request is right
        (grpc.StatusCode.UNAUTHENTICATED, StoreUnavailable),
        (grpc.StatusCode.DEADLINE_EXCEEDED, PartTimeout),
    ],
)
def test_what_grpc_answers_is_told_apart(code: grpc.StatusCode, error: type[Exception]) -> None:
    class Answering(Served):
        def answer(self, *_: object) -> object:
            raise Status(code)

    with serving_grpc(Answering()) as port, pytest.raises(error):
        open_store("http://127.0.0.1:9", grpc_port=port)


@pytest.mark.parametrize("name", ["http_proxy", "https_proxy", "grpc_proxy"])
def test_a_proxy_of_the_environment_is_not_asked_for_the_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in ("no_proxy", "no_grpc_proxy", "NO_PROXY"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving() as url, serving_grpc(Served()) as port:
        open_store(url, timeout_s=5).close()
        open_store("http://127.0.0.1:9", timeout_s=5, grpc_port=port).close()


def test_metadata_that_grpc_cannot_carry_as_it_is_comes_back_as_it_was_given() -> None:
    metadata = {"hash": 2**64 - 1, "inside": [{"a": 2**63}, 1], "small": 2**63 - 1}
    with serving_grpc(Served()) as port:
        store = open_store("http://127.0.0.1:9", grpc_port=port)
        node = TextNode(text="ledger", embedding=[1.0] * DIMENSIONS, metadata=stored_metadata(metadata, {}))
        store.add([node])
        assert given_metadata(store.fetch([node.node_id])[node.node_id]) == metadata
        store.close()
