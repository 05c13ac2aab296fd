"""The examples of SmartBreeds' document, sent as they stand there, and the shapes that it promises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.contracts.smartbreeds.kennel import WITH_MODEL, body_of, data_url, kennel, photograph
from tests.fakes.ollama import Asked, ollama_server

SEEN = {
    "breed": "Golden Retriever",
    "species": "dog",
    "confidence": 0.92,
    "traits": {"size": "large", "coat": "long", "color": "golden", "temperament": ["friendly"]},
    "health_considerations": ["Hip dysplasia", "Cancer risk"],
}


def script(asked: Asked) -> str:
    return json.dumps(SEEN) if asked.images else "Golden Retrievers are prone to several conditions [1]."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with ollama_server(script) as fake:
        profile = WITH_MODEL.replace("URL", fake.url).replace("MODEL", "qwen3-vl:8b")
        with kennel(tmp_path_factory.mktemp("kennel"), profile) as client:
            yield client


def test_the_query_of_the_document(client: httpx.Client) -> None:
    asked = {
        "question": "What health issues affect Golden Retrievers?",
        "filters": {"species": "dog", "breed": "golden_retriever"},
        "top_k": 5,
    }
    data = body_of(client.post("/api/v1/rag/query", json=asked), "query")
    assert data["answer"] == "Golden Retrievers are prone to several conditions [1]."
    assert data["model"] == "qwen3-vl:8b"
    assert {source["source_file"] for source in data["sources"]} == {"golden_retriever.md"}


def test_the_ingest_of_the_document(client: httpx.Client) -> None:
    asked = {
        "content": "# Dental Care for Dogs\n\nRegular brushing keeps teeth clean.",
        "metadata": {"doc_type": "health", "species": "dog", "topics": ["dental", "care"]},
        "source_name": "dental_care.md",
    }
    data = body_of(client.post("/api/v1/rag/ingest", json=asked), "ingest")
    assert (data["document_id"], data["chunks_created"]) == ("health_dental_care", 1)


def test_the_status_of_the_document(client: httpx.Client) -> None:
    data = body_of(client.get("/api/v1/rag/status"), "status")
    assert (data["status"], data["llm_model"]) == ("healthy", "qwen3-vl:8b")
    assert data["chunks"] >= data["documents"] >= 3


def test_the_enriched_vision_of_the_document(client: httpx.Client) -> None:
    asked = {
        "image": data_url(photograph("JPEG"), "jpeg"),
        "options": {"return_traits": True, "return_health_info": True, "enrich": True},
    }
    data = body_of(client.post("/api/v1/vision/analyze", json=asked), "vision_enriched")
    assert (data["breed"], data["confidence"]) == ("Golden Retriever", 0.92)
    assert data["health_considerations"] == ["Hip dysplasia", "Cancer risk"]
    assert data["enriched_info"]["sources"] == ["golden_retriever.md"]


def test_the_explanation_of_products_that_the_document_wishes_for(client: httpx.Client) -> None:
    asked = {"breed": "golden_retriever", "preferences": {"budget": "medium"}, "products": [{"name": "Dog bed"}]}
    body_of(client.post("/api/v1/rag/explain-products", json=asked), "explain")


def test_the_commands_of_the_guide_work(client: httpx.Client) -> None:
    guide = (Path(__file__).parents[4] / "docs" / "contracts" / "smartbreeds.md").read_text(encoding="utf-8")
    commands = re.findall(r"curl -s localhost:8000(\S+) [^']*'content-type: application/json' \\\s+-d '(.+)'", guide)
    assert [path.rpartition("/")[2] for path, _ in commands] == ["query", "query", "ingest", "explain-products"]
    for path, body in commands:
        assert client.post(path, content=body, headers={"content-type": "application/json"}).json()["success"]
