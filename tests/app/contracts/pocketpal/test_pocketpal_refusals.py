"""What PocketPal's API refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, Phone, write_documents
from tests.app.contracts.pocketpal.shapes import ERROR
from tests.app.contracts.published import require
from tests.app.running import serving


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """A phone for requests that leave nothing behind; its folder has ways out of it."""
    home = tmp_path_factory.mktemp("refusals")
    folder = write_documents(home / "documents")
    secret = home / "secret.md"
    secret.write_text("A secret.")
    (folder / "link.md").symlink_to(secret)
    (folder / "linked").symlink_to(home)
    (folder / ".hidden.md").write_text("A secret.")
    with serving(home, (PROFILE.format(folder=folder),)) as client:
        phone = Phone(client, folder)
        before = phone.call("GET", "config")
        yield phone
        assert phone.call("GET", "documents")["totalDocuments"] == 0
        assert phone.call("GET", "config") == before


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.md", "link.md", ".hidden.md", "linked/secret.md"])
def test_paths_outside_the_allowed_folders_are_refused(empty: Phone, path: str) -> None:
    for method, body in (
        ("documents/ingest", {"documentPath": path, "documentType": "md"}),
        ("batch/ingest", {"documents": [{"path": path, "type": "md"}]}),
    ):
        assert empty.call("POST", method, 403, **body)["code"] == "RAG_001"


@pytest.mark.parametrize(
    ("path", "kind", "status"),
    [("none.md", "md", 404), ("m" * 4000, "md", 404), ("", "md", 400), ("model.md", "pdf", 422)],
)
def test_unreadable_files_are_refused(empty: Phone, path: str, kind: str, status: int) -> None:
    refused = empty.call("POST", "documents/ingest", status, documentPath=path, documentType=kind)
    assert refused["code"] == ("REQUEST_MALFORMED" if status == 400 else "RAG_001")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("vectors/search", {}),
        ("vectors/search", {"query": " "}),
        ("vectors/search", {"query": "a", "limit": 0}),
        ("vectors/search", {"query": "a", "limit": 21}),
        ("vectors/search", {"query": "a", "limit": "5"}),
        ("vectors/search", {"query": "a", "threshold": 1.1}),
        ("vectors/search", {"query": "a", "threshold": -0.1}),
        ("vectors/search", {"queryVector": [1.0] * 383}),
        ("vectors/search", {"queryVector": [0.0] * 384}),
        ("vectors/search", {"queryVector": []}),
        ("vectors/search", {"query": "a", "filter": {"documentIds": []}}),
        ("vectors/search", {"query": "a", "filter": {"dateRange": {"start": "yesterday", "end": "2025-01-01"}}}),
        ("vectors/search", {"query": "a", "filter": {"dateRange": {"start": "2025-01-02", "end": "2025-01-01"}}}),
        ("vectors/search", {"query": "a", "filter": {"dateRange": {"start": 5, "end": "2025-01-01"}}}),
        (
            "vectors/search",
            {"query": "a", "filter": {"dateRange": {"start": "0001-01-01T00:00:00+14:00", "end": "2025-01-01"}}},
        ),
        (
            "vectors/search",
            {"query": "a", "filter": {"dateRange": {"start": "2025-01-01", "end": "9999-12-31T23:59:59-12:00"}}},
        ),
        ("vectors/search", {"query": "a" * 4001}),
        ("vectors/embed", {}),
        ("vectors/embed", {"text": ""}),
        ("vectors/embed", {"text": "a", "model": "other"}),
        ("context/retrieve", {"query": ""}),
        ("context/retrieve", {"query": "a", "maxChunks": 0}),
        ("context/retrieve", {"query": "a", "maxContextLength": 0}),
        ("context/retrieve", {"query": "a", "diversityFactor": 2}),
        ("context/enhance-prompt", {"userQuery": "a", "template": "poetic"}),
        ("documents/ingest", {"documentPath": "model.md", "documentType": "docx"}),
        ("documents/ingest", {"documentPath": "model.md", "documentType": "md", "chunkSize": 15}),
        ("documents/ingest", {"documentPath": "model.md", "documentType": "md", "chunkSize": 4001}),
        ("documents/ingest", {"documentPath": "model.md", "documentType": "md", "chunkSize": 100, "chunkOverlap": 51}),
        ("documents/ingest", {"documentPath": "model.md", "documentType": "md", "metadata": {"tags": "ai"}}),
        ("batch/ingest", {"documents": []}),
        ("batch/ingest", {"documents": [{"path": "model.md", "type": "md"}], "concurrency": 0}),
        ("batch/ingest", {"documents": [{"path": "model.md", "type": "md"}], "priority": "urgent"}),
        ("index/optimize", {"action": "shrink"}),
    ],
)
def test_values_out_of_bounds_are_refused(empty: Phone, path: str, body: dict[str, Any]) -> None:
    answer = empty.client.post(f"/api/rag/{path}", json=body)
    assert answer.status_code in (400, 422), answer.text
    error = answer.json()["error"]
    assert set(error) >= {"code", "message", "timestamp", "requestId"}
    assert error["requestId"] == answer.headers["X-Request-ID"]


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("vectors/search", {"query": "a", "limit": 0}, "limit"),
        ("vectors/search", {"query": "a", "limit": 101}, "limit"),
        ("vectors/search", {"query": "a" * 4001}, "query"),
        ("vectors/search", {"query": "a" * 4001, "queryVector": [1.0] * 384}, "query"),
        ("context/retrieve", {"query": ""}, "query"),
        ("context/retrieve", {"query": "a", "maxChunks": 0}, "maxChunks"),
        ("context/enhance-prompt", {"userQuery": " "}, "userQuery"),
        ("context/enhance-prompt", {"userQuery": "a" * 4001, "context": "b"}, "userQuery"),
    ],
)
def test_what_limits_forbid_is_unprocessable(empty: Phone, path: str, body: dict[str, Any], named: str) -> None:
    [problem] = empty.call("POST", path, 422, **body)["details"]["problems"]
    assert problem["path"] == named


@pytest.mark.parametrize("path", ["batch/nothing", "tasks/nothing", "nothing"])
def test_not_found_errors_have_the_same_shape(empty: Phone, path: str) -> None:
    empty.call("GET", path, 404)


def test_a_task_id_is_not_a_batch_id(empty: Phone) -> None:
    started = empty.call("POST", "index/optimize", action="rebalance")
    empty.call("GET", f"batch/{started['taskId']}", 404)


def test_unknown_keys_are_refused_with_the_nearest_known_one(empty: Phone) -> None:
    empty.ingest("model.md", metadata={"shelf": "kept"})
    error = empty.ingest("model.md", status=400, chunksize=100)
    assert error["details"]["problems"][0]["suggestion"] == "chunkSize"
    error = empty.call("POST", "vectors/search", 400, query="models", topResults=3)
    assert error["details"]["problems"][0]["path"] == "topResults"
    empty.call("DELETE", "documents/model.md")


@pytest.mark.parametrize(
    ("path", "body", "wrong", "right"),
    [
        ("documents/ingest", {"document_path": "model.md", "documentType": "md"}, "document_path", "documentPath"),
        ("documents/ingest", {"documentPath": "m", "documentType": "md", "chunk_size": 9}, "chunk_size", "chunkSize"),
        ("vectors/search", {"query": "a", "query_vector": None}, "query_vector", "queryVector"),
        ("context/retrieve", {"query": "a", "max_chunks": 2}, "max_chunks", "maxChunks"),
        ("context/enhance-prompt", {"user_query": "a"}, "user_query", "userQuery"),
        ("index/optimize", {"action": "compact", "background_mode": True}, "background_mode", "backgroundMode"),
    ],
)
def test_a_key_in_snake_case_is_unknown(empty: Phone, path: str, body: dict[str, Any], wrong: str, right: str) -> None:
    problems = empty.call("POST", path, 400, **body)["details"]["problems"]
    assert (wrong, right) in [(problem["path"], problem.get("suggestion")) for problem in problems]


@pytest.mark.parametrize(
    ("asked", "wrong", "right"),
    [
        ({"filter": {"tag": ["a"]}}, "filter -> tag", "tags"),
        ({"filter": {"colour": ["red"]}}, "filter -> colour", None),
        (
            {"filter": {"dateRange": {"start": "2020-01-01", "ende": "2021-01-01"}}},
            "filter -> dateRange -> ende",
            "end",
        ),
        ({"filters": {"tags": ["a"]}}, "filters", "filter"),
    ],
)
def test_an_unknown_filter_is_refused_with_a_suggestion(
    empty: Phone, asked: dict[str, Any], wrong: str, right: str | None
) -> None:
    problems = empty.call("POST", "vectors/search", 400, query="models", **asked)["details"]["problems"]
    assert (wrong, right) in [(problem["path"], problem.get("suggestion")) for problem in problems]


@pytest.mark.parametrize("section", ["search", "vectorStore", "performance"])
def test_a_null_configuration_section_is_refused(empty: Phone, section: str) -> None:
    [problem] = empty.call("PUT", "config", 400, **{section: None})["details"]["problems"]
    assert (problem["path"], problem["message"]) == (section, "must be an object, not null")


def test_a_wrong_method_is_answered_with_the_allowed_ones(empty: Phone) -> None:
    answer = empty.client.patch("/api/rag/config")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, PUT")
    require(ERROR, answer.json())


def test_a_path_with_a_line_feed_is_not_found_in_the_contracts_error_shape(empty: Phone) -> None:
    assert empty.call("DELETE", "documents/two%0Alines.md", 404)["code"] == "DOCUMENT_NOT_FOUND"
    assert empty.call("GET", "tasks/two%0Alines", 404)["code"] == "JOB_NOT_FOUND"


def test_an_invalid_vector_is_reported_by_its_published_name(empty: Phone) -> None:
    [problem] = empty.call("POST", "vectors/search", 422, queryVector=[1.0, 2.0])["details"]["problems"]
    assert problem["path"] == "queryVector"
