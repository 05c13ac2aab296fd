"""The textbook's API over HTTP, as its published document has it."""

from __future__ import annotations

import uuid

import httpx
import pytest

from tests.app.contracts.textbook.book import CONTENT, METADATA, PROFILE, ingest
from tests.app.running import Serve


@pytest.fixture
def client(serve: Serve) -> httpx.Client:
    return serve(PROFILE)


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


LINKS = "[Gripper](https://robots.example/parts/grippers) and [motor](https://robots.example/parts/motors/of-the-jaw)"
TABLE = "|gripper|force|\n|-|-|\n" + "|jaw|9|\n" * 12_000


@pytest.mark.parametrize("content", ["word " * 20, LINKS, TABLE, "x" * 100_000])
def test_the_bounds_of_content_are_those_of_what_was_sent(client: httpx.Client, content: str) -> None:
    assert 100 <= len(content) <= 100_000
    answer = ingest(client, content=content)
    assert answer.status_code == 200, answer.text
    assert ingest(client, content=content[:99]).status_code == 400


def test_text_between_rules_is_text(client: httpx.Client) -> None:
    content = f"---\nNote: this section is about: robots\n---\n\n{CONTENT}"
    first, again = ingest(client, content=content), ingest(client, content=content)
    assert first.status_code == 200, first.text
    assert first.json() == again.json()
    [chunk] = client.post("/query", json={"question": "What is this section about?", "top_k": 1}).json()["chunks"]
    assert chunk["chunk_text"].startswith("Note: this section is about: robots")


def test_front_matter_is_not_text(client: httpx.Client) -> None:
    assert ingest(client, content=f"---\nauthor: Ann\n---\n\n{CONTENT}").status_code == 200
    [chunk] = client.post("/query", json={"question": "What does the gripper do?", "top_k": 1}).json()["chunks"]
    assert chunk["chunk_text"] in CONTENT


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


def test_takes_whole_numbers_as_the_published_models_read_them(client: httpx.Client) -> None:
    first = ingest(client).json()
    assert ingest(client, metadata={**METADATA, "chapter": "3", "page": 42.0}).json() == first
    asked = {"question": "How does the gripper know when to stop?", "chapter_filter": "3", "top_k": 1.0}
    assert [chunk["chapter"] for chunk in client.post("/query", json=asked).json()["chunks"]] == [3]
    for wrong in (True, 3.5, "three", "101", 0):
        assert client.post("/query", json={**asked, "chapter_filter": wrong}).status_code == 400
