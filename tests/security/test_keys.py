"""Keys that are made while the server runs: hashed, limited, revoked at once, and written down."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import httpx
import pytest
import time_machine

from app.http.errors import Unauthorized
from app.http.keyring import Keyring
from app.http.managed_keys import reload_keys
from app.main import create_app
from app.settings import Settings
from pipelines import open_engine
from pipelines.engine.upkeep.backup import CATALOGUE
from pipelines.engine.upkeep.keys import Keys
from pipelines.errors import KeyExpired, KeyNameTaken, ProfileError, StoreUnavailable
from tests.app.running import Serve, serving

FIELDS = """
store: {engine: memory}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
"""
PROFILE = f'tenant: acme\n{FIELDS}auth: {{keys: [{{name: ops, secret: "${{OPS_KEY}}", role: admin}}]}}\n'
OPEN = f"tenant: open\n{FIELDS}"
OPS = "an-admin-secret-0123456789abcdef"
DOCUMENT = {"content": "The canary sings at dawn.", "document_id": "canary", "metadata": {"level": "platform"}}
Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("OPS_KEY", OPS)
    client = serve(PROFILE)

    def ask(secret: str, method: str, path: str, **sent: object) -> httpx.Response:
        return client.request(method, f"/tenants/acme/{path}", headers={"X-API-Key": secret}, **sent)  # type: ignore[arg-type]

    return ask


def make(ask: Ask, name: str, role: str = "reader", **more: object) -> str:
    made = ask(OPS, "POST", "keys", json={"name": name, "role": role, **more})
    assert made.status_code == 201, made.text
    return str(made.json()["secret"])


def test_a_new_key_counts_at_once_and_a_revoked_one_no_more(ask: Ask) -> None:
    secret = make(ask, "ann")
    assert ask(secret, "GET", "stats").status_code == 200
    assert ask(secret, "POST", "documents", json=DOCUMENT).status_code == 403
    assert ask(OPS, "DELETE", "keys/ann").json()["state"] == "revoked"
    assert ask(secret, "GET", "stats").status_code == 401
    assert ask(OPS, "DELETE", "keys/ann").status_code == 404


def test_a_rotated_key_has_another_secret(ask: Ask) -> None:
    first = make(ask, "ann")
    second = ask(OPS, "POST", "keys/ann/rotate").json()["secret"]
    assert [ask(secret, "GET", "stats").status_code for secret in (first, second)] == [401, 200]
    third = ask(OPS, "POST", "keys/ann/rotate", json={"grace_hours": 1}).json()["secret"]
    assert [ask(secret, "GET", "stats").status_code for secret in (first, second, third)] == [401, 200, 200]


def test_an_expired_key_is_given_no_secret_that_would_not_work() -> None:
    with open_engine({"tenant": "acme", "store": {"engine": "memory"}}) as engine:
        keys = engine.whole("keys").keys
        keys.create("ann", "reader", days=1)
        with time_machine.travel(datetime.now(UTC) + timedelta(days=2)):
            with pytest.raises(KeyExpired, match=r'"ann" expired on \d{4}-.*create a key with another name'):
                keys.rotate("ann", grace_hours=24)
            assert keys.revoke("ann").revoked_at is not None


def test_a_key_of_a_scope_sees_its_scope_and_manages_no_keys(ask: Ask) -> None:
    fed = make(ask, "fed", "admin", scope={"suite": "fed"})
    hidden = {**DOCUMENT, "document_id": "corp", "metadata": {"level": "suite", "suite": "corp"}}
    assert ask(OPS, "POST", "documents", json=hidden).status_code == 201
    assert ask(fed, "GET", "documents/corp").status_code == 404
    for method, path in (("GET", "keys"), ("DELETE", "keys/fed"), ("GET", "audit")):
        assert ask(fed, method, path).json()["code"] == "held_to_scope"
    body = {"name": "more", "role": "admin"}
    assert ask(fed, "POST", "keys", json=body).json()["code"] == "held_to_scope"
    assert ask(OPS, "POST", "keys", json={**body, "scope": {"shop": "x"}}).status_code == 422


@pytest.mark.parametrize("role", ["reader", "writer"])
def test_smaller_roles_manage_no_keys_and_read_no_audit_log(ask: Ask, role: str) -> None:
    secret = make(ask, "ann", role)
    for method, path in (("GET", "keys"), ("POST", "keys"), ("DELETE", "keys/ops"), ("GET", "audit")):
        assert ask(secret, method, path).status_code == 403


def test_a_name_is_never_given_again(ask: Ask) -> None:
    make(ask, "ann")
    ask(OPS, "DELETE", "keys/ann")
    for name in ("ann", "ops"):
        again = ask(OPS, "POST", "keys", json={"name": name, "role": "reader"})
        assert (again.status_code, again.json()["code"]) == (409, "key_name_taken")


def test_the_list_says_when_a_key_was_used_and_no_secret(ask: Ask) -> None:
    secret = make(ask, "ann", days=1)
    ask(secret, "GET", "stats")
    until = time.monotonic() + 30
    while (found := ask(OPS, "GET", "keys").json()["keys"])[1]["last_used_at"] is None and time.monotonic() < until:
        time.sleep(0.2)
    assert [(key["name"], key["in_profile"], key["state"]) for key in found] == [
        ("ops", True, "active"),
        ("ann", False, "active"),
    ]
    assert found[1]["last_used_at"] is not None
    assert found[1]["expires_at"] is not None
    assert secret not in str(found)


def test_uses_that_the_database_did_not_take_are_noted_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPS_KEY", OPS)
    (tmp_path / "acme.yaml").write_text(PROFILE.replace("store: {engine: memory}\n", ""))
    with open_engine(tmp_path / "acme.yaml", tmp_path / "data") as engine:
        keyring = Keyring([engine.profile])
        secret = engine.keys.create("ann", "reader").secret
        reload_keys(keyring, engine)
        keyring.identify("acme", secret.encode())
        engine.keys.create("bob", "reader")
        with closing(sqlite3.connect(tmp_path / "data" / "acme" / CATALOGUE)) as database:
            database.execute("CREATE TRIGGER full BEFORE UPDATE ON keys BEGIN SELECT RAISE(FAIL, 'full'); END")
            with pytest.raises(StoreUnavailable):
                reload_keys(keyring, engine)
            database.execute("DROP TRIGGER full")
        assert [key.last_used_at for key in engine.keys.list()] == [None, None]
        reload_keys(keyring, engine)
        assert [key.name for key in engine.keys.list() if key.last_used_at is not None] == ["ann"]


def test_a_reader_that_began_before_a_revocation_does_not_bring_the_key_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPS_KEY", OPS)
    (tmp_path / "acme.yaml").write_text(PROFILE)
    with open_engine(tmp_path / "acme.yaml", tmp_path / "data") as engine, ThreadPoolExecutor() as threads:
        keyring = Keyring([engine.profile])
        secret = engine.keys.create("ann", "reader").secret
        read, go_on, digests = Event(), Event(), engine.keys.digests

        def slow(_: Keys) -> object:
            found = digests()
            read.set()
            go_on.wait(30)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(Keys, "digests", slow)
            first = threads.submit(reload_keys, keyring, engine)
            assert read.wait(30)
        engine.keys.revoke("ann")
        second = threads.submit(reload_keys, keyring, engine)
        wait([second], timeout=1)
        go_on.set()
        first.result()
        second.result()
        with pytest.raises(Unauthorized):
            keyring.identify("acme", secret.encode())


def test_of_two_uses_the_later_stays_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPS_KEY", OPS)
    (tmp_path / "acme.yaml").write_text(PROFILE)
    later = datetime(2024, 5, 6, tzinfo=UTC)
    with open_engine(tmp_path / "acme.yaml", tmp_path / "data") as engine:
        engine.keys.create("ann", "reader")
        for moment in (later, later - timedelta(hours=1)):
            engine.keys.use({"ann": moment})
        assert [key.last_used_at for key in engine.keys.list()] == [later]


def test_no_file_holds_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPS_KEY", OPS)
    (tmp_path / "acme.yaml").write_text(PROFILE.replace("store: {engine: memory}\n", ""))
    with open_engine(tmp_path / "acme.yaml", tmp_path / "data") as engine:
        secret = engine.keys.create("ann", "reader").secret
        with pytest.raises(KeyNameTaken):
            engine.keys.create("ann", "reader")
    assert len(secret) >= 43, "256 bits in base64"
    held = [file for file in (tmp_path / "data").rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
    assert held == []


def test_a_tenant_with_keys_of_its_own_is_not_open_even_when_all_are_revoked(serve: Serve) -> None:
    client = serve(OPEN)
    assert client.get("/tenants/open/stats").status_code == 200
    secret = client.post("/tenants/open/keys", json={"name": "ann", "role": "admin"}).json()["secret"]
    assert client.get("/tenants/open/stats").status_code == 401
    headers = {"X-API-Key": secret}
    assert client.delete("/tenants/open/keys/ann", headers=headers).status_code == 200
    assert client.get("/tenants/open/stats").status_code == 401
    assert client.get("/tenants/open/stats", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("secret", "host"),
    [("a", "127.0.0.1"), ("admin", "127.0.0.1"), ("a" * 64, "127.0.0.1"), ("password12345", "0.0.0.0")],
)
def test_a_weak_secret_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str, host: str
) -> None:
    monkeypatch.setenv("OPS_KEY", secret)
    (tmp_path / "acme.yaml").write_text(PROFILE)
    with pytest.raises(ProfileError, match="openssl rand -hex 32") as caught:
        create_app([tmp_path / "acme.yaml"], Settings(data=tmp_path, host=host))
    assert caught.value.problems[0].path == "auth -> keys -> 0 -> secret"
    create_app([tmp_path / "acme.yaml"], Settings(data=tmp_path, host=host, weak_keys=True))


def test_on_this_machine_alone_a_short_secret_is_accepted_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPS_KEY", "password12345")
    (tmp_path / "acme.yaml").write_text(PROFILE)
    create_app([tmp_path / "acme.yaml"], Settings(data=tmp_path))
    assert "openssl rand -hex 32" in caplog.text
    assert "password12345" not in caplog.text


def test_the_audit_log_says_who_did_what_and_no_contents(ask: Ask) -> None:
    writer, reader = make(ask, "bob", "writer"), make(ask, "ann")
    assert ask(writer, "POST", "documents", json=DOCUMENT).status_code == 201
    assert ask(reader, "DELETE", "documents/canary").status_code == 403
    assert ask(writer, "DELETE", "documents/canary", params={"purge": "true"}).status_code == 403
    assert ask(OPS, "DELETE", "documents/canary", params={"purge": "true"}).status_code == 200
    assert ask(OPS, "DELETE", "documents/nothing").status_code == 404
    ask(reader, "POST", "query", json={"question": "What sings?", "conversation_id": "c"})
    assert ask(OPS, "GET", "conversations/c").status_code == 200
    log = ask(OPS, "GET", "audit").json()["entries"]
    assert [(one["key"], one["action"], one["target"], one["result"]) for one in reversed(log)] == [
        ("ops", "create_key", "bob", "ok"),
        ("ops", "create_key", "ann", "ok"),
        ("bob", "ingest", "canary", "ok"),
        ("ann", "delete_document", "canary", "forbidden"),
        ("bob", "delete_document", "canary", "forbidden"),
        ("ops", "delete_document", "canary", "ok"),
        ("ops", "delete_document", "nothing", "document_not_found"),
        ("ops", "conversation", "c", "ok"),
    ]
    assert {one["address"] for one in log} == {"127.0.0.1"}
    assert all(one["request_id"] and one["at"] for one in log)
    assert "sings" not in str(log)
    assert [one["key"] for one in ask(OPS, "GET", "audit", params={"key": "ann"}).json()["entries"]] == ["ann"]
    page = ask(OPS, "GET", "audit", params={"limit": 3, "action": "delete_document"}).json()
    rest = ask(OPS, "GET", "audit", params={"action": "delete_document", "cursor": page["next_cursor"]}).json()
    assert (len(page["entries"]), len(rest["entries"]), rest["next_cursor"]) == (3, 1, None)


def test_the_audit_log_names_jobs_and_counts_many_documents(ask: Ask) -> None:
    job = ask(OPS, "POST", "jobs", json={"kind": "optimize"}).json()["job_id"]
    several = {"documents": [{**DOCUMENT, "document_id": f"d{number:02}"} for number in range(25)]}
    assert ask(OPS, "POST", "documents", json=several).status_code == 201
    ingest, start = ask(OPS, "GET", "audit").json()["entries"]
    assert (start["action"], start["target"]) == ("start_job", job)
    assert ingest["target"].startswith("d00, d01, d02")
    assert ingest["target"].endswith("d19, and 5 more")


def test_the_audit_log_has_the_code_of_the_answer(ask: Ask) -> None:
    malformed = [{"name": ""}, {"name": "ann", "role": "king"}, {"name": "ann", "role": "reader", "days": 0}]
    answers = [ask(OPS, "POST", "keys", json=body) for body in malformed]
    answers.append(ask(OPS, "POST", "keys", json=["ann"]))
    answers.append(ask(OPS, "POST", "keys", json={"name": "ann", "role": "reader", "scope": {"sweet": "x"}}))
    assert [answer.status_code for answer in answers] == [400, 400, 400, 400, 422]
    codes = [answer.json()["code"] for answer in answers]
    assert [one["result"] for one in reversed(ask(OPS, "GET", "audit").json()["entries"])] == codes


def test_no_route_changes_the_audit_log(ask: Ask) -> None:
    make(ask, "ann")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert ask(OPS, method, "audit").status_code == 405
    assert len(ask(OPS, "GET", "audit").json()["entries"]) == 1


def test_keys_survive_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPS_KEY", OPS)
    profile = PROFILE.replace("store: {engine: memory}\n", "jobs: {run: worker}\n")
    with serving(tmp_path, (profile,)) as client:
        body, headers = {"name": "ann", "role": "reader"}, {"X-API-Key": OPS}
        secret = client.post("/tenants/acme/keys", json=body, headers=headers).json()["secret"]
    with serving(tmp_path, (profile,)) as client:
        assert client.get("/tenants/acme/stats", headers={"X-API-Key": secret}).status_code == 200
