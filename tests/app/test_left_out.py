"""A tenant whose data cannot be opened is left out; the others are served, and all its routes say what to do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from app.tenants import open_tenants
from pipelines import open_engine
from pipelines.components.store.edge.sparse_files import copy_with_holes
from pipelines.errors import StoreDamaged
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput
from tests.app.metrics.scraping import Scrape
from tests.app.running import serving
from tests.pipelines.engine.test_damaged_catalogue import overwrite

CATS = "tenant: cats"
DOGS = "tenant: dogs"
KEYED_DOGS = 'tenant: dogs\nauth: {keys: [{name: walk, secret: "${DOGS_KEY}", role: reader}]}'
BOOK = """
tenant: book
contract: textbook
metadata: {fields: {chapter: {type: integer}, section: {type: keyword}, page: {type: integer}}}
"""
LONGER = {"tenant": "cats", "embedding": {"provider": "ollama", "model": "none", "dimensions": 8}}
REPAIR = "footnote doctor PROFILE --repair"
RESTORE = "footnote restore TENANT FILE --replace"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which each tenant has a document."""
    data = tmp_path_factory.mktemp("filled")
    for tenant in ("book", "cats", "dogs"):
        with open_engine({"tenant": tenant}, data) as engine:
            engine.ingest([DocumentInput("Beagles howl at night.", "beagles")])
    return data


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "data", copy_function=copy_with_holes))


def spoil_state(folder: Path) -> None:
    (folder / "vectors" / folder.name / "collection.json").write_text("garbage")


def remove_vectors(folder: Path) -> None:
    shutil.rmtree(folder / "vectors")


def swap_vectors(folder: Path) -> None:
    with open_engine(LONGER, folder.parent / "other"):
        pass
    remove_vectors(folder)
    shutil.move(folder.parent / "other" / "cats" / "vectors", folder / "vectors")


def lose_catalogue(folder: Path) -> None:
    for file in folder.glob("catalogue.sqlite*"):
        file.unlink()


def spoil_catalogue(folder: Path) -> None:
    lose_catalogue(folder)
    (folder / "catalogue.sqlite").write_bytes(b"no database" * 1000)


def spoil_keys(folder: Path) -> None:
    with open_engine({"tenant": "cats"}, folder.parent) as engine:
        engine.keys.create("ann", "reader")
    overwrite(folder / "catalogue.sqlite", "keys")


def spoil_jobs(folder: Path) -> None:
    with open_engine({"tenant": "cats"}, folder.parent) as engine:
        engine.jobs.submit("optimize")
    overwrite(folder / "catalogue.sqlite", "jobs")


def replace_by_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.touch()


def served(client: httpx.Client, tenant: str) -> None:
    found = client.post(f"/tenants/{tenant}/search", json={"query": "Which dogs howl?"})
    assert [hit["document_id"] for hit in found.json()["results"]] == ["beagles"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (spoil_state, f"the vector store is not available: cats/vectors/cats/collection.json is damaged.*{REPAIR}"),
        (remove_vectors, f"it is empty.*{REPAIR}"),
        (swap_vectors, "of 8 dimensions.*go back to that model"),
        (lose_catalogue, "its catalogue is not there: put the catalogue back"),
        (spoil_catalogue, rf"its file is damaged \(file is not a database\).*{RESTORE}"),
        (spoil_keys, f"its file is damaged.*{RESTORE}"),
        (spoil_jobs, f"its file is damaged.*{RESTORE}"),
        (replace_by_file, "the data folder cats is not available: .*; name a folder that can be written with --data"),
    ],
)
def test_a_tenant_that_cannot_be_opened_says_why_and_the_others_answer(
    data: Path, tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(data / "cats")
    with serving(tmp_path, (CATS, DOGS)) as client:
        served(client, "dogs")
        refused = client.get("/tenants/cats/stats")
        assert (refused.status_code, refused.json()["code"]) == (503, "tenant_not_opened")
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["detail"].startswith('the tenant "cats" is not served until the next start of the server')
        assert re.search(said, refused.json()["detail"])
        assert str(tmp_path) not in refused.text


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/book/query", b'{"question": "Who howls?"}'),
        ("POST", "/book/ingest", b"{no"),
        ("GET", "/book/health", b""),
    ],
)
def test_a_contract_says_it_in_its_own_shape_whatever_is_asked(
    data: Path, tmp_path: Path, method: str, path: str, body: bytes
) -> None:
    spoil_state(data / "book")
    with serving(tmp_path, (BOOK, DOGS)) as client:
        refused = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 503
    assert refused.json().keys() == {"error", "detail", "status_code"}
    assert REPAIR in refused.json()["detail"]


