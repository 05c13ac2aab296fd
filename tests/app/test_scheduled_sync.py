"""A served tenant whose knowledge is synchronised again and again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.app.running import Serve

PROFILE = "tenant: cats\nknowledge: {{path: '{folder}', every_s: 1}}\n"


def test_a_served_tenant_follows_its_folder_by_the_clock(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "cats.txt").write_text("Cats sleep all day.")
    client = serve(PROFILE.format(folder=folder))
    deadline = time.monotonic() + 60
    while client.get("/tenants/cats/documents/cats.txt").status_code != 200:
        assert time.monotonic() < deadline, "the document never came"
        time.sleep(0.2)
    kinds = {job["kind"] for job in client.get("/tenants/cats/jobs").json()["jobs"]}
    assert kinds == {"sync"}


def test_the_log_says_once_how_many_documents_fail(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "cats.txt").write_bytes(b"")
    client = serve(PROFILE.format(folder=folder))

    def wait_for_syncs(more: int) -> None:
        known, deadline = set[str](), time.monotonic() + 60
        while len(known) <= more:
            assert time.monotonic() < deadline, "the syncs never ended"
            jobs = client.get("/tenants/cats/jobs").json()["jobs"]
            known |= {job["job_id"] for job in jobs if job["state"] == "done"}
            time.sleep(0.2)

    def warnings() -> list[str]:
        found = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        return [" ".join(message.split()[:5]) for message in found if message.startswith("cats: knowledge: ")]

    wait_for_syncs(4)
    assert warnings() == ["cats: knowledge: 1 document failed;"]
    (folder / "dogs.txt").write_bytes(b"")
    deadline = time.monotonic() + 60
    while len(warnings()) < 2:
        assert time.monotonic() < deadline, "the second failure is not in the log"
        time.sleep(0.2)
    assert warnings()[1:] == ["cats: knowledge: 2 documents failed;"]
