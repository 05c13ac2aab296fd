"""What PocketPal's API does."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pipelines.engine.upkeep.maintenance import Maintenance
from pipelines.types import Purge
from tests.app.contracts.pocketpal.phone import Phone, write_documents
from tests.app.running import Serve, sent

NO_WISHES = {"model": None, "normalize": None}


def test_a_document_is_cut_listed_found_and_deleted(phone: Phone) -> None:
    ingested = phone.ingest("model.md", metadata={"title": "Models", "tags": ["ai"], "source": "manual"})
    assert ingested["documentId"] == "model.md"
    [listed] = phone.call("GET", "documents")["documents"]
    assert (listed["title"], listed["type"], listed["chunksCount"]) == ("Models", "md", ingested["chunksCreated"])
    assert listed["metadata"] == {"title": "Models", "tags": ["ai"], "source": "manual"}
    [hit] = phone.search(query="Which model fits into the memory?", limit=1)
    assert (hit["documentId"], hit["metadata"]) == (
        "model.md",
        {"title": "Models", "source": "manual", "position": 0},
    )
    removed = phone.call("DELETE", "documents/model.md")
    assert removed == {
        "success": True,
        "chunksRemoved": ingested["chunksCreated"],
        "storageFreed": ingested["storageUsed"],
    }
    assert phone.search(query="Which model fits into the memory?") == []
    assert phone.call("GET", "documents")["totalDocuments"] == 0


def test_ingesting_the_same_again_changes_nothing(phone: Phone) -> None:
    first, again = phone.ingest("model.md"), phone.ingest("model.md")
    assert (first["chunksCreated"], first["storageUsed"]) == (again["chunksCreated"], again["storageUsed"])
    assert phone.call("GET", "documents")["totalDocuments"] == 1


def test_ingesting_documents_deleted_concurrently_succeeds(phone: Phone) -> None:
    def ingest(number: int) -> dict[str, Any]:
        sent = {"documentPath": "voice.txt", "documentType": "txt", "metadata": {"tags": [str(number)]}}
        return phone.client.post("/api/rag/documents/ingest", json=sent).json()

    with ThreadPoolExecutor(8) as together:
        for number in range(0, 40, 4):
            ingested = [together.submit(ingest, number + one) for one in range(4)]
            deleted = [together.submit(phone.client.delete, "/api/rag/documents/voice.txt") for _ in range(4)]
            assert {one.result().get("status") for one in ingested} == {"success"}
            assert {one.result().status_code for one in deleted} <= {200, 404}


def test_web_reads_an_html_file(phone: Phone) -> None:
    phone.ingest("page.html", "web")
    [listed] = phone.call("GET", "documents")["documents"]
    assert (listed["title"], listed["type"]) == ("Voices", "web")
    [hit] = phone.search(query="speech", limit=1)
    assert "<p>" not in hit["content"]


def test_a_request_can_set_its_chunk_size(phone: Phone) -> None:
    large = phone.ingest("model.md")["chunksCreated"]
    small = phone.ingest("model.md", chunkSize=60, chunkOverlap=10)["chunksCreated"]
    assert small > large
    hits = phone.search(query="model", limit=20)
    assert max(len(hit["content"]) for hit in hits) <= 60


def test_chunks_of_a_requested_size_survive_a_new_default(phone: Phone) -> None:
    small = phone.ingest("model.md", chunkSize=60)["chunksCreated"]
    whole = phone.ingest("voice.txt", "txt")["chunksCreated"]
    changed = phone.call("PUT", "config", chunking={"defaultSize": 40, "defaultOverlap": 0})
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    chunks = {one["id"]: one["chunksCount"] for one in phone.call("GET", "documents")["documents"]}
    assert chunks["model.md"] == small
    assert chunks["voice.txt"] > whole


def test_a_vector_search_finds_the_matching_text(phone: Phone) -> None:
    phone.ingest("model.md")
    phone.ingest("voice.txt", "txt")
    embedded = phone.call("POST", "vectors/embed", text="recording speech with a microphone")
    assert len(embedded["embedding"]) == embedded["dimensions"] == 384
    [first, *_] = phone.search(queryVector=embedded["embedding"])
    assert first["documentId"] == "voice.txt"
    [same, *_] = phone.search(query="models", queryVector=embedded["embedding"])
    assert same == first


def test_null_is_not_given(phone: Phone) -> None:
    about = dict.fromkeys(("title", "author", "tags", "source", "reader"))
    phone.ingest("model.md", chunkSize=None, chunkOverlap=None, metadata=about)
    file = {"path": str(phone.folder / "voice.txt"), "type": "txt", "metadata": None}
    phone.call("POST", "batch/ingest", documents=[file], concurrency=None, priority=None)
    [found, nulls] = (phone.call("POST", "vectors/embed", text="models", **more) for more in ({}, NO_WISHES))
    assert nulls["embedding"] == found["embedding"]
    question = {"query": "Which model fits?"}
    sent = {**question, **dict.fromkeys(("queryVector", "limit", "threshold"))}
    assert phone.search(**sent, filter=dict.fromkeys(("documentIds", "tags", "dateRange")))
    assert phone.search(query=None, queryVector=found["embedding"])
    least = dict.fromkeys(("maxContextLength", "maxChunks", "diversityFactor", "includeMetadata"))
    [whole, nulls] = (phone.call("POST", "context/retrieve", **question, **more)["context"] for more in ({}, least))
    assert nulls == whole
    wishes = dict.fromkeys(("systemPrompt", "context", "template"))
    assert phone.call("POST", "context/enhance-prompt", userQuery="Which model fits?", **wishes)["contextUsed"]
    phone.call("POST", "index/optimize", action="compact", backgroundMode=None)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("vectors/embed", {"text": None}),
        ("vectors/search", {"query": None, "queryVector": None}),
        ("vectors/search", {"query": "a", "filter": {"dateRange": {"start": "2025-01-01", "end": None}}}),
        ("context/retrieve", {"query": None}),
        ("index/optimize", {"action": None}),
    ],
)
def test_null_is_refused_for_a_required_field(phone: Phone, path: str, body: dict[str, Any]) -> None:
    phone.call("POST", path, status=400, **body)


def test_an_overlap_over_half_a_chunk_is_a_bad_request(phone: Phone) -> None:
    for sizes in ({"chunkSize": 100, "chunkOverlap": 51}, {"chunkOverlap": 251}):
        refused = phone.ingest("model.md", status=422, **sizes)
        assert refused["code"] == "REQUEST_INVALID"
        assert refused["message"].startswith("chunkOverlap: ")


def test_filters_narrow_a_search(phone: Phone) -> None:
    phone.ingest("model.md", metadata={"tags": ["ai", "setup"]})
    phone.ingest("voice.txt", "txt", metadata={"tags": ["audio"]})

    def among(**filters: Any) -> set[str]:
        return {hit["documentId"] for hit in phone.search(query="the phone", filter=filters)}

    assert among() == {"model.md", "voice.txt"}
    assert among(tags=["setup", "none"]) == {"model.md"}
    assert among(documentIds=["voice.txt", "nothing"]) == {"voice.txt"}
    assert among(documentIds=["voice.txt"], tags=["ai"]) == set()
    today, past = datetime.now(UTC), {"start": "2020-01-01", "end": "2020-12-31"}
    assert among(dateRange=past) == set()
    assert among(dateRange={"start": f"{today - timedelta(days=1):%Y-%m-%d}", "end": today.isoformat()}) == among()


def test_a_threshold_excludes_less_similar_results(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=60)
    everything = phone.call("POST", "vectors/search", query="larger model", limit=20)
    bound = everything["results"][1]["similarity"]
    found = phone.call("POST", "vectors/search", query="larger model", limit=20, threshold=bound)
    assert len(found["results"]) == 2 <= found["totalMatches"] <= everything["totalMatches"]


def test_context_respects_its_length_and_chunk_limits(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=60)
    for most in (1, 40, 100, 2000):
        context = phone.call("POST", "context/retrieve", query="model", maxContextLength=most, maxChunks=2)["context"]
        assert context["totalLength"] == len(context["text"]) <= most
        assert len(context["chunks"]) <= 2
    asked = {"query": "model", "maxContextLength": 70, "maxChunks": 4, "includeMetadata": False}
    chunks = [chunk["content"] for chunk in phone.call("POST", "context/retrieve", **asked)["context"]["chunks"]]
    stored = [hit["content"] for hit in phone.search(query="model", limit=20)]
    assert all(content in stored for content in chunks[:-1]), "nothing follows a chunk that had to be cut"
    plain = phone.call("POST", "context/retrieve", query="model", includeMetadata=False)["context"]
    assert plain["text"] == "\n\n".join(chunk["content"] for chunk in plain["chunks"])


def test_diversity_promotes_different_chunks(phone: Phone) -> None:
    for name, text in {"a.txt": "The cat sleeps.", "b.txt": "The cat sleeps.", "c.txt": "Dogs play."}.items():
        (phone.folder / name).write_text(text)
        phone.ingest(name, "txt", metadata={"title": "Pets"})

    def reported(factor: float) -> list[str]:
        asked = {"query": "The cat sleeps", "maxChunks": 2, "diversityFactor": factor}
        return [chunk["content"] for chunk in phone.call("POST", "context/retrieve", **asked)["context"]["chunks"]]

    assert reported(1.0) != reported(0.0)


def test_templates_differ_and_the_given_context_is_used(phone: Phone) -> None:
    phone.ingest("model.md")
    asked = {"userQuery": "What is the temperature?", "systemPrompt": "You are PocketPal."}
    written = {
        template: phone.call("POST", "context/enhance-prompt", template=template, **asked)["enhancedPrompt"]
        for template in ("default", "technical", "creative", "analytical")
    }
    assert len(set(written.values())) == 4
    assert all(prompt.startswith("You are PocketPal.") for prompt in written.values())
    near = phone.call("POST", "context/enhance-prompt", context="The temperature is a number.", **asked)
    far = phone.call("POST", "context/enhance-prompt", context="Bread is baked from flour.", **asked)
    assert near["contextUsed"] == "The temperature is a number."
    assert near["confidence"] > far["confidence"]
    assert phone.call("POST", "context/enhance-prompt", context="", **asked)["confidence"] == 0


def test_figures_count_what_happened(phone: Phone) -> None:
    phone.ingest("model.md")
    phone.ingest("voice.txt", "txt")
    for _ in range(3):
        phone.search(query="temperature of a model", limit=1)
    phone.search(query="microphone", limit=1)
    metrics = phone.call("GET", "metrics")
    [model, voice] = metrics["usage"]["topDocuments"]
    assert (model["documentId"], model["accessCount"], voice["documentId"]) == ("model.md", 3, "voice.txt")
    assert [query["count"] for query in metrics["usage"]["topQueries"]] == [3, 1]
    searches = metrics["performance"]["searchMetrics"]
    assert searches["totalSearches"] == 4
    assert 0 < searches["averageTime"] <= searches["p99Time"] * 1.05
    assert metrics["performance"]["indexingMetrics"]["documentsPerSecond"] > 0
    status = phone.call("GET", "status")
    assert (status["status"], status["performance"]["documentsIndexed"]) == ("ready", 2)
    assert min(status["performance"][name] for name in ("memoryUsage", "diskUsage", "averageSearchTime")) > 0
    listed = {one["id"]: one for one in phone.call("GET", "documents")["documents"]}
    assert listed["model.md"]["lastAccessed"] > listed["model.md"]["createdAt"]
    phone.call("DELETE", "documents/model.md")
    assert [one["documentId"] for one in phone.call("GET", "metrics")["usage"]["topDocuments"]] == ["voice.txt"]


def test_a_batch_ends_completed_and_its_failures_are_named(phone: Phone) -> None:
    (phone.folder / "broken.pdf").write_text("no pdf")
    documents = [
        {"path": "model.md", "type": "md", "metadata": {"tags": ["batch"]}},
        {"path": "broken.pdf", "type": "pdf"},
        {"path": "missing.md", "type": "md"},
    ]
    started = phone.call("POST", "batch/ingest", documents=documents, concurrency=2, priority="low")
    assert datetime.fromisoformat(started["progress"]["estimated_completion"]).tzinfo is not None
    batch = phone.ended(f"batch/{started['batchId']}")
    assert batch["status"] == "completed"
    assert {**batch["progress"], "estimated_completion": ""} == {
        "total": 3,
        "completed": 1,
        "failed": 2,
        "estimated_completion": "",
    }
    assert {error["path"] for error in batch["errors"]} == {"broken.pdf", "missing.md"}
    assert phone.search(query="model", filter={"tags": ["batch"]})


def test_a_batch_of_only_failures_ends_in_error(phone: Phone) -> None:
    started = phone.call("POST", "batch/ingest", documents=[{"path": "missing.md", "type": "md"}])
    assert phone.ended(f"batch/{started['batchId']}")["status"] == "error"


def test_a_forbidden_path_fails_alone_in_a_batch(phone: Phone) -> None:
    documents = [{"path": path, "type": "md"} for path in ("/etc/passwd", "model.md", "../secret.md")]
    batch = phone.ended(f"batch/{phone.call('POST', 'batch/ingest', documents=documents)['batchId']}")
    assert (batch["status"], batch["progress"]["completed"], batch["progress"]["failed"]) == ("completed", 1, 2)
    assert {error["path"]: "outside of the folders" in error["message"] for error in batch["errors"]} == {
        "/etc/passwd": True,
        "../secret.md": True,
    }
    listed = phone.client.get("/tenants/pocketpal/documents").json()["documents"]
    assert [document["document_id"] for document in listed if document["state"] == "failed"] == []


def test_a_cancelled_batch_says_so(phone: Phone) -> None:
    for number in range(30):
        (phone.folder / f"long{number}.txt").write_text(f"Report {number} on batteries. " * 2_000)
    documents = [{"path": f"long{number}.txt", "type": "txt"} for number in range(30)]
    batch = phone.call("POST", "batch/ingest", documents=documents)["batchId"]
    assert phone.client.post(f"/tenants/pocketpal/jobs/{batch}/cancel").status_code == 200
    ended = phone.ended(f"batch/{batch}")
    assert (ended["status"], ended["errors"], ended["error"]) == ("error", [], "it was cancelled")
    assert phone.call("GET", f"tasks/{batch}")["error"] == "it was cancelled"


@pytest.mark.parametrize("action", ["rebuild", "compact", "rebalance"])
def test_optimising_is_a_task_that_completes(phone: Phone, action: str) -> None:
    phone.ingest("model.md")
    started = phone.call("POST", "index/optimize", action=action)
    task = phone.ended(f"tasks/{started['taskId']}")
    assert (task["action"], task["status"]) == (action, "completed")
    promised = phone.client.get("/openapi.json").json()["components"]["schemas"]
    assert set(promised["Task"]["required"]) <= set(task)
    assert set(promised["TaskProgress"]["required"]) <= set(task["progress"])
    waited = phone.call("POST", "index/optimize", action=action, backgroundMode=False)
    assert phone.call("GET", f"tasks/{waited['taskId']}")["status"] == "completed"
    assert phone.search(query="temperature")


def test_an_optimisation_that_is_waited_for_lets_go_of_a_caller_who_left(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def trim(_: Maintenance) -> Purge:
        begun.set()
        ended.wait()
        return Purge(0, 0, 1)

    def answering() -> float:
        figures = phone.client.get("/metrics").text
        return float(re.findall(r"^footnote_http_requests_in_progress (\S+)", figures, re.MULTILINE)[0])

    monkeypatch.setattr(Maintenance, "trim", trim)
    try:
        before = answering()
        caller = sent(phone.client, "/api/rag/index/optimize", {"action": "compact", "backgroundMode": False})
        assert begun.wait(10)
        assert answering() == before + 1
        caller.close()
        until = time.monotonic() + 10
        while answering() > before and time.monotonic() < until:
            time.sleep(0.05)
        assert answering() == before
    finally:
        ended.set()


def test_scoped_keys_do_not_see_questions_of_others(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPS", "ops-key")
    monkeypatch.setenv("ACME", "acme-key")
    monkeypatch.setenv("GLOBEX", "globex-key")
    folder = write_documents(tmp_path / "documents")
    profile = f"""
