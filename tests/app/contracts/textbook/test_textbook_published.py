"""The textbook's published examples against the shipped profile."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import httpx
import pytest

from tests.app.contracts.published import require, shape_of, shipped
from tests.app.running import serving

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
COUNT = {"type": "integer", "minimum": 0}
INGESTED = shape_of(
    {"status": {"enum": ["success", "error"]}, "doc_id": TEXT, "chunks_created": COUNT, "embeddings_stored": COUNT}
)
CHUNK = shape_of(
    {
        "chunk_text": TEXT,
        "chapter": WHOLE,
        "section": TEXT,
        "page": WHOLE,
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    }
)
FOUND = shape_of(
    {
        "chunks": {"type": "array", "items": CHUNK},
        "metadata": shape_of({"query_embedding_dim": WHOLE, "search_latency_ms": COUNT, "qdrant_hits": COUNT}),
    }
)
HEALTH = shape_of(
    {
        "status": {"enum": ["ok", "degraded", "error"]},
        "qdrant_connected": {"type": "boolean"},
        "embedding_api_available": {"type": "boolean"},
        "timestamp": TEXT,
    }
)
ERROR = shape_of({"error": TEXT, "detail": TEXT, "status_code": WHOLE})
INGEST_EXAMPLE = {
    "content": "# Chapter 3: ROS2 Fundamentals\n\nROS2 is a robotics middleware...",
    "metadata": {
        "title": "AI-Native Robotics Chapter 3",
        "chapter": 3,
        "section": "Introduction to ROS2",
        "page": 42,
    },
}
QUERY_EXAMPLE = {"question": "What is ROS2 and how does it differ from ROS1?", "top_k": 5, "chapter_filter": 3}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("textbook"), (shipped("textbook"),)) as client:
        yield client


def test_the_examples_own_ingest_is_shorter_than_its_minimum(client: httpx.Client) -> None:
    answer = client.post("/ingest", json=INGEST_EXAMPLE)
    assert answer.status_code == 400
    require(ERROR, answer.json())


def test_the_example_of_ingesting_once_it_is_long_enough(client: httpx.Client) -> None:
    content = str(INGEST_EXAMPLE["content"]) + " It connects nodes by topics, services and actions." * 3
    answer = client.post("/ingest", json={**INGEST_EXAMPLE, "content": content})
    assert answer.status_code == 200
    require(INGESTED, answer.json())


def test_the_example_of_a_query(client: httpx.Client) -> None:
    answer = client.post("/query", json=QUERY_EXAMPLE)
    assert answer.status_code == 200
    body = answer.json()
    require(FOUND, body)
    assert len(body["chunks"]) == 5
    assert {chunk["chapter"] for chunk in body["chunks"]} == {3}
    assert body["metadata"]["qdrant_hits"] >= 5
    scores = [chunk["score"] for chunk in body["chunks"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("question", "answered"), [("What is a PID controller?", True), ("How do I install Windows?", False)]
)
def test_a_question_outside_the_subject_is_not_answered(client: httpx.Client, question: str, answered: bool) -> None:
    body = client.post("/tenants/textbook/query", json={"question": question}).json()
    assert (body["abstained"], body["reason"]) == ((False, None) if answered else (True, "low_confidence"))


def test_the_knowledge_is_cut_as_published(client: httpx.Client) -> None:
    documents = client.get("/tenants/textbook/documents", params={"limit": 100}).json()["documents"]
    knowledge = [document["document_id"] for document in documents if document["document_id"].endswith(".md")]
    assert len(knowledge) >= 12
    for document_id in knowledge:
        chunks = client.get(f"/tenants/textbook/documents/{document_id}/chunks").json()["chunks"]
        spans = [(chunk["span"]["start"], chunk["span"]["end"]) for chunk in chunks]
        assert all(650 <= end - start <= 850 for start, end in spans[:-1])
        assert all(80 <= end - start <= 120 for (_, end), (start, _) in pairwise(spans))


def test_health(client: httpx.Client) -> None:
    require(HEALTH, client.get("/health").json())


def test_errors(client: httpx.Client) -> None:
    require(ERROR, client.post("/query", json={"question": "?"}).json())
    require(ERROR, client.get("/nowhere").json())