def test_shared_protocols_say_it_too(data: Path, tmp_path: Path) -> None:
    remove_vectors(data / "cats")
    question = {"model": "cats", "messages": [{"role": "user", "content": "Who howls?"}]}
    with serving(tmp_path, (CATS, DOGS)) as client:
        refused = client.post("/openai/v1/chat/completions", json=question)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "tenant_not_opened")
        assert client.post("/openai/v1/chat/completions", json={**question, "model": "dogs"}).status_code == 200
        assert client.post("/mcp/cats", json={}).status_code == 503


def test_listing_readiness_and_metrics_name_the_tenant_that_is_left_out(data: Path, tmp_path: Path) -> None:
    remove_vectors(data / "cats")
    with serving(tmp_path, (CATS, DOGS)) as client:
        listed = {one["tenant"]: one["problem"] for one in client.get("/tenants").json()["tenants"]}
        assert listed["dogs"] is None
        assert REPAIR in listed["cats"]
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()) == (200, {"status": "degraded"})
        scrape = Scrape(client)
        assert [scrape.value("footnote_tenant_open", tenant=tenant) for tenant in ("cats", "dogs")] == [0, 1]
        assert scrape.value("footnote_catalogue_up") == 1
        assert client.get("/healthz").json() == {"status": "ok"}


def test_a_part_that_is_away_still_makes_the_server_unready(data: Path, tmp_path: Path) -> None:
    remove_vectors(data / "cats")
    away = "tenant: away\nembedding: {provider: ollama, model: none, base_url: 'http://127.0.0.1:9', dimensions: 8}"
    with serving(tmp_path, (CATS, DOGS, away)) as client:
        assert client.get("/readyz").json()["code"] == "embedding_unavailable"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_keys_of_a_tenant_without_vectors_are_known(
    data: Path, tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOGS_KEY", "dogs-secret")
    with open_engine({"tenant": "cats"}, data) as engine:
        ann = engine.keys.create("ann", "reader").secret
    remove_vectors(data / "cats")
    with serving(tmp_path, (CATS, KEYED_DOGS), host=host) as client:
        assert REPAIR in client.get("/tenants/cats/stats", headers={"X-API-Key": ann}).json()["detail"]
        assert client.get("/tenants/cats/stats", headers={"X-API-Key": "dogs-secret"}).status_code == 404
        assert client.get("/tenants/cats/stats").status_code == 401
        elsewhere = {"X-API-Key": "dogs-secret", "Host": "rag.example"}
        assert client.get("/tenants/dogs/stats", headers=elsewhere).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_tenant_whose_keys_cannot_be_read_opens_no_server_that_has_keys(
    data: Path, tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOGS_KEY", "dogs-secret")
    spoil_catalogue(data / "cats")
    with serving(tmp_path, (CATS, KEYED_DOGS), host=host) as client:
        assert client.get("/tenants/cats/stats").status_code == 401
        assert client.get("/tenants").status_code == 401
        elsewhere = {"X-API-Key": "dogs-secret", "Host": "rag.example"}
        assert client.get("/tenants/dogs/stats", headers=elsewhere).status_code == 200


@pytest.mark.parametrize("profiles", [(CATS,), (CATS, DOGS)])
def test_without_a_tenant_that_opens_there_is_no_start(data: Path, tmp_path: Path, profiles: tuple[str, ...]) -> None:
    remove_vectors(data / "cats")
    remove_vectors(data / "dogs")
    loaded = []
    for number, text in enumerate(profiles):
        (tmp_path / f"{number}.yaml").write_text(text)
        loaded.append(load_profile(tmp_path / f"{number}.yaml"))
    with pytest.raises(StoreDamaged, match="tenant cats"), open_tenants(loaded, data):
        pytest.fail("a tenant was opened")


def test_callers_do_not_read_which_folder_holds_the_vectors(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWLS_DATABASE", f"sqlite:///{tmp_path / 'shared.sqlite'}")
    profile = {"tenant": "owls", "catalogue": {"url": "${OWLS_DATABASE}"}}
    open_engine(profile, tmp_path / "elsewhere").close()
    with open_tenants([load_profile(profile), load_profile({"tenant": "dogs"})], data) as tenants:
        reason = tenants.left_out["owls"].reason
    assert "in another data folder; name that with --data" in reason
    assert str(tmp_path) not in reason
