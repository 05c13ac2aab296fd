"""CORTX's API over HTTP: the published examples, the four levels, scopes, versions, streams and errors."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from typing import Any

import httpx
import pytest

from app.contracts.cortx.mapping import query_response
from tests.app.running import serving
from tests.conftest import OpenTenant

PROFILE = """
tenant: cortx
contract: cortx
metadata:
  fields:
    level: {type: keyword, values: [platform, suite, module, entity], required: true}
    suite: {type: keyword}
    module: {type: keyword}
    entity_id: {type: keyword}
    source: {type: keyword}
    version: {type: keyword}
  hierarchy: {level: level, path: [suite, module, entity_id]}
"""
FED = {"level": "suite", "suite": "fedsuite", "module": "reconciliation", "source": "CFR 1234.56", "version": "1.0"}
DOCUMENTS: list[tuple[str, dict[str, str]]] = [
    ("Every difference above one hundred dollars is approved by a supervisor before reconciliation ends.", FED),
    ("Audit events are kept for seven years.", {"level": "platform", "source": "PLT-1"}),
    (
        "The corporate suite reconciles by quarter.",
        {"level": "suite", "suite": "corpsuite", "source": "COR-1"},
    ),
    (
        "Reconciliation files are text with vertical bars.",
        {"level": "module", "suite": "fedsuite", "module": "reconciliation", "source": "FED-2"},
    ),
    (
        "Acme reconciles every Tuesday.",
        {"level": "entity", "suite": "fedsuite", "module": "reconciliation", "entity_id": "acme", "source": "A-1"},
    ),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with ExitStack() as opened:
        client = opened.enter_context(serving(tmp_path_factory.mktemp("cortx"), (PROFILE,)))
        for content, metadata in DOCUMENTS:
            answer = client.post("/v1/ingest", json={"content": content, "metadata": metadata})
            assert answer.status_code == 201, answer.text
        yield client


def query(client: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = client.post("/v1/query", json={"question": "What are the reconciliation requirements?", **asked})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_same_source_in_the_same_place_is_a_new_version(client: httpx.Client) -> None:
    metadata = {"level": "platform", "source": "versioned"}
    first = client.post("/v1/ingest", json={"content": "Backups are kept for a week.", "metadata": metadata}).json()
    assert uuid.UUID(first["document_id"])
    assert (first["chunks_created"], first["embeddings_generated"], first["version"]) == (1, 1, 1)
    again = client.post("/v1/ingest", json={"content": "Backups are kept for a week.", "metadata": metadata}).json()
    assert again == {**first, "state": "unchanged"}
    second = client.post("/v1/ingest", json={"content": "Backups are kept for a month.", "metadata": metadata}).json()
    assert (second["document_id"], second["version"]) == (first["document_id"], 2)
    assert second["created_at"] == first["created_at"]
    times = [first["created_at"], first["updated_at"], second["updated_at"]]
    assert sorted(map(datetime.fromisoformat, times)) == list(map(datetime.fromisoformat, times))
    assert second["updated_at"] != first["updated_at"]
    elsewhere = {**metadata, "level": "suite", "suite": "fedsuite"}
    third = client.post("/v1/ingest", json={"content": "Backups are kept for a day.", "metadata": elsewhere}).json()
    assert third["document_id"] != first["document_id"]
    before = query(
        client, question="How long are backups kept?", as_of=first["snapshot"], filters={"source": "versioned"}
    )
    assert "for a week" in before["answer"]


def test_answers_with_sources_and_confidence(client: httpx.Client) -> None:
    body = query(client, filters={"level": "suite", "suite": "fedsuite"}, top_k=5)
    assert "approved by a supervisor" in body["answer"]
    assert body["answer"].endswith("[1]")
    assert 0 < body["confidence"] <= 1
    source = body["sources"][0]
    assert set(source) >= {"chunk_id", "content", "metadata", "similarity"}
    assert datetime.fromisoformat(source["metadata"].pop("timestamp")).tzinfo is not None
    assert source["metadata"] == FED
    assert 0 < source["similarity"] <= 1
    assert isinstance(body["processing_time_ms"], int)


def test_searches_by_words_and_meaning(client: httpx.Client) -> None:
    body = client.post("/v1/search", json={"query": "reconciliation", "filters": {"suite": "fedsuite"}}).json()
    assert {hit["metadata"]["suite"] for hit in body["results"]} == {"fedsuite"}
    similarities = [hit["similarity"] for hit in body["results"]]
    assert similarities == sorted(similarities, reverse=True)


def test_a_scope_sees_inherited_documents_and_none_of_siblings(client: httpx.Client) -> None:
    scope = {"suite": "fedsuite", "module": "reconciliation"}
    seen = {hit["metadata"]["source"] for hit in query(client, scope=scope, top_k=50)["sources"]}
    assert {"CFR 1234.56", "PLT-1", "FED-2"} <= seen
    assert not seen & {"COR-1", "A-1"}
    own = {hit["metadata"]["source"] for hit in query(client, scope=scope, inherit=False, top_k=50)["sources"]}
    assert own == {"FED-2"}


def test_null_is_not_given(client: httpx.Client) -> None:
    nothing = dict.fromkeys(("filters", "scope", "inherit", "as_of", "top_k"))
    whole, nulls = query(client), query(client, **nothing, stream=None)
    assert [source["chunk_id"] for source in nulls["sources"]] == [source["chunk_id"] for source in whole["sources"]]
    assert client.post("/v1/search", json={"query": "audit events", **nothing}).json()["results"]
    metadata = {"level": "platform", "suite": None, "module": None, "entity_id": None, "source": "PLT-NULL"}
    assert client.post("/v1/ingest", json={"content": "Keys are rotated.", "metadata": metadata}).status_code == 201
    seen = query(client, question="What is rotated?", scope={"suite": "fedsuite"})["sources"]
    assert seen[0]["metadata"]["source"] == "PLT-NULL"
    for wrong in ({"question": None}, {"question": "a", "top_k": "5"}, {"question": "a", "filters": []}):
        assert client.post("/v1/query", json=wrong).status_code == 400


@pytest.mark.parametrize(
    ("metadata", "missing"),
    [
        ({"source": "x"}, "level"),
        ({"level": "suite"}, "suite"),
        ({"level": "module", "suite": "fedsuite"}, "module"),
        ({"level": "module", "module": "reconciliation"}, "suite"),
        ({"level": "entity", "suite": "fedsuite"}, "entity_id"),
    ],
)
def test_a_level_requires_its_fields(client: httpx.Client, metadata: dict[str, str], missing: str) -> None:
    answer = client.post("/v1/ingest", json={"content": "Some policy.", "metadata": metadata})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert missing in json.dumps(error["details"])
    assert error["request_id"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"question": ""}, 422),
        ({"question": "x", "top_k": 0}, 422),
        ({"question": "x", "top_k": 101}, 422),
        ({"question": "x", "top_k": "5"}, 400),
        ({"question": "x", "filters": {"suit": "fedsuite"}}, 422),
        ({"question": "x", "scope": {"region": "north"}}, 422),
        ({}, 400),
    ],
)
def test_bad_requests_are_answered_in_the_error_envelope(
    client: httpx.Client, asked: dict[str, Any], status: int
) -> None:
    answer = client.post("/v1/query", json=asked)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"code", "message", "details", "request_id"}


def test_an_answer_can_be_streamed(client: httpx.Client) -> None:
    asked = {"question": "How long are audit events kept, and who approves a difference?", "stream": True}
    names, data = [], []
    with client.stream("POST", "/v1/query", json=asked) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
            if line.startswith("data: "):
                data.append(json.loads(line.removeprefix("data: ")))
    assert names[0] == "sources"
    assert names[-1] == "done"
    text = "".join(part["text"] for name, part in zip(names, data, strict=True) if name == "token")
    assert "seven years" in text
    done = data[-1]
    assert text == done["answer"]
    cited = {part["number"]: part["chunk_id"] for name, part in zip(names, data, strict=True) if name == "citation"}
    assert cited
    assert all(done["sources"][number - 1]["chunk_id"] == chunk_id for number, chunk_id in cited.items())


def test_a_stream_numbers_sources_instead_of_footnotes(client: httpx.Client) -> None:
    content = "Badges are worn by all visitors. Badges of visitors are returned in the evening."
    client.post("/v1/ingest", json={"content": content, "metadata": {"level": "platform", "source": "badges"}})
    asked = {"question": "What about badges of visitors?", "filters": {"source": "badges"}, "stream": True}
    lines = client.post("/v1/query", json=asked).text.splitlines()
    parts = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    text = "".join(part.get("text", "") for part in parts)
    assert text == parts[-1]["answer"]
    assert text.count("[1]") == 1, "one chunk has one number, and one paragraph is one quote"
    assert "[2]" not in text


@pytest.mark.parametrize(("wrong", "right"), [("filter", "filters"), ("topk", "top_k"), ("user", None)])
@pytest.mark.parametrize(("path", "asks"), [("/v1/query", "question"), ("/v1/search", "query")])
def test_unknown_keys_are_refused_with_a_suggestion(
    client: httpx.Client, path: str, asks: str, wrong: str, right: str | None
) -> None:
    answer = client.post(path, json={asks: "Who reconciles?", wrong: {"suite": "corpsuite"}})
    assert answer.status_code == 400, answer.text
    [problem] = answer.json()["error"]["details"]
    assert (problem["path"], problem["suggestion"]) == (wrong, right)


def test_the_time_of_a_query_includes_composing_the_answer(open_tenant: OpenTenant) -> None:
    answer = open_tenant(PROFILE).answer("What are the reconciliation requirements?")
    assert query_response(answer, time.perf_counter() - 1).processing_time_ms >= 1000


def test_a_source_with_a_dot_keeps_its_text_as_a_title(client: httpx.Client) -> None:
    asked = {"query": "who approves", "filters": {"source": "CFR 1234.56"}}
    results = client.post("/v1/search", json=asked).json()["results"]
    [document_id] = {found["document_id"] for found in results}
    document = client.get(f"/tenants/cortx/documents/{document_id}").json()
    assert document["title"] == "CFR 1234.56"


def test_a_field_unlike_any_known_one_gets_no_suggestion(client: httpx.Client) -> None:
    for wrong, right in (("author", None), ("color", None), ("nto", "not"), ("suit", "suite"), ("id", "entity_id")):
        answer = client.post("/v1/search", json={"query": "reconciliation", "filters": {wrong: "x"}})
        [problem] = answer.json()["error"]["details"]
        assert problem["suggestion"] == right


def test_a_question_follows_another_of_its_conversation(client: httpx.Client) -> None:
    asked = {"question": "Who signs the reconciliation report?", "conversation_id": "c-1"}
    first = client.post("/v1/query", json=asked).json()
    assert (first["conversation_id"], first["rewritten_question"]) == ("c-1", None)
    then = client.post("/v1/query", json={"question": "And when?", "conversation_id": "c-1"}).json()
    assert "reconciliation" in then["rewritten_question"]
    alone = client.post("/v1/query", json={"question": "Who signs the reconciliation report?"}).json()
    assert alone["conversation_id"] is None
