"""Problem documents over real HTTP, from an application that fails in every way."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from app.http.problems import install_problems
from app.http.telemetry import RequestIds
from pipelines.errors import DocumentNotFound, FootnoteError, InvalidFilter, Problem, StoreUnavailable
from tests.app.running import running

_RAISED: dict[str, Exception] = {
    "found": DocumentNotFound('a"b'),
    "filter": InvalidFilter(Problem("filters -> yaer", "unknown field", "year"), Problem("filters -> x", "odd")),
    "store": StoreUnavailable("qdrant", "http://10.0.0.7:6333 refused"),
    "base": FootnoteError("in /srv/footnote"),
    "bug": RuntimeError("in /srv/footnote"),
    "surrogate": DocumentNotFound("\ud800"),
}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    app = FastAPI(openapi_url=None)
    app.add_middleware(RequestIds)
    install_problems(app)

    @app.get("/raise/{name}")
    def fail(name: str, number: int = 0) -> None:
        raise _RAISED[name]

    with running(app) as root, httpx.Client(base_url=root, trust_env=False, timeout=60) as client:
        yield client


def test_a_problem_has_every_member(client: httpx.Client) -> None:
    answer = client.get("/raise/found", headers={"X-Request-ID": "abc-1"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json() == {
        "type": "urn:footnote:problem:document_not_found",
        "title": "Document not found",
        "status": 404,
        "detail": 'no document "a"b"',
        "code": "document_not_found",
        "errors": [],
        "request_id": "abc-1",
    }


def test_each_thing_that_is_wrong_is_listed(client: httpx.Client) -> None:
    answer = client.get("/raise/filter")
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"path": "filters -> yaer", "message": "unknown field", "suggestion": "year"},
        {"path": "filters -> x", "message": "odd", "suggestion": None},
    ]


@pytest.mark.parametrize(("name", "status", "code"), [("store", 503, "store_unavailable"), ("base", 500, "error")])
def test_a_private_message_goes_to_the_log_under_the_requests_id(
    client: httpx.Client, caplog: pytest.LogCaptureFixture, name: str, status: int, code: str
) -> None:
    with caplog.at_level(logging.ERROR, "app"):
        answer = client.get(f"/raise/{name}", headers={"X-Request-ID": "abc-2"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert str(_RAISED[name]) not in answer.text
    assert [record.getMessage() for record in caplog.records if record.name.startswith("app")] == [
        f"request abc-2: {code}: {_RAISED[name]}"
    ]


def test_a_bug_shows_the_caller_only_a_request_id(client: httpx.Client) -> None:
    answer = client.get("/raise/bug", headers={"X-Request-ID": "abc-3"})
    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "abc-3")
    assert answer.json()["code"] == "internal_error"
    assert "srv" not in answer.text
    assert "RuntimeError" not in answer.text


def test_a_bug_ends_the_connection_and_says_so(client: httpx.Client) -> None:
    for _ in range(20):
        assert client.get("/raise/bug").headers["connection"] == "close"
        assert client.get("/raise/found").status_code == 404


def test_a_quote_may_hold_invalid_unicode(client: httpx.Client) -> None:
    assert client.get("/raise/surrogate").json()["detail"] == 'no document "?"'


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "route_not_found"),
        ("POST", "/raise/found", 405, "method_not_allowed"),
        ("GET", "/raise/found?number=x", 400, "request_malformed"),
    ],
)
def test_the_frameworks_own_errors_are_problems_too(
    client: httpx.Client, method: str, path: str, status: int, code: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code


def test_a_method_that_is_not_allowed_is_answered_with_those_that_are(client: httpx.Client) -> None:
    assert client.post("/raise/found").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("given", ["abc", "0-9:A.z_-", "x" * 128])
def test_a_sane_request_id_is_kept(client: httpx.Client, given: str) -> None:
    assert client.get("/raise/found", headers={"X-Request-ID": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", "<script>", "\xe9"])
def test_any_other_request_id_is_replaced(client: httpx.Client, given: str) -> None:
    answer = client.get("/raise/found", headers=[(b"X-Request-ID", given.encode("latin-1"))])
    made = answer.json()["request_id"]
    assert made not in ("", given)
    assert answer.headers["x-request-id"] == made
