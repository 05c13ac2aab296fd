"""The variants of CORTX's profile that are shipped beside it, served as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from app.main import create_app
from app.settings import Settings
from tests.app.running import running
from tests.fakes.ollama import Asked, ollama_server
from tests.pipelines.reading.picture_files import image, slides

SHIPPED = Path(__file__).parents[4] / "configs" / "cortx"
QUESTION = "From which amount do supervisors approve differences?"
HARBOR, PRAIRIE, OPERATIONS = "harbor-secret-1234567890", "prairie-secret-123456789", "operations-secret-12345"


@contextmanager
def served(variant: str, folder: Path) -> Iterator[httpx.Client]:
    app = create_app([SHIPPED / variant], Settings(data=folder))
    with running(app) as root, httpx.Client(base_url=root, trust_env=False, timeout=60) as client:
        yield client


def test_a_broker_serves_embeddings_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(asked: Asked) -> str:
        return "I do not know."

    with ollama_server(script) as broker:
        monkeypatch.setenv("AI_BROKER_URL", f"{broker.url}/v1")
        monkeypatch.setenv("EMBEDDING_MODEL", "gecko")
        monkeypatch.setenv("EMBEDDING_DIMENSIONS", "4")
        monkeypatch.setenv("GENERATION_MODEL", "bison")
        monkeypatch.setenv("AI_BROKER_KEY", "broker-key")
        with served("broker.yaml", tmp_path) as client:
            found = client.post("/v1/search", json={"query": QUESTION, "top_k": 3})
            assert found.status_code == 200, found.text
            assert len(found.json()["results"]) == 3
            answer = client.post("/v1/query", json={"question": QUESTION})
            assert answer.status_code == 200, answer.text


def test_each_agency_sees_inherited_and_own_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, secret in (("OPS", OPERATIONS), ("HARBOR", HARBOR), ("PRAIRIE", PRAIRIE)):
        monkeypatch.setenv(f"CORTX_{name}_KEY", secret)
    with served("keys.yaml", tmp_path) as client:

        def entities(secret: str) -> set[str | None]:
            asked = {"query": "How often is reconciliation done?", "top_k": 50}
            found = client.post("/v1/search", json=asked, headers={"X-API-Key": secret})
            assert found.status_code == 200, found.text
            return {result["metadata"].get("entity_id") for result in found.json()["results"]}

        assert client.post("/v1/search", json={"query": "x"}).status_code == 401
        assert entities(HARBOR) == {None, "harbor-agency"}
        assert entities(PRAIRIE) == {None, "prairie-bureau"}
        assert {"harbor-agency", "prairie-bureau"} <= entities(OPERATIONS)
        document = {"content": "x", "metadata": {"level": "platform", "source": "x"}}
        made = client.post("/v1/ingest", json=document, headers={"X-API-Key": PRAIRIE})
        assert made.status_code == 403


def test_languages_of_documents_are_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", "bundled")
    monkeypatch.setenv("EMBEDDING_BACKEND", "onnx")
    texts = {
        "de": "Abweichungen ab einhundert Dollar werden von der Aufsicht genehmigt.",
        "fr": "Les écarts de plus de cent dollars sont approuvés par un superviseur.",
    }
    with served("multilingual.yaml", tmp_path) as client:
        for language, text in texts.items():
            document = {"content": text, "metadata": {"level": "platform", "source": language}}
            assert client.post("/v1/ingest", json=document).status_code == 201
        for language, text in texts.items():
            found = client.post("/v1/search", json={"query": "Dollar", "filters": {"language": language}}).json()
            assert [result["content"] for result in found["results"]] == [text]
        everything = client.post("/v1/search", json={"query": QUESTION, "top_k": 50}).json()["results"]
        assert {result["metadata"]["language"] for result in everything} == {"de", "en", "fr"}


def test_a_picture_is_found_by_what_a_model_saw_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ollama_server(
        lambda asked: "A turbine with three green blades." if asked.images else "I do not know."
    ) as model:
        monkeypatch.setenv("OLLAMA_URL", model.url)
        monkeypatch.setenv("GENERATION_MODEL", "sees")
        with served("pictures.yaml", tmp_path) as client:
            deck = slides([("Power", [(image(), "")])])
            form = {"metadata": '{"level": "platform", "source": "deck"}'}
            files = {"file": ("deck.pptx", deck)}
            assert client.post("/tenants/cortx/documents", files=files, data=form).status_code == 201
            found = client.post("/v1/search", json={"query": "turbine with green blades", "top_k": 1}).json()
            assert "three green blades" in found["results"][0]["content"]
