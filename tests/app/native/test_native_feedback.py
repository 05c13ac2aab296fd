"""Feedback over HTTP: given by keys and their users, listed page by page, taken back; and who may do what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.native.calls import pages
from tests.app.running import serving
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
store: {engine: memory}
llm: {provider: ollama, model: m, base_url: "URL"}
answer: {variants: [{name: plain}, {name: terse}]}
auth:
  keys:
    - {name: app, secret: "${APP_KEY}", role: reader}
    - {name: site, secret: "${SITE_KEY}", role: reader}
    - {name: ops, secret: "${OPS_KEY}", role: writer}
"""
OTHER = 'tenant: cattery\nstore: {engine: memory}\nauth: {keys: [{name: cats, secret: "${CATS_KEY}", role: admin}]}\n'
BEAGLE = "Beagles need 60 minutes of exercise a day.\n"
QUESTION = "How much exercise does a beagle need?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch, ollama_server(lambda asked: f"{BEAGLE.strip()} [1]") as fake:
        for name in ("app", "site", "ops", "cats"):
            patch.setenv(f"{name.upper()}_KEY", name)
        folder = tmp_path_factory.mktemp("feedback")
        with serving(folder, (PROFILE.replace("URL", fake.url), OTHER)) as client:
            yield client


def caller(server: httpx.Client, key: str, tenant: str = "kennel") -> httpx.Client:
    root = server.base_url.join(f"/tenants/{tenant}/")
    return httpx.Client(base_url=root, headers={"X-API-Key": key}, trust_env=False, timeout=60)


@pytest.fixture(scope="module")
def ops(server: httpx.Client) -> Iterator[httpx.Client]:
    with caller(server, "ops") as client:
        assert client.post("documents", json={"content": BEAGLE, "document_id": "beagle"}).status_code == 201
        yield client


@pytest.fixture(scope="module")
def app(server: httpx.Client, ops: httpx.Client) -> Iterator[httpx.Client]:
    with caller(server, "app") as client:
        yield client


def ask(client: httpx.Client, **said: Any) -> Any:
    answer = client.post("query", json={"question": QUESTION} | said)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_answer_is_judged_and_judged_again(app: httpx.Client, ops: httpx.Client) -> None:
    answer = ask(app, user="u-1", filters=None)
    assert answer["variant"] in ("plain", "terse")
    said = {"answer_id": answer["answer_id"], "helpful": False, "comment": "No.", "user": "u-1"}
    first = app.post("feedback", json={**said, "citations": [{"number": 1, "correct": False, "comment": "Old."}]})
    assert first.status_code == 201, first.text
    body = first.json()
    assert (body["user"], body["asked_by"], body["question"]) == ("app / u-1", "app / u-1", QUESTION)
    (citation,) = body["citations"]
    assert {**citation, "chunk_id": ""} == {
        "number": 1, "document_id": "beagle", "version": 1, "chunk_id": "", "correct": False, "comment": "Old.",
        "span": answer["citations"][0]["span"],
    }  # fmt: skip
    again = app.post("feedback", json={**said, "helpful": True}).json()
    assert (again["helpful"], again["citations"][0]["correct"]) == (True, None)
    mine = [one for one in ops.get("feedback").json()["feedback"] if one["answer_id"] == answer["answer_id"]]
    assert mine == [again]


def test_keys_and_their_users_are_distinguished(server: httpx.Client, app: httpx.Client, ops: httpx.Client) -> None:
    answer_id = ask(app)["answer_id"]
    before = ops.get("stats").json()["feedback"]
    with caller(server, "site") as site:
        for client, user in ((app, None), (app, "u-1"), (app, "u-2"), (site, None)):
            said = {"answer_id": answer_id, "helpful": client is app} | ({"user": user} if user else {})
            assert client.post("feedback", json=said).status_code == 201
    listed = {
        one["user"]: one["helpful"] for one in ops.get("feedback").json()["feedback"] if one["answer_id"] == answer_id
    }
    assert listed == {"app": True, "app / u-1": True, "app / u-2": True, "site": False}
    now = ops.get("stats").json()["feedback"]
    assert (now["helpful"], now["not_helpful"]) == (before["helpful"] + 3, before["not_helpful"] + 1)
    assert app.delete(f"feedback/{answer_id}", params={"user": "u-1"}).json() == {"answer_id": answer_id}
    gone = app.delete(f"feedback/{answer_id}", params={"user": "u-1"})
    assert (gone.status_code, gone.json()["code"]) == (404, "feedback_not_found")


