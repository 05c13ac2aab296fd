"""A server process whose databases are away when it starts, and whose connections are cut while it runs."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from tests.app.commands.processes import Process, ended, said_until_ready, started
from tests.congruence.postgres import postgres_database
from tests.fakes.gate import Gate
from tests.fakes.qdrant_over_http import serving

TEXT = "Beagles need two hours of exercise every day."


class Kennel:
    """A tenant on PostgreSQL and Qdrant behind gates, and the process that serves it."""

    def __init__(self, process: Process, port: int, url: sa.URL, database: Gate, store: Gate) -> None:
        self.process = process
        self.url = url
        self.database = database
        self.store = store
        self._root = f"http://127.0.0.1:{port}"

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self._root + path, trust_env=False, timeout=60)

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return httpx.post(f"{self._root}/tenants/kennel/{path}", json=body, trust_env=False, timeout=60)


@pytest.fixture
def kennel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kennel]:
    with ExitStack() as opened:
        database = sa.make_url(opened.enter_context(postgres_database()))
        store = httpx.URL(opened.enter_context(serving()))
        gates = Gate(database.port or 5432), Gate(int(store.port or 0))
        for gate in gates:
            opened.callback(gate.shut)
        monkeypatch.setenv("AWAY_DATABASE", database.set(port=gates[0].port).render_as_string(hide_password=False))
        profile = tmp_path / "kennel.yaml"
        profile.write_text(
            "tenant: kennel\ncatalogue: {url: '${AWAY_DATABASE}'}\n"
            f"store: {{engine: server, url: 'http://127.0.0.1:{gates[1].port}'}}\n"
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = started(opened, tmp_path, "serve", "kennel.yaml", "--port", str(port), "--data", "data")
        yield Kennel(process, port, database, *gates)


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            if holds():
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.1)


@pytest.mark.postgres
def test_a_server_waits_for_its_databases_and_then_starts(kennel: Kennel) -> None:
    until(lambda: kennel.get("/healthz").status_code == 200)
    ready = kennel.get("/readyz")
    assert (ready.status_code, ready.json()["code"]) == (503, "starting")
    assert "waits for the catalogue and store" in ready.json()["detail"]
    asked = kennel.post("search", {"query": "exercise"})
    assert (asked.status_code, asked.headers["Retry-After"]) == (503, "5")

    kennel.database.open()
    until(lambda: "waits for the store;" in kennel.get("/readyz").json()["detail"])
    kennel.store.open()
    until(lambda: kennel.get("/readyz").status_code == 200)
    assert kennel.post("documents", {"document_id": "beagle", "content": TEXT}).status_code == 201
    assert kennel.post("search", {"query": "exercise"}).json()["results"][0]["document_id"] == "beagle"

    kennel.process.terminate()
    _, out, err = ended(kennel.process)
    assert out.endswith("ready\n")
    assert f"waiting to start: store at http://127.0.0.1:{kennel.store.port}" in err


@pytest.mark.postgres
def test_a_server_that_waits_can_be_ended(kennel: Kennel) -> None:
    until(lambda: kennel.get("/healthz").status_code == 200)
    kennel.process.terminate()
    code, out, _ = ended(kennel.process)
    assert (code, out) == (-15, "")


@pytest.mark.postgres
def test_a_start_that_fails_once_the_databases_answer_ends_the_server(kennel: Kennel) -> None:
    until(lambda: kennel.get("/healthz").status_code == 200)
    database = sa.create_engine(kennel.url)
    with database.begin() as connection:
        connection.execute(sa.text("CREATE TABLE alembic_version (version_num varchar(32) primary key)"))
        connection.execute(sa.text("INSERT INTO alembic_version VALUES ('9999')"))
    database.dispose()
    kennel.database.open()
    kennel.store.open()
    code, out, err = ended(kennel.process)
    assert (code, out) == (1, ""), err
    assert "newer" in err
    assert "Traceback" not in err


@pytest.mark.postgres
@pytest.mark.parametrize("part", ["database", "store"])
def test_connections_that_are_cut_cost_no_more_than_the_requests_on_them(kennel: Kennel, part: str) -> None:
    kennel.database.open()
    kennel.store.open()
    until(lambda: kennel.get("/readyz").status_code == 200)
    assert kennel.post("documents", {"document_id": "beagle", "content": TEXT}).status_code == 201
    gate: Gate = getattr(kennel, part)

    gate.cut()
    until(lambda: kennel.post("search", {"query": "exercise"}).status_code == 200, 10)
    gate.shut()
    away = kennel.post("documents", {"document_id": "pug", "content": "Pugs snore."})
    assert away.status_code == 503
    assert kennel.get("/healthz").status_code == 200
    assert kennel.get("/readyz").status_code == 503
    gate.open()
    until(lambda: kennel.get("/readyz").status_code == 200, 30)
    assert kennel.post("documents", {"document_id": "pug", "content": "Pugs snore."}).status_code == 201
    found = kennel.post("search", {"query": "snore"}).json()["results"]
    assert found[0]["document_id"] == "pug"


@pytest.mark.postgres
def test_a_worker_waits_for_its_databases(kennel: Kennel, tmp_path: Path) -> None:
    with ExitStack() as opened:
        worker = started(opened, tmp_path, "worker", "kennel.yaml", "--data", "worker")
        assert " WARNING: waiting to start: " in worker.stderr.readline()
        kennel.database.open()
        kennel.store.open()
        assert said_until_ready(worker) == "kennel: running jobs\nready\n"
        worker.terminate()
        assert ended(worker)[0] == -15
