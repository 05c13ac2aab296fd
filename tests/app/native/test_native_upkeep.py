"""Synchronisation and examination over HTTP."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from pipelines import Engine
from tests.app.native.calls import accepted, ended, ingest
from tests.app.running import serving

PROFILE = "tenant: synced\nknowledge: {path: knowledge}"


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    for name in ("collie", "pug", "manx"):
        (folder / f"{name}.txt").write_text(f"This tells of the {name}.")
    return folder


@pytest.fixture
def api(tmp_path: Path, knowledge: Path) -> Any:
    with serving(tmp_path, (PROFILE,)) as client:
        client.base_url = client.base_url.join("/tenants/synced/")
        yield client


def _documents(api: httpx.Client) -> set[str]:
    return {document["document_id"] for document in api.get("documents").json()["documents"]}


def test_a_sync_response_says_what_it_did(api: httpx.Client, knowledge: Path) -> None:
    ingest(api, document_id="given", content="It came another way.")
    (knowledge / "blank.txt").write_text(" ")
    first = api.post("sync")
    assert first.status_code == 200
    assert set(first.json()) == {"job_id", "counts", "documents", "renamed", "removed", "busy", "reread"}
    assert first.json()["counts"] == {
        "ready": 3, "unchanged": 0, "failed": 1, "renamed": 0, "removed": 0, "busy": 0,
    }  # fmt: skip
    states = {one["document_id"]: one["state"] for one in first.json()["documents"]}
    assert states == {"collie.txt": "ready", "pug.txt": "ready", "manx.txt": "ready", "blank.txt": "failed"}
    (knowledge / "pug.txt").write_text("This tells more of the pug.")
    (knowledge / "manx.txt").unlink()
    (knowledge / "collie.txt").rename(knowledge / "border.txt")
    second = api.post("sync", json={"wait": True}).json()
    assert second["counts"]["ready"] >= 1
    assert second["renamed"] == [{"before": "collie.txt", "after": "border.txt"}]
    assert [receipt["document_id"] for receipt in second["removed"]] == ["manx.txt"]
    assert _documents(api) == {"given", "pug.txt", "border.txt", "blank.txt"}
    third = api.post("sync", json={}).json()
    assert (third["counts"]["unchanged"], third["renamed"], third["removed"]) == (2, [], [])


@pytest.mark.embedded
def test_a_backup_leaves_nothing_behind_and_removes_what_a_killed_one_left(
    api: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    (place / "footnote-left").mkdir(parents=True)
    (place / "footnote-left" / ".scratch").touch()  # what marks a folder that its process has locked
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    ingest(api, document_id="given", content="It came another way.")
    assert zipfile.is_zipfile(io.BytesIO(api.get("backup").content))
    api.get("stats")  # what is done behind an answer is done before the next one
    assert list(place.iterdir()) == []


@pytest.mark.embedded
def test_head_of_a_backup_makes_none(api: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(api, document_id="given", content="It came another way.")
    made = api.get("backup")
    monkeypatch.setattr(Engine, "backup", lambda *_: pytest.fail("a backup was made"))
    head = api.head("backup")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-disposition"):
        assert head.headers[name] == made.headers[name]
    assert api.head("backup?loud=yes").status_code == 400


@pytest.mark.parametrize(("query", "body"), [("?wait=false", None), ("", {"wait": False})])
def test_a_synchronisation_may_be_left_to_a_job(api: httpx.Client, query: str, body: Any) -> None:
    job = ended(api, accepted(api.post(f"sync{query}", json=body)))
    assert (job["kind"], job["state"]) == ("sync", "done")
    assert {file["path"]: file["state"] for file in job["files"]} == {
        "collie.txt": "ready", "pug.txt": "ready", "manx.txt": "ready",
    }  # fmt: skip
    assert _documents(api) == {"collie.txt", "pug.txt", "manx.txt"}


def test_an_empty_folder_deletes_documents_only_with_allow_empty(api: httpx.Client, knowledge: Path) -> None:
    assert api.post("sync").status_code == 200
    for file in knowledge.iterdir():
        file.unlink()
    assert 400 <= api.post("sync").status_code < 500
    assert len(_documents(api)) == 3
    emptied = api.post("sync", json={"allow_empty": True})
    assert (emptied.status_code, emptied.json()["counts"]["removed"]) == (200, 3)
    assert _documents(api) == set()


@pytest.mark.parametrize(("query", "wait"), [("?wait=false", True), ("", False)])
def test_emptying_a_tenant_or_reading_it_again_is_not_left_to_a_job(api: httpx.Client, query: str, wait: bool) -> None:
    answer = api.post(f"sync{query}", json={"wait": wait, "allow_empty": True})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, "allow_empty")
    answer = api.post(f"sync{query}", json={"wait": wait, "reread": True})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, "reread")


def test_a_tenant_without_a_knowledge_folder_has_nothing_to_synchronise(tmp_path: Path) -> None:
    with serving(tmp_path, ("tenant: plain",)) as client:
        answer = client.post("/tenants/plain/sync")
        assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "knowledge -> path")


@pytest.mark.parametrize("body", [None, {}, {"repair": False}, {"repair": True}])
def test_a_doctor_finds_a_tenant_healthy(api: httpx.Client, body: Any) -> None:
    assert api.post("sync").status_code == 200
    answer = api.post("doctor", json=body)
    assert answer.status_code == 200
    assert answer.json() == {"healthy": True, "documents": 3, "versions": 3, "chunks": 3, "findings": []}
