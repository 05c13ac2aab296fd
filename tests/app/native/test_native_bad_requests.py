"""Bad requests to the native API: each is answered with a problem that says what is wrong, and none is a 5xx."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from pipelines.errors import MAX_PROBLEMS
from tests.app.running import serving

PROFILE = """
tenant: t
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
limits: {question_chars: [1, 200], top_k: 20}
"""
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("bad"), (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/t/")
        yield client


def _problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "code", "errors", "request_id"}
    assert problem["detail"]
    return problem


@pytest.mark.parametrize(
    "wrong",
    [
        {f"quest{number}": 1 for number in range(10_000)},
        {"scope": {f"place{number}": "a" for number in range(10_000)}},
        {"filters": {"species": [f"bird{number}" for number in range(10_000)]}},
    ],
)
def test_of_thousands_of_problems_the_first_are_reported(api: httpx.Client, wrong: dict[str, Any]) -> None:
    answer = api.post("search", json={"query": "a", **wrong})
    assert answer.status_code in (400, 422)
    assert len(answer.content) < 30_000, answer.text[:500]


def test_unreported_problems_are_counted(api: httpx.Client) -> None:
    problem = _problem(api.post("search", json={"query": "a", **{f"z{number}": 1 for number in range(60)}}), 400)
    assert len(problem["errors"]) == MAX_PROBLEMS
    assert problem["detail"].endswith("; and 10 more")


@pytest.mark.parametrize(
    ("address", "body", "path"),
    [
        (
            "feedback",
            {"answer_id": "a", "citations": [*[{"number": 1, "correct": True}] * 2, *["b"] * 10_000]},
            "citations -> 2",
        ),
        ("/openai/v1/chat/completions", {"model": "t", "messages": [1] * 10_000}, "messages -> 0"),
    ],
)
def test_the_first_wrong_value_of_a_long_list_is_reported(
    api: httpx.Client, address: str, body: dict[str, Any], path: str
) -> None:
    answer = api.post(api.base_url.join(address), json=body)
    assert answer.status_code == 400
    assert path in answer.text
    assert len(answer.content) < 1000


@pytest.mark.parametrize("route", ["search", "query", "documents"])
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff\xfe\x00",
        b'{"query": "a", "question": "a", "content": "a"} b',
        b'{"query": NaN}',
        b'{"query": "\\ud800"}',
        b'{"content": "\\udfff"}',
        b'{"content": "a\\u0000b"}',
        b'{"metadata": {"a": Infinity}}',
        b'{"query": "a", "query": "b"}',
        b"[" * 100_000,
        b'{"a":' * 1000,
        b"[]",
        b"null",
        b'"text"',
        b"3",
    ],
)
def test_a_body_that_is_not_a_json_object_is_malformed(api: httpx.Client, route: str, raw: bytes) -> None:
    _problem(api.post(route, content=raw, headers=JSON), 400)


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/mixed", ";"]
)
@pytest.mark.parametrize("route", ["search", "query", "documents"])
def test_another_content_type_is_malformed(api: httpx.Client, route: str, content_type: str) -> None:
    body = b'{"query": "a", "question": "a", "content": "a"}'
    answer = api.post(route, content=body, headers={"Content-Type": content_type})
    assert "Content-Type: application/json" in _problem(answer, 400)["detail"]


@pytest.mark.parametrize(
    ("route", "body", "path", "suggestion"),
    [
        ("search", {"query": "a", "topk": 3}, "topk", "top_k"),
        ("search", {"query": "a", "filter": {}}, "filter", "filters"),
        ("search", {"query": "a", "scpoe": {}}, "scpoe", "scope"),
        ("search", {"query": "a", "asof": 1}, "asof", "as_of"),
        ("query", {"question": "a", "conversation": "x"}, "conversation", "conversation_id"),
        ("query", {"question": "a", "streem": True}, "streem", "stream"),
        ("query", {"question": "a", "llm": {"modle": "m"}}, "llm -> modle", "model"),
        ("documents", {"content": "a", "titel": "b"}, "titel", "title"),
        ("documents", {"documents": [{"content": "a"}, {"contnt": "b"}]}, "documents -> 1 -> contnt", "content"),
        ("documents", {"documents": [{"content": "a"}], "content": "b"}, "content", None),
        ("jobs", {"kind": "sync", "prioritty": 1}, "prioritty", "priority"),
        ("jobs", {"kind": "ingest", "documents": [{"contnt": "a"}]}, "documents -> 0 -> contnt", "content"),
        ("sync", {"allow_emty": True}, "allow_emty", "allow_empty"),
        ("doctor", {"repiar": True}, "repiar", "repair"),
    ],
)
def test_an_unknown_key_is_malformed_and_the_nearest_is_named(
    api: httpx.Client, route: str, body: object, path: str, suggestion: str | None
) -> None:
    error = _problem(api.post(route, json=body), 400)["errors"][0]
    assert (error["path"], error["suggestion"]) == (path, suggestion)
    assert error["message"].startswith("unknown key, known are ")


@pytest.mark.parametrize(
    ("route", "body", "path"),
    [
        ("search", {}, "query"),
        ("search", {"query": 3}, "query"),
        ("search", {"query": None}, "query"),
        ("search", {"query": "a", "top_k": "3"}, "top_k"),
        ("search", {"query": "a", "top_k": 2.5}, "top_k"),
        ("search", {"query": "a", "top_k": True}, "top_k"),
        ("search", {"query": "a", "filters": []}, "filters"),
        ("search", {"query": "a", "mode": "fuzzy"}, "mode"),
        ("search", {"query": "a", "min_score": 2}, "min_score"),
        ("search", {"query": "a", "as_of": -1}, "as_of"),
        ("search", {"query": "a", "as_of": "1"}, "as_of"),
        ("search", {"query": "a", "as_of": True}, "as_of"),
        ("search", {"query": "a", "as_of": 1.5}, "as_of"),
        ("query", {"question": "a", "as_of": -1}, "as_of"),
        ("query", {"question": ["a"]}, "question"),
        ("documents", {"document_id": "a"}, "content"),
        ("documents", {"content": 3}, "content"),
        ("documents", {"content": "a", "document_id": ""}, "document_id"),
        ("documents", {"content": "a", "metadata": []}, "metadata"),
        ("documents", {"content": "a", "wait": "yes"}, "wait"),
        ("documents", {"documents": []}, "documents"),
        ("documents", {"documents": {}}, "documents"),
        ("documents", {"documents": ["a"]}, "documents -> 0"),
        ("jobs", {}, "kind"),
        ("jobs", {"kind": "reindex"}, "kind"),
        ("jobs", {"kind": ["sync"]}, "kind"),
        ("jobs", {"kind": "ingest"}, "documents"),
        ("jobs", {"kind": "ingest", "documents": []}, "documents"),
        ("jobs", {"kind": "ingest", "documents": None}, "documents"),
        ("jobs", {"kind": "ingest", "documents": [{"content": 3}]}, "documents -> 0 -> content"),
        ("jobs", {"kind": "sync", "documents": [{"content": "a"}]}, "documents"),
        ("jobs", {"kind": "purge", "documents": []}, "documents"),
        ("jobs", {"kind": "sync", "priority": -1001}, "priority"),
        ("jobs", {"kind": "sync", "priority": 1001}, "priority"),
        ("jobs", {"kind": "sync", "priority": "high"}, "priority"),
        ("sync", {"wait": "no"}, "wait"),
        ("sync", {"allow_empty": 1}, "allow_empty"),
        ("doctor", {"repair": "yes"}, "repair"),
    ],
)
def test_a_value_of_the_wrong_form_is_malformed(api: httpx.Client, route: str, body: object, path: str) -> None:
    assert _problem(api.post(route, json=body), 400)["errors"][0]["path"] == path


@pytest.mark.parametrize(("route", "key"), [("search", "query"), ("query", "question")])
@pytest.mark.parametrize(
    "more",
    [
        {"": ""},
        {"": " "},
        {"": "a" * 201},
        {"": "a" * 100_000},
        {"": "a", "top_k": 0},
        {"": "a", "top_k": -1},
        {"": "a", "top_k": 21},
        {"": "a", "top_k": 10_000},
        {"": "a", "filters": {"yaer": 1}},
        {"": "a", "filters": {"year": "soon"}},
        {"": "a", "filters": {"year": {"above": 1}}},
        {"": "a", "filters": {"species": []}},
        {"": "a", "filters": {"and": 3}},
        {"": "a", "filters": {"not": {"not": {"nope": 1}}}},
    ],
)
def test_values_the_profile_forbids_are_refused(api: httpx.Client, route: str, key: str, more: dict[str, Any]) -> None:
    body = {name or key: value for name, value in more.items()}
    assert _problem(api.post(route, json=body), 422)["errors"]


@pytest.mark.parametrize(("route", "key"), [("search", "query"), ("query", "question")])
@pytest.mark.parametrize("text", [" ", "a" * 201])
def test_a_text_out_of_bounds_is_named_as_it_was_sent(api: httpx.Client, route: str, key: str, text: str) -> None:
    (error,) = _problem(api.post(route, json={key: text}), 422)["errors"]
    assert error["path"] == key


@pytest.mark.parametrize("content", ["", " ", "\n\t"])
def test_a_document_without_text_is_refused(api: httpx.Client, content: str) -> None:
    _problem(api.post("documents", json={"document_id": "empty", "content": content}), 422)


@pytest.mark.parametrize(
    "metadata", [{"species": "bird"}, {"species": 3}, {"year": "soon"}, {"year": 2.5}, {"year": [1]}]
)
def test_metadata_that_the_profile_does_not_take_is_refused(api: httpx.Client, metadata: dict[str, Any]) -> None:
    answer = api.post("documents", json={"document_id": "m", "content": "a b c", "metadata": metadata})
    (error,) = _problem(answer, 422)["errors"]
    assert set(metadata) < set(error["path"].split(" -> "))


@pytest.mark.parametrize(
    ("files", "fields", "path"),
    [
        ([("title", (None, b"a"))], {}, "file"),
        ([("other", ("a.txt", b"a"))], {}, "other"),
        ([("file", ("", b"a"))], {}, "file"),
        ([("file", ("a.txt", b"a"))], {"titel": "a"}, "titel"),
        ([("file", ("a.txt", b"a"))], {"metadata": "{"}, "metadata"),
        ([("file", ("a.txt", b"a"))], {"metadata": "[1]"}, "metadata"),
        ([("file", ("a.txt", b"a"))], {"metadata": '{"a": NaN}'}, "metadata"),
        ([("file", ("a.txt", b"a"))], {"metadata": '{"a": {"b": "\\u0000"}}'}, "metadata -> a -> b"),
        ([("file", ("a.txt", b"a"))], {"title": "a\x00"}, "title"),
        ([("file", ("a.txt", b"a"))], {"title": ["a", "b"]}, "title"),
        ([("file", ("a.txt", b"a"))], {"wait": "perhaps"}, "wait"),
    ],
)
def test_a_form_that_is_wrong_is_malformed(
    api: httpx.Client, files: list[Any], fields: dict[str, Any], path: str
) -> None:
    answer = api.post("documents", files=files, data=fields)
    assert path in [error["path"] for error in _problem(answer, 400)["errors"]]


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("documents?limit=0", "limit"),
        ("documents?limit=1001", "limit"),
        ("documents?limit=many", "limit"),
        ("documents?limt=5", "limt"),
        ("documents?filters={", "filters"),
        ("documents?filters=[]", "filters"),
        ("documents?filters=3", "filters"),
        ("documents?filters=", "filters"),
        ('documents?filters={"year": NaN}', "filters"),
        ('documents?filters={"year": "%5Cu0000"}', "filters -> year"),
        ("documents?state=lost", "state"),
        ("documents?cursor=%00", "cursor"),
        ("documents/a/content?version=0", "version"),
        ("documents/a/content?version=x", "version"),
        ("documents/a/content?version=96287441458922356736", "version"),
        ("documents/a/content?as_of=-1", "as_of"),
        ("documents/a/content?as_of=now", "as_of"),
        ("documents/a/content?as_of=96287441458922356736", "as_of"),
        ("documents/a/content?version=1&as_of=1", "as_of"),
        ("documents/a/chunks?version=1&as_of=1", "as_of"),
        ("documents/a/chunks?version=x", "version"),
        ("documents/a/versions?limit=1", "limit"),
        ("documents/a?version=1", "version"),
        ("stats?as_of=1", "as_of"),
        ("documents/a%00b", "document_id"),
        ("jobs?limit=0", "limit"),
        ("jobs?limit=1001", "limit"),
        ("jobs?cursor=%00", "cursor"),
        ("jobs?state=finished", "state"),
        ("jobs?kind=sync", "kind"),
        ("jobs/a%00b", "job_id"),
        ("jobs/a?files=true", "files"),
    ],
)
def test_a_parameter_that_is_wrong_is_malformed(api: httpx.Client, address: str, path: str) -> None:
    assert _problem(api.get(address), 400)["errors"][0]["path"] == path


@pytest.mark.parametrize(("parameters", "path"), [("purge=perhaps", "purge"), ("pruge=true", "pruge")])
def test_a_deletion_takes_no_other_parameters(api: httpx.Client, parameters: str, path: str) -> None:
    assert _problem(api.delete(f"documents/a?{parameters}"), 400)["errors"][0]["path"] == path


@pytest.mark.parametrize("parameters", ["filters={'yaer':1}", "filters={'year':'soon'}", "filters={'species':[]}"])
def test_a_list_of_documents_is_filtered_by_declared_fields_only(api: httpx.Client, parameters: str) -> None:
    answer = api.get(f"documents?{parameters}".replace("'", '"'))
    assert _problem(answer, 422)["code"] == "filter_invalid"


@pytest.mark.parametrize("route", ["jobs", "documents"])
@pytest.mark.parametrize("cursor", ["nonsense", "%F0%9F%90%95", "eyJhIjogMX0=", "-1", "%27--"])
def test_an_unknown_cursor_is_a_bad_request(api: httpx.Client, route: str, cursor: str) -> None:
    refused = _problem(api.get(f"{route}?cursor={cursor}"), 422)
    assert refused["errors"][0]["path"] == "cursor"


@pytest.mark.parametrize("key", ["", "a" * 201])
@pytest.mark.parametrize("route", ["documents?wait=false", "jobs", "sync?wait=false"])
def test_an_idempotency_key_has_1_to_200_characters(api: httpx.Client, route: str, key: str) -> None:
    body = {"documents": {"content": "a"}, "jobs": {"kind": "optimize"}, "sync": {}}[route.partition("?")[0]]
    answer = api.post(route, json=body, headers={"Idempotency-Key": key})
    assert _problem(answer, 400)["errors"][0]["path"] == "Idempotency-Key"


@pytest.mark.parametrize("route", ["documents", "sync"])
def test_an_idempotency_key_needs_a_job(api: httpx.Client, route: str) -> None:
    answer = api.post(
        route, json={"content": "A text."} if route == "documents" else {}, headers={"Idempotency-Key": "k"}
    )
    problem = _problem(answer, 400)
    assert problem["errors"][0]["path"] == "Idempotency-Key"
    assert "wait: false" in problem["detail"]


@pytest.mark.parametrize(
    "address",
    ["documents/", "documents/nothing", "documents/%FF", "documents/nothing/chunks", "documents/nothing/versions"],
)
def test_an_unknown_document_is_not_found(api: httpx.Client, address: str) -> None:
    assert _problem(api.get(address), 404)["code"] == "document_not_found"


@pytest.mark.parametrize("tenant", ["u", "T", "t%20", "%74%2F", "..%2Ft"])
def test_a_tenant_that_is_not_served_is_not_found(api: httpx.Client, tenant: str) -> None:
    address = str(api.base_url).replace("/tenants/t/", f"/tenants/{tenant}/stats")
    assert _problem(api.get(address), 404)["code"] == "tenant_not_found"


@pytest.mark.parametrize("address", ["", "versions", "jobs/", "feedback/"])
def test_an_unknown_route_is_not_found(api: httpx.Client, address: str) -> None:
    assert _problem(api.get(address), 404)["code"] == "route_not_found"


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("PUT", "documents", "GET, HEAD, POST"),
        ("GET", "search", "POST"),
        ("PATCH", "documents/a", "DELETE, GET, HEAD"),
        ("GET", "sync", "POST"),
    ],
)
def test_a_wrong_method_is_answered_with_the_allowed_ones(
    api: httpx.Client, method: str, address: str, allowed: str
) -> None:
    answer = api.request(method, address)
    assert _problem(answer, 405)["code"] == "method_not_allowed"
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    ("address", "name"),
    [("documents?limit=1&limit=2", "limit"), ("jobs?limit=1&limit=1", "limit"), ("audit?action=a&action=b", "action")],
)
def test_a_query_parameter_is_given_once(api: httpx.Client, address: str, name: str) -> None:
    problem = _problem(api.get(address), 400)
    assert problem["errors"] == [{"path": name, "message": "must be given once", "suggestion": None}]


def test_a_problem_does_not_send_back_all_of_what_was_sent(api: httpx.Client) -> None:
    long = "heron " * 20_000
    for route, body in (
        ("query", {"question": "Where?", "filters": {"species": long}}),
        ("query", {"question": "Where?", "filters": {long: "dog"}}),
        ("query", {"question": "Where?", long: 1}),
        ("documents", {"content": "Herons wade.", "metadata": {"species": long}}),
    ):
        answer = api.post(route, json=body)
        assert answer.status_code in (400, 422)
        assert len(answer.content) < 10_000
        assert "heron" in answer.json()["detail"]
    model = {"model": long, "messages": [{"role": "user", "content": "Where?"}]}
    assert len(api.post(str(api.base_url.join("/openai/v1/chat/completions")), json=model).content) < 10_000
