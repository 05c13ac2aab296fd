"""The same source at the same place is one document, whether it came from the knowledge folder or over the API."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import httpx

from tests.app.contracts.cortx.test_cortx_routes import PROFILE as CORTX
from tests.app.contracts.smartbreeds.kennel import GOLDEN, ingest
from tests.app.contracts.smartbreeds.kennel import PROFILE as KENNEL
from tests.app.running import serving

PLACE = {"level": "suite", "suite": "fedsuite", "source": "FED-7"}
FILE = "---\nlevel: suite\nsuite: fedsuite\nsource: FED-7\n---\n\nThe owner signs the reconciliation report.\n"
KNOWLEDGE = "knowledge: {path: knowledge, sync: startup}\n"


def put(client: httpx.Client, content: str, **metadata: Any) -> dict[str, Any]:
    answer = client.post("/v1/ingest", json={"content": content, "metadata": metadata})
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    return body


def found(client: httpx.Client) -> list[tuple[str, str]]:
    results = client.post("/v1/search", json={"query": "Who signs the report?"}).json()["results"]
    return [(result["document_id"], result["content"]) for result in results]


def test_cortx_makes_a_posted_document_the_next_version_of_the_folders(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "signing.md").write_text(FILE)
    profile = CORTX + KNOWLEDGE
    with serving(tmp_path, (profile,)) as client:
        body = put(client, "The auditor alone signs the reconciliation report.", **PLACE)
        assert (body["document_id"], body["version"]) == ("signing.md", 2)
        assert found(client) == [("signing.md", "The auditor alone signs the reconciliation report.")]
        other = put(client, "Nobody signs the report of a module.", **PLACE | {"level": "module", "module": "dataflow"})
        assert other["document_id"] != "signing.md"
    with serving(tmp_path, (profile,)) as client:
        assert ("signing.md", "The auditor alone signs the reconciliation report.") in found(client)
        assert put(client, "The auditor alone signs the reconciliation report.", **PLACE)["state"] == "unchanged"


def test_smartbreeds_makes_a_posted_document_the_next_version_of_the_folders(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge" / "breeds" / "dogs"
    folder.mkdir(parents=True)
    (folder / "golden_retriever.md").write_text(GOLDEN)
    with serving(tmp_path, (KENNEL + KNOWLEDGE,)) as client:
        told = ingest(client, GOLDEN + "\nThey shed.\n", "breeds/dogs/golden_retriever.md")
        assert (told["document_id"], told["version"]) == ("breed_golden_retriever", 2)
        told = ingest(client, GOLDEN + "\nThey shed a lot.\n", "golden_retriever.md")
        assert (told["document_id"], told["version"]) == ("breed_golden_retriever", 3)
        other = ingest(client, "The hips of Golden Retrievers.", "golden_retriever.md", doc_type="health")
        assert other["document_id"] == "health_golden_retriever"
        asked = {"question": "Where are Golden Retrievers from?", "filters": {"doc_type": "breed"}}
        sources = client.post("/api/v1/rag/query", json=asked).json()["data"]["sources"]
        assert {(source["document_id"], source["source_file"]) for source in sources} == {
            ("breed_golden_retriever", "breeds/dogs/golden_retriever.md")
        }
        assert client.get("/api/v1/rag/status").json()["data"]["documents"] == 2


def test_an_ingestion_is_not_answered_with_404_when_a_deletion_follows_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, (CORTX,)) as client:
        path = f"/tenants/cortx/documents/{put(client, 'The owner signs.', **PLACE)['document_id']}"
        ended = threading.Event()
        deletions = []

        def delete() -> None:
            while not ended.is_set():
                deletions.append(client.delete(path).status_code)

        deleting = threading.Thread(target=delete)
        deleting.start()
        try:
            for number in range(60):
                put(client, f"The owner signs {number} reports.", **PLACE)
        finally:
            ended.set()
            deleting.join()
        assert 200 in deletions
