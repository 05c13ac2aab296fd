"""The textbook's API while a part of it is away or slow, and with the published length of vectors."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
import yaml
from fastapi import Request

from app.contracts.textbook.mapping import error_response, query_response
from app.http.failures import Failure
from pipelines.components.hit_nodes import payload_to_hit
from pipelines.types import SearchResult, Trace
from tests.app.running import Serve
from tests.fakes.embedding_server import embedding_server
from tests.fakes.qdrant_over_http import Served, serving

QUESTION = {"question": "How does the gripper know when to stop?"}
SHIPPED = Path(__file__).parents[4] / "configs" / "textbook"
ON_SERVER = """
tenant: textbook
contract: textbook
metadata: {{fields: {{chapter: {{type: integer}}, page: {{type: integer}}}}}}
store: {{engine: server, url: "{url}", timeout_s: 1}}
"""


def test_without_the_vector_store_queries_are_503_and_health_is_degraded(serve: Serve) -> None:
    with serving() as url:
        client = serve(ON_SERVER.format(url=url))
        assert client.get("/health").json()["status"] == "ok"
    answer = client.post("/query", json=QUESTION)
    assert (answer.status_code, answer.json()["status_code"]) == (503, 503)
    assert "127.0.0.1" not in answer.text
    health = client.get("/health")
    assert health.status_code == 200
    assert (health.json()["status"], health.json()["qdrant_connected"]) == ("degraded", False)
    assert health.json()["embedding_api_available"] is True


def test_a_slow_vector_store_is_504(serve: Serve) -> None:
    served = Served()
    with serving(served=served) as url:
        client = serve(ON_SERVER.format(url=url))
        with served.lock:
            answer = client.post("/query", json=QUESTION)
    assert (answer.status_code, answer.json()["status_code"]) == (504, 504)


def test_a_full_disk_is_503_as_the_document_has_no_507() -> None:
    answer = error_response(Request({"type": "http"}), Failure(507, "storage_full", "no space is left"))
    assert (answer.status_code, json.loads(bytes(answer.body))["status_code"]) == (503, 503)


def test_with_openais_model_vectors_have_1536_dimensions(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding_server() as api:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-somebodys-key")
        profile = yaml.safe_load((SHIPPED / "openai.yaml").read_text()) | {"extends": str(SHIPPED / "profile.yaml")}
        client = serve(yaml.safe_dump(profile | {"knowledge": {"sync": "off"}}))
        content = "A gripper closes its jaws around a part and stops when the force sensor says that it holds. " * 2
        metadata = {"title": "Grippers", "chapter": 3, "page": 42}
        assert client.post("/ingest", json={"content": content, "metadata": metadata}).status_code == 200
        found = client.post("/query", json=QUESTION).json()
        assert found["metadata"]["query_embedding_dim"] == 1536
        assert found["chunks"][0]["page"] == 42
        assert set(api.keys) == {"Bearer sk-somebodys-key"}


def test_without_the_embedding_api_health_is_degraded(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedding_server() as api:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        profile = yaml.safe_load((SHIPPED / "openai.yaml").read_text()) | {"extends": str(SHIPPED / "profile.yaml")}
        client = serve(yaml.safe_dump(profile | {"knowledge": {"sync": "off"}}))
    health: httpx.Response = client.get("/health")
    assert (health.status_code, health.json()["status"]) == (200, "degraded")
    assert client.post("/query", json=QUESTION).status_code == 503


def test_with_no_part_in_reach_health_is_an_error_and_still_answers(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedding_server() as api, serving() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        profile = yaml.safe_load((SHIPPED / "openai.yaml").read_text()) | {"extends": str(SHIPPED / "profile.yaml")}
        store = {"engine": "server", "url": url, "timeout_s": 1}
        client = serve(yaml.safe_dump(profile | {"knowledge": {"sync": "off"}, "store": store}))
        assert client.get("/health").json()["status"] == "ok"
    health = client.get("/health")
    assert health.status_code == 200
    assert (health.json()["status"], health.json()["qdrant_connected"]) == ("error", False)
    assert health.json()["embedding_api_available"] is False


def test_the_shipped_server_profile_stores_the_published_names(serve: Serve) -> None:
    served = Served()
    shipped = yaml.safe_load((SHIPPED / "server.yaml").read_text())["store"]
    with serving(served=served) as url:
        store = json.dumps({**shipped, "url": url, "api_key": ""})
        client = serve(f"extends: {SHIPPED / 'profile.yaml'}\nknowledge: {{path: null, sync: off}}\nstore: {store}\n")
        content = "A gripper stops when the force at its fingers exceeds what the object can bear. " * 10
        metadata = {"title": "Grasping", "chapter": 6, "section": "Grippers", "page": 42}
        reported = client.post("/ingest", json={"content": content, "metadata": metadata}).json()
        points, _ = served.memory.scroll("documentation_chunks", limit=10)
        chunks = sorted((point.payload or {} for point in points), key=lambda payload: payload["chunk_index"])
        assert [chunk["chunk_index"] for chunk in chunks] == list(range(reported["chunks_created"]))
        assert {(chunk["chapter"], chunk["section"], chunk["doc_id"]) for chunk in chunks} == {
            (6, "Grippers", reported["doc_id"])
        }
        assert chunks[0]["chunk_text"].startswith("A gripper stops")
        assert client.post("/query", json=QUESTION).json()["chunks"][0]["page"] == 42


@pytest.mark.parametrize(
    ("number", "label", "page"),
    [(None, None, 42), (1, None, 42), (3, None, 44), (3, "44", 44), (3, "3", 44), (3, "9" * 5000, 44)],
)
def test_a_chunk_of_a_file_with_pages_has_its_own_page(number: int | None, label: str | None, page: int) -> None:
    payload = {"document_id": "d", "version": 1, "title": "", "source": "d.pdf", "text": "t", "start": 0, "end": 1}
    place = {"page": number, "page_label": label, "headings": [], "index": 0, "metadata": {"chapter": 6, "page": 42}}
    hit = payload_to_hit({**payload, **place}, "c", 0.5, {})
    found = SearchResult(hits=(hit,), snapshot=1, took_ms=1.0, trace=Trace())
    assert query_response(found, 384).chunks[0].page == page
