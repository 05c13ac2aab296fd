"""A tenant takes no more than its quotas, and says so clearly."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.app.running import Serve

TENANT = "/tenants/pets"


def profile(quotas: str, more: str = "") -> str:
    return f"tenant: pets\nstore: {{engine: memory}}\nlimits: {{quotas: {{{quotas}}}}}\n{more}"


def put(client: httpx.Client, name: str, content: str = "Beagles howl.") -> httpx.Response:
    return client.post(f"{TENANT}/documents", json={"document_id": name, "content": content})


def refused(answer: httpx.Response, what: str, most: str) -> None:
    problem: Mapping[str, str] = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "quota_spent"), answer.text
    assert f"all the {what} that its profile allows ({most})" in problem["detail"]
    assert f"limits -> quotas -> {what}" in problem["detail"]


def test_a_document_too_many_is_refused_and_a_new_version_is_not(serve: Serve) -> None:
    client = serve(profile("documents: 2"))
    assert [put(client, name).status_code for name in ("a", "b")] == [201, 201]
    refused(put(client, "c"), "documents", "2")
    assert client.get(f"{TENANT}/documents/c").status_code == 404
    assert put(client, "a", "Beagles howl at the moon.").status_code == 201
    assert client.delete(f"{TENANT}/documents/b").status_code == 200
    assert put(client, "c").status_code == 201


def test_what_there_is_no_room_for_is_not_even_read(serve: Serve) -> None:
    client = serve(profile("documents: 1, bytes: 1000"))
    assert put(client, "a", "x" * 900).status_code == 201
    broken = {"file": ("broken.pdf", b"no PDF" * 5)}
    refused(client.post(f"{TENANT}/documents", files=broken), "documents", "1")
    larger = client.post(f"{TENANT}/documents", files={"file": ("a.pdf", b"no PDF" * 50)}, data={"document_id": "a"})
    refused(larger, "bytes", "1,000")
    assert client.get(f"{TENANT}/documents?state=failed").json()["documents"] == []
    assert (
        client.post(f"{TENANT}/documents", json={"document_id": "a", "content": "x" * 900}).json()["state"]
        == "unchanged"
    )


def test_of_several_documents_those_that_fit_are_taken(serve: Serve) -> None:
    client = serve(profile("documents: 2"))
    several = {"documents": [{"document_id": name, "content": f"Text {name}."} for name in "abc"]}
    states = [one["state"] for one in client.post(f"{TENANT}/documents", json=several).json()["documents"]]
    assert states == ["ready", "ready", "failed"]


def test_writers_at_the_same_time_do_not_pass_the_quota(serve: Serve) -> None:
    client = serve(profile("documents: 3"))
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda number: put(client, f"d{number}", f"Text {number}.").status_code, range(8)))
    assert sorted(codes) == [201] * 3 + [422] * 5


def test_bytes_count_every_version_until_it_is_purged(serve: Serve) -> None:
    client = serve(profile("bytes: 250"))
    assert put(client, "a", "x" * 100).status_code == 201
    assert put(client, "a", "y" * 100).status_code == 201
    refused(put(client, "b", "z" * 100), "bytes", "250")
    assert client.delete(f"{TENANT}/documents/a", params={"purge": "true"}).status_code == 200
    assert put(client, "b", "z" * 100).status_code == 201


def test_a_job_too_many_is_refused_until_one_is_done(serve: Serve) -> None:
    client = serve(profile("jobs: 1", "jobs: {run: worker}\n"))
    first = client.post(f"{TENANT}/jobs", json={"kind": "optimize"})
    assert first.status_code == 202
    refused(client.post(f"{TENANT}/jobs", json={"kind": "optimize"}), "jobs", "1")
    body = {"document_id": "a", "content": "Beagles howl.", "wait": False}
    refused(client.post(f"{TENANT}/documents", json=body), "jobs", "1")
    assert client.post(f"{TENANT}/jobs/{first.json()['job_id']}/cancel").status_code == 200
    assert client.post(f"{TENANT}/jobs", json={"kind": "optimize"}).status_code == 202


def test_a_conversation_over_the_quota_is_refused_and_questions_still_work(serve: Serve) -> None:
    client = serve(profile("conversations: 1"))

    def ask(**asked: str) -> httpx.Response:
        return client.post(f"{TENANT}/query", json={"question": "What howls?", **asked})

    assert ask(conversation_id="a").status_code == 200
    refused(ask(conversation_id="b"), "conversations", "1")
    assert ask(conversation_id="a").status_code == 200
    kept_nowhere = ask()
    assert (kept_nowhere.status_code, kept_nowhere.json()["conversation_id"]) == (200, None)
    assert client.delete(f"{TENANT}/conversations/a").json()["turns_removed"] == 2
    assert ask(conversation_id="b").status_code == 200
