"""The OpenAPI document of the native API is valid, complete, and tells the truth about errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from app.main import native_app
from tests.app.contracts.published import require_committed

DOCUMENT = native_app().openapi()
OPERATIONS = [
    (f"{method} {path}", operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]


def test_the_document_is_valid() -> None:
    validate(DOCUMENT)


def test_the_document_is_the_committed_one() -> None:
    require_committed(DOCUMENT, Path(__file__).parent / "openapi.json")


def test_every_route_is_listed_under_its_name() -> None:
    assert {(name, operation["operationId"]) for name, operation in OPERATIONS} == {
        ("get /", "list_tenants"),
        ("post /{tenant}/documents", "ingest"),
        ("get /{tenant}/documents", "list_documents"),
        ("get /{tenant}/facets", "facets"),
        ("get /{tenant}/documents/{document_id}", "document"),
        ("delete /{tenant}/documents/{document_id}", "delete_document"),
        ("get /{tenant}/documents/{document_id}/content", "document_content"),
        ("get /{tenant}/documents/{document_id}/chunks", "document_chunks"),
        ("get /{tenant}/documents/{document_id}/pages/{page}", "document_page"),
        ("get /{tenant}/documents/{document_id}/pictures/{number}", "document_picture"),
        ("get /{tenant}/documents/{document_id}/versions", "document_versions"),
        ("post /{tenant}/search", "search"),
        ("post /{tenant}/explain", "explain"),
        ("post /{tenant}/query", "query"),
        ("get /{tenant}/conversations", "list_conversations"),
        ("get /{tenant}/conversations/{conversation_id}", "conversation"),
        ("delete /{tenant}/conversations/{conversation_id}", "delete_conversation"),
        ("post /{tenant}/feedback", "give_feedback"),
        ("get /{tenant}/feedback", "list_feedback"),
        ("get /{tenant}/feedback/next", "list_unlabelled"),
        ("delete /{tenant}/feedback/{answer_id}", "withdraw_feedback"),
        ("get /{tenant}/experiments", "experiments"),
        ("post /{tenant}/jobs", "start_job"),
        ("get /{tenant}/jobs", "list_jobs"),
        ("get /{tenant}/jobs/{job_id}", "job"),
        ("post /{tenant}/jobs/{job_id}/cancel", "cancel_job"),
        ("post /{tenant}/sync", "sync"),
        ("post /{tenant}/doctor", "doctor"),
        ("get /{tenant}/backup", "backup"),
        ("get /{tenant}/audit", "audit"),
        ("get /{tenant}/keys", "list_keys"),
        ("post /{tenant}/keys", "create_key"),
        ("post /{tenant}/keys/{name}/rotate", "rotate_key"),
        ("delete /{tenant}/keys/{name}", "revoke_key"),
        ("delete /{tenant}/conversations", "delete_conversations"),
        ("get /{tenant}/stats", "stats"),
    }


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_errors_are_declared_as_they_are_sent(name: str, operation: dict[str, Any]) -> None:
    errors = {status: response for status, response in operation["responses"].items() if int(status) >= 400}
    of_a_tenant = {"404", "503"} if "{tenant}" in name else set()
    assert {"400", "401", "421", "500"} | of_a_tenant <= set(errors)
    for response in errors.values():
        schema = response["content"]["application/problem+json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/ProblemDocument"}
        assert set(response["content"]) == {"application/problem+json"}


@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_a_key_may_be_sent_in_two_ways(name: str, operation: dict[str, Any]) -> None:
    assert operation["security"] == [{"HTTPBearer": []}, {"APIKeyHeader": []}]


def test_the_frameworks_own_errors_are_not_promised() -> None:
    assert not {"HTTPValidationError", "ValidationError"} & set(DOCUMENT["components"]["schemas"])


def test_documents_are_sent_as_json_or_as_a_form() -> None:
    content = DOCUMENT["paths"]["/{tenant}/documents"]["post"]["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    assert set(content["multipart/form-data"]["schema"]["properties"]) == {
        "file", "metadata", "document_id", "title", "source", "wait",
    }  # fmt: skip


@pytest.mark.parametrize(("route", "waited"), [("documents", "201"), ("sync", "200"), ("jobs", None)])
def test_an_operation_run_as_a_job_answers_with_its_id_and_location(route: str, waited: str | None) -> None:
    responses = DOCUMENT["paths"][f"/{{tenant}}/{route}"]["post"]["responses"]
    answer = responses["202"]
    assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/JobAcceptedResponse"}
    assert "Location" in answer["headers"]
    assert {status for status in responses if int(status) < 300} == {"202", waited} - {None}


@pytest.mark.parametrize(("route", "keys"), [("sync", {"wait", "allow_empty", "reread"}), ("doctor", {"repair"})])
def test_a_body_that_may_be_left_out_is_described(route: str, keys: set[str]) -> None:
    body = DOCUMENT["paths"][f"/{{tenant}}/{route}"]["post"]["requestBody"]
    assert set(body["content"]["application/json"]["schema"]["properties"]) == keys
    assert not body.get("required", False)


def test_an_id_that_looks_like_another_route_is_described() -> None:
    shown = DOCUMENT["paths"]["/{tenant}/documents/{document_id}"]["get"]
    (described,) = (given for given in shown["parameters"] if given["name"] == "document_id")
    assert "/content, /chunks or /versions" in shown["description"]
    assert "%2F" in described["description"]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("SearchResponse", {"results", "snapshot", "took_ms"}),
        ("QueryResponse", {"answer", "conversation_id", "rewritten_question", "timings_ms"}),
    ],
)
def test_answers_are_described_by_their_names_on_the_wire(name: str, keys: set[str]) -> None:
    schema = DOCUMENT["components"]["schemas"][name]
    assert keys <= set(schema["properties"])
    assert keys <= set(schema["required"])
