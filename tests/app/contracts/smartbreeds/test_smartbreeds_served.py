"""SmartBreeds' contract under other profiles: each test serves its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.smartbreeds.kennel import (
    BEAGLE,
    PROFILE,
    WITH_MODEL,
    body_of,
    data_url,
    kennel,
    photograph,
    refused,
)
from tests.app.running import Serve
from tests.fakes.ollama import ollama_server
from tests.fakes.qdrant_over_http import Served, serving


def test_keys_are_asked_for_in_the_envelope(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER", "reader-key-0123456789")
    client = serve(PROFILE + "auth: {keys: [{name: shop, secret: '${READER}', role: reader}]}\n")
    refused(client.get("/api/v1/rag/status"), 401)
    client.headers["X-API-Key"] = "reader-key-0123456789"
    body_of(client.get("/api/v1/rag/status"), "status")
    asked = {"content": BEAGLE, "source_name": "beagle.md"}
    assert refused(client.post("/api/v1/rag/ingest", json=asked), 403)["code"] == "forbidden"


def test_without_a_model_server_photographs_are_refused_and_questions_answered(tmp_path: Path) -> None:
    with kennel(tmp_path, WITH_MODEL.replace("URL", "http://127.0.0.1:9").replace("MODEL", "m")) as client:
        refused(client.post("/api/v1/vision/analyze", json={"image": data_url(photograph())}), 503)
        data = body_of(client.post("/api/v1/rag/query", json={"question": "Who howls?"}), "query")
        assert (data["model"], data["degraded"]) == ("extractive", True)


def test_knowledge_documents_are_loaded_at_startup(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "breeds" / "dogs").mkdir(parents=True)
    (tmp_path / "breeds" / "dogs" / "beagle.md").write_text(BEAGLE, encoding="utf-8")
    client = serve(PROFILE + f"knowledge: {{path: {tmp_path}, sync: startup}}\n")
    data = body_of(client.post("/api/v1/rag/query", json={"question": "Who howls?"}), "query")
    assert [source["source_file"] for source in data["sources"]] == ["breeds/dogs/beagle.md"]


def test_without_the_vector_store_questions_are_503_or_504_and_the_status_says_degraded(serve: Serve) -> None:
    served, asked = Served(), {"question": "Who howls?"}
    with serving(served=served) as url:
        client = serve(PROFILE.replace("{engine: memory}", f'{{engine: server, url: "{url}", timeout_s: 1}}'))
        assert body_of(client.get("/api/v1/rag/status"), "status")["status"] == "healthy"
        with served.lock:
            assert refused(client.post("/api/v1/rag/query", json=asked), 504)["code"] == "timeout"
    error = refused(client.post("/api/v1/rag/query", json=asked), 503)
    assert error["code"] == "store_unavailable"
    assert "127.0.0.1" not in error["message"]
    assert body_of(client.get("/api/v1/rag/status"), "status")["status"] == "degraded"


def test_a_model_that_is_too_slow_to_look_is_a_504(serve: Serve) -> None:
    with ollama_server() as fake:
        profile = WITH_MODEL.replace("URL", fake.url).replace("MODEL", "slow").replace("call_s: 20", "call_s: 1")
        client = serve(profile)
        answer = client.post("/api/v1/vision/analyze", json={"image": data_url(photograph())})
    assert refused(answer, 504)["code"] == "llm_timeout"
