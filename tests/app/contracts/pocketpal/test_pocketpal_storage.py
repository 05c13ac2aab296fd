"""What PocketPal does when its documents take more room than the phone gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.pocketpal.phone import Phone


@pytest.fixture
def tmp_path(disk_path: Path) -> Path:
    return disk_path


def test_the_least_recently_used_document_is_evicted(phone: Phone) -> None:
    phone.ingest("voice.txt", "txt")
    phone.ingest("model.md")
    phone.search(query="microphone", limit=1)
    changed = phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 1})
    if "taskId" in changed:  # the two small ones may be over the limit already
        phone.ended(f"tasks/{changed['taskId']}")
    assert phone.call("GET", "storage")["autoCleanup"] is True
    (phone.folder / "large.txt").write_text("A long report on batteries. " * 20_000)
    phone.ingest("large.txt", "txt")
    kept = {one["id"] for one in phone.call("GET", "documents")["documents"]}
    assert kept == {"large.txt"}


def test_no_more_documents_are_evicted_than_needed(phone: Phone) -> None:
    phone.call("PUT", "config", storage={"autoCleanup": True, "maxStorage": 3})
    for number in range(11):
        (phone.folder / f"report{number:02}.txt").write_text(f"Report {number} on batteries. " * 2_000)
        phone.ingest(f"report{number:02}.txt", "txt")
        phone.search(query="Report 0", filter={"documentIds": ["report00.txt"]})
    kept = [one["id"] for one in phone.call("GET", "documents")["documents"]]
    assert kept[0] == "report00.txt", "it was used all the time"
    assert len(kept) >= 3
    assert len(kept) < 11
    assert kept[1:] == [f"report{number:02}.txt" for number in range(12 - len(kept), 11)], "the last ones stay"


def test_lowering_the_limit_evicts_at_once(phone: Phone) -> None:
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
