"""Traces over OTLP: of a request and of what LlamaIndex does in it, without a word of the question or of a text."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.app.running import serving
from tests.fakes.ollama import ollama_server

PROFILE = "tenant: cats\njobs: {run: worker}\nrerank: [{type: mmr}]"
TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """The address of an OTLP receiver, and what was sent to it."""
    received: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", received
        finally:
            server.shutdown()
            thread.join()


def spans_of(received: list[bytes]) -> list[Span]:
    requests = [ExportTraceServiceRequest.FromString(body) for body in received]
    scopes = [scope for request in requests for of in request.resource_spans for scope in of.scope_spans]
    return [span for scope in scopes for span in scope.spans]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What a server exported of a search with a caller's trace, and of one without."""
    with collector() as (address, received), pytest.MonkeyPatch.context() as environment:
        environment.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        with serving(tmp_path_factory.mktemp("traced"), (PROFILE,), traces=True) as client:
            put(client)
            header = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
            assert search(client, header).json()["results"]
            assert search(client, {}).is_success
    return received


def put(client: httpx.Client) -> None:
    body = {"content": "Zebrafinches sleep in nests.", "document_id": "birds"}
    client.post("/tenants/cats/documents", json=body).raise_for_status()


def search(client: httpx.Client, headers: dict[str, str]) -> httpx.Response:
    question = {"query": "Where do zebrafinches sleep?"}
    return client.post("/tenants/cats/search", json=question, headers=headers).raise_for_status()


def test_a_search_is_one_trace_below_the_callers_span(exported: list[bytes]) -> None:
    spans = [span for span in spans_of(exported) if span.trace_id.hex() == TRACE]
    ids = {span.span_id: span for span in spans}
    (request,) = [span for span in spans if span.parent_span_id.hex() == CALLER]
    assert request.name == "POST /{tenant}/search"
    assert all(span is request or span.parent_span_id in ids for span in spans)
    names = {span.name for span in spans}
    assert {"FootnoteRetriever.retrieve", "Finder._vector", "ChunkStore.legs"} <= names
    assert any(name.endswith("postprocess_nodes") for name in names)


def test_a_request_without_a_trace_begins_one(exported: list[bytes]) -> None:
    roots = [span for span in spans_of(exported) if not span.parent_span_id and span.name == "POST /{tenant}/search"]
    assert len(roots) == 1


def test_no_span_holds_a_word_of_a_question_or_a_text(exported: list[bytes]) -> None:
    assert exported
    assert not any(b"ebrafinches" in body for body in exported)


def test_the_language_model_is_asked_within_the_callers_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as (address, received), ollama_server(lambda asked: "They sleep in nests [1].") as model:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        profile = f"{PROFILE}\nllm: {{provider: ollama, model: m, base_url: '{model.url}'}}"
        with serving(tmp_path, (profile,), traces=True) as client:
            put(client)
            for stream in (False, True):
                question = {"question": "Where do zebrafinches sleep?", "stream": stream}
                client.post("/tenants/cats/query", json=question, headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    parents = [asked.headers["traceparent"].split("-") for asked in model.asked]
    spans = {span.span_id.hex() for span in spans_of(received)}
    assert [trace for _, trace, _, _ in parents] == [TRACE, TRACE]
    assert {parent for _, _, parent, _ in parents} <= spans


def test_nothing_is_exported_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as (address, received):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        with serving(tmp_path, (PROFILE,)) as client:
            put(client)
            search(client, {})
    assert not received
