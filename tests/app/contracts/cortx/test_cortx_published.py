"""CORTX's published examples against the shipped policies."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.app.contracts.published import require, shape_of, shipped
from tests.app.running import serving

TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
INGESTED = shape_of({"document_id": TEXT, "chunks_created": COUNT, "embeddings_generated": COUNT})
SOURCE = shape_of({"chunk_id": TEXT, "content": TEXT, "metadata": {"type": "object"}, "similarity": SHARE})
SOURCES = {"type": "array", "items": SOURCE}
ANSWERED = shape_of({"answer": TEXT, "confidence": SHARE, "sources": SOURCES, "processing_time_ms": COUNT})
FOUND = shape_of({"results": SOURCES})
INGEST_EXAMPLE = {
    "content": "Document text...",
    "metadata": {
        "level": "suite",
        "suite": "fedsuite",
        "module": "reconciliation",
        "source": "CFR 1234.56",
        "version": "1.0",
    },
}
QUERY_EXAMPLE = {
    "question": "What are the reconciliation requirements?",
    "filters": {"level": "suite", "suite": "fedsuite"},
    "top_k": 5,
}
SEARCH_EXAMPLE = {"query": "reconciliation", "filters": {"suite": "fedsuite"}, "top_k": 10}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("cortx"), (shipped("cortx"),)) as client:
        yield client


def test_the_example_of_a_query(client: httpx.Client) -> None:
    answer = client.post("/v1/query", json=QUERY_EXAMPLE)
    assert answer.status_code == 200
    body = answer.json()
    require(ANSWERED, body)
    assert body["sources"]
    assert "reconcil" in body["answer"]
    assert body["sources"][0]["metadata"]["source"] == "FED-110"
    assert all(source["metadata"]["level"] == "suite" for source in body["sources"])
    assert all(uuid.UUID(source["chunk_id"]) for source in body["sources"])


def test_the_example_of_a_search(client: httpx.Client) -> None:
    answer = client.post("/v1/search", json=SEARCH_EXAMPLE)
    assert answer.status_code == 200
    body = answer.json()
    require(FOUND, body)
    assert 5 <= len(body["results"]) <= 10
    assert {hit["metadata"]["suite"] for hit in body["results"]} == {"fedsuite"}


def test_a_question_outside_the_policies_is_not_answered(client: httpx.Client) -> None:
    body = client.post("/v1/query", json={"question": "How do I cook risotto?"}).json()
    assert (body["abstained"], body["reason"]) == (True, "low_confidence")
    assert body["confidence"] < 0.2


def test_the_example_of_ingesting(client: httpx.Client) -> None:
    answer = client.post("/v1/ingest", json=INGEST_EXAMPLE)
    assert answer.status_code == 201
    body = answer.json()
    require(INGESTED, body)
    assert uuid.UUID(body["document_id"])
    assert client.post("/v1/ingest", json=INGEST_EXAMPLE).json()["document_id"] == body["document_id"]


def test_an_entity_sees_its_parents_and_no_sibling(client: httpx.Client) -> None:
    scope = {"suite": "fedsuite", "module": "reconciliation", "entity_id": "harbor-agency"}
    asked = {"question": "From which difference do supervisors approve?", "scope": scope, "top_k": 50}
    body = client.post("/v1/query", json=asked).json()
    seen = [source["metadata"] for source in body["sources"]]
    assert {one["level"] for one in seen} == {"platform", "suite", "module", "entity"}
    assert {one["entity_id"] for one in seen if "entity_id" in one} == {"harbor-agency"}
    assert {one["suite"] for one in seen if "suite" in one} == {"fedsuite"}