def test_the_same_key_user_and_conversation_get_the_same_variant(app: httpx.Client) -> None:
    assert len({ask(app)["variant"] for _ in range(3)}) == 1
    by_user = {user: ask(app, user=user) for user in ("a", "b", "c", "d", "e", "f")}
    assert {answer["variant"] for answer in by_user.values()} == {"plain", "terse"}
    for user, answer in by_user.items():
        assert ask(app, user=user)["variant"] == answer["variant"]
        assert ask(app, user=user, conversation_id=answer["conversation_id"])["variant"] == answer["variant"]


def test_an_answer_of_another_tenant_is_not_found(server: httpx.Client, app: httpx.Client) -> None:
    answer_id = ask(app)["answer_id"]
    with caller(server, "cats", "cattery") as cats:
        for refused in (
            cats.post("feedback", json={"answer_id": answer_id, "helpful": True}),
            cats.delete(f"feedback/{answer_id}"),
        ):
            assert (refused.status_code, refused.json()["code"]) == (404, "answer_not_found")
        assert cats.get("feedback").json() == {"feedback": [], "next_cursor": None}
        assert cats.get("stats").json()["feedback"]["answers"] == 0


def test_readers_judge_and_writers_read(server: httpx.Client, app: httpx.Client, ops: httpx.Client) -> None:
    for route in ("feedback", "experiments"):
        assert app.get(route).status_code == 403
        assert server.get(f"/tenants/kennel/{route}").status_code == 401
    assert server.post("/tenants/kennel/feedback", json={}).status_code == 401
    answer_ids = [ask(app)["answer_id"] for _ in range(3)]
    for answer_id in answer_ids:
        app.post("feedback", json={"answer_id": answer_id, "helpful": False})
    listed = [one["answer_id"] for page in pages(ops, "feedback", limit=2, helpful="false") for one in page["feedback"]]
    assert listed[:3] == answer_ids[::-1]


def test_variants_are_reported(app: httpx.Client, ops: httpx.Client) -> None:
    answer = ask(app, user="reported")
    before = {one["name"]: one for one in ops.get("experiments").json()["variants"]}
    app.post("feedback", json={"answer_id": answer["answer_id"], "helpful": True})
    report = ops.get("experiments").json()
    after = {one["name"]: one for one in report["variants"]}
    assert after[answer["variant"]]["helpful"]["count"] == before[answer["variant"]]["helpful"]["count"] + 1
    assert (report["keep_days"], report["left_out"], len(report["verdict"]) > 0) == (90.0, 0, True)


@pytest.mark.parametrize(
    ("said", "status", "path"),
    [
        ({}, 400, "answer_id"),
        ({"answer_id": "ID"}, 422, ""),
        ({"answer_id": "ID", "helpful": "yes"}, 400, "helpful"),
        ({"answer_id": "ID", "helpfull": True}, 400, "helpfull"),
        ({"answer_id": "ID", "comment": "x" * 4001}, 422, "comment"),
        ({"answer_id": "ID", "citations": [{"number": 7, "correct": True}]}, 422, "citations -> 0 -> number"),
        ({"answer_id": "ID", "citations": [{"number": 1}]}, 400, "citations -> 0 -> correct"),
        ({"answer_id": "ID", "helpful": True, "user": ""}, 400, "user"),
        ({"answer_id": "ID", "helpful": True, "user": "a\nb"}, 422, "user"),
    ],
)
def test_empty_or_invalid_feedback_is_refused(app: httpx.Client, said: dict[str, Any], status: int, path: str) -> None:
    answer_id = ask(app)["answer_id"]
    refused = app.post("feedback", json={**said, **({"answer_id": answer_id} if "answer_id" in said else {})})
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (status, path), refused.text
    assert app.post("query", json={"question": QUESTION, "user": ""}).status_code == 400


def test_writers_see_which_questions_to_judge_next(app: httpx.Client, ops: httpx.Client) -> None:
    answered = ask(app, question="How long do beagles run in the rain?")
    assert app.get("feedback/next").status_code == 403
    listed = ops.get("feedback/next", params={"limit": 1000}).json()["questions"]
    [mine] = [one for one in listed if one["answer_id"] == answered["answer_id"]]
    assert (mine["count"], mine["confidence"]) == (1, pytest.approx(answered["confidence"]))
    app.post("feedback", json={"answer_id": answered["answer_id"], "helpful": True})
    listed = ops.get("feedback/next", params={"limit": 1000}).json()["questions"]
    assert answered["answer_id"] not in {one["answer_id"] for one in listed}
    assert ops.get("feedback/next", params={"limit": 0}).status_code == 400
