"""Bodies that are compressed on their way, which no route reads."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import httpx
import pytest

from tests.app.running import serving

BOOK = """
tenant: book
contract: textbook
jobs: {run: worker}
store: {engine: memory}
metadata: {fields: {chapter: {type: integer}, page: {type: integer}}}
"""
PLAIN = "tenant: plain\njobs: {run: worker}\nstore: {engine: memory}\n"
SEARCH = {"query": "What turns a joint?"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("served"), (BOOK, PLAIN)) as client:
        yield client


def post(client: httpx.Client, path: str, body: bytes, encoding: str, kind: str = "application/json") -> httpx.Response:
    return client.post(path, content=body, headers={"Content-Type": kind, "Content-Encoding": encoding})


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "GZIP", "identity, gzip"])
@pytest.mark.parametrize(
    "path", ["tenants/plain/search", "tenants/plain/documents", "openai/v1/embeddings", "mcp/plain"]
)
def test_a_compressed_body_is_refused_with_a_reason(served: httpx.Client, path: str, encoding: str) -> None:
    answer = post(served, path, gzip.compress(json.dumps(SEARCH).encode()), encoding)
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
    assert "Content-Encoding" in answer.text


def test_a_compressed_form_is_refused_too(served: httpx.Client) -> None:
    answer = post(served, "tenants/plain/documents", b"--b", "gzip", "multipart/form-data; boundary=b")
    assert (answer.status_code, answer.json()["code"]) == (415, "body_encoded")


def test_a_contract_refuses_it_in_its_own_shape(served: httpx.Client) -> None:
    answer = post(served, "book/query", b"{}", "gzip")
    assert (answer.status_code, answer.json()["status_code"]) == (400, 400)
    assert "Content-Encoding" in answer.json()["detail"]


@pytest.mark.parametrize("encoding", ["identity", "Identity", ""])
def test_a_body_may_say_that_it_is_not_compressed(served: httpx.Client, encoding: str) -> None:
    assert post(served, "tenants/plain/search", json.dumps(SEARCH).encode(), encoding).status_code == 200
