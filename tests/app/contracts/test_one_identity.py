"""The same source at the same place is one document, whether it came from the knowledge folder or over the API."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.contracts.cortx.test_cortx_routes import PROFILE as CORTX
from tests.app.contracts.smartbreeds.kennel import GOLDEN, ingest
from tests.app.contracts.smartbreeds.kennel import PROFILE as KENNEL
from tests.app.contracts.textbook.test_textbook_routes import CONTENT, METADATA
from tests.app.contracts.textbook.test_textbook_routes import PROFILE as TEXTBOOK
from tests.app.running import serving

PLACE = {"level": "suite", "suite": "fedsuite", "source": "FED-7"}
FILE = "---\nlevel: suite\nsuite: fedsuite\nsource: FED-7\n---\n\nThe owner signs the reconciliation report.\n"
KNOWLEDGE = "knowledge: {path: knowledge, sync: startup}\n"


NAMED = KENNEL.replace("chunking:", "  identity: {fields: [doc_type], id: fields}\nchunking:").replace("memory", "edge")


def sync(client: httpx.Client, tenant: str) -> None:
    answer = client.post(f"/tenants/{tenant}/sync")
    assert answer.status_code == 200, answer.text


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
        reported = ingest(client, GOLDEN + "\nThey shed.\n", "breeds/dogs/golden_retriever.md")
        assert (reported["document_id"], reported["version"]) == ("breed_golden_retriever", 2)
        reported = ingest(client, GOLDEN + "\nThey shed a lot.\n", "golden_retriever.md")
        assert (reported["document_id"], reported["version"]) == ("breed_golden_retriever", 3)
        other = ingest(client, "The hips of Golden Retrievers.", "golden_retriever.md", doc_type="health")
        assert other["document_id"] == "health_golden_retriever"
        asked = {"question": "Where are Golden Retrievers from?", "filters": {"doc_type": "breed"}}
        sources = client.post("/api/v1/rag/query", json=asked).json()["data"]["sources"]
        assert {(source["document_id"], source["source_file"]) for source in sources} == {
            ("breed_golden_retriever", "breeds/dogs/golden_retriever.md")
        }
        assert client.get("/api/v1/rag/status").json()["data"]["documents"] == 2


def test_cortx_makes_a_file_the_next_version_of_a_posted_document(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    profile = CORTX + KNOWLEDGE
    with serving(tmp_path, (profile,)) as client:
        posted = put(client, "The auditor alone signs the reconciliation report.", **PLACE)
        (tmp_path / "knowledge" / "signing.md").write_text(FILE)
        (tmp_path / "knowledge" / "again.md").write_text(FILE.replace("The owner", "The clerk"))
        sync(client, "cortx")
        folder = client.get(f"/tenants/cortx/documents/{posted['document_id']}").json()
        assert (folder["version"], folder["source"]) == (2, "again.md")
        assert sorted(found(client)) == sorted(
            [
                (posted["document_id"], "The clerk signs the reconciliation report."),
                ("signing.md", "The owner signs the reconciliation report."),
            ]
        )
    (tmp_path / "knowledge" / "signing.md").unlink()
    with serving(tmp_path, (profile,)) as client:
        assert found(client) == [(posted["document_id"], "The clerk signs the reconciliation report.")]
        (tmp_path / "knowledge" / "again.md").rename(tmp_path / "knowledge" / "signing.md")
        sync(client, "cortx")
        assert [content for _, content in found(client)] == ["The clerk signs the reconciliation report."]


def test_smartbreeds_makes_a_file_the_next_version_of_a_posted_document(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge" / "breeds" / "dogs"
    folder.mkdir(parents=True)
    with serving(tmp_path, (NAMED + KNOWLEDGE,)) as client:
        assert ingest(client, GOLDEN, "golden_retriever.md")["version"] == 1
        (folder / "golden_retriever.md").write_text(GOLDEN + "\nThey shed.\n")
        (tmp_path / "knowledge" / "golden_retriever.md").write_text(GOLDEN + "\nThey dig.\n")
        sync(client, "smartbreeds")
        documents = client.get("/tenants/smartbreeds/documents").json()["documents"]
        assert {document["document_id"]: (document["version"], document["source"]) for document in documents} == {
            "breed_golden_retriever": (2, "breeds/dogs/golden_retriever.md"),
            "breed_golden_retriever_2": (1, "golden_retriever.md"),
        }
        reported = ingest(client, GOLDEN + "\nThey swim.\n", "breeds/dogs/golden_retriever.md")
        assert (reported["document_id"], reported["version"]) == ("breed_golden_retriever", 3)
    with serving(tmp_path, (NAMED + KNOWLEDGE,)) as client:
        assert "They swim." in client.get("/tenants/smartbreeds/documents/breed_golden_retriever/content").text
        client.delete("/tenants/smartbreeds/documents/breed_golden_retriever_2")
        sync(client, "smartbreeds")
        assert client.get("/api/v1/rag/status").json()["data"]["documents"] == 1


def documents_of(client: httpx.Client) -> dict[str, tuple[int, str]]:
    documents = client.get("/tenants/smartbreeds/documents").json()["documents"]
    return {document["document_id"]: (document["version"], document["source"]) for document in documents}


@pytest.mark.parametrize("profile", [KENNEL, NAMED])
def test_paths_with_the_same_name_are_documents_of_their_own(tmp_path: Path, profile: str) -> None:
    with serving(tmp_path, (profile,)) as client:
        told = [
            ingest(client, f"Joints of {kind}.", f"{kind}/arthritis.md", doc_type="health") for kind in ("dogs", "cats")
        ]
        again = ingest(client, "Joints of cats that jump.", r"cats\arthritis", doc_type="health")
        bare = ingest(client, "Joints of dogs that run.", "arthritis.md", doc_type="health")
        third = ingest(client, "Joints of birds.", "birds/arthritis.md", doc_type="health")
        assert [(one["document_id"], one["version"]) for one in (*told, again, bare, third)] == [
            ("health_arthritis", 1),
            ("health_arthritis_2", 1),
            ("health_arthritis_2", 2),
            ("health_arthritis", 2),
            ("health_arthritis_3", 1),
        ]
        asked = {"question": "Which joints jump?", "top_k": 1}
        [source] = client.post("/api/v1/rag/query", json=asked).json()["data"]["sources"]
        assert (source["source_file"], source["content"]) == ("cats/arthritis.md", "Joints of cats that jump.")


def test_a_path_does_not_replace_a_file_of_another_folder(tmp_path: Path) -> None:
    knowledge = tmp_path / "knowledge"
    (knowledge / "guides").mkdir(parents=True)
    (knowledge / "guides" / "beagle.md").write_text(GOLDEN)
    with serving(tmp_path, (NAMED + KNOWLEDGE,)) as client:
        assert ingest(client, GOLDEN + "\nThey dig.\n", "imports/beagle.md")["document_id"] == "breed_beagle_2"
        assert ingest(client, GOLDEN, "siamese.md")["document_id"] == "breed_siamese"
        assert ingest(client, GOLDEN, "imports/siamese.md")["document_id"] == "breed_siamese_2"
        offer = {"content": GOLDEN, "source": "loads/beagle.md", "media_type": "text/markdown"}
        assert client.post("/tenants/smartbreeds/documents", json=offer).json()["document_id"] == "breed_beagle_3"
        for name in ("imports", "more"):
            (knowledge / name).mkdir()
            (knowledge / name / "beagle.md").write_text(GOLDEN + f"\nThey like {name}.\n")
        sync(client, "smartbreeds")
        assert documents_of(client) == {
            "breed_beagle": (1, "guides/beagle.md"),
            "breed_beagle_2": (2, "imports/beagle.md"),
            "breed_beagle_3": (1, "loads/beagle.md"),
            "breed_beagle_4": (1, "more/beagle.md"),
            "breed_siamese": (1, "siamese.md"),
            "breed_siamese_2": (1, "imports/siamese.md"),
        }


def test_a_file_that_moves_to_another_folder_keeps_its_document(tmp_path: Path) -> None:
    knowledge = tmp_path / "knowledge"
    (knowledge / "dogs").mkdir(parents=True)
    (knowledge / "golden_retriever.md").write_text(GOLDEN)
    with serving(tmp_path, (NAMED + KNOWLEDGE,)) as client:
        (knowledge / "golden_retriever.md").rename(knowledge / "dogs" / "golden_retriever.md")
        sync(client, "smartbreeds")
        documents = client.get("/tenants/smartbreeds/documents").json()["documents"]
        assert [(one["document_id"], one["version"], one["source"]) for one in documents] == [
            ("breed_golden_retriever", 2, "dogs/golden_retriever.md")
        ]
        (knowledge / "dogs" / "golden_retriever.md").rename(knowledge / "golden.md")
        sync(client, "smartbreeds")
        documents = client.get("/tenants/smartbreeds/documents").json()["documents"]
        assert [one["document_id"] for one in documents] == ["breed_golden"]


def test_a_file_that_could_not_be_read_at_first_is_one_document_afterwards(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "beagle.md").write_text("")
    with serving(tmp_path, (NAMED + KNOWLEDGE,)) as client:
        assert client.get("/tenants/smartbreeds/documents").json()["documents"][0]["state"] == "failed"
        (tmp_path / "knowledge" / "beagle.md").write_text(GOLDEN)
        sync(client, "smartbreeds")
        documents = client.get("/tenants/smartbreeds/documents").json()["documents"]
        assert [(document["document_id"], document["state"]) for document in documents] == [("breed_beagle", "ready")]


RACED: dict[str, tuple[str, str, Callable[[int], dict[str, Any]]]] = {
    "cortx": (CORTX, "/v1/ingest", lambda number: {"content": f"The owner signs {number} reports.", "metadata": PLACE}),
    "smartbreeds": (
        KENNEL,
        "/api/v1/rag/ingest",
        lambda number: {"content": GOLDEN + f"\nThey have {number} puppies.\n", "source_name": "golden.md"},
    ),
    "textbook": (TEXTBOOK, "/ingest", lambda number: {"content": CONTENT, "metadata": METADATA}),
}


@pytest.mark.parametrize("tenant", RACED)
def test_an_ingestion_is_not_answered_with_404_when_a_deletion_follows_at_once(tmp_path: Path, tenant: str) -> None:
    profile, path, body = RACED[tenant]
    with serving(tmp_path, (profile,)) as client:
        first = client.post(path, json=body(0)).json()
        made = first.get("data", first)
        document = f"/tenants/{tenant}/documents/{made.get('document_id') or made['doc_id']}"
        ended = threading.Event()
        deletions = []

        def delete() -> None:
            while not ended.is_set():
                deletions.append(client.delete(document).status_code)

        deleting = threading.Thread(target=delete)
        deleting.start()
        try:
            answers = [client.post(path, json=body(number)) for number in range(1, 31)]
        finally:
            ended.set()
            deleting.join()
        assert [answer.text for answer in answers if answer.is_error] == []
        assert 200 in deletions
