"""The server as a whole: health, keys, foreign callers, sizes, and tenants that do not see each other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.settings import Settings
from pipelines.errors import ProfileError
from tests.app.running import Serve, serving

# Servers run beside each other here, and in one process only one can carry out jobs: they leave them to a worker.
OPEN = "tenant: open\njobs: {run: worker}"
CATS = """
tenant: cats
jobs: {run: worker}
auth:
  keys:
    - {name: look, secret: "${CATS_READER}", role: reader}
    - {name: feed, secret: "${CATS_WRITER}", role: writer}
"""
DOGS = """
tenant: dogs
jobs: {run: worker}
auth: {keys: [{name: walk, secret: "${DOGS_WRITER}", role: writer}]}
"""
AWAY = """
tenant: away
jobs: {run: worker}
embedding: {provider: ollama, model: none, base_url: "http://127.0.0.1:9", dimensions: 8}
"""
SMALL = """
tenant: small
jobs: {run: worker}
limits: {file_bytes: 1000, content_chars: [1, 500]}
"""


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in ("CATS_READER", "CATS_WRITER", "DOGS_WRITER"):
            environment.setenv(name, name.lower())
        yield


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server whose tenants have keys, for tests that leave nothing behind."""
    with serving(tmp_path_factory.mktemp("keyed"), (CATS, DOGS)) as client:
        yield client


