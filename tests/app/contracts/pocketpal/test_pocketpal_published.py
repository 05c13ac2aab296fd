"""PocketPal's published document: its example of use, and every shape."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.app.contracts.pocketpal import shapes
from tests.app.contracts.pocketpal.phone import Phone, write_documents
from tests.app.contracts.published import require, shipped
from tests.app.running import serving

QUESTION = "How do I configure the AI model?"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = write_documents(tmp_path_factory.mktemp("phone") / "documents")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POCKETPAL_DOCUMENTS", str(folder))
        with serving(tmp_path_factory.mktemp("pocketpal"), (shipped("pocketpal"),)) as client:
            yield client


@pytest.fixture(scope="module")
def pal(client: httpx.Client, tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(client, next(tmp_path_factory.getbasetemp().glob("phone*")) / "documents")


def test_the_example_of_use(pal: Phone) -> None:
    ingested = pal.ingest("model.md", "md", metadata={"title": "Important Document"})
    require(shapes.INGESTED, ingested)
    assert (ingested["status"], ingested["chunksCreated"]) == ("success", ingested["vectorsGenerated"])
    content = pal.client.get(f"/tenants/pocketpal/documents/{ingested['documentId']}").json()["bytes"]
    assert ingested["storageUsed"] == content + ingested["chunksCreated"] * 384 // 2, "turbo4: half a byte a dimension"
    retrieved = pal.call("POST", "context/retrieve", query=QUESTION, maxChunks=3)
    require(shapes.CONTEXT, retrieved)
    context = retrieved["context"]
    assert 1 <= len(context["chunks"]) <= 3
    assert (len(context["text"]), context["totalLength"] <= 2000) == (context["totalLength"], True)
    assert "Important Document" in context["text"]
    enhanced = pal.call("POST", "context/enhance-prompt", userQuery=QUESTION, template="technical")
    require(shapes.ENHANCED, enhanced)
    assert enhanced["promptLength"] == len(enhanced["enhancedPrompt"])
    assert QUESTION in enhanced["enhancedPrompt"]
    assert enhanced["contextUsed"] in enhanced["enhancedPrompt"]


def test_every_schema_matches_the_published_one(pal: Phone) -> None:
    require(shapes.EMBEDDED, pal.call("POST", "vectors/embed", text="voice", model="sentence-transformers-mobile"))
    require(shapes.FOUND, pal.call("POST", "vectors/search", query="voice input", limit=5, threshold=0.1))
    require(shapes.LISTED, pal.call("GET", "documents"))
    config = pal.call("GET", "config")
    require(shapes.CONFIG, config)
    require(shapes.CONFIG, pal.call("PUT", "config", **config))
    require(shapes.STATUS, pal.call("GET", "status"))
    require(shapes.METRICS, pal.call("GET", "metrics"))
    require(shapes.STORAGE, storage := pal.call("GET", "storage"))
    assert 0 < storage["used"] < pal.client.get("/tenants/pocketpal/stats").json()["bytes"], "the log is left out"
    batch = pal.call("POST", "batch/ingest", documents=[{"path": "voice.txt", "type": "txt"}], priority="high")
    require(shapes.BATCH, batch)
    require(shapes.BATCH, pal.ended(f"batch/{batch['batchId']}"))
    optimizing = pal.call("POST", "index/optimize", action="compact")
    require(shapes.OPTIMIZING, optimizing)
    assert pal.ended(f"tasks/{optimizing['taskId']}")["status"] == "completed"
    require(shapes.DELETED, pal.call("DELETE", "documents/documents/voice.txt"))
    pal.call("DELETE", "documents/documents/voice.txt", 404)


def test_defaults_are_the_published_ones(pal: Phone) -> None:
    config = pal.call("GET", "config")
    assert config["vectorStore"] == {
        "algorithm": "hnsw",
        "hnswParams": {"efConstruction": 200, "maxConnections": 16},
    }
    assert (config["chunking"]["defaultSize"], config["chunking"]["defaultOverlap"]) == (500, 50)
    assert (config["search"]["defaultLimit"], config["search"]["maxLimit"]) == (5, 20)
    assert len(pal.search(query="profile")) == 5
