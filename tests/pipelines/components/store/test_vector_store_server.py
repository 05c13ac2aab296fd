"""What becomes of a server's failures, met over a socket."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import pytest
from chunk_samples import DIMENSIONS, FIELDS, encoder, sample_nodes

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import InvalidRequest, PartTimeout, StoreUnavailable
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.qdrant_over_http import serving


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


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")  # it is a loopback socket
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