@pytest.fixture(scope="module")
def unkeyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server whose tenants have no keys, for tests that leave nothing behind."""
    with serving(tmp_path_factory.mktemp("unkeyed"), (OPEN, SMALL)) as client:
        yield client


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _post(client: httpx.Client, tenant: str, content: str, key: str = "", document_id: str = "same") -> httpx.Response:
    body = {"content": content, "document_id": document_id}
    return client.post(f"/tenants/{tenant}/documents", json=body, headers=_bearer(key) if key else {})


def test_a_running_server_is_alive_and_ready(unkeyed: httpx.Client) -> None:
    assert unkeyed.get("/healthz").json() == {"status": "ok"}
    assert unkeyed.get("/readyz").json() == {"status": "ready"}


def test_a_server_with_a_part_away_is_alive_and_not_ready(serve: Serve) -> None:
    client = serve(OPEN, AWAY)
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "embedding_unavailable")


def test_a_key_may_come_as_bearer_or_as_x_api_key(keyed: httpx.Client) -> None:
    assert keyed.get("/tenants/cats/stats", headers=_bearer("cats_reader")).status_code == 200
    assert keyed.get("/tenants/cats/stats", headers={"Authorization": "bearer cats_reader"}).status_code == 200
    assert keyed.get("/tenants/cats/stats", headers={"X-API-Key": "cats_reader"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic cats_reader"},
        {"X-API-Key": "CATS_READER"},
        {"Authorization": b"Bearer \xff\xfe"},
    ],
)
def test_without_a_valid_key_the_answer_is_401_and_says_how(keyed: httpx.Client, headers: dict[str, str]) -> None:
    for tenant in ("cats", "nobody"):
        answer = keyed.get(f"/tenants/{tenant}/stats", headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["code"] == "unauthorized"


def test_a_reader_may_not_write(serve: Serve) -> None:
    client = serve(CATS)
    assert _post(client, "cats", "Cats sleep.", "cats_reader").status_code == 403
    assert client.delete("/tenants/cats/documents/same", headers=_bearer("cats_reader")).status_code == 403
    assert _post(client, "cats", "Cats sleep.", "cats_writer").status_code == 201
    assert client.get("/tenants/cats/documents/same", headers=_bearer("cats_reader")).status_code == 200


def test_a_key_is_asked_for_before_the_body_is_looked_at(keyed: httpx.Client) -> None:
    answer = keyed.post("/tenants/cats/search", content=b"{nonsense", headers={"Content-Type": "text/html"})
    assert answer.status_code == 401


def test_tenants_with_equal_document_ids_do_not_see_each_other(serve: Serve) -> None:
    client = serve(CATS, DOGS)
    assert _post(client, "cats", "Cats sleep on the sofa.", "cats_writer").status_code == 201
    assert _post(client, "dogs", "Dogs sleep on the floor.", "dogs_writer").status_code == 201
    for tenant, key, own, other in (
        ("cats", "cats_writer", "Cats sleep on the sofa.", "Dogs"),
        ("dogs", "dogs_writer", "Dogs sleep on the floor.", "Cats"),
    ):
        root, headers = f"/tenants/{tenant}", _bearer(key)
        assert client.get(f"{root}/documents/same/content", headers=headers).text == own
        assert client.get(f"{root}/documents", headers=headers).json()["total"] == 1
        for route, body in (
            ("search", {"query": f"{other} sleep"}),
            ("query", {"question": f"Where do {other} sleep?"}),
        ):
            answer = client.post(f"{root}/{route}", json=body, headers=headers)
            assert answer.status_code == 200
            assert other not in answer.text
    assert client.delete("/tenants/cats/documents/same", headers=_bearer("cats_writer")).status_code == 200
    assert client.get("/tenants/dogs/documents/same", headers=_bearer("dogs_writer")).status_code == 200


def test_a_key_does_not_open_another_tenant(keyed: httpx.Client) -> None:
    assert keyed.get("/tenants/dogs/stats", headers=_bearer("cats_writer")).status_code == 404
    assert keyed.get("/tenants/nobody/stats", headers=_bearer("cats_writer")).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.168.0.1:80", ""])
def test_without_keys_another_machines_name_is_refused(unkeyed: httpx.Client, host: str) -> None:
    answer = unkeyed.get("/tenants/open/stats", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "misdirected_request")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example"])
def test_without_keys_another_sites_page_is_refused(unkeyed: httpx.Client, origin: str) -> None:
    answer = unkeyed.post("/tenants/open/documents", files={"file": b"x"}, headers={"Origin": origin})
    assert answer.status_code == 421


@pytest.mark.parametrize(
    "headers", [{"Host": "localhost:8000"}, {"Host": "[::1]:8000"}, {"Origin": "http://localhost:3000"}]
)
def test_without_keys_this_machines_names_are_answered(unkeyed: httpx.Client, headers: dict[str, str]) -> None:
    assert unkeyed.get("/tenants/open/stats", headers=headers).status_code == 200


def test_with_keys_a_server_may_have_any_name(keyed: httpx.Client) -> None:
    headers = {"Host": "rag.example", "Origin": "https://app.example", **_bearer("cats_reader")}
    assert keyed.get("/tenants/cats/stats", headers=headers).status_code == 200


def test_insecure_accepts_any_host_name_for_a_tenant_without_keys(serve: Serve) -> None:
    assert serve(OPEN, insecure=True).get("/tenants/open/stats", headers={"Host": "rag.example"}).status_code == 200


def test_a_body_that_is_too_large_is_refused(unkeyed: httpx.Client) -> None:
    body = b'{"content": "' + b"x" * 1_100_000 + b'"}'
    answer = unkeyed.post("/tenants/small/documents", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")


@pytest.mark.parametrize("route", ["documents", "search"])
def test_a_body_that_does_not_say_its_size_is_measured_while_it_is_read(unkeyed: httpx.Client, route: str) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"content": "'
        for _ in range(1200):
            yield b"x" * 1000

    answer = unkeyed.post(f"/tenants/small/{route}", content=endless(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")


def test_a_form_that_is_too_large_is_refused(unkeyed: httpx.Client) -> None:
    answer = unkeyed.post("/tenants/small/documents", files={"file": ("a.txt", b"x" * 1_200_000)})
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
    assert answer.json()["detail"].startswith("the request is too large (1.2 MB): it has room for a file of ")


def test_a_disconnect_during_the_body_is_not_a_server_error(
    unkeyed: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Iterator[bytes]:
        yield b'{"content": '
        raise ConnectionAbortedError

    caplog.set_level("ERROR", "uvicorn.error")
    with contextlib.suppress(ConnectionAbortedError):
        unkeyed.post("/tenants/open/documents", content=broken(), headers={"Content-Type": "application/json"})
    assert unkeyed.get("/healthz").status_code == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_two_profiles_of_one_tenant_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(OPEN)
    with pytest.raises(ProfileError, match='"open" is the tenant of another profile'):
        create_app([tmp_path / "one.yaml", tmp_path / "two.yaml"], Settings(data=tmp_path))


async def started(app: FastAPI) -> None:
    async with app.router.lifespan_context(app):
        pass


def test_a_host_that_others_reach_takes_keys_or_insecure(tmp_path: Path) -> None:
    (tmp_path / "open.yaml").write_text(OPEN)
    with pytest.raises(ProfileError, match="or start with --insecure"):
        asyncio.run(started(create_app([tmp_path / "open.yaml"], Settings(data=tmp_path, host="0.0.0.0"))))
    asyncio.run(started(create_app([tmp_path / "open.yaml"], Settings(data=tmp_path, host="0.0.0.0", insecure=True))))


def test_the_documentation_loads_nothing_from_other_origins(unkeyed: httpx.Client) -> None:
    page = unkeyed.get("/tenants/docs")
    assert page.status_code == 200
    assert "https://" not in page.text
    for asset in ("swagger-ui-bundle.js", "swagger-ui.css"):
        assert f"/tenants/docs/assets/{asset}" in page.text
        assert unkeyed.get(f"/tenants/docs/assets/{asset}").status_code == 200
