"""What came or went over the API outlives a restart, although the knowledge folder is synchronised again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.app.contracts.pocketpal.phone import MODEL, VOICE, Phone
from tests.app.running import serving

PROFILE = """
tenant: pocketpal
contract: pocketpal
knowledge: {{path: {folder}, sync: startup}}
metadata: {{fields: {{author: {{type: keyword}}, source: {{type: keyword}}, tags: {{type: keywords}}}}}}
chunking: {{splitter: sentence, size: 500, overlap: 50, unit: character}}
"""


@contextmanager
def started(tmp_path: Path) -> Iterator[Phone]:
    folder = tmp_path / "documents"
    if not folder.exists():
        folder.mkdir()
        (folder / "model.md").write_text(f"# Models\n\n{MODEL}")
        (folder / "voice.txt").write_text(VOICE)
    with serving(tmp_path, (PROFILE.format(folder=folder),)) as client:
        yield Phone(client, folder)


def listed(phone: Phone) -> dict[str, Any]:
    return {document["id"]: document for document in phone.call("GET", "documents")["documents"]}


def test_changes_over_the_api_outlive_a_restart(tmp_path: Path) -> None:
    said = {"title": "Our models", "author": "Ann", "tags": ["ai", "settings"]}
    with started(tmp_path) as phone:
        plain = listed(phone)["model.md"]["chunksCount"]
        assert phone.ingest("model.md", chunkSize=100, metadata=said)["chunksCreated"] > plain
        phone.call("DELETE", "documents/voice.txt")
        before = listed(phone)
        assert set(before) == {"model.md"}
    with started(tmp_path) as phone:
        assert listed(phone) == before
        assert before["model.md"]["metadata"] == said
        assert phone.search(query="models", filter={"tags": ["ai"]})
    (tmp_path / "documents" / "voice.txt").write_text("Voice input can be turned off.")
    with started(tmp_path) as phone:
        after = listed(phone)
        assert after["model.md"] == before["model.md"] | {"lastAccessed": after["model.md"]["lastAccessed"]}
        assert set(after) == {"model.md", "voice.txt"}


def test_documents_loaded_at_startup_count_as_indexed(tmp_path: Path) -> None:
    with started(tmp_path) as phone:
        indexing = phone.call("GET", "metrics")["performance"]["indexingMetrics"]
        assert min(indexing.values()) > 0


def test_a_re_ingested_document_starts_over(tmp_path: Path) -> None:
    with started(tmp_path) as phone:
        first = phone.call("GET", "documents")["documents"][0]
        assert phone.search(query="temperature", filter={"documentIds": [first["id"]]})
        phone.call("DELETE", f"documents/{first['id']}")
        phone.ingest(first["id"])
        again = listed(phone)[first["id"]]
        assert again["createdAt"] > first["createdAt"]
        assert again["lastAccessed"] == again["createdAt"]


def test_the_server_listens_before_its_knowledge_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(40):
        text = f"Settings of kind {number} are here. " * 100
        (folder / f"guide{number}.md").write_text(f"# Guide {number}\n\n{text}")
    with serving(tmp_path, (PROFILE.replace("startup", "background").format(folder=folder),)) as client:
        phone = Phone(client, folder)
        first = phone.call("GET", "status")
        assert (first["status"], first["health"]["vectorIndex"]) == ("initializing", "building")
        assert phone.call("GET", "config")["search"]["defaultLimit"] == 5
        while (last := phone.call("GET", "status"))["status"] == "initializing":
            time.sleep(0.05)
        assert (last["status"], last["health"]["vectorIndex"]) == ("ready", "ready")
        assert phone.call("GET", "documents")["totalDocuments"] == 40


def test_a_large_file_becomes_a_task(tmp_path: Path) -> None:
    with started(tmp_path) as phone:
        (phone.folder / "large.txt").write_text("The quick brown fox jumps over the lazy dog. " * 25_000)
        (phone.folder / "empty.pdf").write_bytes(b"%PDF-1.7 " + bytes(1_100_000))
        reported = phone.ingest("large.txt", "txt")
        assert (reported["status"], reported["documentId"], reported["chunksCreated"]) == ("processing", "large.txt", 0)
        assert phone.call("GET", "status")["status"] in ("indexing", "ready")
        done = phone.ended(f"tasks/{reported['taskId']}")
        assert done["status"] == "completed"
        assert (done["progress"]["total"], done["progress"]["completed"]) == (1, 1)
        assert done["progress"]["chunks"] == listed(phone)["large.txt"]["chunksCount"] > 2000
        figures = phone.call("GET", "status")["performance"]
        assert figures["vectorsStored"] == figures["totalChunks"]
        failed = phone.ended(f"tasks/{phone.ingest('empty.pdf', 'pdf')['taskId']}")
        assert failed["status"] == "error"
        assert "PDF" in failed["error"]


def test_cleanup_keeps_a_file_of_the_knowledge_folder_that_was_ingested_again(tmp_path: Path) -> None:
    with started(tmp_path) as phone:
        phone.ingest("model.md", chunkSize=100)
        changed = phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 1})
        if "taskId" in changed:
            phone.ended(f"tasks/{changed['taskId']}")
        own = tmp_path / "documents" / "large.txt"
        own.write_text("A long report on batteries. " * 20_000)
        phone.ingest("large.txt", "txt")
        assert set(listed(phone)) == {"large.txt", "model.md", "voice.txt"}
