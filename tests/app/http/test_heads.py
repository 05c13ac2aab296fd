"""HEAD: the headers of GET, and no body."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.http.starting import PatientStart
from tests.app.running import running, serving

BOOK = """
tenant: book
contract: textbook
jobs: {run: worker}
store: {engine: memory}
metadata: {fields: {chapter: {type: integer}, page: {type: integer}}}
"""
NOT_ALWAYS_THE_SAME = ("x-request-id", "date", "content-length")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("served"), (BOOK,)) as client:
        client.post("/tenants/book/documents", json={"document_id": "a/b", "content": "Servo motors turn joints."})
        yield client


def headers(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in NOT_ALWAYS_THE_SAME}


@pytest.mark.parametrize(
    "path",
    [
        "/healthz",
        "/readyz",
        "/metrics",
        "/tenants",
        "/tenants/book/stats",
        "/tenants/book/documents/a%2Fb/content",
        "/tenants/book/documents/none",
        "/tenants/docs",
        "/openai/v1/models",
        "/console",
        "/console/",
        "/console/js/main.js",
        "/health",
        "/nowhere",
    ],
)
def test_head_has_the_headers_of_get_and_no_body(served: httpx.Client, path: str) -> None:
    head, get = served.head(path), served.get(path)
    assert (head.status_code, headers(head)) == (get.status_code, headers(get))
    assert head.content == b""
    assert served.get("/healthz").json() == {"status": "ok"}  # the connection goes on as usual


@pytest.mark.parametrize("path", ["/query", "/tenants/book/search"])
def test_head_of_what_only_takes_post_is_not_allowed(served: httpx.Client, path: str) -> None:
    assert served.head(path).status_code == 405


def test_head_is_named_among_the_methods_that_a_path_takes(served: httpx.Client) -> None:
    assert served.post("/tenants/book/stats").headers["allow"] == "GET, HEAD"


def test_head_is_counted_as_head(served: httpx.Client) -> None:
    served.head("/tenants/book/stats")
    series = 'api="native",method="HEAD",route="/{tenant}/stats",status="200",tenant="book"'
    assert series in served.get("/metrics").text


def test_head_is_in_no_openapi_document(served: httpx.Client) -> None:
    for document in ("/openapi.json", "/tenants/openapi.json"):
        assert not any("head" in methods for methods in served.get(document).json()["paths"].values())


def test_a_server_that_waits_to_start_answers_signs_of_life(tmp_path: Path) -> None:
    async def never(*_: object) -> None:
        raise AssertionError

    waiting = PatientStart(never, lambda: ())._placeholder
    with running(waiting) as root, httpx.Client(base_url=root, trust_env=False) as client:
        assert (client.head("/healthz").status_code, client.head("/readyz").status_code) == (200, 503)
