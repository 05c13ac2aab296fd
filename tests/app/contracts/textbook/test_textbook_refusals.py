"""What the textbook's API refuses, in the published shape, and its health."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import httpx
import pytest

from tests.app.contracts.textbook.book import METADATA, PROFILE, ingest
from tests.app.running import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One server for all: nothing that is asked of it here is stored."""
    with serving(tmp_path_factory.mktemp("textbook"), (PROFILE,)) as client:
        yield client
        assert client.get("/tenants/textbook/documents").json()["total"] == 0


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


def test_a_body_beyond_all_limits_is_refused_in_the_name_of_its_text(client: httpx.Client) -> None:
    answer = ingest(client, content="x" * 30_000_000)
    assert answer.status_code == 400
    assert "it has room for a text of" in answer.json()["detail"]


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
