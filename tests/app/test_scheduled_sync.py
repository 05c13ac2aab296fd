"""A served tenant whose knowledge is synchronised again and again."""

from __future__ import annotations

import time
from pathlib import Path

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
