"""What a server tells those who may not know it, and what it tells browsers."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.app.running import Serve
from tests.pipelines.jobs.tenants import wait_until

CATS, DOGS = (
    f"tenant: {name}\ntitle: The {name}\nstore: {{engine: memory}}\njobs: {{run: worker}}\n"
    f'auth: {{keys: [{{name: keeper, secret: "${{{name.upper()}_KEY}}", role: admin}},'
    f' {{name: guest, secret: "${{{name.upper()}_GUEST}}", role: reader}}]}}\n'
    for name in ("cats", "dogs")
)
AWAY = 'embedding: {provider: ollama, model: none, base_url: "http://127.0.0.1:9", dimensions: 8}\n'
SECRETS = {
    f"{name}_{role}": f"a-secret-0123456789-{name}-{role}" for name in ("CATS", "DOGS") for role in ("KEY", "GUEST")
}


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, secret in SECRETS.items():
        monkeypatch.setenv(name, secret)


def seen(client: httpx.Client, path: str, who: str = "") -> httpx.Response:
    return client.get(path, headers={"X-API-Key": SECRETS[who]} if who else {})


def test_the_list_names_only_the_tenants_that_the_caller_may_read(serve: Serve) -> None:
    client = serve(CATS, DOGS, "tenant: open\njobs: {run: worker}\nstore: {engine: memory}\n")
    callers = ("", "CATS_GUEST", "DOGS_KEY")
    named = {who: {one["tenant"] for one in seen(client, "/tenants", who).json()["tenants"]} for who in callers}
    assert named == {"": {"open"}, "CATS_GUEST": {"open", "cats"}, "DOGS_KEY": {"open", "dogs"}}


def test_only_an_admin_sees_which_part_is_not_ready(serve: Serve) -> None:
    client = serve(CATS + AWAY, DOGS)
    codes = {who: seen(client, "/readyz", who).json()["code"] for who in ("", "CATS_GUEST", "DOGS_KEY", "CATS_KEY")}
    assert codes == dict.fromkeys(("", "CATS_GUEST", "DOGS_KEY"), "not_ready") | {"CATS_KEY": "embedding_unavailable"}
    assert seen(client, "/readyz").status_code == 503


def test_responses_run_nothing_are_framed_nowhere_and_stay_in_no_cache(serve: Serve) -> None:
    client = serve(CATS, DOGS)
    for path in ("/", "/tenants", "/tenants/docs", "/tenants/cats/stats", "/tenants/cats/documents", "/healthz"):
        headers = seen(client, path, "CATS_KEY").headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
    assert "script-src" not in seen(client, "/tenants/cats/stats", "CATS_KEY").headers["content-security-policy"]


def test_the_access_log_names_the_caller_and_not_the_question(serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    client = serve(CATS, access_log=file)
    seen(client, "/tenants/cats/stats?most=3", "CATS_KEY")
    body = {"query": "Will the merger be announced?"}
    client.post("/tenants/cats/search", json=body, headers={"X-API-Key": SECRETS["CATS_GUEST"]})
    seen(client, "/tenants/cats/stats")
    wait_until(lambda: file.read_text().count("\n") == 3, "the log's own thread has written three lines")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["key"], line["method"], line["path"], line["status"]) for line in lines] == [
        ("keeper", "GET", "/tenants/cats/stats", 200),
        ("guest", "POST", "/tenants/cats/search", 200),
        ("", "GET", "/tenants/cats/stats", 401),
    ]
    assert all(line["address"] == "127.0.0.1" and line["request_id"] and line["ms"] > 0 for line in lines)
    assert "merger" not in file.read_text()
    assert not any(secret in file.read_text() for secret in SECRETS.values())
    assert file.stat().st_mode & 0o777 == 0o600
