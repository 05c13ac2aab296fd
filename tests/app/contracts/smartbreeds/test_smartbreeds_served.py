"""SmartBreeds' contract under other profiles: each test serves its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.smartbreeds.kennel import (
    BEAGLE,
    PROFILE,
    WITH_MODEL,
    data_url,
    kennel,
    photograph,
    refused,
    told,
)
from tests.app.running import Serve


def test_keys_are_asked_for_in_the_envelope(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER", "reader-key-0123456789")
    client = serve(PROFILE + "auth: {keys: [{name: shop, secret: '${READER}', role: reader}]}\n")
    refused(client.get("/api/v1/rag/status"), 401)
    client.headers["X-API-Key"] = "reader-key-0123456789"
    told(client.get("/api/v1/rag/status"), "status")
    asked = {"content": BEAGLE, "source_name": "beagle.md"}
    assert refused(client.post("/api/v1/rag/ingest", json=asked), 403)["code"] == "forbidden"


def test_with_nobody_where_the_model_should_be_photographs_are_refused_and_questions_answered(tmp_path: Path) -> None:
    with kennel(tmp_path, WITH_MODEL.replace("URL", "http://127.0.0.1:9").replace("MODEL", "m")) as client:
        refused(client.post("/api/v1/vision/analyze", json={"image": data_url(photograph())}), 503)
        data = told(client.post("/api/v1/rag/query", json={"question": "Who howls?"}), "query")
        assert (data["model"], data["degraded"]) == ("extractive", True)


def test_documents_of_the_knowledge_folder_are_there_from_the_start(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "breeds" / "dogs").mkdir(parents=True)
    (tmp_path / "breeds" / "dogs" / "beagle.md").write_text(BEAGLE, encoding="utf-8")
    client = serve(PROFILE + f"knowledge: {{path: {tmp_path}, sync: startup}}\n")
    data = told(client.post("/api/v1/rag/query", json={"question": "Who howls?"}), "query")
    assert [source["source_file"] for source in data["sources"]] == ["breeds/dogs/beagle.md"]
