"""Two servers and a worker over the same databases: asked, changed and killed at once, every document stays whole."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from pipelines.engine import open_engine
from tests.app.commands.processes import Process, ended, said_until_ready, started
from tests.congruence.backends import IN_POSTGRES, catalogue_of
from tests.congruence.wholeness import problems_of, settle
from tests.fakes.qdrant_over_http import serving

PROFILE = """
tenant: kennel
metadata: {{fields: {{name: {{type: keyword}}}}}}
chunking: {{size: 16, overlap: 0}}
jobs: {{run: worker}}
limits: {{redis_url: "${{KENNEL_REDIS}}"}}
store: {{engine: server, url: "{store}", timeout_s: 30}}
"""
NAMES = [f"dog-{number}" for number in range(8)]
FLEETING = [f"stray-{number}" for number in range(6)]
EDITIONS = 5


def text_of(name: str, edition: int) -> str:
    return " ".join(f"Sentence {number} of {name} howls in edition {edition}." for number in range(2 + edition % 3))


def document(name: str, edition: int) -> dict[str, Any]:
    return {"document_id": name, "content": text_of(name, edition), "metadata": {"name": name}}


class Kennel:
    """The servers' addresses, and what starts a further process."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder, self._opened = folder, opened
        self._started = 0
        self.wrong: list[str] = []
        self.reads = 0

    def start(self, *command: str) -> Process:
        """`footnote` with a data folder of its own, once it is ready; what it prints is read away."""
        self._started += 1
        process = self.started(*command, "--data", f"data-{self._started}")
        said = said_until_ready(process)
        assert said.endswith("ready\n"), process.stderr.read()
        for stream in (process.stdout, process.stderr):
            threading.Thread(target=stream.read, daemon=True).start()
        return process

    def started(self, *command: str) -> Process:
        """`footnote` as a process of its own."""
        return started(self._opened, self._folder, *command)

    def serve(self) -> tuple[Process, httpx.Client]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = self.start("serve", "kennel.yaml", "--port", str(port))
        root = f"http://127.0.0.1:{port}/tenants/kennel"
        return process, self._opened.enter_context(httpx.Client(base_url=root, trust_env=False, timeout=120))

    def read(self, client: httpx.Client, over: threading.Event) -> None:
        """Search through one server until ``over``; a document must be there once, in one edition, whole."""
        while not over.is_set():
            for name in NAMES:
                asked = {"query": "howls", "filters": {"name": name}, "top_k": 20}
                try:
                    answer = client.post("search", json=asked)
                except httpx.TransportError:
                    return  # it was killed
                if answer.status_code != 200:
                    self.wrong.append(f"{name}: {answer.status_code} {answer.text[:200]}")
                    continue
                found = sorted(hit["content"] for hit in answer.json()["results"])
                self.reads += 1
                if not any(
                    len(found) == 2 + edition % 3 and all(f"edition {edition}." in one for one in found)
                    for edition in range(EDITIONS)
                ):
                    self.wrong.append(f"{name}: {found}")


@pytest.fixture
def kennel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kennel]:
    with ExitStack() as opened:
        monkeypatch.setenv("KENNEL_REDIS", os.environ.get("FOOTNOTE_TEST_REDIS", "redis://127.0.0.1:6379/0"))
        opened.enter_context(catalogue_of("postgres"))
        store = opened.enter_context(serving())
        (tmp_path / "kennel.yaml").write_text(IN_POSTGRES + PROFILE.format(store=store), encoding="utf-8")
        yield Kennel(tmp_path, opened)


def until(holds: Callable[[], bool], seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.2)


def submit(client: httpx.Client, documents: list[dict[str, Any]]) -> str:
    answer = client.post("jobs", json={"kind": "ingest", "documents": documents})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["job_id"])


@pytest.mark.postgres
@pytest.mark.slow
def test_kills_under_load_lose_and_tear_nothing(kennel: Kennel, tmp_path: Path) -> None:
    (doomed, first), (_, second) = kennel.serve(), kennel.serve()
    worker = kennel.start("worker", "kennel.yaml")

    def done(job: str) -> bool:
        return bool(second.get(f"jobs/{job}").json()["state"] == "done")

    begun = submit(first, [document(name, 0) for name in [*NAMES, *FLEETING]])
    until(lambda: done(begun))
    over = threading.Event()
    readers = [threading.Thread(target=kennel.read, args=(one, over)) for one in (first, second, second)]
    for reader in readers:
        reader.start()
    try:
        jobs = [submit((first, second)[edition % 2], [document(name, edition) for name in NAMES]) for edition in (1, 2)]
        for name in FLEETING[:3]:
            assert first.delete(f"documents/{name}").status_code == 200
        until(lambda: second.get(f"jobs/{jobs[0]}").json()["state"] in ("running", "done"))
        worker.kill()
        doomed.kill()
        jobs += [submit(second, [document(name, edition) for name in NAMES]) for edition in (3, 4)]
        for name in FLEETING[3:]:
            assert second.delete(f"documents/{name}").status_code == 200
        kennel.start("worker", "kennel.yaml")
        until(lambda: all(map(done, jobs)))
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert kennel.wrong == []
    assert kennel.reads > len(NAMES)
    assert {second.get(f"documents/{name}").status_code for name in FLEETING} == {404}
    texts = {name: second.get(f"documents/{name}/content").text for name in NAMES}
    assert texts == {name: text_of(name, EDITIONS - 1) for name in NAMES}
    with open_engine(tmp_path / "kennel.yaml", tmp_path / "data-checked") as engine:
        settle(engine)
        assert problems_of(engine) == []


@pytest.mark.postgres
@pytest.mark.slow
def test_a_reembedding_by_a_worker_with_an_earlier_profile_is_no_success(kennel: Kennel, tmp_path: Path) -> None:
    profile = tmp_path / "kennel.yaml"
    earlier = profile.read_text(encoding="utf-8")
    worker = kennel.start("worker", "kennel.yaml")
    profile.write_text(earlier.replace("size: 16", "size: 24"), encoding="utf-8")
    _, client = kennel.serve()
    begun = submit(client, [document(name, 2) for name in NAMES])
    until(lambda: client.get(f"jobs/{begun}").json()["state"] == "done")
    reembed = ("reembed", "kennel.yaml", "--data", "data-2")
    code, out, err = ended(kennel.started(*reembed))
    assert (code, out) == (1, "8 documents, 8 stale\n")
    assert "run by a server or worker of tenant kennel that read an earlier profile: restart it, then repeat" in err
    worker.kill()
    kennel.start("worker", "kennel.yaml")
    assert ended(kennel.started(*reembed))[:2] == (0, "8 documents, 0 stale\n")
