"""The textbook's API over HTTP, as its published document has it."""

from __future__ import annotations

import uuid
from datetime import datetime

import httpx
import pytest

from tests.app.running import Serve

PROFILE = """
tenant: textbook
title: Robotics textbook
contract: textbook
metadata:
  fields:
    chapter: {type: integer, required: true}
    section: {type: keyword}
    page: {type: integer, required: true}
store: {engine: memory}
limits: {question_chars: [3, 1000], content_chars: [100, 100000], top_k: 20}
"""
CONTENT = (
    "A gripper closes its jaws around a part. A force sensor in the jaw tells how hard it presses. "
    "When the force is high enough the controller stops the motor, so that the part is neither dropped nor crushed. "
)
METADATA = {"title": "Grippers", "chapter": 3, "section": "Closing the jaw", "page": 42}


@pytest.fixture
def client(serve: Serve) -> httpx.Client:
    return serve(PROFILE)


def ingest(client: httpx.Client, **changes: object) -> httpx.Response:
    return client.post("/ingest", json={"content": CONTENT, "metadata": METADATA, **changes})


def test_ingestion_reports_what_it_stored(client: httpx.Client) -> None:
    answer = ingest(client)
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "success"
    assert body["chunks_created"] == body["embeddings_stored"] == 1
    assert uuid.UUID(body["doc_id"])


def test_the_same_content_is_the_same_document(client: httpx.Client) -> None:
    first, again = ingest(client).json(), ingest(client).json()
    assert first == again
    other = ingest(client, metadata={**METADATA, "page": 43}).json()
    assert other["doc_id"] != first["doc_id"]


def test_finds_passages_with_their_place_in_the_book(client: httpx.Client) -> None:
    ingest(client)
    body = client.post("/query", json={"question": "How does the gripper know when to stop?", "top_k": 5}).json()
    [chunk] = body["chunks"]
    assert (chunk["chapter"], chunk["section"], chunk["page"]) == (3, "Closing the jaw", 42)
    assert 0 < chunk["score"] <= 1
    assert chunk["chunk_text"] in CONTENT
    assert body["metadata"]["query_embedding_dim"] == 384
    assert body["metadata"]["search_latency_ms"] >= 0
    assert body["metadata"]["qdrant_hits"] == 1


def test_documents_without_a_place_in_the_book_are_not_found(serve: Serve) -> None:
    fields = "chapter: {type: integer}, page: {type: integer}"
    client = serve(
        f"tenant: textbook\ncontract: textbook\nmetadata: {{fields: {{{fields}}}}}\nstore: {{engine: memory}}\n"
    )
    placed = {"chapter": 1, "page": 2, "section": ["Jaws", "Force"]}
    for metadata in ({}, {"chapter": 1}, placed):
        document = {"content": CONTENT, "document_id": str(len(metadata)), "metadata": metadata}
        assert client.post("/tenants/textbook/documents", json=document).status_code == 201
    for chapter in ({}, {"chapter_filter": 1}):
        found = client.post("/query", json={"question": "How does the gripper know when to stop?", **chapter})
        assert [(one["page"], one["section"]) for one in found.json()["chunks"]] == [(2, "Jaws, Force")]


def test_the_chapter_filter_leaves_other_chapters_out(client: httpx.Client) -> None:
    ingest(client)
    asked = {"question": "How does the gripper know when to stop?"}
    assert client.post("/query", json={**asked, "chapter_filter": 4}).json()["chunks"] == []
    assert len(client.post("/query", json={**asked, "chapter_filter": 3}).json()["chunks"]) == 1


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"content": "too short"}, "content"),
        ({"content": "x" * 100_001}, "content"),
        ({"metadata": {**METADATA, "chapter": 0}}, "chapter"),
        ({"metadata": {**METADATA, "chapter": 101}}, "chapter"),
        ({"metadata": {**METADATA, "page": 0}}, "page"),
        ({"metadata": {**METADATA, "title": ""}}, "title"),
        ({"metadata": {**METADATA, "title": "t" * 201}}, "title"),
        ({"metadata": {**METADATA, "section": "s" * 201}}, "section"),
        ({"metadata": {"title": "Grippers"}}, "chapter"),
    ],
)
def test_values_out_of_bounds_are_refused(client: httpx.Client, changes: dict[str, object], where: str) -> None:
    answer = ingest(client, **changes)
    assert answer.status_code == 400
    body = answer.json()
    assert set(body) == {"error", "detail", "status_code"}
    assert body["status_code"] == 400
    assert where in body["detail"]


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "hm"},
        {"question": "   "},
        {"question": " hm "},
        {"question": "w" * 1001},
        {"question": "What is a gripper?", "top_k": 0},
        {"question": "What is a gripper?", "top_k": 21},
        {"question": "What is a gripper?", "chapter_filter": 101},
        {},
    ],
)
def test_a_question_out_of_bounds_is_refused(client: httpx.Client, asked: dict[str, object]) -> None:
    answer = client.post("/query", json=asked)
    assert (answer.status_code, answer.json()["status_code"]) == (400, 400)


def test_a_misspelt_field_is_refused_with_the_right_one(client: httpx.Client) -> None:
    for wrong in ("chapter_filtr", "chapter", "filters"):
        answer = client.post("/query", json={"question": "What is a gripper?", wrong: 3})
        assert answer.status_code == 400
        assert 'did you mean "chapter_filter"' in answer.json()["detail"]
    assert client.post("/query", json={"question": "What is a gripper?", "trace_parent": "x"}).status_code == 200


def test_an_invalid_question_is_reported_by_its_field_name(client: httpx.Client) -> None:
    answer = client.post("/query", json={"question": " hm "})
    assert answer.json()["detail"].startswith("question: ")


def test_invalid_json_is_refused_in_the_same_shape(client: httpx.Client) -> None:
    answer = client.post("/query", content=b"{", headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "detail", "status_code"}


def test_health_reports_each_part(client: httpx.Client) -> None:
    body = client.get("/health").json()
    assert (body["status"], body["qdrant_connected"], body["embedding_api_available"]) == ("ok", True, True)
    assert datetime.fromisoformat(body["timestamp"]).tzinfo is not None


def test_an_unknown_route_answers_in_the_same_shape(client: httpx.Client) -> None:
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert set(answer.json()) == {"error", "detail", "status_code"}


def test_takes_whole_numbers_as_the_published_models_read_them(client: httpx.Client) -> None:
    first = ingest(client).json()
    assert ingest(client, metadata={**METADATA, "chapter": "3", "page": 42.0}).json() == first
    asked = {"question": "How does the gripper know when to stop?", "chapter_filter": "3", "top_k": 1.0}
    assert [chunk["chapter"] for chunk in client.post("/query", json=asked).json()["chunks"]] == [3]
    for wrong in (True, 3.5, "three", "101", 0):
        assert client.post("/query", json={**asked, "chapter_filter": wrong}).status_code == 400
