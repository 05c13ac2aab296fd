"""The configuration of PocketPal's API, and the room that it sets."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.app.contracts.pocketpal.phone import PROFILE, Phone, write_documents
from tests.app.running import serving


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


def test_concurrent_configuration_changes_are_all_applied(phone: Phone) -> None:
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


def test_a_configuration_response_can_be_sent_back(phone: Phone) -> None:
    phone.ingest("voice.txt", "txt")
    changed = phone.call("PUT", "config", chunking={"defaultSize": 100})
    assert {"taskId", "message"} <= set(changed)
    again = phone.call("PUT", "config", **changed)
    assert again["chunking"] == changed["chunking"]


def test_an_installed_model_replaces_the_current_one(phone: Phone) -> None:
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


def test_a_model_keeps_its_requested_name(phone: Phone) -> None:
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
def test_an_invalid_change_is_reported_by_its_own_field_names(
    phone: Phone, change: dict[str, Any], message: str
) -> None:
    answer = phone.client.put("/api/rag/config", json=change)
    assert answer.status_code in (400, 422)
    assert re.search(message, answer.json()["error"]["message"])


def test_a_changed_index_configuration_triggers_a_rebuild(phone: Phone) -> None:
    phone.ingest("model.md")
    changed = phone.call("PUT", "config", vectorStore={"hnswParams": {"efConstruction": 64}})
    assert changed["vectorStore"]["hnswParams"] == {"efConstruction": 64, "maxConnections": 16}
    assert changed["message"] == "in effect once the task has rebuilt the index"
    assert phone.ended(f"tasks/{changed['taskId']}")["status"] == "completed"
    assert phone.search(query="temperature")
    both = phone.call("PUT", "config", vectorStore={"hnswParams": {"maxConnections": 8}}, chunking={"defaultSize": 100})
    assert both["message"].endswith("the task reprocesses the others and rebuilds the index")
    task = phone.ended(f"tasks/{both['taskId']}")
    assert (task["action"], task["status"]) == ("rebuild", "completed")
    [document] = phone.call("GET", "documents")["documents"]
    assert document["chunksCount"] > 1, "it was cut again"


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
def test_an_invalid_configuration_is_refused_as_a_whole(phone: Phone, change: dict[str, Any], code: str) -> None:
    before = phone.call("GET", "config")
    status = 400 if code == "REQUEST_MALFORMED" else 422
    asked = {"storage": {"maxStorage": 9}, **change}
    assert phone.call("PUT", "config", status, **asked)["code"] == code
    assert phone.call("GET", "config") == before


def test_a_process_over_its_memory_limit_refuses_documents(phone: Phone) -> None:
    phone.call("PUT", "config", performance={"maxMemoryUsage": 64})
    assert phone.ingest("model.md", status=503)["code"] == "RAG_006"


def test_an_oversized_batch_is_refused(phone: Phone) -> None:
    phone.call("PUT", "config", performance={"indexingBatchSize": 1})
    documents = [{"path": "model.md", "type": "md"}] * 2
    assert phone.call("POST", "batch/ingest", 413, documents=documents)["code"] == "RAG_006"
