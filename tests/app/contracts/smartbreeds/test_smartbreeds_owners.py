"""Documents of owners: scanned records that only their owner is answered from, beside what is everybody's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.contracts.smartbreeds.kennel import BEAGLE, body_of, refused
from tests.app.running import serving
from tests.fakes.scans import drawn, file_of, needs_tesseract

CONFIG = Path(__file__).parents[4] / "configs" / "smartbreeds" / "owners.yaml"
PROFILE = f"""
extends: {CONFIG}
knowledge: {{path: null, sync: off}}
llm: null
answer: {{prompt: null}}
"""
RECORD = "The beagle Bella is allergic to penicillin."
QUERY = {"question": "What is Bella allergic to?"}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setenv("SMARTBREEDS_SHOP_KEY", "shop-key-0123456789-abcdef")
    monkeypatch.setenv("SMARTBREEDS_ANN_KEY", "ann-key-0123456789-abcdef")
    with serving(tmp_path, (PROFILE,)) as client:
        yield client


def act(client: httpx.Client, who: str) -> None:
    client.headers["X-API-Key"] = f"{who}-key-0123456789-abcdef"


def ingest(client: httpx.Client, content: str, name: str, **metadata: str) -> str:
    asked = {"content": content, "source_name": name, "metadata": metadata}
    answer = client.post("/api/v1/rag/ingest", json=asked)
    assert answer.status_code == 200, answer.text
    document_id: str = answer.json()["data"]["document_id"]
    return document_id


def sources(client: httpx.Client, **more: object) -> list[str]:
    data = body_of(client.post("/api/v1/rag/query", json=QUERY | more), "query")
    return sorted(source["document_id"] for source in data["sources"])


def test_only_the_owner_is_answered_from_own_records(client: httpx.Client) -> None:
    act(client, "shop")
    assert ingest(client, BEAGLE, "beagle.md") == "breed_beagle"
    assert ingest(
        client, "Bella had her teeth cleaned.", "bella.md", doc_type="record", level="owner", owner="bob"
    ) == ("record_bob/bella")
    act(client, "ann")
    assert ingest(client, RECORD, "bella.md", doc_type="record") == "record_ann/bella"
    assert sources(client) == ["breed_beagle", "record_ann/bella"]
    asked = {
        "content": "Beagles bite.",
        "source_name": "beagle.md",
        "metadata": {"doc_type": "breed", "level": "shared"},
    }
    assert refused(client.post("/api/v1/rag/ingest", json=asked), 403)
    act(client, "shop")
    assert sources(client, scope={"owner": "bob"}) == ["breed_beagle", "record_bob/bella"]
    assert sources(client, scope={"owner": "ann"}) == ["breed_beagle", "record_ann/bella"]


@needs_tesseract
def test_a_scanned_record_is_read(client: httpx.Client) -> None:
    act(client, "ann")
    scan = file_of(drawn(["Vaccination record", "", "Bella is allergic to", "penicillin and to bees."]), kind="PDF")
    metadata = json.dumps({"doc_type": "record", "level": "owner", "owner": "ann"})
    files = {"file": ("scan.pdf", scan, "application/pdf")}
    answer = client.post("/tenants/smartbreeds/documents", files=files, data={"metadata": metadata})
    assert answer.status_code == 201, answer.text
    data = body_of(client.post("/api/v1/rag/query", json=QUERY), "query")
    assert "penicillin" in data["answer"]
