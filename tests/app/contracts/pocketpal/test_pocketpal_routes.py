"""What PocketPal's API does, and what it refuses."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, Phone, write_documents
from tests.app.contracts.pocketpal.shapes import ERROR
from tests.app.contracts.published import require
from tests.app.running import Serve, serving

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


def test_ingesting_what_others_delete_meanwhile_succeeds(phone: Phone) -> None:
    def ingest(number: int) -> dict[str, Any]:
        sent = {"documentPath": "voice.txt", "documentType": "txt", "metadata": {"tags": [str(number)]}}
        return phone.client.post("/api/rag/documents/ingest", json=sent).json()

    with ThreadPoolExecutor(8) as together:
        for number in range(0, 80, 4):
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


def test_a_request_may_ask_for_chunks_of_another_size(phone: Phone) -> None:
    large = phone.ingest("model.md")["chunksCreated"]
    small = phone.ingest("model.md", chunkSize=60, chunkOverlap=10)["chunksCreated"]
    assert small > large
    hits = phone.search(query="model", limit=20)
    assert max(len(hit["content"]) for hit in hits) <= 60


def test_chunks_of_a_size_of_their_own_stay_when_the_default_changes(phone: Phone) -> None:
    small = phone.ingest("model.md", chunkSize=60)["chunksCreated"]
    whole = phone.ingest("voice.txt", "txt")["chunksCreated"]
    changed = phone.call("PUT", "config", chunking={"defaultSize": 40, "defaultOverlap": 0})
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    chunks = {one["id"]: one["chunksCount"] for one in phone.call("GET", "documents")["documents"]}
    assert chunks["model.md"] == small
    assert chunks["voice.txt"] > whole


def test_a_vector_finds_what_its_text_means(phone: Phone) -> None:
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
    least = dict.fromkeys(("maxContextLength", "max_chunks", "diversityFactor", "includeMetadata"))
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
def test_null_is_no_value_of_what_must_be_given(phone: Phone, path: str, body: dict[str, Any]) -> None:
    phone.call("POST", path, status=400, **body)


def test_an_overlap_of_more_than_half_a_chunk_is_a_mistake_of_the_request(phone: Phone) -> None:
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


def test_a_threshold_leaves_out_what_is_less_similar(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=60)
    everything = phone.call("POST", "vectors/search", query="larger model", limit=20)
    bound = everything["results"][1]["similarity"]
    found = phone.call("POST", "vectors/search", query="larger model", limit=20, threshold=bound)
    assert len(found["results"]) == 2 <= found["totalMatches"] <= everything["totalMatches"]


def test_context_keeps_to_its_length_and_its_chunks(phone: Phone) -> None:
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


def test_diversity_brings_other_chunks_forward(phone: Phone) -> None:
    for name, text in {"a.txt": "The cat sleeps.", "b.txt": "The cat sleeps.", "c.txt": "Dogs play."}.items():
        (phone.folder / name).write_text(text)
        phone.ingest(name, "txt", metadata={"title": "Pets"})

    def told(factor: float) -> list[str]:
        asked = {"query": "The cat sleeps", "maxChunks": 2, "diversityFactor": factor}
        return [chunk["content"] for chunk in phone.call("POST", "context/retrieve", **asked)["context"]["chunks"]]

    assert told(1.0) != told(0.0)


def test_templates_differ_and_a_given_context_is_used(phone: Phone) -> None:
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


def test_figures_are_of_what_happened(phone: Phone) -> None:
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


def test_a_batch_of_failures_alone_ends_in_error(phone: Phone) -> None:
    started = phone.call("POST", "batch/ingest", documents=[{"path": "missing.md", "type": "md"}])
    assert phone.ended(f"batch/{started['batchId']}")["status"] == "error"


def test_a_path_outside_of_the_folders_fails_alone_in_a_batch(phone: Phone) -> None:
    documents = [{"path": path, "type": "md"} for path in ("/etc/passwd", "model.md", "../secret.md")]
    batch = phone.ended(f"batch/{phone.call('POST', 'batch/ingest', documents=documents)['batchId']}")
    assert (batch["status"], batch["progress"]["completed"], batch["progress"]["failed"]) == ("completed", 1, 2)
    assert {error["path"]: "outside of the folders" in error["message"] for error in batch["errors"]} == {
        "/etc/passwd": True,
        "../secret.md": True,
    }
    listed = phone.client.get("/tenants/pocketpal/documents").json()["documents"]
    assert [document["document_id"] for document in listed if document["state"] == "failed"] == []


def test_a_batch_that_was_cancelled_says_so(phone: Phone) -> None:
    for number in range(30):
        (phone.folder / f"long{number}.txt").write_text(f"Report {number} on batteries. " * 2_000)
    documents = [{"path": f"long{number}.txt", "type": "txt"} for number in range(30)]
    batch = phone.call("POST", "batch/ingest", documents=documents)["batchId"]
    assert phone.client.post(f"/tenants/pocketpal/jobs/{batch}/cancel").status_code == 200
    ended = phone.ended(f"batch/{batch}")
    assert (ended["status"], ended["errors"], ended["error"]) == ("error", [], "it was cancelled")
    assert phone.call("GET", f"tasks/{batch}")["error"] == "it was cancelled"


@pytest.mark.parametrize("action", ["rebuild", "compact", "rebalance"])
def test_optimising_is_a_task_that_ends(phone: Phone, action: str) -> None:
    phone.ingest("model.md")
    started = phone.call("POST", "index/optimize", action=action)
    task = phone.ended(f"tasks/{started['taskId']}")
    assert (task["action"], task["status"]) == (action, "completed")
    waited = phone.call("POST", "index/optimize", action=action, backgroundMode=False)
    assert phone.call("GET", f"tasks/{waited['taskId']}")["status"] == "completed"
    assert phone.search(query="temperature")


def test_the_configuration_is_merged_applied_and_kept(tmp_path: Path) -> None:
    profile = PROFILE.format(folder=write_documents(tmp_path / "documents"))
    with serving(tmp_path, (profile,)) as client:
        phone = Phone(client, tmp_path / "documents")
        phone.ingest("model.md", chunkSize=60)
        before = phone.call("GET", "config")
        chunking = {"defaultSize": 80, "defaultOverlap": 8}
        changed = phone.call("PUT", "config", search={"defaultLimit": 2}, chunking=chunking)
        assert "taskId" in changed
        assert changed["search"] == {**before["search"], "defaultLimit": 2}
        assert changed["chunking"] == {**before["chunking"], **chunking}
        assert len(phone.search(query="model")) == 2
    with serving(tmp_path, (profile,)) as client:
        again = Phone(client, tmp_path / "documents").call("GET", "config")
        assert {name: again[name] for name in again} == {name: changed[name] for name in again}


def test_changes_of_the_configuration_at_the_same_time_all_count(phone: Phone) -> None:
    def change(number: int) -> tuple[dict[str, Any], ...]:
        searching = {"defaultLimit": 3 + number}, {"maxLimit": 30 + number}, {"defaultThreshold": number / 1000}
        working = {"searchTimeout": 5000 + number}, {"indexingBatchSize": 900 + number}
        return (*({"search": one} for one in searching), *({"performance": one} for one in working))

    for number in range(1, 5):
        changes = change(number)
        with ThreadPoolExecutor(len(changes)) as together:
            list(together.map(lambda changed: phone.call("PUT", "config", **changed), changes))
        config = phone.call("GET", "config")
        assert all(config[section].items() >= values.items() for one in changes for section, values in one.items())


def test_what_a_change_was_answered_with_can_be_sent_back(phone: Phone) -> None:
    phone.ingest("voice.txt", "txt")
    changed = phone.call("PUT", "config", chunking={"defaultSize": 100})
    assert {"taskId", "message"} <= set(changed)
    again = phone.call("PUT", "config", **changed)
    assert again["chunking"] == changed["chunking"]


def test_an_installed_model_takes_over(phone: Phone) -> None:
    phone.ingest("model.md")
    before = phone.call("POST", "vectors/embed", text="voice")["embedding"]
    changed = phone.call("PUT", "config", embedding={"model": "bge-small-en", "dimensions": 384})
    assert changed["embedding"]["model"] == "bge-small-en"
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    after = phone.call("POST", "vectors/embed", text="voice", model="bge-small-en")
    assert after["embedding"] != before
    assert phone.search(query="temperature")
    back = phone.call("PUT", "config", embedding={"model": "sentence-transformers-mobile"})
    assert phone.ended(f"tasks/{back['taskId']}")["status"] == "completed"
    assert phone.call("GET", "config")["embedding"]["model"] == "sentence-transformers-mobile"


def test_a_model_is_called_as_it_was_asked_for(phone: Phone) -> None:
    def called(**asked: str) -> str:
        return phone.call("POST", "vectors/embed", text="voice", **asked)["model"]

    assert called() == phone.call("GET", "config")["embedding"]["model"] == "sentence-transformers-mobile"
    for name in ("mobile-sentence-transformer", "all-MiniLM-L6-v2"):
        assert called(model=name) == name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"serach": {"defaultLimit": 3}}, 'serach: unknown key.*did you mean "search"'),
        ({"search": {"defautlLimit": 3}}, 'search -> defautlLimit: unknown key.*did you mean "defaultLimit"'),
        ({"search": {"default_limit": 3}}, "search -> default_limit: unknown key"),
        ({"vectorStore": {"hnswParams": {"m": 8}}}, "vectorStore -> hnswParams -> m: unknown key"),
        ({"chunking": {"defaultSize": 60}}, "chunking -> defaultOverlap: 50 is over half of defaultSize, which is 30"),
    ],
)
def test_what_is_wrong_with_a_change_is_told_in_its_own_words(
    phone: Phone, change: dict[str, Any], message: str
) -> None:
    answer = phone.client.put("/api/rag/config", json=change)
    assert answer.status_code in (400, 422)
    assert re.search(message, answer.json()["error"]["message"])


def test_an_index_of_another_shape_is_rebuilt(phone: Phone) -> None:
    phone.ingest("model.md")
    changed = phone.call("PUT", "config", vectorStore={"hnswParams": {"efConstruction": 64}})
    assert changed["vectorStore"]["hnswParams"] == {"efConstruction": 64, "maxConnections": 16}
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    assert phone.search(query="temperature")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"search": {"defaultLimit": 21}}, "REQUEST_INVALID"),
        ({"search": {"defaultThreshold": 1.5}}, "REQUEST_MALFORMED"),
        ({"chunking": {"defaultOverlap": 251}}, "REQUEST_INVALID"),
        ({"chunking": {"defaultSize": 5000}}, "REQUEST_INVALID"),
        ({"embedding": {"model": "no-such-model"}}, "RAG_002"),
        ({"embedding": {"dimensions": 7}}, "REQUEST_INVALID"),
        ({"vectorStore": {"algorithm": "faiss"}}, "REQUEST_INVALID"),
        ({"vectorStore": {"algorithm": "ivf"}}, "REQUEST_MALFORMED"),
        ({"performance": {"searchTimeout": 0}}, "REQUEST_MALFORMED"),
        ({"storage": {"autoCleanup": True}}, "REQUEST_INVALID"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused_whole(phone: Phone, change: dict[str, Any], code: str) -> None:
    before = phone.call("GET", "config")
    status = 400 if code == "REQUEST_MALFORMED" else 422
    asked = {"storage": {"maxStorage": 9}, **change}
    assert phone.call("PUT", "config", status, **asked)["code"] == code
    assert phone.call("GET", "config") == before


def test_what_was_not_used_for_longest_makes_room(phone: Phone) -> None:
    phone.ingest("voice.txt", "txt")
    phone.ingest("model.md")
    phone.search(query="microphone", limit=1)
    phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 1})
    assert phone.call("GET", "storage")["autoCleanup"] is True
    (phone.folder / "large.txt").write_text("A long report on batteries. " * 20_000)
    phone.ingest("large.txt", "txt")
    kept = {one["id"] for one in phone.call("GET", "documents")["documents"]}
    assert kept == {"large.txt"}


def test_no_more_goes_than_has_to_for_room(phone: Phone) -> None:
    phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 3})
    for number in range(16):
        (phone.folder / f"report{number:02}.txt").write_text(f"Report {number} on batteries. " * 2_000)
        phone.ingest(f"report{number:02}.txt", "txt")
        phone.search(query="Report 0", filter={"documentIds": ["report00.txt"]})
    kept = [one["id"] for one in phone.call("GET", "documents")["documents"]]
    assert kept[0] == "report00.txt", "it was used all the time"
    assert len(kept) >= 5
    assert kept[1:] == [f"report{number:02}.txt" for number in range(17 - len(kept), 16)], "the last ones stay"


def test_less_room_makes_room_at_once(phone: Phone) -> None:
    for number in range(8):
        (phone.folder / f"report{number}.txt").write_text(f"Report {number} on batteries. " * 2_000)
        phone.ingest(f"report{number}.txt", "txt")
    changed = phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 2})
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    assert phone.call("GET", "storage")["available"] > 0
    assert "report7.txt" in {one["id"] for one in phone.call("GET", "documents")["documents"]}


def test_a_full_store_refuses_documents_until_some_are_deleted(phone: Phone) -> None:
    (phone.folder / "large.txt").write_text("A long report on batteries. " * 20_000)
    phone.ingest("large.txt", "txt")
    phone.call("PUT", "config", storage={"maxStorage": 1})
    assert phone.ingest("model.md", status=507)["code"] == "RAG_003"
    assert phone.call("GET", "storage")["available"] == 0
    assert phone.call("GET", "status")["health"]["storage"] == "full"
    phone.call("DELETE", "documents/large.txt")
    assert phone.ingest("model.md")["status"] == "success"
    assert phone.call("GET", "status")["health"]["storage"] != "full"


def test_a_process_that_holds_too_much_memory_refuses_documents(phone: Phone) -> None:
    phone.call("PUT", "config", performance={"maxMemoryUsage": 64})
    assert phone.ingest("model.md", status=503)["code"] == "RAG_006"


def test_a_batch_that_is_too_large_is_refused(phone: Phone) -> None:
    phone.call("PUT", "config", performance={"indexingBatchSize": 1})
    documents = [{"path": "model.md", "type": "md"}] * 2
    assert phone.call("POST", "batch/ingest", 413, documents=documents)["code"] == "RAG_006"


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.md", "link.md", ".hidden.md", "linked/secret.md"])
def test_paths_outside_of_the_folders_are_refused(phone: Phone, path: str) -> None:
    secret = phone.folder.parent / "secret.md"
    secret.write_text("A secret.")
    (phone.folder / "link.md").symlink_to(secret)
    (phone.folder / "linked").symlink_to(phone.folder.parent)
    (phone.folder / ".hidden.md").write_text("A secret.")
    for method, body in (
        ("documents/ingest", {"documentPath": path, "documentType": "md"}),
        ("batch/ingest", {"documents": [{"path": path, "type": "md"}]}),
    ):
        assert phone.call("POST", method, 403, **body)["code"] == "RAG_001"


@pytest.mark.parametrize(
    ("path", "kind", "status"),
    [("none.md", "md", 404), ("m" * 4000, "md", 404), ("", "md", 400), ("model.md", "pdf", 422)],
)
def test_files_that_cannot_be_read_are_refused(phone: Phone, path: str, kind: str, status: int) -> None:
    refused = phone.call("POST", "documents/ingest", status, documentPath=path, documentType=kind)
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
def test_what_breaks_a_bound_is_refused(phone: Phone, path: str, body: dict[str, Any]) -> None:
    answer = phone.client.post(f"/api/rag/{path}", json=body)
    assert answer.status_code in (400, 422), answer.text
    error = answer.json()["error"]
    assert set(error) >= {"code", "message", "timestamp", "requestId"}
    assert error["requestId"] == answer.headers["X-Request-ID"]


@pytest.mark.parametrize("path", ["batch/nothing", "tasks/nothing", "nothing"])
def test_what_is_not_there_is_told_in_the_same_shape(phone: Phone, path: str) -> None:
    phone.call("GET", path, 404)


def test_a_task_is_no_batch(phone: Phone) -> None:
    started = phone.call("POST", "index/optimize", action="rebalance")
    phone.call("GET", f"batch/{started['taskId']}", 404)


def test_unknown_keys_are_refused_with_the_nearest_known_one(phone: Phone) -> None:
    phone.ingest("model.md", metadata={"shelf": "kept"})
    error = phone.ingest("model.md", status=400, chunksize=100)
    assert error["details"]["problems"][0]["suggestion"] == "chunkSize"
    error = phone.call("POST", "vectors/search", 400, query="models", topResults=3)
    assert error["details"]["problems"][0]["path"] == "topResults"


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
def test_a_filter_that_is_not_known_is_refused_with_the_nearest(
    phone: Phone, asked: dict[str, Any], wrong: str, right: str | None
) -> None:
    problems = phone.call("POST", "vectors/search", 400, query="models", **asked)["details"]["problems"]
    assert (wrong, right) in [(problem["path"], problem.get("suggestion")) for problem in problems]


@pytest.mark.parametrize("section", ["search", "vectorStore", "performance"])
def test_a_section_of_the_configuration_may_not_be_null(phone: Phone, section: str) -> None:
    [problem] = phone.call("PUT", "config", 400, **{section: None})["details"]["problems"]
    assert (problem["path"], problem["message"]) == (section, "must be an object, not null")


def test_keys_of_a_scope_do_not_see_what_others_asked(
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


def test_a_method_that_a_path_does_not_take_is_told_those_that_it_takes(phone: Phone) -> None:
    answer = phone.client.patch("/api/rag/config")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, PUT")
    require(ERROR, answer.json())


def test_what_is_asked_for_with_a_line_feed_is_not_there_in_the_contracts_own_words(phone: Phone) -> None:
    assert phone.call("DELETE", "documents/two%0Alines.md", 404)["code"] == "DOCUMENT_NOT_FOUND"
    assert phone.call("GET", "tasks/two%0Alines", 404)["code"] == "JOB_NOT_FOUND"


def test_a_wrong_vector_is_reported_by_its_published_name(phone: Phone) -> None:
    [problem] = phone.call("POST", "vectors/search", 422, queryVector=[1.0, 2.0])["details"]["problems"]
    assert problem["path"] == "queryVector"


def test_a_deletion_counts_the_chunks_of_the_readable_version_alone(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=50, chunkOverlap=0)
    chunks = phone.ingest("model.md")["chunksCreated"]
    assert phone.call("DELETE", "documents/model.md")["chunksRemoved"] == chunks


def test_a_context_may_have_as_many_chunks_as_a_raised_limit(phone: Phone) -> None:
    phone.ingest("model.md", chunkSize=50, chunkOverlap=0)
    assert phone.call("POST", "context/retrieve", 422, query="model", maxChunks=30)["details"]["problems"]
    phone.call("PUT", "config", search={"maxLimit": 50})
    try:
        assert phone.call("POST", "context/retrieve", query="model", maxChunks=30)["context"]["chunks"]
    finally:
        phone.call("PUT", "config", search={"maxLimit": 20})


def test_a_short_context_holds_text_and_not_a_heading_alone(phone: Phone) -> None:
    phone.ingest("model.md")
    asked = {"query": "Where is the AI model configured?", "maxContextLength": 50, "maxChunks": 1}
    context = phone.call("POST", "context/retrieve", **asked)["context"]
    assert "The AI model is configured" in context["text"]
    assert context["totalLength"] <= 50
