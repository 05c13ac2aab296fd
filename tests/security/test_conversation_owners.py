"""Conversations belong to the key, and the user, that began them; an admin sees all."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from tests.app.running import Serve

PROFILE = """
tenant: cortx
store: {engine: memory}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: ann, secret: "${ANN_KEY}", role: reader}
    - {name: bob, secret: "${BOB_KEY}", role: writer}
    - {name: fed, secret: "${FED_KEY}", role: reader, scope: {suite: fed}}
    - {name: fed chief, secret: "${CHIEF_KEY}", role: admin, scope: {suite: fed}}
    - {name: corp chief, secret: "${CORP_KEY}", role: admin, scope: {suite: corp}}
"""
SECRETS = {name: f"a-secret-0123456789-{name}" for name in ("OPS", "ANN", "BOB", "FED", "CHIEF", "CORP")}
SECRET_QUESTION = "Will the merger with Initech be announced?"
Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Ask:
    for name, secret in SECRETS.items():
        monkeypatch.setenv(f"{name}_KEY", secret)
    client = serve(PROFILE)

    def ask(key: str, method: str, path: str, **sent: object) -> httpx.Response:
        headers = {"X-API-Key": SECRETS[key]}
        return client.request(method, f"/tenants/cortx/{path}", headers=headers, **sent)  # type: ignore[arg-type]

    return ask


def begin(ask: Ask, key: str, name: str, **asked: str) -> None:
    body = {"question": SECRET_QUESTION, "conversation_id": name, **asked}
    assert ask(key, "POST", "query", json=body).status_code == 200


def listed(ask: Ask, key: str, **parameters: str) -> list[tuple[str, str, str]]:
    found = ask(key, "GET", "conversations", params=parameters).json()["conversations"]
    return sorted((one["conversation_id"], one["key"], one["user"]) for one in found)


@pytest.mark.parametrize("other", ["BOB", "FED", "CHIEF"])
def test_no_other_key_lists_reads_continues_or_deletes_it(ask: Ask, other: str) -> None:
    begin(ask, "ANN", "c")
    assert SECRET_QUESTION not in ask(other, "GET", "conversations").text
    assert ask(other, "GET", "conversations/c").status_code == 404
    assert ask(other, "DELETE", "conversations/c").status_code == 404
    assert ask(other, "GET", "conversations/c", params={"key": "ann"}).status_code == 404
    assert ask(other, "DELETE", "conversations", params={"key": "ann"}).json() == {"conversations_removed": 0}
    search = {"query": "And when?", "conversation_id": "c"}
    assert ask(other, "POST", "search", json=search).json()["rewritten_question"] is None
    continued = ask(other, "POST", "query", json={"question": "And when?", "conversation_id": "c"}).json()
    assert continued["rewritten_question"] is None, "it is another conversation with the same id"
    assert ask("ANN", "GET", "conversations/c").json()["length"] == 1


def test_the_key_that_began_it_lists_reads_continues_and_deletes_it(ask: Ask) -> None:
    begin(ask, "FED", "c")
    assert listed(ask, "FED") == [("c", "fed", "")]
    begin(ask, "FED", "c")
    assert ask("FED", "GET", "conversations/c").json()["length"] == 2
    assert ask("FED", "DELETE", "conversations/c").json()["turns_removed"] == 2
    assert listed(ask, "OPS") == []


def test_users_of_one_key_have_conversations_of_their_own(ask: Ask) -> None:
    begin(ask, "ANN", "c", user="u1")
    begin(ask, "ANN", "c", user="u2")
    begin(ask, "ANN", "d", user="u2")
    assert listed(ask, "ANN", user="u1") == [("c", "ann", "u1")]
    assert ask("ANN", "GET", "conversations/d", params={"user": "u1"}).status_code == 404
    ambiguous = ask("ANN", "GET", "conversations/c")
    assert (ambiguous.status_code, ambiguous.json()["code"]) == (409, "conversation_ambiguous")
    assert ask("ANN", "DELETE", "conversations/c").status_code == 409
    assert ask("ANN", "DELETE", "conversations", params={"user": "u2"}).json() == {"conversations_removed": 2}
    assert listed(ask, "ANN") == [("c", "ann", "u1")]


def test_an_admin_lists_exports_and_erases_all(ask: Ask) -> None:
    for key in ("ANN", "BOB", "FED", "CORP"):
        begin(ask, key, "c")
    assert listed(ask, "OPS") == [("c", name, "") for name in ("ann", "bob", "corp chief", "fed")]
    assert ask("OPS", "GET", "conversations/c").status_code == 409
    exported = ask("OPS", "GET", "conversations/c", params={"key": "fed"}).json()
    assert exported["turns"][0]["question"] == SECRET_QUESTION
    assert ask("OPS", "DELETE", "conversations/c", params={"key": "bob"}).json()["turns_removed"] == 1
    assert ask("OPS", "DELETE", "conversations").json() == {"conversations_removed": 3}
    assert listed(ask, "FED") == []


def test_an_admin_of_a_scope_sees_those_of_its_scope(ask: Ask) -> None:
    for key in ("ANN", "FED", "CHIEF"):
        begin(ask, key, "c")
    assert listed(ask, "CHIEF") == [("c", "fed", ""), ("c", "fed chief", "")]
    assert listed(ask, "CORP") == []
    assert ask("CORP", "GET", "conversations/c", params={"key": "fed"}).status_code == 404
    assert ask("CHIEF", "DELETE", "conversations").json() == {"conversations_removed": 2}
    assert listed(ask, "OPS") == [("c", "ann", "")]


def test_a_tenant_without_keys_has_one_owner_whatever_user_is_named(serve: Serve) -> None:
    client = serve("tenant: pets\nstore: {engine: memory}\n")
    for user in ("u1", "u2"):
        body = {"question": "What howls?", "conversation_id": "c", "user": user}
        assert client.post("/tenants/pets/query", json=body).status_code == 200
    assert client.get("/tenants/pets/conversations/c").json()["length"] == 2


def test_stats_show_a_reader_its_own_questions_and_an_admin_all(ask: Ask) -> None:
    for key in ("ANN", "FED"):
        begin(ask, key, "c")
    ask("BOB", "POST", "search", json={"query": "Where is lunch?"})
    assert "Initech" not in ask("BOB", "GET", "stats").text
    assert "Where is lunch?" in ask("BOB", "GET", "stats").text
    assert "lunch" not in ask("ANN", "GET", "stats").text
    assert "lunch" in ask("OPS", "GET", "stats").text
    assert "Initech" in ask("CHIEF", "GET", "stats").text
    assert "Initech" not in ask("CORP", "GET", "stats").text
    assert {"lunch", "Initech"} <= set(ask("OPS", "GET", "stats").text.replace("?", " ").split())