tenant: pocketpal
contract: pocketpal
knowledge: {{path: {folder}}}
metadata:
  fields: {{level: {{type: keyword, values: [all, owner], required: true}}, owner: {{type: keyword}}}}
  hierarchy: {{level: level, path: [owner]}}
auth:
  keys:
    - {{name: ops, secret: "${{OPS}}", role: admin}}
    - {{name: acme, secret: "${{ACME}}", role: writer, scope: {{owner: acme}}}}
    - {{name: globex, secret: "${{GLOBEX}}", role: admin, scope: {{owner: globex}}}}
"""
    client = serve(profile)

    def call(key: str, method: str, path: str, **body: Any) -> httpx.Response:
        sent = {"json": body} if method in ("POST", "PUT") else {}
        return client.request(method, f"/api/rag/{path}", headers={"X-API-Key": f"{key}-key"}, **sent)

    assert client.get("/api/rag/status").status_code == 401
    own = {"documentPath": "model.md", "documentType": "md", "metadata": {"level": "owner", "owner": "acme"}}
    document = call("acme", "POST", "documents/ingest", **own).json()["documentId"]
    assert call("acme", "POST", "vectors/search", query="acme's question").json()["results"]
    assert call("globex", "POST", "vectors/search", query="globex' question").json()["results"] == []
    asked = {
        key: [one["query"] for one in call(key, "GET", "metrics").json()["usage"]["topQueries"]]
        for key in ("ops", "acme", "globex")
    }
    assert (asked["acme"], asked["globex"]) == (["acme's question"], ["globex' question"])
    assert set(asked["ops"]) == {"acme's question", "globex' question"}
    assert call("globex", "GET", "documents").json()["documents"] == []
    assert call("globex", "GET", "metrics").json()["usage"]["topDocuments"] == []
    figures = call("globex", "GET", "status").json()["performance"]
    assert [figures[name] for name in ("documentsIndexed", "totalChunks", "vectorsStored", "diskUsage")] == [0] * 4
    assert call("globex", "GET", "storage").json()["used"] == 0
    assert call("acme", "GET", "status").json()["performance"]["vectorsStored"] > 0
    assert call("globex", "DELETE", f"documents/{document}").status_code == 404
    assert call("globex", "PUT", "config", search={"defaultLimit": 1}).status_code == 403
    assert call("acme", "PUT", "config", search={"defaultLimit": 1}).status_code == 403
    assert call("acme", "DELETE", f"documents/{document}").json()["success"] is True


def test_a_deletion_counts_only_chunks_of_the_current_version(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=50, chunkOverlap=0)
    chunks = phone.ingest("model.md")["chunksCreated"]
    assert phone.call("DELETE", "documents/model.md")["chunksRemoved"] == chunks


def test_a_raised_limit_allows_more_context_chunks(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=50, chunkOverlap=0)
    assert phone.call("POST", "context/retrieve", 422, query="model", maxChunks=30)["details"]["problems"]
    phone.call("PUT", "config", search={"maxLimit": 50})
    try:
        assert phone.call("POST", "context/retrieve", query="model", maxChunks=30)["context"]["chunks"]
    finally:
        phone.call("PUT", "config", search={"maxLimit": 20})


def test_a_short_context_holds_more_than_a_heading(phone: Phone) -> None:
    phone.ingest("model.md")
    asked = {"query": "Where is the AI model configured?", "maxContextLength": 50, "maxChunks": 1}
    context = phone.call("POST", "context/retrieve", **asked)["context"]
    assert "The AI model is configured" in context["text"]
    assert context["totalLength"] <= 50
