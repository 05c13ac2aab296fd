"""Jobs over HTTP: how they are started, followed, listed and cancelled, and who may do so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from tests.app.native.calls import accepted, ended, pages
from tests.app.running import serving
from tests.packing import packed

BUSY = "tenant: busy"
# Jobs are left to a worker, and there is none: what is asked for stays queued.
STILL = "tenant: still\njobs: {run: worker}"
CATS = """
tenant: cats
jobs: {run: worker}
auth:
  keys:
    - {name: look, secret: "${CATS_READER}", role: reader}
    - {name: feed, secret: "${CATS_WRITER}", role: writer}
    - {name: rule, secret: "${CATS_ADMIN}", role: admin}
"""
DOGS = """
tenant: dogs
jobs: {run: worker}
auth: {keys: [{name: walk, secret: "${DOGS_ADMIN}", role: admin}]}
"""
JOB = {
    "job_id", "kind", "state", "progress", "files", "created_at", "started_at", "finished_at", "attempt", "reason",
    "priority",
}  # fmt: skip
PROGRESS = {
    "files_total", "files_done", "files_failed", "chunks", "bytes", "files_per_second", "estimated_completion",
}  # fmt: skip
PUG = {"document_id": "pug", "content": "The Pug is a small dog.", "source": "pug.txt"}


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in ("CATS_READER", "CATS_WRITER", "CATS_ADMIN", "DOGS_ADMIN"):
            environment.setenv(name, name.lower())
        yield


@pytest.fixture(scope="module")
def unkeyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("jobs"), (BUSY, STILL)) as client:
        yield client


@pytest.fixture(scope="module")
def busy(unkeyed: httpx.Client) -> Iterator[httpx.Client]:
    """A tenant whose jobs are carried out."""
    root = unkeyed.base_url.join("/tenants/busy/")
    with httpx.Client(base_url=root, trust_env=False, timeout=60) as client:
        yield client


@pytest.fixture
def still(unkeyed: httpx.Client) -> Iterator[httpx.Client]:
    """A tenant whose jobs wait for a worker that never comes; afterwards all of them are cancelled."""
    root = unkeyed.base_url.join("/tenants/still/")
    with httpx.Client(base_url=root, trust_env=False, timeout=60) as client:
        yield client
        for job in [job for page in pages(client, "jobs", state="queued") for job in page["jobs"]]:
            assert client.post(f"jobs/{job['job_id']}/cancel").status_code == 200


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("keyed-jobs"), (CATS, DOGS)) as client:
        yield client


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _ids(listed: list[dict[str, Any]]) -> list[str]:
    return [job["job_id"] for job in listed]


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("", {**PUG, "wait": False}),
        ("?wait=false", PUG),
        ("?wait=false", {**PUG, "wait": True}),
        ("?wait=true", {**PUG, "wait": False}),
        ("", {"documents": [PUG], "wait": False}),
        ("?wait=0", {"documents": [PUG]}),
    ],
)
def test_an_ingestion_that_is_not_waited_for_is_a_job(busy: httpx.Client, query: str, body: dict[str, Any]) -> None:
    answer = busy.post(f"documents{query}", json=body)
    job_id = accepted(answer)
    assert busy.get(urljoin(str(busy.base_url), answer.headers["location"])).json()["job_id"] == job_id
    job = ended(busy, job_id)
    assert (job["kind"], job["state"], job["reason"]) == ("ingest", "done", None)
    assert [file["state"] for file in job["files"]] in (["ready"], ["unchanged"])
    assert busy.get("documents/pug/content").text == PUG["content"]


@pytest.mark.parametrize(("query", "fields"), [("", {"wait": "false"}), ("?wait=false", {})])
def test_a_file_may_be_left_to_a_job_too(busy: httpx.Client, query: str, fields: dict[str, str]) -> None:
    answer = busy.post(
        f"documents{query}", files={"file": ("manx.md", b"# Manx\n\nThe Manx has no tail.\n")}, data=fields
    )
    job = ended(busy, accepted(answer))
    assert [file["path"] for file in job["files"]] == ["manx.md"]
    assert "no tail" in busy.get("documents/manx.md/content").text


def test_an_archive_is_left_to_a_job_as_the_files_in_it(busy: httpx.Client) -> None:
    content = packed(pug_md="The Pug snores.", lab_md="The Labrador swims.")
    answer = busy.post("documents", files={"file": ("dogs.zip", content)}, data={"wait": "false"})
    job = ended(busy, accepted(answer))
    assert [(file["path"], file["state"]) for file in job["files"]] == [
        ("dogs.zip/lab.md", "ready"), ("dogs.zip/pug.md", "ready"),
    ]  # fmt: skip


def test_a_job_reports_the_result_of_each_file(busy: httpx.Client) -> None:
    documents = [
        {"document_id": "lab.txt", "content": "The Labrador likes water."},
        {"document_id": "blank.txt", "content": " \n"},
    ]
    job = ended(busy, accepted(busy.post("jobs", json={"kind": "ingest", "documents": documents})))
    assert (set(job), set(job["progress"])) == (JOB, PROGRESS)
    files = {file["path"]: file for file in job["files"]}
    assert (files["lab.txt"]["state"], files["lab.txt"]["reason"]) == ("ready", None)
    assert (files["blank.txt"]["state"], "no text" in files["blank.txt"]["reason"]) == ("failed", True)
    progress = job["progress"]
    assert (progress["files_total"], progress["files_failed"]) == (2, 1)
    assert (progress["chunks"], progress["bytes"] > 0) == (1, True)
    assert job["created_at"] <= job["started_at"] <= job["finished_at"]
    assert job["attempt"] >= 1


@pytest.mark.parametrize("kind", ["reembed", "optimize", "purge"])
def test_a_job_for_the_whole_tenant_takes_no_documents(busy: httpx.Client, kind: str) -> None:
    job = ended(busy, accepted(busy.post("jobs", json={"kind": kind})))
    assert (job["kind"], job["state"]) == (kind, "done")


@pytest.mark.parametrize(("path", "body"), [("sync", {"wait": False}), ("jobs", {"kind": "sync"})])
def test_a_sync_without_a_knowledge_folder_is_refused_at_once(
    still: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    refused, waited = still.post(path, json=body), still.post("sync", json={})
    assert (refused.status_code, refused.json()["errors"]) == (422, waited.json()["errors"])
    assert refused.json()["code"] == waited.json()["code"] == "nothing_to_sync"
    assert refused.json()["errors"][0]["path"] == "knowledge -> path"


def test_jobs_are_listed_newest_first_and_without_their_files(still: httpx.Client) -> None:
    started = [accepted(still.post("jobs", json={"kind": "optimize", "priority": 7})) for _ in range(3)]
    listed = still.get("jobs?state=queued").json()
    assert _ids(listed["jobs"]) == started[::-1]
    assert listed["next_cursor"] is None
    assert set(listed["jobs"][0]) == JOB - {"files"}
    assert {job["priority"] for job in listed["jobs"]} == {7}
    assert still.get("jobs?state=running").json() == {"jobs": [], "next_cursor": None}


def test_a_list_shows_every_job_once_while_others_come(still: httpx.Client) -> None:
    started = [accepted(still.post("jobs", json={"kind": "optimize"})) for _ in range(7)]
    seen: list[str] = []
    for page in pages(still, "jobs", limit=2, state="queued"):
        assert len(page["jobs"]) <= 2
        seen += _ids(page["jobs"])
        accepted(still.post("jobs", json={"kind": "optimize"}))
    assert seen == started[::-1]


def test_a_request_that_is_sent_again_under_its_key_starts_nothing(still: httpx.Client) -> None:
    key = {"Idempotency-Key": "morning, 1"}
    first = accepted(still.post("documents?wait=false", json=PUG, headers=key))
    assert accepted(still.post("documents?wait=false", json=PUG, headers=key)) == first
    assert accepted(still.post("documents?wait=false", json=PUG)) != first
    other = still.post("documents?wait=false", json={**PUG, "content": "Another text."}, headers=key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    assert still.post("jobs", json={"kind": "optimize"}, headers=key).status_code == 409


def test_a_job_that_waits_can_be_cancelled(still: httpx.Client) -> None:
    job_id = accepted(still.post("documents?wait=false", json=PUG))
    waiting = still.get(f"jobs/{job_id}").json()
    assert (waiting["state"], waiting["started_at"], waiting["finished_at"]) == ("queued", None, None)
    cancelled = still.post(f"jobs/{job_id}/cancel")
    assert cancelled.status_code == 200
    assert (set(cancelled.json()), cancelled.json()["state"]) == (JOB, "cancelled")
    assert still.get(f"jobs/{job_id}").json()["state"] == "cancelled"
    assert still.get("documents/pug").status_code == 404
    assert still.post(f"jobs/{job_id}/cancel").json() == cancelled.json()


def test_a_job_that_is_done_cannot_be_cancelled(busy: httpx.Client) -> None:
    job_id = accepted(busy.post("jobs", json={"kind": "optimize"}))
    assert ended(busy, job_id)["state"] == "done"
    answer = busy.post(f"jobs/{job_id}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "job_ended")


@pytest.mark.parametrize("job_id", ["none", "00000000-0000-4000-8000-000000000000", "%2F", "%FF", "a" * 1000])
def test_an_unknown_job_is_not_found(still: httpx.Client, job_id: str) -> None:
    for answer in (still.get(f"jobs/{job_id}"), still.post(f"jobs/{job_id}/cancel")):
        assert (answer.status_code, answer.json()["code"]) == (404, "job_not_found")


def test_jobs_of_another_tenant_are_not_found(keyed: httpx.Client) -> None:
    dogs, cats = _bearer("dogs_admin"), _bearer("cats_admin")
    key = {"Idempotency-Key": "same"}
    job_id = accepted(keyed.post("/tenants/dogs/jobs", json={"kind": "optimize"}, headers={**dogs, **key}))
    assert keyed.get(f"/tenants/dogs/jobs/{job_id}", headers=dogs).status_code == 200
    assert keyed.get(f"/tenants/cats/jobs/{job_id}", headers=cats).status_code == 404
    assert keyed.post(f"/tenants/cats/jobs/{job_id}/cancel", headers=cats).status_code == 404
    assert keyed.get(f"/tenants/dogs/jobs/{job_id}", headers=cats).status_code == 404
    assert job_id not in keyed.get("/tenants/cats/jobs?limit=1000", headers=cats).text
    other = accepted(keyed.post("/tenants/cats/jobs", json={"kind": "optimize"}, headers={**cats, **key}))
    assert other != job_id
    assert keyed.get(f"/tenants/dogs/jobs/{job_id}", headers=dogs).json()["state"] == "queued"


_ROLES = [
    ("reader", "GET", "jobs", None, 403),
    ("reader", "GET", "jobs/x", None, 403),
    ("reader", "POST", "jobs", {"kind": "sync"}, 403),
    ("reader", "POST", "sync", {"wait": False}, 403),
    ("reader", "POST", "doctor", {}, 403),
    ("writer", "GET", "jobs", None, 200),
    ("writer", "GET", "jobs/x", None, 404),
    ("writer", "POST", "jobs", {"kind": "ingest", "documents": [{"content": "Cats sleep."}]}, 202),
    ("writer", "POST", "jobs", {"kind": "reembed"}, 403),
    ("writer", "POST", "jobs", {"kind": "optimize"}, 403),
    ("writer", "POST", "jobs", {"kind": "purge"}, 403),
    ("writer", "POST", "doctor", {}, 403),
    ("writer", "DELETE", "documents/x?purge=true", None, 403),
    ("writer", "DELETE", "documents/x", None, 404),
    ("admin", "POST", "jobs", {"kind": "reembed"}, 202),
    ("admin", "POST", "jobs", {"kind": "optimize"}, 202),
    ("admin", "POST", "jobs", {"kind": "purge"}, 202),
    ("admin", "POST", "doctor", {}, 200),
    ("admin", "DELETE", "documents/x?purge=true", None, 404),
]


@pytest.mark.parametrize("case", _ROLES, ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}")
def test_each_role_has_its_permissions(keyed: httpx.Client, case: tuple[str, str, str, Any, int]) -> None:
    role, method, route, body, status = case
    content = None if body is None else json.dumps(body)
    headers = {**_bearer(f"cats_{role}"), "Content-Type": "application/json"}
    answer = keyed.request(method, f"/tenants/cats/{route}", content=content, headers=headers)
    assert answer.status_code == status, answer.text


def test_a_job_is_cancelled_by_the_role_that_may_start_it(keyed: httpx.Client) -> None:
    jobs = "/tenants/cats/jobs"
    job_id = accepted(keyed.post(jobs, json={"kind": "purge"}, headers=_bearer("cats_admin")))
    assert keyed.post(f"{jobs}/{job_id}/cancel", headers=_bearer("cats_writer")).status_code == 403
    assert keyed.get(f"{jobs}/{job_id}", headers=_bearer("cats_writer")).json()["state"] == "queued"
    assert keyed.post(f"{jobs}/{job_id}/cancel", headers=_bearer("cats_admin")).json()["state"] == "cancelled"
